//! Experiments: what a `.lab` file says, checked to the last law before anything moves; then moved, and recorded.
//!
//! ```text
//! text ──lang──► blocks ──experiment::read──► Experiment ──engine──► Sink: frames, events ──recording──► columns, files
//! ```
//!
//! Everything that is wrong with a text is a [`gedanken_lang::diagnostic::Diagnostic`] with its place, all of them at
//! once. The crate opens no file and reads no clock: [`Files`] is the door through which imports and shapes come in, and
//! recordings are written to whatever implements `Write`.

pub mod engine;
pub mod experiment;
mod files;
pub mod recording;

pub use files::Files;
