//! Islands without joints whose contacts have rows: all but the large ones.

use super::conjugate::Conjugate;
use super::convergence::{Activity, SweepLimits, judged, kick_energy, meeting_energy};
use super::finish_substep::{self, ContactEntries};
use super::memory::Memory;
use super::substep_motion::{self, SubstepMotion};
use super::sweep::symmetric_sweep;
use super::tree::ContactTree;
use super::wide::WideContacts;
use crate::contacts::contact_rows::Rows;
use crate::contacts::report::Report;
use crate::contacts::solver::Problem;
use gedanken_math::Cancel;

/// Takes an island to the end of the step. `method` solves the contacts of a sub-step, and returns the number
/// of its symmetric sweeps.
pub(super) fn solve(
    problem: &mut Problem<'_>,
    mut method: impl FnMut(&mut SubstepSolver<'_>, &mut Rows) -> u32,
) -> Report {
    let substeps = problem.settings.substeps;
    let h = problem.h / f64::from(substeps);
    let kicks = kick_energy(problem, h);
    let Memory { rows, motions, conjugate, tree, wide, persistent, .. } = &mut *problem.memory;
    rows.set_up(problem.movers, problem.touches, problem.ends, f64::from(substeps));
    motions.clear();
    motions.extend(problem.movers.iter().map(|mover| SubstepMotion::new(mover, h)));
    substep_motion::predict_pushes(rows, motions);
    persistent.begin(rows);
    let limits = SweepLimits::new(problem.settings.iterations, rows.points.len());
    let mut solver = SubstepSolver {
        limits,
        kicks,
        conjugate,
        tree,
        has_failed: false,
        wide,
        is_packed: false,
        cancel: &problem.settings.cancel,
    };
    let (mut entries, mut sweeps) = (ContactEntries::default(), 0);
    for substep in 0..substeps {
        // The rule fails for an island that is not complete.
        if problem.settings.cancel.is_asked() {
            break;
        }
        finish_substep::allow_gaps(&mut rows.points, h);
        // Impulses of a blow are no warm start: bodies that got them again would fly apart.
        if substep > 0 && persistent.drop_transient(rows) {
            substep_motion::predict_pushes(rows, motions);
        }
        motions.iter_mut().zip(&mut rows.bodies).for_each(|(motion, body)| motion.begin(body));
        sweeps = sweeps.max(method(&mut solver, rows));
        persistent.classify(rows, motions);
        persistent.conserve_angular_momentum(rows, motions, [h * f64::from(substep), h], &mut entries);
        motions.iter_mut().zip(&rows.bodies).for_each(|(motion, body)| motion.end(body, h));
        finish_substep::finish(rows, motions, h, &mut entries);
    }
    let shifted = substep_motion::finish_step(problem.movers, motions, &rows.bodies, problem.h);
    entries.book(shifted, problem.exchange);
    problem.touches.iter_mut().zip(persistent.shares()).for_each(|(touch, &share)| touch.lasting = share);
    finish_substep::store_impulses(rows, problem.touches, f64::from(substeps));
    let report = finish_substep::report(&rows.manifolds, &rows.points);
    Report { iterations: sweeps, ..judged(report, problem, h) }
}

/// Solver of the contacts of one sub-step, in several ways.
#[derive(Debug)]
pub(super) struct SubstepSolver<'a> {
    limits: SweepLimits,
    /// Σ m v² of the laws' kicks in a sub-step.
    kicks: f64,
    conjugate: &'a mut Conjugate,
    tree: &'a mut ContactTree,
    /// Newton's method has failed in this step. What could not be solved so will hardly be in the next
    /// sub-step.
    has_failed: bool,
    wide: &'a mut WideContacts,
    /// The contacts of this step are in `wide`.
    is_packed: bool,
    cancel: &'a Cancel,
}

impl SubstepSolver<'_> {
    /// Sweeps along conjugate directions.
    pub(super) fn conjugate_sweeps(&mut self, rows: &mut Rows) -> u32 {
        let activity = self.activity(rows);
        let moved = symmetric_sweep(rows);
        if self.limits.min <= 1 && moved <= activity.tolerance() {
            return 1;
        }
        self.go_on(rows, moved, activity, self.limits.max_of_several(activity.is_quiet()))
    }

    /// Newton's method, unless one symmetric sweep moves next to nothing.
    pub(super) fn newton_after_sweep(&mut self, rows: &mut Rows) -> u32 {
        if self.has_failed {
            return self.conjugate_sweeps(rows);
        }
        let activity = self.activity(rows);
        let moved = symmetric_sweep(rows);
        let is_at_rest = self.limits.min <= 1 && moved <= activity.tolerance_of_stack();
        if is_at_rest || self.newton(rows) {
            return 1;
        }
        self.go_on(rows, moved, activity, self.limits.max_of_several(activity.is_quiet()))
    }

    /// Newton's method for bodies that neither hit nor slide, else sweeps along conjugate directions.
    pub(super) fn newton_if_quiet(&mut self, rows: &mut Rows) -> u32 {
        let activity = self.activity(rows);
        let moved = symmetric_sweep(rows);
        if self.limits.min <= 1 && moved <= activity.tolerance() {
            return 1;
        }
        if !activity.is_quiet() {
            return self.go_on(rows, moved, activity, self.limits.max_of_several(false));
        }
        if self.tree.solve(rows, self.kicks) {
            return 1;
        }
        self.go_on(rows, moved, activity, self.limits.max)
    }

    /// Newton's method, unless one sweep, four contacts at a time, moves next to nothing.
    pub(super) fn newton_after_wide_sweep(&mut self, rows: &mut Rows) -> u32 {
        let activity = self.activity(rows);
        if !self.is_packed {
            self.wide.pack(rows);
            self.is_packed = true;
        }
        self.wide.load(rows);
        let max = self.limits.max_of_several(activity.is_quiet());
        let mut sweeps = 0;
        loop {
            let moved = self.wide.sweep(true);
            sweeps += 1;
            if moved <= activity.rounding() || self.cancel.is_asked() {
                break;
            }
            // The rows are still as they were before the sweep, and Newton's method starts from there.
            let tries_newton = sweeps == 1 && !self.has_failed && moved > activity.tolerance_of_stack();
            if tries_newton && self.newton(rows) {
                return sweeps;
            }
            let left = self.wide.sweep(false);
            if sweeps >= self.limits.min && (left <= activity.tolerance() || sweeps >= max) {
                break;
            }
        }
        self.wide.store(rows);
        sweeps
    }

    fn activity(&self, rows: &Rows) -> Activity {
        Activity { kicks: self.kicks, meeting: meeting_energy(&rows.points) }
    }

    fn newton(&mut self, rows: &mut Rows) -> bool {
        let is_solved = self.tree.solve(rows, self.kicks);
        self.has_failed |= !is_solved;
        is_solved
    }

    /// Goes on after a symmetric sweep that moved so much, along conjugate directions.
    fn go_on(&mut self, rows: &mut Rows, mut moved: f64, activity: Activity, max: u32) -> u32 {
        let tolerance = activity.tolerance();
        let mut sweeps = 1;
        if max > sweeps {
            self.conjugate.begin(rows);
        }
        while sweeps < self.limits.min || (moved > tolerance && sweeps < max) {
            if self.cancel.is_asked() {
                break;
            }
            // There is a direction only after the second sweep, and a sweep has the last word.
            if sweeps > 1 && sweeps < max {
                self.conjugate.advance(rows, moved);
            }
            moved = symmetric_sweep(rows);
            sweeps += 1;
        }
        sweeps
    }
}
