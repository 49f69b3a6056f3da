//! The measure of convergence: what a sweep moves, beside what laws and meeting surfaces do in a sub-step.
//!
//! All amounts are Σ m v², twice an energy, so that heavy and light bodies count alike. A sweep tells
//! Σ Δλ·K Δλ in the same unit. Constants are ratios of speeds, so they enter squared.

use super::tuning::{
    CONVERGED_RATIO, MAX_SWEEPS, MAX_SWEEPS_IMPACTING, MAX_SWEEPS_RESTING, MIN_RATIO, POINT_VISITS,
    QUIET_RATIO, STACK_RATIO, TOLERATED_RATIO_OF_KICKS, TOLERATED_RATIO_OF_MEETING,
};
use crate::contacts::contact_rows::Point;
use crate::contacts::natural_map;
use crate::contacts::report::Report;
use crate::contacts::solver::Problem;
use crate::world::solver_body::SolverBody;

/// Returns Σ m v² of the velocities that the laws give in a sub-step of length `h`, and of the speed of rest.
pub(super) fn kick_energy(problem: &Problem<'_>, h: f64) -> f64 {
    // The speed of rest keeps the measure above zero where no law acts.
    let rest = problem.settings.rest_speed;
    let each = |mover: &SolverBody| {
        let kick = mover.inverse.apply(mover.force) * h;
        kick.dot(mover.force) * h + mover.mass * rest * rest
    };
    problem.movers.iter().filter(|mover| mover.inverse.is_movable()).map(each).sum()
}

/// Returns Σ m u² of the relative velocities with which surfaces meet or slide when the sub-step begins.
pub(super) fn meeting_energy(points: &[Point]) -> f64 {
    points.iter().map(|point| point.before.length_squared() * point.normal_mass).sum()
}

/// Activity of an island in a sub-step, which amounts moved by sweeps are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activity {
    /// Σ m v² of the laws' kicks; see [`kick_energy`].
    pub(super) kicks: f64,
    /// Σ m u² of surfaces that meet or slide; see [`meeting_energy`].
    pub(super) meeting: f64,
}

impl Activity {
    /// Returns `true` if no body hits another or slides fast: surfaces move against each other about as the
    /// laws' kicks move them.
    pub(super) fn is_quiet(self) -> bool {
        self.meeting <= QUIET_RATIO * QUIET_RATIO * self.kicks
    }

    /// Amount moved by a sweep below which sweeps end.
    pub(super) fn tolerance(self) -> f64 {
        TOLERATED_RATIO_OF_KICKS * TOLERATED_RATIO_OF_KICKS * self.kicks
            + TOLERATED_RATIO_OF_MEETING * TOLERATED_RATIO_OF_MEETING * self.meeting
    }

    /// The same around joints. Bodies that meet there go on together, so their speed counts like a kick.
    pub(super) fn tolerance_with_joints(self) -> f64 {
        TOLERATED_RATIO_OF_KICKS * TOLERATED_RATIO_OF_KICKS * (self.kicks + self.meeting)
    }

    /// The same for a stack: above it Newton's method takes over.
    pub(super) fn tolerance_of_stack(self) -> f64 {
        STACK_RATIO * STACK_RATIO * self.kicks
    }

    /// Amount moved by one sweep that is rounding: not even the sweep back is worth its time.
    pub(super) fn rounding(self) -> f64 {
        MIN_RATIO * MIN_RATIO * self.kicks
    }
}

/// Numbers of symmetric sweeps in a sub-step.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweepLimits {
    /// Minimum, as the settings ask.
    pub(super) min: u32,
    /// Maximum of an island with this number of points: small islands are solved to the end, large ones go on
    /// in the next sub-step from where they are.
    pub(super) max: u32,
}

impl SweepLimits {
    pub(super) fn new(min: u32, points: usize) -> Self {
        let max = (POINT_VISITS / points.max(1)).min(MAX_SWEEPS) as u32;
        Self { min, max: max.max(min) }
    }

    /// Maximum where several bodies touch.
    pub(super) fn max_of_several(self, is_quiet: bool) -> u32 {
        self.max.min(if is_quiet { MAX_SWEEPS_RESTING } else { MAX_SWEEPS_IMPACTING })
    }
}

/// Sets `converged`: no residual of the contacts is above a small part of what the laws do in a sub-step, and
/// the natural map of what is told is solved. `problem` is at the end of the step, of sub-steps of length `h`.
pub(super) fn judged(report: Report, problem: &Problem<'_>, h: f64) -> Report {
    let kick = |mover: &SolverBody| mover.inverse.apply(mover.force).linear.length() * h;
    let fastest = problem.movers.iter().map(kick).fold(0.0, f64::max);
    let is_near = report.is_within(CONVERGED_RATIO * fastest + problem.settings.rest_speed);
    let natural = if is_near {
        natural_map::at_end(problem, f64::from(problem.settings.substeps))
    } else {
        f64::INFINITY
    };
    Report { natural, converged: natural <= Report::CONVERGED, ..report }
}
