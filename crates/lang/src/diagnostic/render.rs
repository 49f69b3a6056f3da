//! Diagnostics as text for a terminal: the line, the spot marked, and the advice.

use super::{Diagnostic, Edit, Label, Severity, Shown};
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

/// Maximum number of diagnostics in full. Nobody reads more at once, and most of the rest follow from them.
const MOST_SHOWN: usize = 100;

/// Maximum number of further places of one diagnostic.
const MOST_LABELS: usize = 30;

/// The diagnostics one after another, an empty line between them; ends with a line end unless there are none.
/// Of many the first hundred are shown, errors before warnings, and the others are counted.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let shown = Shown::of(diagnostics, MOST_SHOWN);
    let mut reports: Vec<String> =
        shown.list.iter().map(|diagnostic| one(diagnostic, sources, &renderer)).collect();
    reports.extend(shown.rest());
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
    let (here, elsewhere): (Vec<&Label>, Vec<&Label>) =
        diagnostic.secondary.iter().partition(|label| label.span.source == primary.span.source);
    group = group.element(snippet(Some(primary), &here[..here.len().min(MOST_LABELS)], sources));
    for label in elsewhere.into_iter().take(MOST_LABELS) {
        group = group.element(snippet(None, &[label], sources));
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

/// The lines of one text that labels point at. The renderer is given these lines only: it looks at every line
/// that it gets.
fn snippet<'a>(
    primary: Option<&'a Label>,
    others: &[&'a Label],
    sources: &'a Sources,
) -> Snippet<'a, Annotation<'a>> {
    let labels = primary
        .map(|label| (label, AnnotationKind::Primary))
        .into_iter()
        .chain(others.iter().map(|label| (*label, AnnotationKind::Context)));
    let placed: Vec<(&Label, AnnotationKind, Range<usize>)> = labels
        .map(|(label, kind)| (label, kind, within(label.span, sources.text(label.span.source))))
        .collect();
    let source = placed[0].0.span.source;
    let start = placed.iter().map(|it| it.2.start).min().unwrap_or(0);
    let end = placed.iter().map(|it| it.2.end).max().unwrap_or(0);
    let (first, lines) = sources.lines(source, start..end);
    let annotations = placed.into_iter().map(|(label, kind, range)| {
        let annotation = kind.span(range.start - lines.start..range.end - lines.start);
        if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
    });
    Snippet::source(&sources.text(source)[lines.clone()])
        .line_start(first)
        .path(sources.name(source))
        .annotations(annotations)
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
