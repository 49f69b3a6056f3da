//! Derivatives and enclosures of graphs, against difference quotients, closed forms and sampled values.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/dice.rs"]
#[allow(dead_code, reason = "shared with tests that use all of it")]
mod dice;
#[path = "../support/generate.rs"]
#[allow(dead_code, reason = "shared with tests that use all of it")]
mod generate;
#[path = "../support/graphs.rs"]
#[allow(dead_code, reason = "shared with tests that use all of it")]
mod graphs;

mod chance;
mod enclose;
mod enclose_operations;
mod evaluate;
mod generated;
mod jacobian;
mod laws;
mod motion;
mod rate;
