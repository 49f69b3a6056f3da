//! The contexts engine: contacts at the times that closed forms give, the same bits always, and failures that
//! keep what was computed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod files;

mod bounces;
mod contacts;
mod corners;
mod failures;
mod gas;
mod grazes;
mod laws;
mod orbits;
mod same_bits;
mod sight;
mod support;
