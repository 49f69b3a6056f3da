//! From energies to equations of motion.
//!
//! ```text
//! System ──equations──► Equations ──straight_line──► StraightLine: steps for a compiler
//!    │                      └── conserved, hamilton, equilibria, modes
//!    └──equations_of_motion──► Equations, or Hamilton where H has no Lagrangian in closed form
//! ```
//!
//! A [`System`] is the statement of its author: coordinates, energies, forces, constraints. [`Equations`] are
//! Lagrange's,
//!
//! d/dt ∂L/∂q̇ − ∂L/∂q = Q − ∂R/∂q̇ + Aᵀλ,  written as  M q̈ = f + Aᵀλ,  A q̈ = b,
//!
//! with their conserved quantities.

mod check;
mod conditions;
mod conserved;
mod equations;
mod equations_of_motion;
mod generator;
mod generic_point;
mod hamilton;
mod naming;
mod near_equilibrium;
mod refusal;
mod simplify;
mod solvability;
mod straight_line;
mod symmetry;
mod system;

pub use conditions::conditions;
pub use conserved::{Conserved, ConservedKind};
pub use equations::Equations;
pub use equations_of_motion::EquationsOfMotion;
pub use gedanken_math::linalg::Complex;
pub use hamilton::Hamilton;
pub use near_equilibrium::{Equilibria, Fate, Linearised, Mode, Modes, Stability};
pub use refusal::Refusal;
pub use simplify::Effort;
pub use solvability::SolutionMethod;
pub use straight_line::StraightLine;
pub use system::{Constraint, ConstraintKind, Coordinate, Statement, System};
