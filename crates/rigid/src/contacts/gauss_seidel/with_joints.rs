//! Islands with joints: sweeps over the contacts alternate with direct solves of all joints.
//!
//! Every solve of the joints starts from the motion that laws and contacts alone have made. So limits and
//! motors act once per sub-step, with all their force, however often contacts and joints take turns. Joints
//! act last: they hold, and the report tells what the contacts miss by.

use super::convergence::{Activity, SweepLimits, judged, kick_energy, meeting_energy};
use super::finish_substep::{self, ContactEntries};
use super::memory::Memory;
use super::substep_motion::{self, SubstepMotion};
use super::sweep::symmetric_sweep;
use super::tuning::MIN_SWEEPS_WITH_JOINTS;
use crate::contacts::contact_rows::{Rows, SweepBody};
use crate::contacts::report::Report;
use crate::contacts::solver::Problem;
use crate::joints::direct::Group;
use crate::ledger::Exchange;
use crate::step::free_motion;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Cancel, Twist};

/// Takes an island to the end of the step.
pub(super) fn solve(problem: &mut Problem<'_>) -> Report {
    let substeps = problem.settings.substeps;
    let h = problem.h / f64::from(substeps);
    let kicks = kick_energy(problem, h);
    let Memory { rows, motions, joint_pushes, .. } = &mut *problem.memory;
    rows.set_up(problem.movers, problem.touches, problem.ends, f64::from(substeps));
    motions.clear();
    motions.extend(problem.movers.iter().map(|mover| SubstepMotion::new(mover, h)));
    problem.joints.factor(problem.movers, problem.time);
    let limits = SweepLimits::new(problem.settings.iterations, rows.points.len());
    let (mut entries, mut sweeps) = (ContactEntries::default(), 0);
    for _ in 0..substeps {
        // The rule fails for an island that is not complete.
        if problem.settings.cancel.is_asked() {
            break;
        }
        finish_substep::allow_gaps(&mut rows.points, h);
        // The pushes of the last sub-step are those of joints as well; only contacts start warm.
        substep_motion::predict_pushes(rows, motions);
        motions.iter_mut().zip(&mut rows.bodies).for_each(|(motion, body)| motion.begin(body));
        joint_pushes.begin(rows.bodies.len());
        let hold = |rows: &mut Rows| joint_pushes.hold(rows, problem.movers, problem.joints, h);
        sweeps = sweeps.max(alternate(rows, limits, kicks, &problem.settings.cancel, hold));
        let before = motions.iter().map(|motion| motion.before);
        book(problem.movers, before, &rows.bodies, problem.joints, problem.exchange);
        for (motion, body) in motions.iter_mut().zip(&rows.bodies) {
            motion.classify_by_body(body);
            motion.end(body, h);
        }
        finish_substep::finish(rows, motions, h, &mut entries);
    }
    let mut shifted = substep_motion::finish_step(problem.movers, motions, &rows.bodies, problem.h);
    finish_substep::store_impulses(rows, problem.touches, f64::from(substeps));
    let report = finish_substep::report(&rows.manifolds, &rows.points);
    let joints = hold_place(problem, &mut shifted);
    entries.book(shifted, problem.exchange);
    let report = judged(report, problem, h);
    let converged = report.converged && joints <= problem.settings.joint_tolerance;
    Report { iterations: sweeps, joints, converged, ..report }
}

/// Solves contacts and joints by turns, joints first and last, until the step is cancelled. Returns the
/// number of symmetric sweeps.
fn alternate(
    rows: &mut Rows,
    limits: SweepLimits,
    kicks: f64,
    cancel: &Cancel,
    mut hold: impl FnMut(&mut Rows),
) -> u32 {
    let activity = Activity { kicks, meeting: meeting_energy(&rows.points) };
    let tolerance = activity.tolerance_with_joints();
    hold(rows);
    let mut sweeps = 0;
    loop {
        let moved = symmetric_sweep(rows);
        hold(rows);
        sweeps += 1;
        let is_enough = moved <= tolerance || sweeps >= limits.max;
        if (sweeps >= limits.min.max(MIN_SWEEPS_WITH_JOINTS) && is_enough) || cancel.is_asked() {
            return sweeps;
        }
    }
}

/// Books what the joints did between two motions of the bodies.
fn book(
    movers: &mut [SolverBody],
    before: impl Iterator<Item = Twist>,
    after: &[SweepBody],
    joints: &mut Group,
    exchange: &mut Exchange,
) {
    movers.iter_mut().zip(before).for_each(|(mover, twist)| mover.twist = twist);
    joints.note_before(movers);
    movers.iter_mut().zip(after).for_each(|(mover, body)| mover.twist = body.twist());
    joints.note_after(movers);
    joints.book(movers, exchange);
}

/// Brings poses and twists back onto the joints at the end of the step. Subtracts from `shifted` the energy
/// of position that this takes. Returns the largest violation left.
fn hold_place(problem: &mut Problem<'_>, shifted: &mut f64) -> f64 {
    let end = problem.time + problem.h;
    for mover in problem.movers.iter_mut() {
        if mover.inverse.is_movable() {
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        } else {
            (mover.pose, _) = free_motion::drifted(mover.pose, mover.twist, mover.moments, problem.h);
        }
        *shifted += mover.force.linear.dot(mover.pose.translation);
    }
    let violation = problem.joints.hold_place(problem.movers, end);
    *shifted -=
        problem.movers.iter().map(|mover| mover.force.linear.dot(mover.pose.translation)).sum::<f64>();
    problem.joints.factor(problem.movers, end);
    problem.joints.note_before(problem.movers);
    problem.joints.hold_motion(problem.movers, 0.0);
    problem.joints.note_after(problem.movers);
    problem.joints.book(problem.movers, problem.exchange);
    violation
}
