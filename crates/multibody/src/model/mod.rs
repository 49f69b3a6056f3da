//! What there is: a [`Description`] of bodies in a tree, their joints, geoms, equalities and actuators, and
//! the [`Model`](crate::compile::Model) that is made from it, checked, with addresses and everything else that motion leaves as it
//! is.

mod actuator;
mod body;
mod description;
mod equality;
mod geom;
mod ids;
mod inequality;
mod joint;
mod motor;
mod settings;
mod softness;

pub use actuator::Actuator;
pub use body::Body;
pub use description::{Description, Keyframe};
pub use equality::{Equality, EqualityKind, Mount};
pub use geom::{ContactDimension, ContactPair, Geom, GeomShape, Surface};
pub use ids::{ActuatorId, BodyId, EqualityId, GeomId, JointId};
pub use inequality::{Inequality, InequalityKind};
pub use joint::{Joint, JointKind};
pub use motor::{Motor, MotorCoordinate};
pub use settings::{
    Algorithm, Cone, Disabled, Integrator, LineSearch, Mixing, Settings, SolverSettings, Stopping,
};
pub use softness::{Impedance, Reference, Softness};
