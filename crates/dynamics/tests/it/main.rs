//! Integration tests of the dynamics core, one program: modules by subject.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod accuracy;
mod bad_input;
mod common;
mod energy;
mod events;
mod laws;
mod ledger;
mod nbody;
mod orders;
mod parallel;
mod purity;
mod structure;
mod support;
mod velocity_laws;
mod workflow;
