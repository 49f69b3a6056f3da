//! Integration tests of rigid bodies, one program: modules by subject.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod arrivals;
mod conservation;
mod contacts;
mod hard_contacts;
mod impacts;
mod jacobi;
mod joint_kinds;
mod jointed_contacts;
mod joints;
mod ledger;
mod notation;
mod printed_step;
mod serialize;
mod springs;
mod state;
mod support;
mod variational;
mod velocity_laws;
