//! Attributes of one element as numbers and words. Every attribute is asked for by its name; one that nobody
//! asks for is a mistake, so that none is passed over in silence.

use super::document::{Attribute, Element};
use crate::mjcf::report::Report;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;

/// The attributes of an element, and which of them have been read.
pub(crate) struct Attributes<'e> {
    element: &'e Element,
    known: Vec<&'static str>,
}

impl<'e> Attributes<'e> {
    /// The attributes of an element, none of them read.
    pub(crate) fn of(element: &'e Element) -> Self {
        Self { element, known: Vec::new() }
    }

    /// Place of the element's name.
    pub(crate) fn element_span(&self) -> Span {
        self.element.span
    }

    /// Name of the element.
    pub(crate) fn element_name(&self) -> &'e str {
        &self.element.name
    }

    /// Place of the value of an attribute, or of the element if it has none of that name.
    pub(crate) fn span(&self, name: &str) -> Span {
        self.element.attribute(name).map_or(self.element.span, |attribute| attribute.value_span)
    }

    /// Returns `true` if the element has the attribute.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.element.attribute(name).is_some()
    }

    fn find(&mut self, name: &'static str) -> Option<&'e Attribute> {
        self.known.push(name);
        self.element.attribute(name)
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<&'e str> {
        self.find(name).map(|attribute| attribute.value.as_str())
    }

    /// Attributes that have no effect on the motion.
    pub(crate) fn without_effect(&mut self, names: &[&'static str]) {
        self.known.extend_from_slice(names);
    }

    /// Up to `numbers.len()` numbers, the others keep their values. Returns `true` if the attribute is there
    /// and can be read.
    pub(crate) fn some_numbers(
        &mut self,
        name: &'static str,
        numbers: &mut [f64],
        report: &mut Report,
    ) -> bool {
        let Some(attribute) = self.find(name) else { return false };
        let Some(found) = parse_numbers(attribute, report) else { return false };
        if found.is_empty() || found.len() > numbers.len() {
            self.wrong_count(attribute, &format!("1 to {}", numbers.len()), found.len(), report);
            return false;
        }
        numbers[..found.len()].copy_from_slice(&found);
        true
    }

    /// Exactly N numbers.
    pub(crate) fn numbers<const N: usize>(
        &mut self,
        name: &'static str,
        report: &mut Report,
    ) -> Option<[f64; N]> {
        let attribute = self.find(name)?;
        let found = parse_numbers(attribute, report)?;
        let exact = <[f64; N]>::try_from(found.as_slice()).ok();
        if exact.is_none() {
            self.wrong_count(attribute, &N.to_string(), found.len(), report);
        }
        exact
    }

    /// One number.
    pub(crate) fn number(&mut self, name: &'static str, report: &mut Report) -> Option<f64> {
        self.numbers::<1>(name, report).map(|[number]| number)
    }

    /// Any number of numbers.
    pub(crate) fn list(&mut self, name: &'static str, report: &mut Report) -> Option<Vec<f64>> {
        let attribute = self.find(name)?;
        parse_numbers(attribute, report)
    }

    /// An integer of 32 bits.
    pub(crate) fn integer(&mut self, name: &'static str, report: &mut Report) -> Option<i32> {
        let attribute = self.find(name)?;
        let parsed = attribute.value.trim().parse::<i32>().ok();
        if parsed.is_none() {
            report.push(
                Diagnostic::new(
                    Code::E006,
                    attribute.value_span,
                    format!("`{name}` is an integer, not `{}`", shown(&attribute.value)),
                )
                .help("for example `1`"),
            );
        }
        parsed
    }

    /// One of some words: its place in the list.
    pub(crate) fn choice(
        &mut self,
        name: &'static str,
        choices: &[&str],
        report: &mut Report,
    ) -> Option<usize> {
        let attribute = self.find(name)?;
        let found = choices.iter().position(|choice| *choice == attribute.value);
        if found.is_none() {
            let message = format!("`{name}` cannot be `{}`", shown(&attribute.value));
            let listed = choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(", ");
            let diagnostic = Diagnostic::new(Code::E006, attribute.value_span, message)
                .help(format!("it is one of {listed}"));
            report.push_closest(diagnostic, &attribute.value, choices.iter().copied());
        }
        found
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self, name: &'static str, report: &mut Report) -> Option<bool> {
        self.choice(name, &["false", "true"], report).map(|index| index == 1)
    }

    fn wrong_count(&self, attribute: &Attribute, expected: &str, found: usize, report: &mut Report) {
        let plural = if expected == "1" { "number" } else { "numbers" };
        let message = format!("`{}` takes {expected} {plural}, not {found}", attribute.name);
        report.error(Code::E007, attribute.value_span, message);
    }

    /// Reports that an attribute is missing.
    pub(crate) fn missing(&self, name: &str, example: &str, report: &mut Report) {
        report.push(
            Diagnostic::new(
                Code::E011,
                self.element.span,
                format!("`{}` needs the attribute `{name}`", self.element.name),
            )
            .help(format!("for example `{name}=\"{example}\"`")),
        );
    }

    /// Reports the attributes that nobody asked for.
    pub(crate) fn finish(self, report: &mut Report) {
        for attribute in &self.element.attributes {
            if self.known.contains(&attribute.name.as_str()) {
                continue;
            }
            let message = format!("`{}` has no attribute `{}`", self.element.name, shown(&attribute.name));
            let diagnostic = Diagnostic::new(Code::E005, attribute.name_span, message);
            report.push_closest(diagnostic, &attribute.name, self.known.iter().copied());
        }
    }
}

/// The finite numbers of an attribute, between spaces.
fn parse_numbers(attribute: &Attribute, report: &mut Report) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    for word in attribute.value.split_ascii_whitespace() {
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => found.push(number),
            parsed => {
                let message = if parsed.is_ok() {
                    format!("`{}` is not finite", shown(word))
                } else {
                    format!("`{}` is not a number", shown(word))
                };
                report.push(
                    Diagnostic::new(Code::E006, attribute.value_span, message)
                        .help("numbers are written like `0.5` or `1e-3`, with spaces between them"),
                );
                return None;
            }
        }
    }
    Some(found)
}

/// The start of a text, short enough for a message.
fn shown(text: &str) -> String {
    const MAX_SHOWN: usize = 40;
    if text.chars().count() <= MAX_SHOWN {
        return text.to_owned();
    }
    text.chars().take(MAX_SHOWN).chain("…".chars()).collect()
}
