//! Formulas that were derived before a run, as text to be read: a heading, and under it the formula.
//!
//! ```text
//! equation of theta, = 0
//!     g*sine(theta) + l*theta_dot_dot
//! ```
//!
//! Tables and lists of events have no place for it that their readers would not stumble over; recordings
//! carry it themselves.

use crate::event::Event;
use crate::schema::Schema;
use crate::sink::{Frame, Notice, Sink};
use std::io::{self, Write};

/// Writes what was derived, at once; what happens in the run is passed over.
#[derive(Debug)]
pub struct DerivedSink<W> {
    writer: W,
}

impl<W: Write> DerivedSink<W> {
    /// Writes everything.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut writer: W, schema: &Schema) -> io::Result<Self> {
        for (number, (what, formula)) in schema.derived.iter().enumerate() {
            let gap = if number == 0 { "" } else { "\n" };
            write!(writer, "{gap}{what}\n    {formula}\n")?;
        }
        Ok(Self { writer })
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<W: Write> Sink for DerivedSink<W> {
    fn frame(&mut self, _frame: Frame<'_>) -> io::Result<()> {
        Ok(())
    }

    fn event(&mut self, _event: &Event) -> io::Result<()> {
        Ok(())
    }

    fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
