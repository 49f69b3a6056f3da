//! Steps that allocate nothing: a program of its own, for it replaces the global allocator.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

mod contacts;
#[path = "../../../dynamics/tests/counting/mod.rs"]
mod counting;
mod joints;
mod variational;
