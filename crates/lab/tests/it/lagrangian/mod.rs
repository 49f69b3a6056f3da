//! Runs of systems that are stated by their energies: against closed answers, against rigid bodies, against
//! themselves.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_text;
mod bits;
mod book;
mod columns;
mod constraints;
mod hamilton;
mod messages;
mod methods;
mod motion;
mod rigid;
mod run;
#[path = "../support/runs.rs"]
mod runs;
mod settings;
mod stops;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/torn.rs"]
mod torn;
