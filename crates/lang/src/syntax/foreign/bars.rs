//! Bars around a value: `|x|` for an absolute value, `||v||` for the length of a vector.
//!
//! One bar between two values means "or". Where a value is expected no bar can stand, so there it opens an
//! absolute value, if another bar closes it on the same line.

use super::comments::line_within;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Number of bytes behind a bar that are looked at: a line may be as long as the text.
const MOST_READ: usize = 400;

/// Longest value that a message repeats.
const MOST_REPEATED: usize = 40;

/// Returns the end of the value in bars that opens at `start`, where a value is expected.
pub(crate) fn end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let bars = if rest.starts_with("||") { "||" } else { "|" };
    let line = line_within(rest, MOST_READ);
    let mut inside = 0_usize;
    for (at, c) in line.char_indices().skip(bars.len()) {
        match c {
            '(' | '[' | '{' => inside += 1,
            ')' | ']' | '}' => inside = inside.checked_sub(1)?,
            '|' if inside == 0 && line[at..].starts_with(bars) => {
                let is_empty = line[bars.len()..at].trim().is_empty();
                return (!is_empty).then_some(start + at + bars.len());
            }
            _ => {}
        }
    }
    None
}

/// What is said of the value in bars from `start` to `end`.
pub(crate) fn explain(source: SourceId, text: &str, start: usize, end: usize) -> Diagnostic {
    let whole = &text[start..end];
    let is_length = whole.starts_with("||");
    let value = whole.trim_matches('|').trim();
    let shown = if value.len() > MOST_REPEATED { "…" } else { value };
    let span = Span::new(source, start..end);
    let bars = if is_length { "||…||" } else { "|…|" };
    let diagnostic =
        Diagnostic::new(Code::E135, span, format!("bars do not make an absolute value: `{bars}`"))
            .label("one bar between two values means \"or\"");
    if is_length || value.starts_with('[') {
        return diagnostic
            .help(format!("write `norm({shown})` for the length of a vector"))
            .edit(span, format!("norm({value})"));
    }
    // The type is not known here, and `norm` of a number is as wrong as `abs` of a vector.
    diagnostic.help(format!("write `abs({shown})` for a number, `norm({shown})` for the length of a vector"))
}
