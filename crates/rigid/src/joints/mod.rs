//! Constraints: conditions on where bodies are, and the multipliers that hold them.
//!
//! A constraint on one or two bodies is C(q, t) = 0, or C ≥ 0, with as many rows as it has dimensions. Its
//! rate is
//!
//! Ċ = J_a·twist_a + J_b·twist_b + ∂C/∂t,
//!
//! its impulse on the bodies is Jᵀλ. Whoever implements [`Constraint`] gives C, J and ∂C/∂t; everything else
//! is done here, by one direct solver ([`direct`]) on J M⁻¹ Jᵀ.
//!
//! | kind | demands | rows | leaves |
//! |---|---|---|---|
//! | [`Distance`] | two points at a distance | 1 | 5 |
//! | [`Rope`] | two points no farther apart than a length | 1, C ≥ 0 | 5 when taut |
//! | [`Point`] | two points in one place: a ball joint | 3 | 3 |
//! | [`Universal`] | that, and two axes perpendicular | 4 | 2 |
//! | [`Hinge`] | that, and one axis common | 5 | 1, an angle |
//! | [`Slider`] | one line common, and no turning | 5 | 1, a travel |
//! | [`Weld`] | one pose common | 6 | 0 |
//! | [`Limit`] | an angle or travel in a range | 1 or 2, C ≥ 0 | |
//! | [`Motor`] | an angle or travel at a speed, with a greatest force | 1, driven | |
//!
//! [`Ends`] tells which bodies a joint joins and where; springs with damping are laws
//! ([`gedanken_dynamics::laws::AnchoredSprings`], [`gedanken_dynamics::laws::Dampers`],
//! [`gedanken_dynamics::laws::TorsionSprings`], [`gedanken_dynamics::laws::TorsionDampers`]).

mod coordinate;
pub mod direct;
mod distance;
mod ends;
mod hinge;
pub mod jointed_motion;
mod limit;
pub(crate) mod limit_arrival;
pub(crate) mod linkage;
mod motor;
mod constraint_terms;
mod point;
mod rope;
mod slider;
mod unit_quaternion;
mod universal;
mod weld;

pub use coordinate::{Coordinate, Freedom};
pub use distance::Distance;
pub use ends::{Ends, Grip};
pub use hinge::Hinge;
pub use limit::Limit;
pub use motor::Motor;
pub use point::Point;
pub use rope::Rope;
pub use slider::Slider;
pub use unit_quaternion::UnitQuaternion;
pub use universal::Universal;
pub use weld::Weld;

use gedanken_dynamics::ComponentId;
use gedanken_math::Twist;
use gedanken_math::{Pose, Vec3};
use std::fmt;

/// The most rows a constraint can have: two rigid bodies have six freedoms between them.
pub const MOST_ROWS: usize = 6;

/// Where the bodies of a constraint are, in their principal frames, and when. A missing second body is the
/// world: the identity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// The pose of A.
    pub a: Pose,
    /// The pose of B.
    pub b: Pose,
    /// The time, s.
    pub time: f64,
}

/// What a row demands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sense {
    /// C = 0, whatever force that takes.
    Equal,
    /// C ≥ 0; the force only pushes.
    AtLeast,
    /// Ċ = speed, with at most this force (N or N·m): a motor. C itself means nothing.
    Driven {
        /// The rate it aims at.
        speed: f64,
        /// The greatest force.
        most: f64,
    },
}

/// One row of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// C.
    pub value: f64,
    /// ∂Ċ/∂twist of A.
    pub a: Twist,
    /// ∂Ċ/∂twist of B.
    pub b: Twist,
    /// ∂C/∂t.
    pub rate: f64,
    /// What it demands.
    pub sense: Sense,
}

/// The gains of Baumgarte's stabilisation, for those who solve for accelerations: C̈ + β Ċ + α C = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// Of the position error, 1/s².
    pub alpha: f64,
    /// Of the velocity error, 1/s.
    pub beta: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { alpha: 10.0, beta: 10.0 }
    }
}

/// A condition on one or two bodies. Open: implement it for conditions of your own.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// What it is called, in messages and ledgers.
    fn name(&self) -> &str;

    /// What kind of constraint it is: "hinge", "rope".
    fn kind(&self) -> &'static str;

    /// The bodies: A, and B unless the world takes its place.
    fn bodies(&self) -> (ComponentId, Option<ComponentId>);

    /// How many rows it has, 1 to [`MOST_ROWS`].
    fn dimension(&self) -> usize;

    /// Pushes its rows, [`Constraint::dimension`] of them, in a fixed order.
    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>);

    /// J̇·v for each row: how the rate of C changes by the motion alone, without acceleration. Unless given,
    /// by a central difference along the motion.
    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        direct::difference_drift(self, at, a, b, out);
    }

    /// The one freedom that it leaves, if it has a name: the angle of a hinge, the travel of a slider. For
    /// recordings.
    fn coordinate(&self) -> Option<Coordinate> {
        None
    }

    /// If it is a ball joint and nothing else (C = p_A - p_B, three rows along the axes of the world), its
    /// anchors in the principal frames of A and B: groups of such joints are solved in a shorter way. The
    /// rows must say the same.
    fn anchors(&self) -> Option<[Vec3; 2]> {
        None
    }

    /// Whether any of its rows is a limit, [`Sense::AtLeast`]: then arrivals there are located inside of a
    /// step.
    fn has_limits(&self) -> bool {
        false
    }

    /// Gains for those who solve for accelerations.
    fn gains(&self) -> Gains {
        Gains::default()
    }

    /// Whether its two bodies may also touch each other.
    fn lets_touch(&self) -> bool {
        false
    }
}
