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

/// The graph holds an operation that has no derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDifferentiable {
    /// An operation that only enclosures use.
    #[error("`{0:?}` rounds an enclosure outwards and has no derivative: differentiate first, then enclose")]
    Rounding(Unary),
    /// A number of chance whose seed or key varies: it jumps between any two of their values.
    #[error(
        "a random number (`uniform`, `normal`, `direction`, `rotation`) has no slope along its seed or its key"
    )]
    Chance,
}
