//! Articulated bodies and soft constraints against closed forms, finite differences and independent
//! computations.

#[path = "../../../geometry/tests/support/counting.rs"]
mod counting;

mod closed_forms;
mod equalities;
mod memory;
mod orders;
mod refusals;
mod solver;
mod support;
mod surroundings;
mod trees;
