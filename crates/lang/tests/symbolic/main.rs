//! Laws as formulas: what they become, that they keep their values, and that text and formulas go to and fro.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/generate.rs"]
mod generate;
mod random;

mod back;
mod graph;
mod identity;
mod read;
mod written;
