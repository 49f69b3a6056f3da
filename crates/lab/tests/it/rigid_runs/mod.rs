//! Simulations of rigid bodies: what is recorded of them, what happens, and that a run goes on as it was.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_text;
mod bits;
mod columns;
mod events;
mod measures;
mod run;
#[path = "../support/runs.rs"]
mod runs;
mod stops;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/torn.rs"]
mod torn;
