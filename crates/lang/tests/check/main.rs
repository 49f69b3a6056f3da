//! The checker: what it says about texts, the programs that it makes of them, and that both are true.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod support;

mod contexts;
mod laws;
mod names;
mod programs;
mod sound;
mod types;
