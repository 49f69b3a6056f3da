//! Sources of what is recorded and measured of rigid bodies.

use gedanken_dynamics::ComponentId;
use gedanken_experiment::rigid::given::{OfObject, OfWorld};

/// Source of a quantity or an attribute.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Time,
    Constant(Vec<f64>),
    /// Of a body, with the number of its scalars.
    OfObject(ComponentId, OfObject, usize),
    OfWorld(OfWorld),
}
