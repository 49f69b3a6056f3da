//! The reference evaluator: what a program means, one row at a time, with every value at hand when something
//! goes wrong.
//!
//! A program is compiled to bytecode for a stack machine whose stack is memory of its own, so that the
//! recursion of user functions is bounded by [`Limits`] and never by the processor's stack. Types are looked
//! at when an operation runs: it runs anything the resolver accepts, sequences and recursion included.
//!
//! Evaluation is by need: a function without parameters is computed at its first use in an evaluation, and
//! kept.
//!
//! `compile` makes the bytecode, `machine` runs it over the slots of `slot`, `effort` says what an operation
//! costs before it runs, `blame` finds the words when it fails, and `fault` is the failure.

mod blame;
mod compile;
mod cost;
mod fault;
mod machine;
mod slot;

pub use compile::{Code, compile};
pub use fault::{Call, Circumstances, Fault, Operand};
pub use machine::{Limits, Machine};
