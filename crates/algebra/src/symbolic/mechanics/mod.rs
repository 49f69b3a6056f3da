//! From energies to equations of motion.
//!
//! ```text
//! System ──equations──► Equations ──course──► Course: straight-line steps, for whoever compiles them
//!                           └── conserved, hamilton, equilibria, modes
//! ```
//!
//! A [`System`] is what its author states: coordinates, energies, forces, constraints. [`Equations`] are Lagrange's,
//!
//! d/dt ∂L/∂q̇ − ∂L/∂q = Q − ∂R/∂q̇ + Aᵀλ,  taken apart as  M q̈ = f + Aᵀλ,  A q̈ = b,
//!
//! with all that can be read from them.

mod check;
mod conserved;
mod course;
mod dense;
mod eigen;
mod equations;
mod equilibrium;
mod generator;
mod hamilton;
mod modes;
mod naming;
mod refusal;
mod regular;
mod root;
mod sample;
mod symmetry;
mod system;
mod tidy;

pub use conserved::{Conserved, ConservedKind};
pub use course::Course;
pub use equations::{Effort, Equations};
pub use equilibrium::Equilibria;
pub use hamilton::Hamilton;
pub use modes::{Fate, Mode, Modes};
pub use refusal::Refusal;
pub use regular::Solution;
pub use system::{Constraint, Coordinate, Hold, Statement, System};
