//! Experiments: what a `.lab` file says, checked to the last law before anything moves; then moved, and recorded.
//!
//! ```text
//! text ──lang──► blocks ──experiment::read──► Experiment ──Run──► Sink: frames, events ──recording──► columns, files
//! ```
//!
//! Laws in contexts are run by [`engine`], rules by [`workflow`]; [`Run`] is either, and both give the same kind of recording.
//! [`gallery`] holds the experiments that come with the lab.
//!
//! Everything that is wrong with a text is a [`gedanken_lang::diagnostic::Diagnostic`] with its place, all of them at
//! once. The crate opens no file and reads no clock: [`Files`] is the door through which imports and shapes come in, and
//! recordings are written to whatever implements `Write`.

pub mod engine;
pub mod experiment;
mod files;
pub mod gallery;
pub mod measure;
pub mod recording;
mod run;
pub mod workflow;

pub use files::Files;
pub use run::Run;
