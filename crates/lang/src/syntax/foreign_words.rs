//! Words that the parser meets where a value or an operator belongs: units behind numbers, and the words of a
//! condition in other languages.

use super::cursor::Parser;
use super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Units that nobody takes for a variable, and what a number in them is multiplied by to be in basic units.
const UNITS: &[(&str, f64, &str)] = &[
    ("kg", 1.0, "kilograms"),
    ("Hz", 1.0, "1 / seconds"),
    ("Pa", 1.0, "pascals"),
    ("rad", 1.0, "radians"),
    ("Nm", 1.0, "newton metres"),
    ("meters", 1.0, "metres"),
    ("metres", 1.0, "metres"),
    ("seconds", 1.0, "seconds"),
    ("sec", 1.0, "seconds"),
    ("km", 1000.0, "metres"),
    ("cm", 0.01, "metres"),
    ("mm", 0.001, "metres"),
    ("nm", 1e-9, "metres"),
    ("ms", 0.001, "seconds"),
    ("min", 60.0, "seconds"),
    ("kN", 1000.0, "newtons"),
    ("kJ", 1000.0, "joules"),
    ("kW", 1000.0, "watts"),
    ("kPa", 1000.0, "pascals"),
    ("kHz", 1000.0, "1 / seconds"),
    ("mg", 1e-6, "kilograms"),
];

/// Units of one letter, which may as well be names of variables.
const LETTERS: &[&str] = &["m", "s", "N", "J", "W", "g", "h", "K", "A", "V", "C", "T"];

/// `if`, `then` and `else` in the languages of those who use the lab.
const CONDITIONS: &[(&str, Kind)] = &[
    ("se", Kind::If),
    ("si", Kind::If),
    ("wenn", Kind::If),
    ("falls", Kind::If),
    ("IF", Kind::If),
    ("If", Kind::If),
    ("entao", Kind::Then),
    ("então", Kind::Then),
    ("entonces", Kind::Then),
    ("alors", Kind::Then),
    ("allora", Kind::Then),
    ("dann", Kind::Then),
    ("THEN", Kind::Then),
    ("Then", Kind::Then),
    ("senao", Kind::Else),
    ("senão", Kind::Else),
    ("sino", Kind::Else),
    ("sinon", Kind::Else),
    ("altrimenti", Kind::Else),
    ("sonst", Kind::Else),
    ("otherwise", Kind::Else),
    ("ELSE", Kind::Else),
    ("Else", Kind::Else),
];

/// How far ahead the rest of a condition is looked for, in tokens.
const MOST_AHEAD: usize = 60;

/// The word of a condition that `word` means in another language.
pub(super) fn condition_word(word: &str) -> Option<Kind> {
    CONDITIONS.iter().find(|row| row.0 == word).map(|row| row.1)
}

/// What is said of the word at `span`, which means `meant` in another language.
pub(super) fn explain_condition(span: Span, text: &str, meant: Kind) -> Diagnostic {
    let word = &text[span.range()];
    let ours = match meant {
        Kind::If => "if",
        Kind::Then => "then",
        _ => "else",
    };
    Diagnostic::new(Code::E140, span, format!("`{word}` is written `{ours}` here"))
        .help("a condition reads `if condition then value else other_value`")
        .edit(span, ours)
}

impl Parser<'_> {
    /// Explains a unit behind a number, `2 kg`. `None` if the name is no unit.
    pub(crate) fn unit_behind_number(&self, number: Span, unit: Span) -> Option<Diagnostic> {
        let (written, name) = (self.text_of(number), self.text_of(unit));
        let diagnostic = Diagnostic::new(Code::E121, unit, format!("a number has no unit here: `{name}`"));
        let Some((_, factor, base)) = UNITS.iter().find(|row| row.0 == name) else {
            let is_letter = LETTERS.contains(&name);
            return is_letter.then(|| {
                diagnostic.label("a unit?").help(format!(
                    "leave the unit to a comment: `{written} // {name}`; a product is written `{written} * {name}`"
                ))
            });
        };
        let behind = Span { start: number.end, end: unit.end, ..unit };
        // A quotient of units that begins here is not mended by taking its first word away.
        let goes_on = matches!(self.kind_after(1), Kind::Slash | Kind::Star | Kind::Caret | Kind::Name);
        if *factor == 1.0 {
            let diagnostic = diagnostic.label("a unit").help(format!(
                "write the number of {base} alone, and the unit in a comment: `{written} // {name}`"
            ));
            return Some(if goes_on { diagnostic } else { diagnostic.edit(behind, "") });
        }
        let value: f64 = written.parse().unwrap_or_default();
        // Rounded to what a number shows, since 5 * 0.01 has seventeen digits.
        let scaled: f64 = format!("{:.12e}", value * factor).parse().unwrap_or_default();
        let diagnostic = diagnostic.label("a unit").help(format!(
            "write the number in {base}, and the unit in a comment: `{scaled} // {written} {name}`"
        ));
        Some(if goes_on { diagnostic } else { diagnostic.edit(number.to(behind), scaled.to_string()) })
    }

    /// Returns `true` if the word that stands here opens a condition of another language: one of its other
    /// words follows before the next definition.
    pub(crate) fn at_foreign_if(&self) -> bool {
        let opens = self.word(0).and_then(condition_word) == Some(Kind::If);
        let is_followed =
            self.kind_after(1).starts_value() || matches!(self.kind_after(1), Kind::Minus | Kind::Not);
        opens
            && is_followed
            && (1..MOST_AHEAD).take_while(|&ahead| self.kind_after(ahead) != Kind::Equals).any(|ahead| {
                self.kind_after(ahead) == Kind::Then
                    || self.word(ahead).and_then(condition_word) == Some(Kind::Then)
            })
    }

    /// Reads a word of a condition in another language as ours, if it is `meant`.
    pub(crate) fn eat_foreign_word(&mut self, meant: Kind) -> Option<Span> {
        if self.word(0).and_then(condition_word) != Some(meant) {
            return None;
        }
        self.report(explain_condition(self.span(), self.text, meant));
        Some(self.bump())
    }
}
