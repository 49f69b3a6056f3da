//! Errors of worlds and settings, reported before anything moves.

use gedanken_dynamics::{BuildError, ComponentError, Fault, StateError};
use gedanken_geometry::ShapeError;

/// Why a world of rigid bodies cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RigidError {
    /// A number that must be positive, or in a range, and is not.
    #[error("the {what} of '{of}' cannot be {value}: {reason}")]
    BadNumber {
        /// Quantity: mass, density, restitution.
        what: &'static str,
        /// Name of the body, material or joint.
        of: String,
        /// The number, as text.
        value: String,
        /// Condition on the value.
        reason: &'static str,
    },
    /// An inertia tensor that no body has.
    #[error(
        "the inertia of '{body}' is no inertia of a body: its principal moments are {moments:?}; they must be positive, \
         and none may exceed the sum of the other two"
    )]
    BadInertia {
        /// The body.
        body: String,
        /// Its principal moments.
        moments: [f64; 3],
    },
    /// A dynamic body without a mass, or with a shape that has none.
    #[error("'{body}' is dynamic and has no mass: give it a mass, or a density and a shape with a volume")]
    NoMass {
        /// The body.
        body: String,
    },
    /// A body that cannot move in this way.
    #[error("'{body}' is a {shape}, which can only be static: make it static, or give it another shape")]
    CannotMove {
        /// The body.
        body: String,
        /// The kind of its shape.
        shape: &'static str,
    },
    /// Two things of the same name.
    #[error(
        "the name '{name}' is given to more than one {what}: names tell them apart, so give one another name"
    )]
    NameTaken {
        /// Body, material, joint.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A body that does not exist.
    #[error("'{of}' names the body '{name}', which does not exist{}", did_you_mean(.suggestion))]
    NoBody {
        /// Name of the joint or law that refers to it.
        of: String,
        /// The name.
        name: String,
        /// The nearest name that does.
        suggestion: Option<String>,
    },
    /// A joint that does not join two bodies.
    #[error("'{joint}' does not join two bodies: {reason}")]
    JoinsNothing {
        /// The joint.
        joint: String,
        /// Reason.
        reason: String,
    },
    /// A joint that is far from holding when everything starts.
    #[error(
        "'{joint}' does not hold at the start: its error is {error} {unit}; place the bodies so that it holds, or give \
         anchors that meet"
    )]
    DoesNotHold {
        /// The joint.
        joint: String,
        /// Violation at the start.
        error: f64,
        /// Unit of the violation.
        unit: &'static str,
    },
    /// An unknown solver, integrator, combination rule.
    #[error("there is no {what} called '{name}'; there are {known}")]
    Unknown {
        /// Kind of thing asked for.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A method that does not suit the world.
    #[error("{0}")]
    Unfit(String),
    /// A shape that is none.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A name that cannot be a component.
    #[error(transparent)]
    Component(#[from] ComponentError),
    /// A value that a state refuses.
    #[error(transparent)]
    State(#[from] StateError),
    /// A workflow that cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The first look at the world failed.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |name| format!(": did you mean '{name}'?"))
}
