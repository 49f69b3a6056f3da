//! The cases, by subject: each public function measures one case of the [`table`].

mod bouncing;
mod contact_residuals;
mod convergence;
mod energies;
mod friction;
mod impacts;
mod joints;
mod orbits;
mod rolling;
mod rotation;
mod soft;
mod stacks;
mod symmetry;
pub(crate) mod table;
mod tipping;
