//! Experiments: what a `.lab` file says, checked to the last law before anything moves.
//!
//! ```text
//! text ──lang──► blocks ──experiment::read──► Experiment: world, objects, contexts, simulations, checked laws
//! ```
//!
//! Everything that is wrong with a text is a [`gedanken_lang::diagnostic::Diagnostic`] with its place, all of them at
//! once. The crate opens no file and reads no clock: [`Files`] is the door through which imports and shapes come in.

pub mod experiment;
mod files;

pub use files::Files;
