//! `lagrangian NAME { … }`: a mechanical system stated by its energies.
//!
//! ```text
//! block ──written──► lists, each name with one meaning ──values──► numbers at the start
//!                      └──reader──► symbolic expressions ──stated──► System ──start──► a state in which everything holds
//! ```
//!
//! Every name of a formula is a symbol: coordinates, their rates, the time, parameters, and attributes of the
//! world. `f_dot` is the rate of any function without parameters, found by differentiating it along the
//! motion. Numbers come last, so that what is derived can be read with the names of its author.

pub(crate) mod check;
pub(crate) mod fields;
mod formulas;
mod function_order;
mod initial_momenta;
mod initial_state;
mod initial_values;
pub mod method;
pub(crate) mod model;
mod names;
pub mod quantities;
pub(crate) mod read;
pub(crate) mod settings;
mod symbolic;
mod system;
