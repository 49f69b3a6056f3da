//! Runs experiments: each simulation by the mechanics that it names, into a recording.
//!
//! ```text
//! text ──read──► Experiment ──Run──► Sink: frames, events ──recording──► columns, files
//! ```
//!
//! Laws in contexts are run by `contexts`, rules by `workflow`, bodies that obey Newton and Euler by
//! [`rigid`], systems stated by their energies by `lagrangian`. [`Run`] drives any of them, and all give the
//! same kind of recording. [`derivation`] shows line by line what follows from a Lagrangian, [`inspection`] what
//! happens inside of one step. [`sweep`] varies parameters.
//!
//! Everything that is wrong with a text is a [`gedanken_lang::diagnostic::Diagnostic`] with its place, all of
//! them at once. The crate opens no file and reads no clock: [`gedanken_experiment::Files`] is the door
//! through which imports and shapes come in, and recordings are written to whatever implements `Write`.

mod contexts;
pub mod derivation;
pub mod inspection;
mod lagrangian;
pub mod multibody;
pub mod rigid;
mod run;
pub mod sweep;
mod workflow;

pub use run::check::{read, read_with};
pub use run::measures;
pub use run::report::{Contacts, Law, Report, report};
pub use run::{Options, Run, SharedCode, Stop};
