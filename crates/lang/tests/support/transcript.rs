//! Sessions read from a text, one input per line, on a disk with nothing on it.

use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::session::{Files, Reply, Session};
use gedanken_lang::vm::Limits;

/// A disk with nothing on it that nobody may write to.
pub(crate) struct Nothing;

impl Files for Nothing {
    fn read(&self, _path: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn write(&self, _path: &str, _text: &str) -> Result<(), String> {
        Err("there is no such folder".to_owned())
    }
}

/// A session after all lines of a text, and everything it found wrong. It is given fewer steps than usual, so
/// that what never ends is soon over.
pub(crate) fn transcript(text: &str) -> (Session<Nothing>, Vec<Diagnostic>) {
    let mut session = Session::new(Nothing, Limits { steps: 1_000_000, ..Limits::default() });
    let replies: Vec<Reply> = text.lines().flat_map(|line| session.submit(line)).collect();
    let diagnostic = |reply| if let Reply::Diagnostic(it) = reply { Some(it) } else { None };
    let found = replies.into_iter().filter_map(diagnostic).collect();
    (session, found)
}
