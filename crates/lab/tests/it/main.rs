//! Tests of the lab: texts of experiments, the messages about them, and what happens when they run.
//!
//! One program, since every program of tests links the whole lab anew. `golden` is another: it holds the bits
//! of whole runs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_text;
mod by_name;
mod contexts;
mod driver;
mod editor;
mod explain;
mod formula;
mod gallery;
mod gallery_runs;
mod growth;
mod guide;
mod impacts;
mod lagrangian;
mod measures;
mod messages;
mod model;
mod multibody;
mod rigid;
mod rigid_runs;
mod run_messages;
mod select;
mod support;
mod thesis;
mod workflow;
