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

pub(crate) mod constraint;
mod constraint_terms;
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
mod mounts;
mod point;
mod rope;
mod slider;
mod unit_quaternion;
mod universal;
mod weld;

pub use constraint::{Configuration, Constraint, Gains, MAX_ROWS, Row, Sense};
pub use coordinate::{Coordinate, Freedom};
pub use distance::Distance;
pub use ends::{Ends, JointAnchor};
pub use hinge::Hinge;
pub use limit::Limit;
pub use motor::Motor;
pub use point::Point;
pub use rope::Rope;
pub use slider::Slider;
pub use unit_quaternion::UnitQuaternion;
pub use universal::Universal;
pub use weld::Weld;
