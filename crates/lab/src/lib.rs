//! Experiments: what a `.lab` file says, checked to the last law before anything moves; then moved, and recorded.
//!
//! ```text
//! text ──lang──► blocks ──experiment::read──► Experiment ──Run──► Sink: frames, events ──recording──► columns, files
//! ```
//!
//! Laws in contexts are run by [`engine`], rules by [`workflow`], bodies that obey Newton and Euler by [`rigid`], systems that
//! are stated by their energies by [`lagrangian`]; [`Run`] is any of
//! them, and all give the same kind of recording.
//! [`formula`] computes any expression over what was recorded. [`gallery`] holds the experiments that come with the lab, [`assist`]
//! helps those who write others. [`accuracy`] holds all mechanics against closed answers.
//!
//! Everything that is wrong with a text is a [`gedanken_lang::diagnostic::Diagnostic`] with its place, all of them at
//! once. The crate opens no file and reads no clock: [`Files`] is the door through which imports and shapes come in, and
//! recordings are written to whatever implements `Write`.

pub mod accuracy;
pub mod assist;
pub mod derivation;
pub mod engine;
pub mod experiment;
mod files;
pub mod formula;
pub mod gallery;
pub mod lagrangian;
pub mod measure;
mod native;
pub mod recording;
pub mod rigid;
mod run;
pub mod workflow;

pub use files::Files;
pub use run::Run;
