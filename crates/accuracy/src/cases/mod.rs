//! The cases, by subject: each function fills the rows of one case of the table.

pub(crate) mod bouncing;
pub(crate) mod contact_residuals;
pub(crate) mod convergence;
pub(crate) mod energies;
pub(crate) mod friction;
pub(crate) mod impacts;
pub(crate) mod joints;
pub(crate) mod orbits;
pub(crate) mod rolling;
pub(crate) mod rotation;
pub(crate) mod stacks;
pub(crate) mod symmetry;
pub(crate) mod tipping;
