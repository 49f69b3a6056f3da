//! Expressions, their simplification, and the equations of motion that follow from energies.

#[path = "../../../geometry/tests/support/counting.rs"]
mod counting;
mod expressions;
mod lagrange;
mod reader;
mod simplify;
