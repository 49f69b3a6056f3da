//! Sources of what is recorded and measured of rigid bodies.

use gedanken_experiment::rigid::quantities::{ObjectQuantity, WorldQuantity};

/// Source of a quantity or an attribute; `Id` is how the mechanics names a body.
#[derive(Clone, Debug)]
pub(crate) enum Source<Id> {
    Time,
    Constant(Vec<f64>),
    /// Of a body, with the number of its scalars.
    ObjectQuantity(Id, ObjectQuantity, usize),
    WorldQuantity(WorldQuantity),
    /// A coordinate or a velocity of a joint: the place of its first scalar, and their number.
    Coordinate(usize, usize),
    Rate(usize, usize),
    /// The force of a joint on its first body, and its torque about the joint, by number.
    JointForce(usize),
    JointTorque(usize),
}
