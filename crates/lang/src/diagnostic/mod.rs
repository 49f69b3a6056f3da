//! Diagnostics: one value for every mistake, warning and run-time error that a user is told of.
//!
//! A diagnostic has a stable code that `explain` tells more about, plain words, the place, further places
//! with a word each, advice, and where possible an edit that mends the text. It names only things that the
//! user wrote. `render` makes it text for a terminal, `json` data for a page; `shown` chooses among many;
//! `catalogue` holds the codes.

mod catalogue;
mod json;
mod render;
mod shown;

pub use catalogue::{CATALOGUE, Code, Entry, Family};
pub use json::to_json;
pub use render::{Style, render};
pub use shown::Shown;

use crate::source::Span;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing runs.
    Error,
    /// It runs, but probably not as meant.
    Warning,
}

/// A place and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// A few words; may be empty.
    pub text: String,
}

/// A change of the text that would mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Text to replace; empty to insert.
    pub span: Span,
    /// By what; empty to delete.
    pub replacement: String,
}

/// One thing to say about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// Severity; follows from the code's letter.
    pub severity: Severity,
    /// One sentence in plain words.
    pub message: String,
    /// The place.
    pub primary: Label,
    /// Further places that explain it.
    pub secondary: Vec<Label>,
    /// Facts that belong to no place, such as the values that went in.
    pub notes: Vec<String>,
    /// Advice: the way out.
    pub help: Option<String>,
    /// The advice as a change of the text.
    pub edit: Option<Edit>,
}

impl Diagnostic {
    /// A diagnostic with the code `code`; `E…` is an error, `W…` a warning.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: if code.is_warning() { Severity::Warning } else { Severity::Error },
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            edit: None,
        }
    }

    /// A few words at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Another place, and what is there.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// A fact that belongs to no place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The change that mends it.
    #[must_use]
    pub fn edit(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edit = Some(Edit { span, replacement: replacement.into() });
        self
    }

    /// Returns `true` if it keeps the text from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
