//! From elements as they are written to the description of a mechanism: poses, masses, names made numbers.

mod actuator;
mod body;
mod contact;
mod equality;
mod geom;
mod joint;
mod keyframe;
mod mass;
mod model;
mod names;
pub(crate) mod principal_axes;
mod same_frame;

pub(crate) use model::compile;
