//! Rigid bodies in a file: their attributes, materials, force laws, joints and settings.

pub(crate) mod body;
pub(crate) mod check;
mod compound_surface;
pub(crate) mod force_law;
pub(crate) mod joint;
pub(crate) mod material;
pub mod quantities;
pub(crate) mod read;
pub(crate) mod settings;
pub mod soft;
pub(crate) mod typos;
pub(crate) mod variational;
