//! Impacts: bodies that meet at a speed fly to the instant of contact, take the impulse, and fly on.
//!
//! When all bodies have moved to the end of the step, the pairs without a contact that can bounce, or are
//! fast (`eligibility`), are examined again: each body has a trajectory over the step (`trajectory`), the
//! first time at which two of them touch and close is found (`time_of_impact`), the impulse is computed
//! (`impulse`), both get new trajectories, and so on in the order of time, then of rows (`timeline`). Bodies
//! without an impact keep the end that they had, bit for bit.
//!
//! A body with joints passes the impulse on through them: its whole island reacts (`jointed_impact`).
//!
//! Impacts are settled one pair at a time. Three balls in a row pass the motion on from one to the next: (0,
//! 0, v).

mod contact_points;
pub(crate) mod coulomb_cone;
pub(crate) mod eligibility;
mod handover;
mod jointed_impact;
mod material_coefficients;
mod neighbours;
mod resting_force;
mod restitution;
mod robust_query;
mod time_of_impact;
mod timeline;
mod trajectory;

use super::collide::contact_table::Contacts;
use super::collide::island::Islands;
use super::collide::narrow_phase::ImpactCandidates;
use super::contacts::energy_bound;
use super::contacts::report::Report;
use super::joints::jointed_motion::JointedIslands;
use super::ledger::{Account, Exchange};
use super::world::World;
use super::world::settings::Settings;
use super::world::solver_body::{Displacements, SolverBodies, SolverBody};
use super::world::surface::Surfaces;
use gedanken_dynamics::{
    AngularVelocity, Force, Life, Orientation, Position, Rule, Table, ThreeD, Torque, Velocity, memory, read,
    read_table, write, write_table,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;
use timeline::{Memory, Timeline};
use trajectory::Trajectory;

/// One impact of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Time of the impact, s.
    pub time: f64,
    /// The rows of both bodies, the smaller one first.
    pub rows: [u32; 2],
    /// Mean of the contact points, in the world.
    pub point: Vec3,
    /// The unit normal, from the first to the second.
    pub normal: Vec3,
    /// The approach speed before, m/s.
    pub approach: f64,
    /// The coefficient of restitution that was applied.
    pub restitution: f64,
    /// The impulse on the second body, N·s.
    pub impulse: Vec3,
    /// Both bodies before.
    pub before: [SolverBody; 2],
    /// Both bodies after.
    pub after: [SolverBody; 2],
}

/// The impacts of the last step, in the order in which they were settled.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Impacts {
    /// The impacts.
    pub list: Vec<Impact>,
}

impl Impacts {
    /// Returns `true` if a body was hit by nothing but what stands still. What holds it there is constant up to the
    /// end of the step, and does no work.
    fn hit_only_still(&self, row: usize, bodies: &[SolverBody]) -> bool {
        let mut hits = self.list.iter().filter(|hit| hit.rows.contains(&(row as u32)));
        hits.all(|hit| hit.rows.iter().any(|&other| bodies[other as usize].is_still()))
    }
}

impl Table for Impacts {
    const NAME: &'static str = "impacts";
    const LIFE: Life = Life::Step;
}

/// Locates and settles the impacts of the step.
pub(super) fn rule(world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let (world, settings) = (world.clone(), settings.clone());
    let surfaces = Surfaces::of(&world);
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        write::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    let found = (
        read_table::<SolverBodies>(),
        read_table::<Islands>(),
        read_table::<ImpactCandidates>(),
        write_table::<Contacts>(),
    );
    let books = (
        write_table::<Displacements>(),
        write_table::<Exchange>(),
        write_table::<Impacts>(),
        write_table::<Report>(),
    );
    let view = (forces, moves, found, books, read_table::<JointedIslands>(), memory::<Memory>());
    Rule::new(
        "impacts",
        view,
        move |step, ((force, torque), (r, q, v, omega), found, books, holds, memory)| {
            let (at_start, islands, left, contacts) = found;
            let (displacements, exchange, impacts, report) = books;
            impacts.list.clear();
            let h = step.h.si();
            let ends =
                |row: usize| (Pose::new(q[row], r[row].si()), Twist::new(v[row].si(), omega[row].si()));
            let trajectory = |row: usize| {
                let start = at_start.bodies[row];
                let force = Twist::new(force[row].si(), torque[row].si());
                if islands.is_free(row) {
                    return Trajectory::free(SolverBody { force, ..start });
                }
                let moved = displacements.moved[row];
                Trajectory::given(
                    SolverBody { force, moved, ..start },
                    ends(row),
                    [0.0, h],
                    !islands.is_touching(row),
                )
            };
            // The common case: trajectories are not even made.
            if left.pairs.is_empty() {
                return Ok(());
            }
            memory.begin_step((0..at_start.bodies.len()).map(trajectory));
            let mut timeline = Timeline {
                world: &world,
                settings: &settings,
                surfaces: &surfaces,
                // The rule runs when the time of the step has passed.
                start: step.t.si() - h,
                h,
                at_start,
                islands,
                holds,
                memory,
                exchange,
                impacts: &mut impacts.list,
            };
            timeline.run(&left.pairs)?;
            timeline.hand_over(contacts)?;
            let mut is_changed = timeline.has_waiting();
            // Only bodies that were hit are written: all others keep the end of the step that they had, bit
            // for bit.
            for (row, mut end, way) in memory.final_bodies(h) {
                if islands.is_free(row) && impacts.hit_only_still(row, &at_start.bodies) {
                    let force = Twist::new(force[row].si(), torque[row].si());
                    let start = SolverBody { force, ..at_start.bodies[row] };
                    exchange.book(Account::Impact, energy_bound::take_back_gain_of_one(&start, &mut end));
                }
                r[row] = Quantity::new(end.pose.translation);
                q[row] = end.pose.rotation;
                v[row] = Quantity::new(end.twist.linear);
                omega[row] = Quantity::new(end.twist.angular);
                displacements.moved[row] = way;
                is_changed |= islands.is_touching(row);
            }
            if is_changed {
                // What was solved was solved for another motion.
                *report = Report { converged: false, natural: f64::INFINITY, ..*report };
            }
            Ok(())
        },
    )
}
