//! Errors of reading.

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
    /// The recording, or this copy of it, is damaged.
    #[error("the recording is damaged: {0}")]
    Damaged(String),
    /// It is a table of Arrow that uses what recordings never use.
    #[error("the recording cannot be read: {0}; write it without")]
    Unsupported(String),
}

impl ReadError {
    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged(what.into())
    }
}
