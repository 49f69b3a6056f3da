//! Why something has no symbolic form.

use crate::arithmetic::Failure;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Why a function has no symbolic form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} has no symbolic form: {reason}")]
pub struct NotSymbolic {
    /// Thing that was to be read: `` `f` ``, or `the expression`.
    pub what: String,
    /// A clause: `` `f` calls itself ``.
    pub reason: String,
    /// Place at which it was found, if it has one.
    pub place: Option<Span>,
    /// The code of a diagnostic that says so.
    pub code: Code,
}

impl NotSymbolic {
    /// To be shown at its place, or at `whole` if it has none.
    pub fn diagnostic(&self, whole: Span) -> Diagnostic {
        Diagnostic::new(self.code, self.place.unwrap_or(whole), self.to_string())
    }
}

/// A reason, before it is known what was to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) code: Code,
    pub(super) reason: String,
}

impl Trouble {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }

    /// It has more to it than anybody could read or compute with.
    pub(super) fn too_large(reason: impl Into<String>) -> Self {
        Self::new(Code::E522, reason)
    }

    /// In the words of formulas.
    pub(super) fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Index { index, length } if index.is_nan() => {
                Self::new(Code::E507, format!("it takes an element of something that has {length}"))
            }
            Failure::Index { index, length } => {
                Self::new(Code::E507, format!("it takes element {index} of something that has {length}"))
            }
            Failure::Singular => Self::new(Code::E508, "a matrix in it has no inverse"),
            Failure::Empty => Self::new(Code::E509, "it takes the `head` or `tail` of an empty sequence"),
            Failure::NoDirection => Self::new(Code::E511, "it asks for a basis along the zero vector"),
        }
    }
}
