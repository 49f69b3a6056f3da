//! Numbers of a joint or material, with messages that name it.

use crate::read::numbers::Numbers;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;
use gedanken_lang::value::Value;

/// Reads the numbers of a joint or material.
pub(crate) struct SoftNumbers<'r> {
    /// Numbers of the block.
    pub(crate) numbers: &'r Numbers<'r>,
    /// Name of the joint or material.
    pub(crate) name: &'r Name,
    /// Code of a number that it cannot have.
    pub(crate) code: Code,
}

impl SoftNumbers<'_> {
    /// Returns `true` if the key is written.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.numbers.fields.has(key)
    }

    /// A diagnostic at the line of a key.
    pub(crate) fn bad(&self, key: &str, message: String, label: &str) -> Diagnostic {
        Diagnostic::new(self.code, self.numbers.fields.span_of(key), message).label(label)
    }

    /// A number that is 0 or greater.
    pub(crate) fn not_negative(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        self.checked(key, |real| real >= 0.0, "must be 0 or greater", diagnostics)
    }

    /// A number greater than 0.
    pub(crate) fn positive(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        self.checked(key, |real| real > 0.0, "must be greater than 0", diagnostics)
    }

    /// Those of the keys that are written, with the positions of their lines, in the order of the text.
    pub(crate) fn written(&self, keys: &[&'static str]) -> Vec<(&'static str, Span)> {
        let written = keys.iter().filter(|key| self.has(key));
        let mut written: Vec<_> = written.map(|key| (*key, self.numbers.fields.span_of(key))).collect();
        written.sort_by_key(|(_, span)| *span);
        written
    }

    fn checked(
        &self,
        key: &str,
        fits: impl Fn(f64) -> bool,
        bounds: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<f64> {
        let real = self.numbers.real(key, diagnostics)?;
        if fits(real) {
            return Some(real);
        }
        let (key_words, value) = (key.replace('_', " "), Value::Real(real));
        let message = format!("the {key_words} of `{}` cannot be {value}", self.name.text);
        diagnostics.push(self.bad(key, message, bounds));
        None
    }
}
