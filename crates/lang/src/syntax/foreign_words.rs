//! Words that the parser meets where a value or an operator belongs: units behind numbers, and the words of a
//! condition in other languages.

use super::cursor::Parser;
use super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Units that nobody takes for a variable, and what a number in them is multiplied by to be in basic units.
const UNITS: &[(&str, f64)] = &[
    ("kg", 1.0),
    ("Hz", 1.0),
    ("Pa", 1.0),
    ("rad", 1.0),
    ("Nm", 1.0),
    ("meters", 1.0),
    ("metres", 1.0),
    ("seconds", 1.0),
    ("sec", 1.0),
    ("km", 1000.0),
    ("cm", 0.01),
    ("mm", 0.001),
    ("nm", 1e-9),
    ("ms", 0.001),
    ("min", 60.0),
    ("kN", 1000.0),
    ("kJ", 1000.0),
    ("kW", 1000.0),
    ("kPa", 1000.0),
    ("kHz", 1000.0),
    ("mg", 1e-6),
];

/// Units of one letter, which may as well be names of variables.
const LETTERS: &[(&str, f64)] = &[
    ("m", 1.0),
    ("s", 1.0),
    ("N", 1.0),
    ("J", 1.0),
    ("W", 1.0),
    ("K", 1.0),
    ("A", 1.0),
    ("V", 1.0),
    ("C", 1.0),
    ("T", 1.0),
    ("g", 0.001),
    ("h", 3600.0),
];

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

impl Parser<'_> {
    /// Explains a unit behind a number, `2 kg`, `9.81 m/s^2`. `None` if the name is no unit.
    pub(crate) fn unit_behind_number(&self, number: Span) -> Option<Diagnostic> {
        let (factor, tokens) = self.unit()?;
        let unit = self.span().to(self.span_of(self.token(tokens - 1)));
        let (written, name) = (self.text_of(number), self.text_of(unit));
        let diagnostic = Diagnostic::new(Code::E121, unit, format!("a number has no unit here: `{name}`"));
        if tokens == 1 && LETTERS.iter().any(|row| row.0 == name) {
            return Some(diagnostic.label("a unit?").help(format!(
                "leave the unit to a comment: `{written} // {name}`; a product is written `{written} * {name}`"
            )));
        }
        let value: f64 = written.parse().unwrap_or_default();
        // Rounded, since 5 * 0.01 has seventeen digits.
        let scaled: f64 = format!("{:.12e}", value * factor).parse().unwrap_or_default();
        let basic = if factor == 1.0 { written.to_owned() } else { scaled.to_string() };
        let comment = if factor == 1.0 { name.to_owned() } else { format!("{written} {name}") };
        Some(
            diagnostic
                .label("a unit")
                .help(format!(
                    "write the number in basic units, and the unit in a comment: `{basic} // {comment}`"
                ))
                .edit(number.to(unit), basic),
        )
    }

    /// The unit that begins here: what a number in it is multiplied by to be in basic units, and its number of
    /// tokens. It ends before the first name that is no unit.
    fn unit(&self) -> Option<(f64, usize)> {
        let factor_of = |ahead: usize| {
            let word = self.word(ahead)?;
            UNITS.iter().chain(LETTERS).find(|row| row.0 == word).map(|row| row.1)
        };
        let mut factor = factor_of(0)?;
        let mut ahead = 1;
        loop {
            if let Some((power, tokens)) = self.exponent(ahead) {
                // Only the last name has it, and there is no need to know more of odd units.
                factor = if factor == 1.0 { 1.0 } else { libm::pow(factor, f64::from(power)) };
                ahead += tokens;
            }
            let sign = self.kind_after(ahead);
            let Some(next) = factor_of(ahead + 1).filter(|_| matches!(sign, Kind::Slash | Kind::Star)) else {
                return Some((factor, ahead));
            };
            let next = self.exponent(ahead + 2).map_or(next, |(power, _)| libm::pow(next, f64::from(power)));
            factor = if sign == Kind::Slash { factor / next } else { factor * next };
            ahead += 2 + self.exponent(ahead + 2).map_or(0, |(_, tokens)| tokens);
        }
    }

    /// The power that stands here, `^2` or `^-1`, and its number of tokens.
    fn exponent(&self, ahead: usize) -> Option<(i32, usize)> {
        let minus = usize::from(self.kind_after(ahead + 1) == Kind::Minus);
        if self.kind_after(ahead) != Kind::Caret || self.kind_after(ahead + 1 + minus) != Kind::Real {
            return None;
        }
        let power: i32 = self.text_of(self.span_of(self.token(ahead + 1 + minus))).parse().ok()?;
        Some((if minus == 1 { -power } else { power }, 2 + minus))
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

    /// Reads a word of a condition, in our language or another; returns its place.
    pub(crate) fn eat_condition_word(&mut self, meant: Kind) -> Option<Span> {
        let is_two_words = meant == Kind::Else
            && matches!((self.word(0), self.word(1)), (Some("si" | "se"), Some("no" | "non" | "nao")));
        if is_two_words {
            return Some(self.bump().to(self.bump()));
        }
        let is_ours = self.kind() == meant;
        (is_ours || self.word(0).and_then(condition_word) == Some(meant)).then(|| self.bump())
    }

    /// Explains the words of a condition that are not ours, given all that it has, in one message.
    pub(crate) fn foreign_condition(&mut self, words: &[(Kind, Span)]) {
        let ours = |kind: Kind| match kind {
            Kind::If => "if",
            Kind::Then => "then",
            _ => "else",
        };
        let foreign: Vec<(Kind, Span)> =
            words.iter().copied().filter(|&(kind, span)| self.text_of(span) != ours(kind)).collect();
        let (Some(&(kind, first)), Some(&(_, last))) = (foreign.first(), foreign.last()) else { return };
        let mut diagnostic = Diagnostic::new(
            Code::E140,
            first,
            format!("`{}` is written `{}` here", self.text_of(first), ours(kind)),
        );
        let mut mended = String::new();
        let mut from = first.start;
        for &(kind, span) in &foreign {
            mended += self.text_of(Span { start: from, end: span.start, ..span });
            mended += ours(kind);
            from = span.end;
            if span != first {
                diagnostic = diagnostic.also(span, format!("this is `{}`", ours(kind)));
            }
        }
        self.report(
            diagnostic
                .help("a condition reads `if condition then value else other_value`")
                .edit(first.to(last), mended),
        );
    }
}
