//! Contexts: laws that hold in free fall, at a collision or in contact, and the choice among them.

pub(crate) mod check;
mod collisions;
mod meetings;
pub(crate) mod model;
pub(crate) mod read;
pub(crate) mod select;
pub(crate) mod unsized_attributes;
