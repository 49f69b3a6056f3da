//! Settings of a simulation: step, integrator, cone, algorithm, and what is switched off.

use gedanken_math::Vec3;

/// Settings of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Length of a step, in s.
    pub time_step: f64,
    /// Acceleration of free fall, in m/s².
    pub gravity: Vec3,
    /// How a step is taken.
    pub integrator: Integrator,
    /// Shape of the friction cone.
    pub cone: Cone,
    /// Ratio of frictional to normal impedance of elliptic contacts.
    pub impedance_ratio: f64,
    /// How constraint forces are found.
    pub solver: SolverSettings,
    /// Whether the diagonal of J M⁻¹ Jᵀ is computed instead of approximated.
    pub exact_diagonal: bool,
    /// How parameters of two surfaces make those of a contact.
    pub mixing: Mixing,
    /// What is switched off.
    pub disabled: Disabled,
}

/// How constraint forces are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverSettings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The search along a direction.
    pub line_search: LineSearch,
    /// Maximum number of iterations.
    pub iterations: usize,
    /// When iterations stop.
    pub stopping: Stopping,
    /// Number of passes that take slip away from contacts that stick; 0 for none.
    pub no_slip_iterations: usize,
    /// Improvement at which these passes stop.
    pub no_slip_tolerance: f64,
}

/// When iterations stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stopping {
    /// As soon as the error of the acceleration, in the norm of M, is at most this share of it.
    Certificate(f64),
    /// As soon as the gradient or the improvement is below tolerance × mean inertia × number of freedoms.
    Improvement(f64),
}

/// Algorithms that minimise the cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Newton's method with a Cholesky factor of the exact Hessian.
    Newton,
    /// Conjugate gradients, preconditioned by M.
    ConjugateGradient,
}

/// Searches along a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineSearch {
    /// The minimum, by Newton's method in one dimension inside a bracket.
    Exact,
    /// Halving until the cost falls as Armijo asks.
    Armijo,
}

/// Shapes of the friction cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cone {
    /// A pyramid whose sliding friction has this number of edges: 4, 8 or 16.
    Pyramid {
        /// Number of edges.
        edges: usize,
    },
    /// An elliptic cone.
    Elliptic,
}

/// Ways to take a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrator {
    /// v' = v + h a, q' = q ⊕ h v'.
    SemiImplicit,
    /// The same, implicit in the damping of joints.
    Euler,
    /// Implicit in all forces that depend on velocity.
    Implicit,
    /// Implicit in damping and actuators, with a symmetric matrix.
    ImplicitFast,
    /// Runge and Kutta's method of order 4.
    RungeKutta,
}

/// How parameters of two surfaces make those of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mixing {
    /// By priority, else by weight.
    Mujoco,
    /// By the plain mean.
    Genesis,
}

/// What is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Disabled {
    /// All constraints.
    pub constraints: bool,
    /// Equalities.
    pub equalities: bool,
    /// Dry friction.
    pub friction_loss: bool,
    /// Limits.
    pub limits: bool,
    /// Contacts.
    pub contacts: bool,
    /// Springs of joints.
    pub springs: bool,
    /// Dampers of joints.
    pub dampers: bool,
    /// Gravity.
    pub gravity: bool,
    /// Clamping of controls.
    pub control_clamping: bool,
    /// Warm starts.
    pub warm_start: bool,
    /// The rule that a body does not meet its parent.
    pub parent_filter: bool,
    /// Actuators.
    pub actuation: bool,
    /// The rule that a time constant is at least two steps.
    pub safe_reference: bool,
    /// Implicit damping of [`Integrator::Euler`].
    pub euler_damping: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            time_step: 0.002,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            integrator: Integrator::Euler,
            cone: Cone::Pyramid { edges: 4 },
            impedance_ratio: 1.0,
            solver: SolverSettings::default(),
            exact_diagonal: false,
            mixing: Mixing::Mujoco,
            disabled: Disabled::default(),
        }
    }
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Newton,
            line_search: LineSearch::Exact,
            iterations: 100,
            stopping: Stopping::Certificate(1e-9),
            no_slip_iterations: 0,
            no_slip_tolerance: 1e-6,
        }
    }
}
