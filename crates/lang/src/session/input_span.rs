//! Places as sessions name them: `[2:17]` is column 17 of input 2.

use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::syntax::tree::{File, Item};

/// The diagnostic with a note on where it is, and in which function.
pub(super) fn placed(sources: &Sources, mut diagnostic: Diagnostic, function: Option<&str>) -> Diagnostic {
    let place = place(sources, diagnostic.primary.span);
    let Some(function) = function else { return diagnostic.note(place) };
    // The parser says the function too; once is enough.
    let said = format!("in the definition of `{function}`");
    diagnostic.notes.retain(|note| *note != said);
    diagnostic.note(format!("{place} in function `{function}`"))
}

/// `[2:17]`, or with a line where an input has several: `[2:3:17]`. In a file, `f.vfl:3:17`.
fn place(sources: &Sources, span: Span) -> String {
    let (name, position) = (sources.name(span.source), sources.position(span));
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(input) if position.line == 1 => format!("[{input}:{}]", position.column),
        Some(input) => format!("[{input}:{position}]"),
        None => format!("{name}:{position}"),
    }
}

/// Returns `true` if one place lies in another.
pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

/// The function in whose definition a place lies.
pub(super) fn function_at(file: &File, span: Span) -> Option<&str> {
    file.items.iter().find_map(|item| match item {
        Item::Definition(definition) if contains(definition.span, span) => {
            Some(definition.name.text.as_str())
        }
        _ => None,
    })
}
