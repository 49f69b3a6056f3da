//! Objects: their shapes, whether they move, and their attributes when a simulation begins.

pub(crate) mod attribute;
pub(crate) mod compound;
pub(crate) mod initial_values;
pub(crate) mod mesh_file;
pub(crate) mod model;
pub(crate) mod read;
pub(crate) mod shape;
pub(crate) mod solid;
