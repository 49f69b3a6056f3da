//! Simulations by rules: from text to motion, and everything that can be wrong on the way.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_text;
mod bits;
mod events;
mod gallery;
mod measures;
mod messages;
mod order;
mod record;
mod rules;
mod run;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/torn.rs"]
mod torn;
