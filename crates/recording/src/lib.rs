//! Recordings: everything that a simulation shows, as columns over time and a list of events.
//!
//! Whatever runs writes to a [`Sink`], whatever looks reads a [`Recording`]; nothing else passes between
//! them. A frame is a row of reals, one for each column of the [`Schema`]; booleans are 0 and 1, and NaN is
//! *no value*: no computed value is ever NaN, so that a context attribute outside its context needs no mark
//! of its own. What can never change stands once in the schema and in no row.
//!
//! `schema` says what the quantities are, `columns` what their scalars are called, `find` what a name stands
//! for; `event` is what happened between frames and `participants` the values it keeps; `memory` keeps
//! everything, `samples`, `series` and `value` read it; `hash` is the fingerprint of a frame. `csv`, `json`,
//! `derived` and [`arrow`] are sinks that write.

pub mod arrow;
mod columns;
mod csv;
mod derived;
mod event;
mod find;
pub mod formula;
mod hash;
mod json;
mod memory;
mod participants;
mod samples;
mod schema;
mod series;
mod text;
mod value;

pub use columns::{Column, Place};
pub use csv::CsvSink;
pub use derived::DerivedSink;
pub use event::{Event, EventKind};
pub use find::Selection;
pub use hash::hash_row;
pub use json::{JsonEventsSink, write_events_json};
pub use memory::Recording;
pub use participants::Moment;
pub use samples::Sample;
pub use schema::{Constant, Owner, Quantity, Schema};
pub use value::value_of;

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
    /// Everything that is needed to go on from here, where the run gives it: at least every so many frames, so
    /// that any frame can be reached from the one before it that has it. A frame that the end of the duration
    /// cuts short has none.
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

    /// The same of an event that nobody else needs: whoever keeps it need not copy it.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn take_event(&mut self, event: Event) -> io::Result<()> {
        self.event(&event)
    }

    /// The run has something to say.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn notice(&mut self, notice: &Notice) -> io::Result<()>;

    /// Is asked before every step of a run, and within long ones, whether it shall go on.
    ///
    /// # Errors
    /// If it shall not: the run ends, as when a frame cannot be kept.
    fn goes_on(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// What was handed over so far shall be where others can read it. Whoever runs calls it now and then.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Nothing will follow. Whoever runs calls it once, also when the run stopped before its time.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}
