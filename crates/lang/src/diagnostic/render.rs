//! Diagnostics as text for a terminal: the line, the spot marked, and the advice.

use super::{Diagnostic, Edit, Label, Severity};
use crate::source::{Sources, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// Style of the rendered text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Characters only.
    Plain,
    /// With the colours of a terminal.
    Colour,
}

/// The diagnostics one after another, an empty line between them; ends with a line end unless there are none.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let reports: Vec<String> =
        diagnostics.iter().map(|diagnostic| one(diagnostic, sources, &renderer)).collect();
    let mut text = reports.join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let primary = &diagnostic.primary;
    let mut group =
        Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str()));
    let here: Vec<&Label> =
        diagnostic.secondary.iter().filter(|label| label.span.source == primary.span.source).collect();
    let labels = here.into_iter().map(|label| annotation(label, AnnotationKind::Context, sources));
    group = group.element(
        Snippet::source(sources.text(primary.span.source))
            .path(sources.name(primary.span.source))
            .annotation(annotation(primary, AnnotationKind::Primary, sources))
            .annotations(labels),
    );
    for label in diagnostic.secondary.iter().filter(|label| label.span.source != primary.span.source) {
        group = group.element(
            Snippet::source(sources.text(label.span.source))
                .path(sources.name(label.span.source))
                .annotation(annotation(label, AnnotationKind::Context, sources)),
        );
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let shown = diagnostic.edit.as_ref().and_then(|edit| mended(edit, sources));
    let advice = match (&diagnostic.help, shown) {
        (Some(help), Some(line)) => Some(format!("{help}\n{line}")),
        (Some(help), None) => Some(help.clone()),
        (None, line) => line,
    };
    if let Some(advice) = advice {
        group = group.element(Level::HELP.message(advice));
    }
    renderer.render(&[group])
}

fn annotation<'a>(label: &'a Label, kind: AnnotationKind, sources: &Sources) -> Annotation<'a> {
    let annotation = kind.span(within(label.span, sources.text(label.span.source)));
    if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
}

/// The bytes of a place, made to lie in the text and between characters whatever the place says.
fn within(span: Span, text: &str) -> Range<usize> {
    let floor = |byte: u32| {
        let byte = (byte as usize).min(text.len());
        (0..=byte).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// The line as it reads after an edit, if it is one short line and shows anything.
fn mended(edit: &Edit, sources: &Sources) -> Option<String> {
    let text = sources.text(edit.span.source);
    let range = within(edit.span, text);
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
    let line = format!("{}{}{}", &text[start..range.start], edit.replacement, &text[range.end..end]);
    let line = line.trim();
    let shows = !line.is_empty() && !line.contains('\n') && line.chars().count() <= 90;
    shows.then(|| format!("    {line}"))
}
