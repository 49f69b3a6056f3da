//! Diagnostics as data: what an editor or a page shows is up to them.

use super::{Diagnostic, Label, Severity, Shown};
use crate::source::{Sources, Span};
use serde_json::{Value, json};

/// Maximum number of diagnostics in a list.
const MOST_LISTED: usize = 1000;

/// A JSON array with one object for each diagnostic: `code`, `severity`, `message`, its place (`source`,
/// `start` and `end` in bytes, `line` and `column`, `end_line` and `end_column` from 1 in characters),
/// `label`, further `labels` with their places, `notes`, `help` and `edit`; the last two may be null.
///
/// Of more than a thousand the first are listed, errors before warnings. A last object tells of the others: its
/// `severity` is `rest`, its `code` is null, `more_errors` and `more_warnings` are their numbers. It has the
/// place of the last one that is listed.
pub fn to_json(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let shown = Shown::of(diagnostics, MOST_LISTED);
    let mut list: Vec<Value> = shown.list.iter().map(|diagnostic| object(diagnostic, sources)).collect();
    if let (Some(message), Some(last)) = (shown.rest(), shown.list.last()) {
        list.push(rest(&shown, message, last, sources));
    }
    Value::Array(list).to_string()
}

/// Object that tells of the diagnostics that are not listed, with the keys of the others.
fn rest(shown: &Shown<'_>, message: String, last: &Diagnostic, sources: &Sources) -> Value {
    let mut value = object(&Diagnostic::new(last.code, last.primary.span, message), sources);
    value["code"] = Value::Null;
    value["severity"] = json!("rest");
    value["more_errors"] = json!(shown.more_errors);
    value["more_warnings"] = json!(shown.more_warnings);
    value
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
