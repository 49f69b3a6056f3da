//! Natives and operators: their values, their types, their words, at once and as columns.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(clippy::cloned_ref_to_slice_refs, reason = "arguments of calls read alike, one or many")]

#[path = "../support/evaluate.rs"]
mod evaluate;

mod arguments;
mod calls;
mod tape;

mod all;
mod chance;
mod columns;
mod geometry;
mod operators;
