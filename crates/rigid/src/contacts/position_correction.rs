//! Position correction: bodies that overlap are moved apart, without touching their velocities.
//!
//! A contact whose overlap at the end of the step is above the slop is opened, by Gauss-Seidel sweeps over
//! displacements instead of velocities: a part β of what is above half of the slop per visit. So correction
//! comes to an end, and a stack at rest is left alone. Bodies with joints are then put back on these, all of
//! the island giving way. What lifting does to the energy of position is booked as stabilisation.

mod overlap;

use super::Report;
use crate::collide::contact_table::Contacts;
use crate::collide::island::Islands;
use crate::joints::linkage::Linkage;
use crate::ledger::{Account, Entry, Exchange};
use crate::step::free_rotation::rotation_vector;
use crate::world::solver_body::{Mover, Starts, Ways};
use crate::world::World;
use crate::world::inverse_mass::Inverse;
use crate::world::settings::Settings;
use gedanken_dynamics::{
    Force, Orientation, Position, Rule, ThreeD, Torque, memory, read, read_table, write, write_table,
};
use gedanken_math::Pose;
use gedanken_math::Twist;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use overlap::Overlaps;
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
            corrector.overlaps.find(contacts, islands, starts, &settings);
            if corrector.overlaps.is_empty() {
                return;
            }
            corrector.shifts.clear();
            corrector.shifts.resize(starts.movers.len(), Twist::ZERO);
            corrector.overlaps.open(&mut corrector.shifts, &settings);
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
    /// Brings the displacements of bodies with joints onto these, at the end of the step, which is the time
    /// of `pose`.
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
}
