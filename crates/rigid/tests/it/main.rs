//! Integration tests of rigid bodies, one program: modules by subject.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod arrivals;
mod cards;
mod conservation;
mod contacts;
mod impacts;
mod jacobi;
mod joint_kinds;
mod jointed_contacts;
mod joints;
mod ledger;
mod notation;
mod printed_step;
mod random_scenes;
mod serialize;
mod shared_loads;
mod springs;
mod state;
mod strong_friction;
mod support;
mod variational;
