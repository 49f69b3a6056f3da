//! Islands without joints whose contacts have rows: all but the large ones.

use super::conjugate::Conjugate;
use super::convergence::{Activity, SweepLimits, judged, kick_energy, meeting_energy};
use super::direct_contacts::DirectContacts;
use super::finish_substep::{self, ContactEntries};
use super::memory::Memory;
use super::substep_motion::{self, SubstepMotion};
use super::sweep::symmetric_sweep;
use super::tree::ContactTree;
use super::wide::WideContacts;
use crate::contacts::contact_rows::Rows;
use crate::contacts::energy_bound;
use crate::contacts::natural_map::NaturalResidual;
use crate::contacts::report::Report;
use crate::contacts::solver::Problem;
use gedanken_math::Cancel;

/// Maximum number of points of an island that is solved directly.
const MAX_DIRECT_POINTS: usize = 64;
/// The same for islands whose bodies collide or slide fast: what sweeps leave of that is small beside it.
const MAX_POINTS_COLLIDING: usize = 2;
/// Relative residual above which what sweeps have left is solved directly.
const UNSOLVED: f64 = 1e-7;
/// Relative residual of the warm start at which a quiet island is left as it is. It is that of single points: twelve
/// boxes that move as one weigh a hundred times as much.
const SOLVED: f64 = 1e-10;
/// Relative residual up to which a sweep does the rest: it leaves hardly any trace of its order.
const NEARLY_SOLVED: f64 = 1e-8;

/// Takes an island to the end of the step. `method` solves the contacts of a sub-step, and returns the number
/// of its symmetric sweeps.
pub(super) fn solve(
    problem: &mut Problem<'_>,
    mut method: impl FnMut(&mut SubstepSolver<'_>, &mut Rows) -> u32,
) -> Report {
    let substeps = problem.settings.substeps;
    let h = problem.h / f64::from(substeps);
    let (kicks, kinetic) = (kick_energy(problem, h), energy_bound::kinetic(problem.movers));
    let Memory { rows, motions, conjugate, tree, direct, wide, persistent, .. } = &mut *problem.memory;
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
        direct,
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
        let is_quiet = solver.activity(rows).is_quiet();
        solver.let_go(rows);
        sweeps = sweeps.max(method(&mut solver, rows));
        solver.complete(rows, is_quiet);
        persistent.classify(rows, motions);
        let leans = leans_on_immovable(rows);
        // What leans on something immovable has no angular momentum to conserve, and what conserving it changes
        // after the contacts are solved would be left unsolved.
        if !leans {
            persistent.conserve_angular_momentum(rows, motions, [h * f64::from(substep), h], &mut entries);
        }
        motions.iter_mut().zip(&rows.bodies).for_each(|(motion, body)| motion.end(body, h));
        finish_substep::finish(rows, motions, h, &mut entries);
    }
    let shifted = substep_motion::finish_step(problem.movers, motions, &rows.bodies, problem.h);
    problem.touches.iter_mut().zip(persistent.shares()).for_each(|(touch, &share)| touch.lasting = share);
    finish_substep::store_impulses(rows, problem.touches, f64::from(substeps));
    let report = finish_substep::report(&rows.manifolds, &rows.points);
    entries.normal += energy_bound::take_back_gain(problem, kinetic, shifted);
    entries.book(shifted, problem.exchange);
    Report { iterations: sweeps, ..judged(report, problem, h) }
}

/// Returns `true` if something immovable is pressed on.
fn leans_on_immovable(rows: &Rows) -> bool {
    rows.manifolds.iter().any(|manifold| {
        [manifold.a, manifold.b].iter().any(|&place| rows.bodies[place as usize].inv_mass == 0.0)
            && rows.of(manifold).iter().any(|point| point.impulse.x > 0.0)
    })
}

/// Solver of the contacts of one sub-step, in several ways.
#[derive(Debug)]
pub(super) struct SubstepSolver<'a> {
    limits: SweepLimits,
    /// Σ m v² of the laws' kicks in a sub-step.
    kicks: f64,
    conjugate: &'a mut Conjugate,
    tree: &'a mut ContactTree,
    direct: &'a mut DirectContacts,
    /// Newton's method has failed in this step. What could not be solved so will hardly be in the next
    /// sub-step.
    has_failed: bool,
    wide: &'a mut WideContacts,
    /// The contacts of this step are in `wide`.
    is_packed: bool,
    cancel: &'a Cancel,
}

impl SubstepSolver<'_> {
    /// Lets all contacts go if some are strong and none approaches without impulses. Then there may be more
    /// than one solution, and the one that separates is taken.
    fn let_go(&mut self, rows: &mut Rows) {
        if rows.manifolds.iter().any(|manifold| manifold.strong) {
            self.direct.let_go(rows);
        }
    }

    /// Solves directly what the method has left, where contacts are strong, or at rest.
    fn complete(&mut self, rows: &mut Rows, is_quiet: bool) {
        if rows.points.len() > MAX_DIRECT_POINTS {
            return;
        }
        let is_strong = rows.manifolds.iter().any(|manifold| manifold.strong);
        if !(is_strong || is_quiet || rows.points.len() <= MAX_POINTS_COLLIDING) {
            return;
        }
        if NaturalResidual::of(rows).relative() > UNSOLVED {
            self.direct(rows, !is_strong && is_quiet);
        }
    }

    fn direct(&mut self, rows: &mut Rows, shares: bool) -> bool {
        let is_solved =
            rows.points.len() <= MAX_DIRECT_POINTS && self.direct.solve(rows, shares, self.cancel).is_some();
        self.has_failed |= !is_solved;
        is_solved
    }

    /// Direct solve if the island is quiet, else sweeps along conjugate directions.
    pub(super) fn direct_if_quiet(&mut self, rows: &mut Rows) -> u32 {
        let is_small = rows.points.len() <= MAX_DIRECT_POINTS;
        if is_small && !self.has_failed && self.activity(rows).is_quiet() {
            if NaturalResidual::of(rows).relative() <= SOLVED {
                return 1;
            }
            if self.direct(rows, true) {
                return 1;
            }
        }
        self.conjugate_sweeps(rows)
    }

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
        // Newton's method keeps what is symmetric, and sweeps do not: it goes first where nothing collides.
        if activity.is_quiet() && NaturalResidual::of(rows).relative() > NEARLY_SOLVED && self.newton(rows) {
            return 1;
        }
        let moved = symmetric_sweep(rows);
        let is_at_rest = self.limits.min <= 1 && moved <= activity.tolerance_of_stack();
        if is_at_rest || (!self.has_failed && self.newton(rows)) {
            return 1;
        }
        self.go_on(rows, moved, activity, self.limits.max_of_several(activity.is_quiet()))
    }

    /// Newton's method for bodies that neither hit nor slide, else sweeps along conjugate directions.
    pub(super) fn newton_if_quiet(&mut self, rows: &mut Rows) -> u32 {
        let activity = self.activity(rows);
        let is_quiet = activity.is_quiet();
        // Newton's method keeps what is symmetric, and sweeps do not. One point alone is one impulse, whichever
        // way it is found.
        let is_shared = rows.points.len() > 1;
        if is_quiet && is_shared {
            let (left, is_one) = (NaturalResidual::of(rows).relative(), self.tree.bodies() == 1);
            if is_one && left > NEARLY_SOLVED && self.tree.solve(rows, self.kicks) {
                return 1;
            }
            if !is_one && (left <= SOLVED || self.direct(rows, true)) {
                return 1;
            }
        }
        let moved = symmetric_sweep(rows);
        if self.limits.min <= 1 && moved <= activity.tolerance() {
            return 1;
        }
        if !is_quiet {
            return self.go_on(rows, moved, activity, self.limits.max_of_several(false));
        }
        if !is_shared && self.tree.solve(rows, self.kicks) {
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
