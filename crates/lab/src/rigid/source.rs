//! Where what is recorded and measured of rigid bodies is found.

use gedanken_dynamics::ComponentId;
use gedanken_experiment::rigid::given::{OfObject, OfWorld};

/// Where a quantity or an attribute is found.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Time,
    Constant(Vec<f64>),
    /// Of a body, with the number of its scalars.
    OfObject(ComponentId, OfObject, usize),
    OfWorld(OfWorld),
}
