//! From energies to equations of motion.
//!
//! ```text
//! System ──equations──► Equations ──course──► Course: straight-line steps, for whoever compiles them
//!    │                      └── conserved, hamilton, equilibria, modes
//!    └──form──► Form: Equations, or Hamilton where H has no Lagrangian that can be written down
//! ```
//!
//! A [`System`] is what its author states: coordinates, energies, forces, constraints. [`Equations`] are
//! Lagrange's,
//!
//! d/dt ∂L/∂q̇ − ∂L/∂q = Q − ∂R/∂q̇ + Aᵀλ,  taken apart as  M q̈ = f + Aᵀλ,  A q̈ = b,
//!
//! with all that can be read from them.

mod check;
mod conditions;
mod conserved;
mod course;
mod equations;
mod equilibrium;
mod form;
mod generator;
mod hamilton;
mod linear;
mod modes;
mod naming;
mod refusal;
mod regular;
mod root;
mod sample;
mod stability;
mod symmetry;
mod system;
mod tidy;

pub use conditions::conditions;
pub use conserved::{Conserved, ConservedKind};
pub use course::Course;
pub use equations::{Effort, Equations};
pub use equilibrium::Equilibria;
pub use form::Form;
pub use gedanken_math::linalg::Complex;
pub use hamilton::Hamilton;
pub use linear::Linearised;
pub use modes::{Fate, Mode, Modes};
pub use refusal::Refusal;
pub use regular::Solution;
pub use stability::Stability;
pub use system::{Constraint, Coordinate, Hold, Statement, System};
