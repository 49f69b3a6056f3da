//! The terminal side of the commands: text, tables, progress, diagnostics, signals and the clock.

pub(crate) mod diagnostics;
pub(crate) mod format;
pub(crate) mod interrupt;
pub(crate) mod page;
pub(crate) mod progress;
pub(crate) mod stopwatch;
pub(crate) mod table;
pub(crate) mod terminal;
