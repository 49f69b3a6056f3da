//! Graphs made from graphs: exact derivatives, and enclosures that prove bounds.
//!
//! | transform | from | to |
//! |---|---|---|
//! | [`rate`] | laws | laws and their derivatives in time |
//! | [`jacobian`] | laws | laws and their derivatives with respect to chosen inputs |
//! | [`enclose`] | any of these | an interval for every output, valid on whole intervals of the inputs |
//! | [`sweep`] | laws | intervals of value and rate over an interval of time, and whether the value can jump |
//!
//! All give an [`ir::Graph`](crate::ir::Graph) again, so every executor runs the result unchanged and
//! transforms compose: `enclose(rate(laws))` bounds the speed of a point over a frame. Engines that find
//! contacts rest on this: speeds are derivatives of the user's own functions of time, and bounds hold between
//! the instants that were looked at.
//!
//! The transforms rely on the order of nodes: operands, and the results of an `if`'s arms, come before what
//! uses them.

mod enclose;
mod forward;
mod jacobian;
mod rate;
mod rules;
mod write;

pub use enclose::{enclose, enclose_outward, sweep};
pub use jacobian::jacobian;
pub use rate::{Seed, rate};

use crate::arithmetic::Unary;

/// The graph holds an operation that only enclosures use and that has no derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{operation:?}` rounds an enclosure outwards and has no derivative: differentiate first, then enclose"
)]
pub struct NotDifferentiable {
    /// The operation.
    pub operation: Unary,
}
