//! Reasons why a system has no equations of motion, each with a way out.

use gedanken_math::Cancelled;
use thiserror::Error;

/// Reason why a system has no equations of motion.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The derivation was cancelled: nothing is wrong with the system.
    #[error("the derivation was cancelled")]
    Cancelled,
    /// No coordinates.
    #[error("there are no coordinates: name at least one, such as theta")]
    NoCoordinates,
    /// Two coordinates of one name.
    #[error("the coordinate {name} is named twice: give each coordinate its own name")]
    Twice {
        /// Name of the coordinate.
        name: String,
    },
    /// A number of forces other than that of coordinates.
    #[error("there are {found} forces for {wanted} coordinates: give one for each, 0 where there is none")]
    Forces {
        /// Number of forces.
        found: usize,
        /// Number of coordinates.
        wanted: usize,
    },
    /// A rate where none may occur.
    #[error("{place} uses the rate {name}, but may depend on coordinates and time only: {way_out}")]
    Rate {
        /// Place in the statement: `T`, `the constraint rod`.
        place: String,
        /// The rate.
        name: String,
        /// Way out.
        way_out: &'static str,
    },
    /// An acceleration.
    #[error(
        "{place} uses {name}, but accelerations are what the equations are solved for: use coordinates, rates and time only"
    )]
    Acceleration {
        /// Place in the statement.
        place: String,
        /// The acceleration.
        name: String,
    },
    /// A momentum where none may occur.
    #[error(
        "{place} uses the momentum {name}: momenta may stand in H only, elsewhere write rates such as {rate}"
    )]
    Momentum {
        /// Place in the statement.
        place: String,
        /// The momentum.
        name: String,
        /// The rate of the same coordinate.
        rate: String,
    },
    /// A multiplier in a statement.
    #[error(
        "{place} uses {name}, which is the multiplier of a constraint and a result: give it another name"
    )]
    Multiplier {
        /// Place in the statement.
        place: String,
        /// The multiplier.
        name: String,
    },
    /// Energies without velocities.
    #[error("{place} contains no velocity: write the kinetic energy with rates such as {rate}")]
    NoVelocity {
        /// `L` or `T`.
        place: String,
        /// The rate of the first coordinate.
        rate: String,
    },
    /// H without momenta.
    #[error("H contains no momentum: write it with momenta such as {momentum}")]
    NoMomentum {
        /// Momentum of the first coordinate.
        momentum: String,
    },
    /// The accelerations do not follow from the equations.
    #[error(
        "the accelerations do not follow: {what} meets no inertia (the mass matrix is singular). Give it a kinetic energy, remove the coordinate, or fix it by a constraint"
    )]
    SingularMass {
        /// The coordinate or the combination: `x - y`.
        what: String,
        /// The coordinates that take part.
        coordinates: Vec<String>,
    },
    /// The coordinate's rate occurs, but only linearly.
    #[error(
        "the equations of {what} are of first order in time, so its acceleration does not follow from L: use H with {what} and its momentum, or add a kinetic energy quadratic in {rate}"
    )]
    FirstOrder {
        /// The coordinate.
        what: String,
        /// Its rate.
        rate: String,
    },
    /// A part that is not a real number.
    #[error("{place} contains {part}, which is not a real number: {why}")]
    NotReal {
        /// Place in the statement.
        place: String,
        /// The part, as text.
        part: String,
        /// Reason.
        why: &'static str,
    },
    /// A velocity constraint in which rates occur otherwise than linearly.
    #[error(
        "the velocity constraint {name} is not linear in the rates ({rate}): only sums of rates times functions of coordinates and time can be held"
    )]
    NotLinear {
        /// Name of the constraint.
        name: String,
        /// The rate in which it is not linear.
        rate: String,
    },
    /// A constraint without effect.
    #[error(
        "the constraint {name} depends on no {of_what}: it can hold nothing. Remove it, or write what must be zero with coordinates"
    )]
    Idle {
        /// Name of the constraint.
        name: String,
        /// `coordinate` or `rate`.
        of_what: &'static str,
    },
    /// A constraint that follows from others.
    #[error(
        "the constraint {name} says nothing new beside {others}: their multipliers are not determined. Remove one of them"
    )]
    Redundant {
        /// Name of the constraint.
        name: String,
        /// The constraints from which it follows.
        others: String,
    },
    /// H that is not quadratic in the momenta.
    #[error(
        "H is not quadratic in the momenta ({momentum}), so there is no Lagrangian to be written down: only Hamilton's equations hold"
    )]
    NotQuadratic {
        /// Momentum in which it is not quadratic.
        momentum: String,
    },
    /// H whose rates do not determine the momenta.
    #[error(
        "the momenta do not follow from the rates (H is not quadratic in each of them, or couples too many): only Hamilton's equations hold"
    )]
    NoLagrangian,
    /// The momenta cannot be solved for the rates.
    #[error(
        "the rates do not follow from the momenta by a formula ({why}): there is no Hamiltonian to be written down, Lagrange's equations hold all the same"
    )]
    NoHamiltonian {
        /// Reason.
        why: String,
    },
    /// Constraints beside a Hamiltonian that is not quadratic.
    #[error("the constraint {name} cannot be held with this H: state the system by T and V, or by L")]
    ConstraintWithH {
        /// Name of the constraint.
        name: String,
    },
    /// No equilibrium, or no modes about it.
    #[error("{what}: {way_out}")]
    NoRest {
        /// Problem.
        what: String,
        /// Way out.
        way_out: &'static str,
    },
}

impl From<Cancelled> for Refusal {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
