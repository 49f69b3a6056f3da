//! Diagnostics on standard error.

use super::terminal;
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;

/// Prints all diagnostics of a text.
pub(crate) fn report(diagnostics: &[Diagnostic], sources: &Sources) {
    let style = if terminal::errors_in_colour() { Style::Colour } else { Style::Plain };
    terminal::eprint(&render(diagnostics, sources, style));
}

/// Returns `true` if any of them is an error.
pub(crate) fn failed(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
