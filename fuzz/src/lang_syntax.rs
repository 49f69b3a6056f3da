//! Any text as a library, an experiment, an input of a session and an expression: read and shown, never a
//! panic. What has no mistakes is formatted, and formatting that again changes nothing.

use gedanken_lang::diagnostic::{Style, render, to_json};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, format, is_complete, parse};

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    is_complete(text);
    for dialect in [Dialect::Library, Dialect::Experiment, Dialect::Session, Dialect::Expression] {
        let mut sources = Sources::new();
        let source = sources.add("fuzz", text);
        let (_, diagnostics) = parse(&sources, source, dialect);
        for diagnostic in &diagnostics {
            assert!(text.get(diagnostic.primary.span.range()).is_some());
        }
        let first = &diagnostics[..diagnostics.len().min(3)];
        render(first, &sources, Style::Plain);
        to_json(first, &sources);
        if let Ok(once) = format(text, dialect) {
            assert_eq!(format(&once, dialect).as_ref(), Ok(&once));
        }
    }
}
