//! What every run has in common, in all four mechanics: durations, stops and keyframes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod durations;
mod keyframes;
mod stops;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod support;
mod texts;
