//! Names of the parts of a model, and where they stand in their lists.

use crate::mjcf::report::Report;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use std::collections::BTreeMap;

/// Names of the parts of one kind.
#[derive(Debug, Default)]
pub(crate) struct Names {
    places: BTreeMap<String, usize>,
}

impl Names {
    /// Adds a name; an empty one names nothing.
    pub(crate) fn add(&mut self, kind: &str, name: &str, span: Span, place: usize, report: &mut Report) {
        if !name.is_empty() && self.places.insert(name.to_owned(), place).is_some() {
            report.error(
                Code::E010,
                span,
                format!("there are two of the kind `{kind}` with the name `{name}`"),
            );
        }
    }

    /// The place of a name; `None` if there is none of that name, which is reported.
    pub(crate) fn find(
        &self,
        kind: &str,
        (name, span): &(String, Span),
        report: &mut Report,
    ) -> Option<usize> {
        let found = self.places.get(name).copied();
        if found.is_none() {
            let diagnostic = Diagnostic::new(Code::E009, *span, format!("there is no {kind} `{name}`"));
            report.push_closest(diagnostic, name, self.places.keys().map(String::as_str));
        }
        found
    }
}
