//! The evaluator: what programs mean, how they fail, and that they end.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/evaluate.rs"]
mod evaluate;

mod faults;
mod limits;
mod meaning;
mod random;
