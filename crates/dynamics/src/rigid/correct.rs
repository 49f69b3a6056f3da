//! Position correction: bodies that overlap are moved apart, without touching their velocities.
//!
//! A contact whose overlap at the end of the step is above the slop is opened, by Gauss-Seidel sweeps over displacements
//! instead of velocities: a part β of what is above half of the slop per visit. So correction comes to an end, and a stack at
//! rest is left alone. Bodies with joints are then put back on these, all of the island giving way. What lifting does to the
//! energy of position is booked as stabilisation.

use super::books::{Account, Entry, Exchange};
use super::contact::{Contacts, Touch};
use super::island::Islands;
use super::linkage::Linkage;
use super::settings::Settings;
use super::solver::Report;
use super::start::{Mover, Starts, Ways};
use super::turn::rotation_vector;
use super::twist::{Inverse, Twist};
use super::world::World;
use crate::attributes::{Force, Orientation, Position, Torque};
use crate::space::ThreeD;
use crate::world::access::{memory, read, write};
use crate::world::rule::Rule;
use crate::world::table::{read_table, write_table};
use gedanken_algebra::rotation::from_rotation_vector;
use gedanken_algebra::units::Quantity;
use gedanken_algebra::{Pose, Vec3};
use std::sync::Arc;

/// Sweeps over the overlapping contacts, to and fro.
const SWEEPS: usize = 2;

/// One overlapping point.
#[derive(Debug)]
struct Overlap {
    bodies: [usize; 2],
    normal: Vec3,
    /// r × n of either body: how a turn opens the gap.
    turns: [Vec3; 2],
    /// 1/m of either body, and I⁻¹ (r × n): what an impulse along the normal does to it.
    masses: [f64; 2],
    spins: [Vec3; 2],
    gap: f64,
    /// The effective mass along the normal.
    mass: f64,
}

/// Memory of the rule.
#[derive(Debug, Default)]
struct Corrector {
    overlaps: Vec<Overlap>,
    /// By row: the displacement.
    shifts: Vec<Twist>,
    linkage: Linkage,
}

/// Moves bodies apart that overlap more than the slop.
pub(super) fn rule(world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let (world, settings) = (world.clone(), settings.clone());
    let places = (write::<Position<ThreeD>>(), write::<Orientation>());
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let tables = (read_table::<Starts>(), read_table::<Contacts>(), read_table::<Islands>());
    let books = (write_table::<Ways>(), write_table::<Exchange>());
    let view = (places, forces, tables, read_table::<Report>(), books, memory::<Corrector>());
    Rule::new(
        "correct",
        view,
        move |step,
              ((r, q), (force, torque), (starts, contacts, islands), report, (ways, exchange), corrector)| {
            // Whoever solved the contacts knows already.
            if report.points > 0 && report.overlap <= settings.slop {
                return;
            }
            corrector.find(contacts, islands, starts, &settings);
            if corrector.overlaps.is_empty() {
                return;
            }
            corrector.open(starts.movers.len(), &settings);
            if !world.constraints().is_empty() {
                let pose = |row: usize| Pose::new(q[row], r[row].si());
                corrector.hold(&world, islands, starts, pose, step.t.si());
            }
            let mut energy = 0.0;
            for (row, shift) in
                corrector.shifts.iter().enumerate().filter(|(_, shift)| **shift != Twist::ZERO)
            {
                r[row] += Quantity::new(shift.linear);
                ways.shifts[row] += *shift;
                q[row] = (from_rotation_vector(shift.angular) * q[row]).normalize();
                energy -= Twist::new(force[row].si(), torque[row].si()).dot(*shift);
            }
            exchange.book(Account::Stabilisation, Entry { energy, ..Entry::default() });
        },
    )
}

impl Corrector {
    /// Lists, for every island with an overlap above the slop, all points that overlap by more than half of it.
    fn find(&mut self, contacts: &Contacts, islands: &Islands, starts: &Starts, settings: &Settings) {
        self.overlaps.clear();
        for island in &islands.islands {
            let touches = islands.touches[island.touches.clone()].iter();
            let touches = touches.map(|&number| &contacts.touches[number as usize]);
            let is_deep = |touch: &Touch| touch.points().iter().any(|point| point.gap < -settings.slop);
            if !touches.clone().any(is_deep) {
                continue;
            }
            for touch in touches {
                let bodies = [touch.a as usize, touch.b as usize];
                let [a, b] = bodies.map(|row| &starts.movers[row].inverse);
                for point in touch.points().iter().filter(|point| point.gap < -0.5 * settings.slop) {
                    let turns = [point.arm_a, point.arm_b].map(|arm| arm.cross(touch.normal));
                    let spins = [a.inertia * turns[0], b.inertia * turns[1]];
                    let k = a.mass + b.mass + turns[0].dot(spins[0]) + turns[1].dot(spins[1]);
                    self.overlaps.push(Overlap {
                        bodies,
                        normal: touch.normal,
                        turns,
                        masses: [a.mass, b.mass],
                        spins,
                        gap: point.gap,
                        mass: 1.0 / k,
                    });
                }
            }
        }
    }

    /// Brings the displacements of bodies with joints onto these, at the end of the step, which is the time of `pose`.
    fn hold(
        &mut self,
        world: &World,
        islands: &Islands,
        starts: &Starts,
        pose: impl Fn(usize) -> Pose,
        time: f64,
    ) {
        let Self { shifts, linkage, .. } = self;
        for (number, island) in islands.islands.iter().enumerate() {
            let rows = &islands.rows[island.rows.clone()];
            if island.constraints.is_empty() || rows.iter().all(|&row| shifts[row as usize] == Twist::ZERO) {
                continue;
            }
            linkage.gather(world, islands, number, |row| {
                let (Twist { linear, angular }, Pose { rotation, translation }) = (shifts[row], pose(row));
                let rotation = (from_rotation_vector(angular) * rotation).normalize();
                let mover = starts.movers[row];
                let inverse = Inverse::new(mover.mass, mover.moments, rotation);
                Mover { pose: Pose::new(rotation, translation + linear), inverse, ..mover }
            });
            linkage.group.hold_place(&mut linkage.movers, time);
            for mover in &linkage.movers[..linkage.movable] {
                let start = pose(mover.row as usize);
                let turned = rotation_vector(mover.pose.rotation * start.rotation.conjugate());
                shifts[mover.row as usize] = Twist::new(mover.pose.translation - start.translation, turned);
            }
        }
    }

    /// Finds displacements that open the overlaps.
    fn open(&mut self, rows: usize, settings: &Settings) {
        self.shifts.clear();
        self.shifts.resize(rows, Twist::ZERO);
        let Self { overlaps, shifts, .. } = self;
        let mut visit = |overlap: &Overlap| {
            let &Overlap { bodies: [a, b], normal, turns, masses, spins, gap, mass } = overlap;
            let opening =
                |row: usize, turn: Vec3| shifts[row].linear.dot(normal) + shifts[row].angular.dot(turn);
            let gap = gap + (opening(b, turns[1]) - opening(a, turns[0]));
            if gap < -settings.slop {
                let push = settings.correction * (-0.5 * settings.slop - gap) * mass;
                shifts[a] -= Twist::new(normal * (push * masses[0]), spins[0] * push);
                shifts[b] += Twist::new(normal * (push * masses[1]), spins[1] * push);
            }
        };
        for sweep in 0..SWEEPS {
            if sweep % 2 == 0 {
                overlaps.iter().for_each(&mut visit);
            } else {
                overlaps.iter().rev().for_each(&mut visit);
            }
        }
    }
}
