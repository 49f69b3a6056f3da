//! Position correction: bodies that overlap are moved apart, without touching their velocities.
//!
//! A contact whose overlap at the end of the step is above the slop is opened, by Gauss-Seidel sweeps over displacements
//! instead of velocities: a part β of what is above half of the slop per visit. So correction comes to an end, and a stack at
//! rest is left alone. What lifting does to the energy of position is booked as stabilisation.

use super::books::{Account, Entry, Exchange};
use super::contact::Contacts;
use super::settings::Settings;
use super::start::{Starts, Ways};
use super::twist::Twist;
use super::world::World;
use crate::attributes::{Force, Orientation, Position, Torque};
use crate::space::ThreeD;
use crate::world::access::{memory, read, write};
use crate::world::rule::Rule;
use crate::world::table::{read_table, write_table};
use gedanken_algebra::Vec3;
use gedanken_algebra::rotation::from_rotation_vector;
use gedanken_algebra::units::Quantity;
use std::sync::Arc;

/// Sweeps over the overlapping contacts, to and fro.
const SWEEPS: usize = 2;

/// One overlapping point.
#[derive(Debug)]
struct Overlap {
    bodies: [usize; 2],
    arms: [Vec3; 2],
    normal: Vec3,
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
}

/// Moves bodies apart that overlap more than the slop.
pub(super) fn rule(_world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let settings = settings.clone();
    let places = (write::<Position<ThreeD>>(), write::<Orientation>());
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let tables = (read_table::<Starts>(), read_table::<Contacts>());
    let books = (write_table::<Ways>(), write_table::<Exchange>());
    let view = (places, forces, tables, books, memory::<Corrector>());
    Rule::new(
        "correct",
        view,
        move |_, ((r, q), (force, torque), (starts, contacts), (ways, exchange), corrector)| {
            corrector.find(contacts, starts, &settings);
            if corrector.overlaps.is_empty() {
                return;
            }
            corrector.open(starts, &settings);
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
    /// Lists every point that overlaps by more than half of the slop, if any does by more than all of it.
    fn find(&mut self, contacts: &Contacts, starts: &Starts, settings: &Settings) {
        self.overlaps.clear();
        let deep = |gap: f64| gap < -settings.slop;
        if !contacts.touches.iter().any(|touch| touch.points().iter().any(|point| deep(point.gap))) {
            return;
        }
        for touch in &contacts.touches {
            let bodies = [touch.a as usize, touch.b as usize];
            let [a, b] = bodies.map(|row| &starts.movers[row].inverse);
            for point in touch.points().iter().filter(|point| point.gap < -0.5 * settings.slop) {
                let arms = [point.arm_a, point.arm_b];
                let [turn_a, turn_b] = arms.map(|arm| arm.cross(touch.normal));
                let k = a.mass + b.mass + turn_a.dot(a.inertia * turn_a) + turn_b.dot(b.inertia * turn_b);
                self.overlaps.push(Overlap {
                    bodies,
                    arms,
                    normal: touch.normal,
                    gap: point.gap,
                    mass: 1.0 / k,
                });
            }
        }
    }

    /// Finds displacements that open the overlaps.
    fn open(&mut self, starts: &Starts, settings: &Settings) {
        self.shifts.clear();
        self.shifts.resize(starts.movers.len(), Twist::ZERO);
        let Self { overlaps, shifts } = self;
        let mut visit = |overlap: &Overlap| {
            let ([a, b], [arm_a, arm_b]) = (overlap.bodies, overlap.arms);
            let moved = (shifts[b].at(arm_b) - shifts[a].at(arm_a)).dot(overlap.normal);
            let gap = overlap.gap + moved;
            if gap < -settings.slop {
                let push = settings.correction * (-0.5 * settings.slop - gap) * overlap.mass;
                let impulse = overlap.normal * push;
                let respond = |row: usize, impulse: Vec3, arm: Vec3| {
                    starts.movers[row].inverse.apply(Twist::of_impulse(impulse, arm))
                };
                shifts[a] += respond(a, -impulse, arm_a);
                shifts[b] += respond(b, impulse, arm_b);
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
