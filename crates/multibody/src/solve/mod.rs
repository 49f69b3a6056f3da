//! The acceleration that minimises the cost.
//!
//! The cost ½ (a − a_smooth)ᵀ M (a − a_smooth) + s(J a − a_ref) is convex, and at least as curved as M. So the
//! gradient g bounds the error of any a: ‖a − a*‖ in the norm of M is at most ‖g‖ in the norm of M⁻¹. That
//! bound, relative to ‖a‖, is the [certificate](Solution::certificate); half of its square, not relative, is
//! exactly the [duality gap](Solution::duality_gap) between the cost of a and that of its forces.
//!
//! | file | part |
//! |---|---|
//! | `cost` | s and its derivatives, zone by zone |
//! | `line_search` | the minimum along a direction |
//! | `envelope` | Cholesky's factor of the Hessian, rank-one updates |
//! | `newton`, `conjugate_gradient` | the two algorithms |
//! | `no_slip` | a pass that takes away creeping |

pub mod conjugate_gradient;
pub mod cost;
pub mod envelope;
pub mod line_search;
pub mod newton;
pub mod no_slip;

use crate::constraints::rows::{Rows, product};
use crate::model::{Algorithm, LineSearch, SolverSettings, Stopping};
use crate::tree::mass_matrix::{TreeFactor, TreeMatrix};
use crate::tree::topology::Topology;
use cost::Zone;

/// What is to be minimised.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Addresses and relatives.
    pub topology: &'a Topology,
    /// M.
    pub matrix: &'a TreeMatrix,
    /// Factors of M.
    pub factor: &'a TreeFactor,
    /// Rows of constraints.
    pub rows: &'a Rows,
    /// Forces without constraints.
    pub smooth_forces: &'a [f64],
    /// Acceleration without constraints.
    pub smooth: &'a [f64],
    /// Mean inertia of the initial pose times number of freedoms: improvements of the no-slip pass are compared with it.
    pub inertia: f64,
    /// How to search.
    pub settings: SolverSettings,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Solution {
    /// Iterations taken.
    pub iterations: usize,
    /// Bound of the error of the acceleration in the norm of M, relative to the acceleration.
    pub certificate: f64,
    /// Cost minus the best that any forces prove, in J/s².
    pub duality_gap: f64,
    /// The cost.
    pub cost: f64,
    /// Whether the certificate is at most [`CONVERGED`].
    pub converged: bool,
}

impl Solution {
    /// Of two solutions the worse in every respect; iterations add up.
    #[must_use]
    pub fn or_worse(&self, other: &Self) -> Self {
        Self {
            iterations: self.iterations + other.iterations,
            certificate: self.certificate.max(other.certificate),
            duality_gap: self.duality_gap.max(other.duality_gap),
            cost: other.cost,
            converged: self.converged && other.converged,
        }
    }
}

/// Certificate at which a solution counts as converged.
pub const CONVERGED: f64 = 1e-9;

/// Share of the smooth acceleration that counts as rest: errors are measured against at least that, or what
/// stands still could not be told from what is wrong.
const RESTING: f64 = 1e-4;

/// Buffers of a solve, and its result.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    /// The acceleration.
    pub acceleration: Vec<f64>,
    /// Forces of rows.
    pub forces: Vec<f64>,
    /// Forces of constraints on freedoms, Jᵀ f.
    pub constraint_forces: Vec<f64>,
    /// Where each row stands on its cost.
    pub zones: Vec<Zone>,
    /// M a.
    momentum: Vec<f64>,
    /// J a − a_ref.
    excess: Vec<f64>,
    gradient: Vec<f64>,
    direction: Vec<f64>,
    direction_momentum: Vec<f64>,
    direction_excess: Vec<f64>,
    scratch: Vec<f64>,
    cost: f64,
    /// ‖g‖ and ‖a‖ of the present acceleration, if they have been computed.
    known_error: Option<[f64; 2]>,
    newton: newton::Workspace,
    conjugate: conjugate_gradient::Workspace,
    search: line_search::Workspace,
    slip: no_slip::Workspace,
}

impl Solver {
    /// Minimises the cost, from `warm_start` or from the smooth acceleration, whichever costs less.
    pub fn solve(&mut self, problem: &Problem<'_>, warm_start: Option<&[f64]>) -> Solution {
        let (freedoms, count) = (problem.topology.freedoms, problem.rows.len());
        for list in [
            &mut self.acceleration,
            &mut self.constraint_forces,
            &mut self.momentum,
            &mut self.gradient,
            &mut self.direction,
            &mut self.direction_momentum,
            &mut self.scratch,
        ] {
            list.resize(freedoms, 0.0);
        }
        for list in [&mut self.forces, &mut self.excess, &mut self.direction_excess] {
            list.resize(count, 0.0);
        }
        self.zones.resize(count, Zone::Idle);
        self.known_error = None;
        if count == 0 {
            return self.take_smooth(problem.smooth);
        }
        self.start(problem, warm_start);
        let iterations = match problem.settings.algorithm {
            Algorithm::Newton => self.newton(problem),
            Algorithm::ConjugateGradient => {
                let iterations = self.conjugate_gradient(problem);
                // What was added up step by step is computed anew: the certificate is that of the result.
                self.evaluate(problem);
                iterations
            }
        };
        let [error, size] = self.known_error.unwrap_or_else(|| self.error(problem));
        let certificate = relative(error, size);
        if problem.settings.no_slip_iterations > 0 {
            self.no_slip(problem);
        }
        Solution {
            iterations,
            certificate,
            duality_gap: 0.5 * error * error,
            cost: self.cost,
            converged: certificate <= CONVERGED,
        }
    }

    /// The solution without rows: the smooth acceleration.
    pub(crate) fn take_smooth(&mut self, smooth: &[f64]) -> Solution {
        self.acceleration.clear();
        self.acceleration.extend_from_slice(smooth);
        self.constraint_forces.clear();
        self.constraint_forces.resize(smooth.len(), 0.0);
        self.forces.clear();
        self.zones.clear();
        Solution { converged: true, ..Solution::default() }
    }

    /// Chooses where to start, and computes everything there.
    fn start(&mut self, problem: &Problem<'_>, warm_start: Option<&[f64]>) {
        let Some(warm) = warm_start else {
            self.acceleration.copy_from_slice(problem.smooth);
            return self.evaluate(problem);
        };
        // At the smooth acceleration the first term of the cost is zero.
        Self::excess(problem, problem.smooth, &mut self.excess);
        let cold = cost::evaluate(problem.rows, &self.excess, &mut self.forces, &mut self.zones);
        self.acceleration.copy_from_slice(warm);
        problem.matrix.times(problem.topology, &self.acceleration, &mut self.momentum);
        Self::excess(problem, warm, &mut self.excess);
        let constrained = cost::evaluate(problem.rows, &self.excess, &mut self.forces, &mut self.zones);
        if self.gauss(problem) + constrained < cold {
            self.update_from(problem, constrained);
        } else {
            self.acceleration.copy_from_slice(problem.smooth);
            self.evaluate(problem);
        }
    }

    /// Computes J a − a_ref of an acceleration.
    fn excess(problem: &Problem<'_>, acceleration: &[f64], out: &mut [f64]) {
        problem.rows.times(acceleration, out);
        for (excess, reference) in out.iter_mut().zip(&problem.rows.references) {
            *excess -= reference;
        }
    }

    /// The cost of leaving the smooth acceleration, from M a.
    fn gauss(&self, problem: &Problem<'_>) -> f64 {
        let forces = self.momentum.iter().zip(problem.smooth_forces);
        let accelerations = self.acceleration.iter().zip(problem.smooth);
        0.5 * forces.zip(accelerations).map(|((p, f), (a, s))| (p - f) * (a - s)).sum::<f64>()
    }

    /// Computes everything at the present acceleration from scratch.
    fn evaluate(&mut self, problem: &Problem<'_>) {
        problem.matrix.times(problem.topology, &self.acceleration, &mut self.momentum);
        Self::excess(problem, &self.acceleration, &mut self.excess);
        self.update(problem);
    }

    /// Computes cost, forces and gradient from M a and J a.
    fn update(&mut self, problem: &Problem<'_>) {
        let constrained = cost::evaluate(problem.rows, &self.excess, &mut self.forces, &mut self.zones);
        self.update_from(problem, constrained);
    }

    /// Computes cost and gradient from M a, the forces of rows and their cost.
    fn update_from(&mut self, problem: &Problem<'_>, constrained: f64) {
        self.constraint_forces.fill(0.0);
        problem.rows.add_transposed_times(&self.forces, &mut self.constraint_forces);
        for freedom in 0..self.gradient.len() {
            let rest = self.momentum[freedom] - problem.smooth_forces[freedom];
            self.gradient[freedom] = rest - self.constraint_forces[freedom];
        }
        self.cost = self.gauss(problem) + constrained;
    }

    /// ‖g‖ in the norm of M⁻¹, and ‖a‖ in that of M, at least that of rest.
    fn error(&mut self, problem: &Problem<'_>) -> [f64; 2] {
        self.scratch.copy_from_slice(&self.gradient);
        let error = problem.factor.inverse_norm_squared(problem.topology, &mut self.scratch);
        [error.max(0.0).sqrt(), self.size(problem)]
    }

    /// ‖a‖ in the norm of M, or the share of ‖a_smooth‖ that counts as rest.
    fn size(&self, problem: &Problem<'_>) -> f64 {
        // M a_smooth are the smooth forces.
        let smooth = dot(problem.smooth, problem.smooth_forces).max(0.0).sqrt();
        dot(&self.acceleration, &self.momentum).max(0.0).sqrt().max(RESTING * smooth)
    }

    /// Moves along the direction, whose product with M is known, to the minimum on it. Returns the improvement
    /// of the cost, zero if there is none.
    ///
    /// What follows from the acceleration is computed `anew`, or added up: cheaper, but rounding adds up too.
    fn advance(&mut self, problem: &Problem<'_>, anew: bool) -> f64 {
        self.known_error = None;
        problem.rows.times(&self.direction, &mut self.direction_excess);
        let line = line_search::Line {
            rows: problem.rows,
            excess: &self.excess,
            slope: &self.direction_excess,
            linear: dot(&self.direction, &self.momentum) - dot(&self.direction, problem.smooth_forces),
            quadratic: dot(&self.direction, &self.direction_momentum),
        };
        let step = match problem.settings.line_search {
            LineSearch::Exact => {
                let flat = match problem.settings.algorithm {
                    Algorithm::Newton => line_search::FLAT,
                    Algorithm::ConjugateGradient => line_search::NEARLY_FLAT,
                };
                line.exact(&mut self.search, flat)
            }
            LineSearch::Armijo => line.armijo(&mut self.search),
        };
        if step == 0.0 {
            return 0.0;
        }
        let before = self.cost;
        add_scaled(&mut self.acceleration, step, &self.direction);
        if anew {
            self.evaluate(problem);
        } else {
            add_scaled(&mut self.momentum, step, &self.direction_momentum);
            add_scaled(&mut self.excess, step, &self.direction_excess);
            self.update(problem);
        }
        before - self.cost
    }

    /// Returns `true` if iterations may stop here.
    fn is_done(&self, problem: &Problem<'_>, error: f64, improvement: Option<f64>) -> bool {
        match problem.settings.stopping {
            Stopping::Certificate(tolerance) => relative(error, self.size(problem)) <= tolerance,
            Stopping::Improvement(tolerance) => {
                // Mean inertia times number of freedoms.
                let limit = tolerance * problem.matrix.trace();
                dot(&self.gradient, &self.gradient).sqrt() <= limit
                    || improvement.is_some_and(|it| it <= limit)
            }
        }
    }
}

/// An error relative to a size; one that is nothing at all is no error.
fn relative(error: f64, size: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / size.max(f64::MIN_POSITIVE) }
}

pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    product(one, other)
}

pub(crate) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    for (value, other) in target.iter_mut().zip(source) {
        *value += factor * other;
    }
}
