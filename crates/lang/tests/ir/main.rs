//! The intermediate form: what the builder makes, what the columns compute, and that all executors and
//! kernels agree.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/generate.rs"]
mod generate;
#[path = "../support/graphs.rs"]
mod graphs;

mod agree;
mod build;
mod columns;
mod kernel;
