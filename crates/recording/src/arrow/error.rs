//! Errors of reading.

use super::schema_metadata::{FORMAT_VERSION, Table};
use crate::recording::Recording;
use std::fmt;
use std::io;

/// Reason why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes cannot be read.
    #[error("the recording cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The bytes are something else.
    #[error("this is no recording: {0}")]
    NotARecording(String),
    /// It begins as a recording and ends before its description does.
    #[error("the recording ends before its first frame")]
    CutInHeader,
    /// It has a version of the format that is not known yet.
    #[error("written by a newer Gedanken: format {0}, this one reads up to {FORMAT_VERSION}")]
    Newer(u32),
    /// The recording, or this copy of it, is damaged.
    #[error("the recording is damaged: {0}")]
    Damaged(Box<Damage>),
    /// It is a table of Arrow that uses what recordings never use.
    #[error("the recording cannot be read: {0}; write it without")]
    Unsupported(String),
}

/// Damage of a recording, and the part that is good.
#[derive(Clone, Debug, Default)]
pub struct Damage {
    /// The first flaw of each damaged table.
    pub flaws: Vec<Flaw>,
    /// The frames before the damage, each with all events before it; `None` if the description of the frames
    /// is damaged.
    pub good: Option<Recording>,
    /// Version of the format of the frames; `None` if their description is damaged.
    pub format: Option<u32>,
}

impl Damage {
    /// Returns `true` if checksums prove that the good part is good; older recordings have none.
    pub fn is_verified(&self) -> bool {
        self.format.is_some_and(has_checksums)
    }
}

/// Returns `true` if tables of a version of the format have checksums.
pub(super) const fn has_checksums(format: u32) -> bool {
    format >= 2
}

/// One place where a recording is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The table.
    pub table: Table,
    /// The first place that is damaged, or from which on something is missing.
    pub at: Spot,
    /// Description of the damage.
    pub what: String,
}

/// A place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Names of columns, or metadata.
    Description,
    /// Number of a frame.
    Frame(usize),
    /// Number of an event.
    Event(usize),
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description => write!(f, "its description"),
            Self::Frame(frame) => write!(f, "frame {frame}"),
            Self::Event(event) => write!(f, "event {event}"),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = match self.table {
            Table::Frames => "frames",
            Table::Events => "events",
        };
        write!(f, "table of {table}, {}: {}", self.at, self.what)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for flaw in &self.flaws {
            write!(f, "{flaw}; ")?;
        }
        match self.good.as_ref().map_or(0, Recording::frames) {
            0 => write!(f, "no frame is good"),
            1 => write!(f, "frame 0 is good"),
            frames => write!(f, "frames 0 to {} are good", frames - 1),
        }
    }
}

/// Reason why rows of a table cannot be read. The reader of the table knows which rows they are.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowsError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Damaged(String),
    #[error("{0}")]
    Unsupported(String),
}

impl RowsError {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }

    /// The flaw of a table that was read up to `at`, if it is one.
    pub(super) fn into_flaw(self, table: Table, at: Spot) -> Result<Flaw, ReadError> {
        match self {
            Self::Damaged(what) => Ok(Flaw { table, at, what }),
            Self::Io(error) => Err(ReadError::Io(error)),
            Self::Unsupported(what) => Err(ReadError::Unsupported(what)),
        }
    }

    /// The error of a table of which nothing else is kept.
    pub(super) fn into_error(self, table: Table, at: Spot) -> ReadError {
        self.into_flaw(table, at).map_or_else(
            |error| error,
            |flaw| ReadError::Damaged(Box::new(Damage { flaws: vec![flaw], good: None, format: None })),
        )
    }
}
