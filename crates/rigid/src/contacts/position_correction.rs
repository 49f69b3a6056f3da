//! Position correction: bodies that overlap are moved apart. What lifting costs is taken from their motion, as far
//! as there is any; else no velocity changes.
//!
//! A contact whose overlap at the end of the step is above the slop is opened, by Gauss-Seidel sweeps over
//! displacements instead of velocities: by the part β of what is above half of the slop. So correction comes to an
//! end, and a stack at rest is left alone. Bodies with joints are then put back on these, all of
//! the island giving way. What lifting does to the energy of position is booked as stabilisation.

use super::report::Report;
use crate::collide::contact_table::{Contacts, Touch};
use crate::collide::island::Islands;
use crate::joints::linkage::Linkage;
use crate::ledger::{Account, Entry, Exchange};
use crate::step::free_rotation::rotation_vector;
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{Displacements, InverseMass, SolverBodies, SolverBody};
use gedanken_dynamics::{
    AngularVelocity, Force, Orientation, Position, Rule, ThreeD, Torque, Velocity, memory, read, read_table,
    write, write_table,
};
use gedanken_math::rotation::{from_rotation_vector, to_body};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Twist, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Memory of the rule.
#[derive(Debug, Default)]
struct Corrector {
    overlaps: Overlaps,
    /// By row: the displacement.
    shifts: Vec<Twist>,
    linkage: Linkage,
}

/// Moves bodies apart that overlap more than the slop.
pub(crate) fn rule(world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let (world, settings) = (world.clone(), settings.clone());
    let places = (write::<Position<ThreeD>>(), write::<Orientation>());
    let motions = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>());
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let tables = (read_table::<SolverBodies>(), read_table::<Contacts>(), read_table::<Islands>());
    let books = (write_table::<Displacements>(), write_table::<Exchange>());
    let view = (places, motions, forces, tables, read_table::<Report>(), books, memory::<Corrector>());
    Rule::new(
        "correct",
        view,
        move |step,
              (
            (r, q),
            (v, omega),
            (force, torque),
            (at_start, contacts, islands),
            report,
            (displacements, exchange),
            corrector,
        )| {
            // Whoever solved the contacts knows already.
            if report.points > 0 && report.overlap <= settings.slop {
                return;
            }
            corrector.overlaps.find(contacts, islands, at_start, &settings);
            if corrector.overlaps.is_empty() {
                return;
            }
            corrector.shifts.clear();
            corrector.shifts.resize(at_start.bodies.len(), Twist::ZERO);
            corrector.overlaps.open(&mut corrector.shifts);
            if !world.constraints().is_empty() {
                let pose = |row: usize| Pose::new(q[row], r[row].si());
                corrector.hold(&world, islands, at_start, pose, step.t.si());
            }
            let kinetic = |row: usize, q: &[Quat], twist: Twist| {
                let (body, spin) = (&at_start.bodies[row], to_body(q[row], twist.angular));
                0.5 * (body.mass * twist.linear.length_squared() + (spin * spin).dot(body.moments))
            };
            for island in &islands.islands {
                let rows = islands.rows[island.rows.clone()].iter().map(|&row| row as usize);
                let (mut lifted, mut before, mut after) = (0.0, 0.0, 0.0);
                for row in rows.clone() {
                    let shift = corrector.shifts[row];
                    let twist = Twist::new(v[row].si(), omega[row].si());
                    before += kinetic(row, q, twist);
                    if shift != Twist::ZERO {
                        r[row] += Quantity::new(shift.linear);
                        displacements.shifted[row] += shift;
                        q[row] = (from_rotation_vector(shift.angular) * q[row]).normalize();
                        lifted -= Twist::new(force[row].si(), torque[row].si()).dot(shift);
                    }
                    after += kinetic(row, q, twist);
                }
                exchange.book(Account::Stabilisation, Entry { energy: lifted, ..Entry::default() });
                // Bodies that are lifted had sunk, and what they won by that is in their motion: it pays, as far
                // as there is any. All velocities of the island shrink alike, so what rests or slides goes on to.
                let left = (before - lifted).max(0.0);
                let is_still = |row: u32| at_start.bodies[row as usize].is_still();
                let mut touches = islands.touches[island.touches.clone()].iter();
                let leans = touches.any(|&number| {
                    let touch = &contacts.touches[number as usize];
                    is_still(touch.a) || is_still(touch.b)
                });
                // What hangs in space keeps its momentum.
                if leans && after > left {
                    let part = (left / after).sqrt();
                    let mut momentum = Vec3::ZERO;
                    for row in rows {
                        momentum += v[row].si() * (at_start.bodies[row].mass * (part - 1.0));
                        v[row] = Quantity::new(v[row].si() * part);
                        omega[row] = Quantity::new(omega[row].si() * part);
                    }
                    let energy = left - before;
                    exchange.book(Account::Stabilisation, Entry { energy, momentum });
                }
            }
        },
    )
}

impl Corrector {
    /// Brings the displacements of bodies with joints onto these, at the end of the step, which is the time
    /// of `pose`.
    fn hold(
        &mut self,
        world: &World,
        islands: &Islands,
        at_start: &SolverBodies,
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
                let mover = at_start.bodies[row];
                let inverse = InverseMass::new(mover.mass, mover.moments, rotation);
                SolverBody { pose: Pose::new(rotation, translation + linear), inverse, ..mover }
            });
            linkage.group.hold_place(&mut linkage.movers, time);
            for mover in &linkage.movers[..linkage.movable] {
                let start = pose(mover.row as usize);
                let turned = rotation_vector(mover.pose.rotation * start.rotation.conjugate());
                shifts[mover.row as usize] = Twist::new(mover.pose.translation - start.translation, turned);
            }
        }
    }
}

/// Sweeps over the overlapping contacts, to and fro.
const CORRECTION_SWEEPS: usize = 8;
/// The same for islands of many overlapping contacts: what is left is for the next step.
const CORRECTION_SWEEPS_OF_MANY: usize = 2;
/// Number of contacts that are many.
const MANY_CONTACTS: usize = 16;
/// Islands whose contacts are visited in turns.
const INTERLEAVED_ISLANDS: usize = 4;

/// A number of A, and one of B.
type PerBody = [f64; 2];

#[inline(always)]
fn both(of: impl Fn(usize) -> f64) -> PerBody {
    [of(0), of(1)]
}

/// The inner products of two vectors of either body.
#[inline(always)]
fn dot(u: &[PerBody], v: &[PerBody]) -> PerBody {
    both(|i| u[0][i] * v[0][i] + u[1][i] * v[1][i] + u[2][i] * v[2][i])
}

/// A contact with points that overlap.
#[derive(Debug)]
struct OverlappingContact {
    bodies: [u32; 2],
    normal: Vec3,
    /// 1/m.
    inv_masses: PerBody,
    /// The places of its points.
    points: Range<usize>,
}

/// One overlapping point.
#[derive(Debug)]
struct Overlap {
    /// r × n: how a turn opens the gap.
    turns: [PerBody; 3],
    /// I⁻¹ (r × n): what an impulse along the normal does to a body.
    spins: [PerBody; 3],
    gap: f64,
    /// The gap that it is opened to.
    target: f64,
    /// The effective mass along the normal.
    normal_mass: f64,
}

/// All overlaps of a step; memory.
#[derive(Debug, Default)]
struct Overlaps {
    points: Vec<Overlap>,
    /// By point: the push so far, kg·m.
    pushes: Vec<f64>,
    contacts_with_overlap: Vec<OverlappingContact>,
    /// The places of the contacts, island by island.
    islands: Vec<Range<usize>>,
}

impl Overlaps {
    /// Returns `true` if there are none.
    fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Lists, for every island with an overlap above the slop, all points that overlap by more than half of
    /// it.
    fn find(&mut self, contacts: &Contacts, islands: &Islands, at_start: &SolverBodies, settings: &Settings) {
        self.points.clear();
        self.contacts_with_overlap.clear();
        self.islands.clear();
        for island in &islands.islands {
            let touches = islands.touches[island.touches.clone()].iter();
            let touches = touches.map(|&number| &contacts.touches[number as usize]);
            let is_deep = |touch: &Touch| touch.points().iter().any(|point| point.gap < -settings.slop);
            if !touches.clone().any(is_deep) {
                continue;
            }
            let first = self.contacts_with_overlap.len();
            touches.for_each(|touch| self.add(touch, at_start, settings));
            self.islands.push(first..self.contacts_with_overlap.len());
        }
    }

    /// Lists the points of a contact that overlap by more than half of the slop.
    fn add(&mut self, touch: &Touch, at_start: &SolverBodies, settings: &Settings) {
        let limit = -0.5 * settings.slop;
        if !touch.points().iter().any(|point| point.gap < limit) {
            return;
        }
        let Self { points, contacts_with_overlap, .. } = self;
        let (bodies, n, first) = ([touch.a, touch.b], touch.normal, points.len());
        let [a, b] = [&at_start.bodies[touch.a as usize].inverse, &at_start.bodies[touch.b as usize].inverse];
        let side_by_side = |u: Vec3, v: Vec3| [[u.x, v.x], [u.y, v.y], [u.z, v.z]];
        let [x, y, z] = [
            side_by_side(a.inv_inertia.x_axis, b.inv_inertia.x_axis),
            side_by_side(a.inv_inertia.y_axis, b.inv_inertia.y_axis),
            side_by_side(a.inv_inertia.z_axis, b.inv_inertia.z_axis),
        ];
        for point in touch.points().iter().filter(|point| point.gap < limit) {
            let r = side_by_side(point.arm_a, point.arm_b);
            let turns = [
                both(|i| r[1][i] * n.z - n.y * r[2][i]),
                both(|i| r[2][i] * n.x - n.z * r[0][i]),
                both(|i| r[0][i] * n.y - n.x * r[1][i]),
            ];
            let spin =
                |k: usize| both(|i| x[k][i] * turns[0][i] + y[k][i] * turns[1][i] + z[k][i] * turns[2][i]);
            let spins = [spin(0), spin(1), spin(2)];
            let turning = dot(&turns, &spins);
            let k = a.inv_mass + b.inv_mass + turning[0] + turning[1];
            let gap = point.gap;
            let is_deep = gap < -settings.slop;
            let target = if is_deep { gap + settings.correction * (limit - gap) } else { -settings.slop };
            points.push(Overlap { turns, spins, gap, target, normal_mass: 1.0 / k });
        }
        contacts_with_overlap.push(OverlappingContact {
            bodies,
            normal: n,
            inv_masses: [a.inv_mass, b.inv_mass],
            points: first..points.len(),
        });
    }

    /// Finds displacements that open the overlaps, by row; there must be one for every body, and they start
    /// from zero.
    fn open(&mut self, shifts: &mut [Twist]) {
        self.pushes.clear();
        self.pushes.resize(self.points.len(), 0.0);
        let mut pushes = std::mem::take(&mut self.pushes);
        for sweep in 0..CORRECTION_SWEEPS {
            let back = sweep % 2 == 1;
            for some in self.islands.chunks(INTERLEAVED_ISLANDS) {
                let longest = some.iter().map(Range::len).max().unwrap_or(0);
                for k in 0..longest {
                    let is_due = |island: &&Range<usize>| {
                        k < island.len()
                            && (sweep < CORRECTION_SWEEPS_OF_MANY || island.len() <= MANY_CONTACTS)
                    };
                    for island in some.iter().filter(is_due) {
                        let place = if back { island.end - 1 - k } else { island.start + k };
                        self.visit(&self.contacts_with_overlap[place], back, shifts, &mut pushes);
                    }
                }
            }
        }
        self.pushes = pushes;
    }

    /// Opens the points of a contact to their targets, one after the other; the last one first on the way back.
    #[inline]
    fn visit(&self, contact: &OverlappingContact, back: bool, shifts: &mut [Twist], pushes: &mut [f64]) {
        let &OverlappingContact { bodies, normal: n, inv_masses, .. } = contact;
        let [a, b] = bodies.map(|row| row as usize);
        let (u, v) = (shifts[a], shifts[b]);
        let normal = [[n.x; 2], [n.y; 2], [n.z; 2]];
        let mut linear = [[u.linear.x, v.linear.x], [u.linear.y, v.linear.y], [u.linear.z, v.linear.z]];
        let mut angular =
            [[u.angular.x, v.angular.x], [u.angular.y, v.angular.y], [u.angular.z, v.angular.z]];
        let points = &self.points[contact.points.clone()];
        for k in 0..points.len() {
            let k = if back { points.len() - 1 - k } else { k };
            let (point, pushed) = (&points[k], &mut pushes[contact.points.start + k]);
            let (along, turning) = (dot(&linear, &normal), dot(&angular, &point.turns));
            let opening = both(|i| along[i] + turning[i]);
            let gap = point.gap + (opening[1] - opening[0]);
            // A point that is open enough gets a push of zero, without a branch: which points these are is
            // hard to predict, and a wrong prediction takes longer.
            let wanted = (*pushed + (point.target - gap) * point.normal_mass).max(0.0);
            let push = wanted - *pushed;
            *pushed = wanted;
            // On B along the normal, on A against it.
            let push = [-push, push];
            let way = both(|i| push[i] * inv_masses[i]);
            for k in 0..3 {
                linear[k] = both(|i| linear[k][i] + normal[k][i] * way[i]);
                angular[k] = both(|i| angular[k][i] + point.spins[k][i] * push[i]);
            }
        }
        let shift = |i: usize| {
            let part = |of: &[PerBody; 3]| Vec3::new(of[0][i], of[1][i], of[2][i]);
            Twist::new(part(&linear), part(&angular))
        };
        (shifts[a], shifts[b]) = (shift(0), shift(1));
    }
}
