//! Diagnostics for the page, with positions in UTF-16 code units.

use super::utf16::Utf16Map;
use crate::wire::{Edit, Label, Problem};
use gedanken_lang::diagnostic::{self, Diagnostic};
use gedanken_lang::source::{SourceId, Sources, Span};
use std::collections::BTreeMap;

/// Converts diagnostics to problems of the page.
#[derive(Debug)]
pub(crate) struct DiagnosticMapper<'s> {
    sources: &'s Sources,
    /// Name of the text that the page shows. All others are imports and settings.
    shown: &'s str,
    units: BTreeMap<SourceId, Utf16Map>,
}

/// Prefix of the names of settings, as on the command line.
const SETTING_PREFIX: &str = "--set ";

impl<'s> DiagnosticMapper<'s> {
    pub(crate) fn new(sources: &'s Sources, shown: &'s str) -> Self {
        Self { sources, shown, units: BTreeMap::new() }
    }

    /// Converts a diagnostic.
    pub(crate) fn problem(&mut self, found: &Diagnostic) -> Problem {
        // A change can only be made where the page can write.
        let edit = found.edit.as_ref().filter(|edit| self.source(edit.span).is_none()).map(|edit| {
            let (start, end) = self.range(edit.span);
            Edit { start, end, replacement: edit.replacement.clone() }
        });
        Problem {
            code: found.code.to_string(),
            is_error: found.is_error(),
            message: found.message.clone(),
            place: self.label(&found.primary),
            labels: found.secondary.iter().map(|label| self.label(label)).collect(),
            notes: found.notes.clone(),
            help: found.help.clone(),
            edit,
            explanation: found.code.entry().explanation.to_owned(),
        }
    }

    fn label(&mut self, label: &diagnostic::Label) -> Label {
        let (start, end) = self.range(label.span);
        let position = self.sources.position(label.span);
        let short = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Label {
            source: self.source(label.span),
            start,
            end,
            line: short(position.line),
            column: short(position.column),
            text: label.text.clone(),
        }
    }

    /// Returns the name of the import or setting; `None` for the text itself.
    fn source(&self, span: Span) -> Option<String> {
        let name = self.sources.name(span.source);
        (name != self.shown).then(|| name.strip_prefix(SETTING_PREFIX).unwrap_or(name).to_owned())
    }

    fn range(&mut self, span: Span) -> (u32, u32) {
        let sources = self.sources;
        let units = self.units.entry(span.source).or_insert_with(|| Utf16Map::new(sources.text(span.source)));
        (units.before(span.start as usize), units.before(span.end as usize))
    }
}

/// Makes a problem without a place in a text.
pub(crate) fn problem_without_place(message: String, help: Option<String>) -> Problem {
    Problem {
        code: String::new(),
        is_error: true,
        message,
        place: Label { source: None, start: 0, end: 0, line: 1, column: 1, text: String::new() },
        labels: Vec::new(),
        notes: Vec::new(),
        help,
        edit: None,
        explanation: String::new(),
    }
}
