//! Diagnostics as data: what an editor or a page shows is up to them.

use super::{Diagnostic, Label, Severity};
use crate::source::{Sources, Span};
use serde_json::{Value, json};

/// A JSON array with one object for each diagnostic: `code`, `severity`, `message`, its place (`source`,
/// `start` and `end` in bytes, `line` and `column`, `end_line` and `end_column` from 1 in characters),
/// `label`, further `labels` with their places, `notes`, `help` and `edit`; the last two may be null.
pub fn to_json(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    Value::Array(diagnostics.iter().map(|diagnostic| object(diagnostic, sources)).collect()).to_string()
}

fn object(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut value = place(diagnostic.primary.span, sources);
    value["code"] = json!(diagnostic.code.as_str());
    value["severity"] = json!(match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    });
    value["message"] = json!(diagnostic.message);
    value["label"] = json!(diagnostic.primary.text);
    value["labels"] = diagnostic.secondary.iter().map(|label| labelled(label, sources)).collect();
    value["notes"] = json!(diagnostic.notes);
    value["help"] = json!(diagnostic.help);
    value["edit"] = diagnostic.edit.as_ref().map_or(Value::Null, |edit| {
        let mut value = place(edit.span, sources);
        value["replacement"] = json!(edit.replacement);
        value
    });
    value
}

fn labelled(label: &Label, sources: &Sources) -> Value {
    let mut value = place(label.span, sources);
    value["text"] = json!(label.text);
    value
}

fn place(span: Span, sources: &Sources) -> Value {
    let (start, end) = (sources.position(span), sources.position(span.after()));
    json!({
        "source": sources.name(span.source),
        "start": span.start,
        "end": span.end,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}
