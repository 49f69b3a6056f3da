//! Sinks: everything that takes the results of a run, frame by frame and event by event.

use crate::event::Event;
use std::io;

/// Number of scalars of a contact: the places of both objects, −1 for the world; the point; the unit normal from the
/// first to the second; the force on the second.
pub const CONTACT_SCALARS: usize = 11;

/// A frame of a run.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'f> {
    /// Number, counted from 0, the initial state.
    pub index: u64,
    /// Its time.
    pub time: f64,
    /// One real for each column of the schema.
    pub row: &'f [f64],
    /// Hash of the whole state: equal runs have equal hashes.
    pub hash: u64,
    /// Contacts of bodies, [`CONTACT_SCALARS`] reals each; none, unless the schema says that there are some.
    pub contacts: &'f [f64],
    /// Whole state of the engine, from which a run can be resumed. The engine gives it for some frames only,
    /// often enough that any frame can be computed again from an earlier one.
    pub keyframe: Option<&'f [u8]>,
}

/// A remark of the run, beside its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Time of the simulation.
    pub time: f64,
    /// One sentence, naming objects and laws.
    pub message: String,
}

/// Receiver of the results of a run, in order of time: the events before a frame come before it.
pub trait Sink {
    /// Takes a complete frame.
    ///
    /// # Errors
    /// The frame cannot be kept, as when a disk is full; the run ends.
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()>;

    /// Returns `true` if frames should come with keyframes. A sink from which no run goes on saves their cost.
    fn wants_keyframes(&self) -> bool {
        true
    }

    /// Takes an event.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Takes an event by value, so that a sink that keeps it need not copy it.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn take_event(&mut self, event: Event) -> io::Result<()> {
        self.event(&event)
    }

    /// Takes a remark of the run.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn notice(&mut self, notice: &Notice) -> io::Result<()>;

    /// Takes a remark that is of use only while the run goes on, such as that it diverges: who can tell it at
    /// once does.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn warn(&mut self, notice: &Notice) -> io::Result<()> {
        self.notice(notice)
    }

    /// Writes everything that was handed over so far, so that others can read it. Called now and then.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Ends the recording. Called once, also when the run stopped before its time.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}
