//! Recordings: everything that a simulation shows, as columns over time and a list of events.
//!
//! Whatever runs writes to a [`Sink`], whatever looks reads a [`Recording`]; nothing else passes between them. A frame is a
//! row of reals, one for each column of the [`Schema`]; booleans are 0 and 1, and NaN is *no value*: no computed value is
//! ever NaN, so that a context attribute outside its context needs no mark of its own. What can never change stands once in
//! the schema and in no row.
//!
//! `schema` says what the columns are, `event` what happened between frames, `memory` keeps all of it, `hash` is the
//! fingerprint of a frame.

mod event;
mod hash;
mod memory;
mod schema;

pub use event::{Event, EventKind};
pub use hash::hash_row;
pub use memory::Recording;
pub use schema::{Column, Constant, Owner, Quantity, Schema};

use std::io;

/// Frame number `index` of a run.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'f> {
    /// Counts from 0, the initial state.
    pub index: u64,
    /// Its time.
    pub time: f64,
    /// One real for each column of the schema.
    pub row: &'f [f64],
    /// The hash of the whole state: equal runs have equal hashes.
    pub hash: u64,
    /// Everything that is needed to go on from here, where the engine gives it: at least every so many frames, so that any
    /// frame can be reached from the one before it that has it.
    pub keyframe: Option<&'f [u8]>,
}

/// Something that a run wants to be known, beside its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// When.
    pub time: f64,
    /// One sentence, naming objects and laws.
    pub message: String,
}

/// Who takes what a run produces, in order of time: events of a frame before the frame.
pub trait Sink {
    /// A frame is complete.
    ///
    /// # Errors
    /// If it cannot be kept, as when a disk is full: the run ends.
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()>;

    /// Something happened.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// The run has something to say.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn notice(&mut self, notice: &Notice) -> io::Result<()>;
}
