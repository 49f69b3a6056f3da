//! Sources of what is recorded and measured of rigid bodies.

use gedanken_dynamics::ComponentId;
use gedanken_experiment::rigid::quantities::{ObjectQuantity, WorldQuantity};

/// Source of a quantity or an attribute.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Time,
    Constant(Vec<f64>),
    /// Of a body, with the number of its scalars.
    ObjectQuantity(ComponentId, ObjectQuantity, usize),
    WorldQuantity(WorldQuantity),
}
