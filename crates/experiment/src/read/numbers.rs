//! Numbers that the lines of a block are set to, with messages for those that cannot be.

use super::evaluate::Evaluator;
use super::fields::Fields;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;

/// The numbers that a block is given.
pub(crate) struct Numbers<'f> {
    pub(crate) fields: &'f Fields<'f>,
    pub(crate) evaluator: &'f Evaluator,
}

impl Numbers<'_> {
    /// The value of a key, and where its expression stands. What is wrong with it has been reported.
    pub(crate) fn value(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<(Value, Span)> {
        let expression = self.fields.expression(key, diagnostics)?;
        match self.evaluator.value(expression) {
            Ok(value) => Some((value, expression.span)),
            Err(found) => {
                diagnostics.extend(found);
                None
            }
        }
    }

    fn wrong_type(
        &self,
        key: &str,
        wanted: &str,
        value: &Value,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let (key, is) = (key.replace('_', " "), value.type_of());
        let message = format!("`{key}` is {wanted}, but this is {is}");
        diagnostics.push(Diagnostic::new(Code::E709, span, message).label(format!("this is {is}")));
    }

    /// A real.
    pub(crate) fn real(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        match self.value(key, diagnostics)? {
            (Value::Real(real), _) => Some(real),
            (other, span) => {
                self.wrong_type(key, "a real", &other, span, diagnostics);
                None
            }
        }
    }

    /// A real above `least`, and at most `most`.
    pub(crate) fn within(
        &self,
        key: &str,
        least: f64,
        most: f64,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<f64> {
        let real = self.real(key, diagnostics)?;
        if real > least && real <= most {
            return Some(real);
        }
        let bounds = if most == f64::MAX {
            format!("greater than {}", Value::Real(least))
        } else {
            format!("greater than {} and at most {}", Value::Real(least), Value::Real(most))
        };
        let message = format!("`{}` cannot be {}", key.replace('_', " "), Value::Real(real));
        diagnostics.push(
            Diagnostic::new(Code::E723, self.fields.span_of(key), message).label(format!("must be {bounds}")),
        );
        None
    }

    /// A real that is 0 or greater.
    pub(crate) fn not_negative(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        let real = self.real(key, diagnostics)?;
        if real >= 0.0 {
            return Some(real);
        }
        let message = format!("`{}` cannot be {}", key.replace('_', " "), Value::Real(real));
        let code = if self.fields.block.keyword.text == "simulation" { Code::E723 } else { Code::E710 };
        diagnostics
            .push(Diagnostic::new(code, self.fields.span_of(key), message).label("must be 0 or greater"));
        None
    }

    /// A real from 0 to 1.
    pub(crate) fn share(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        let real = self.real(key, diagnostics)?;
        if (0.0..=1.0).contains(&real) {
            return Some(real);
        }
        let message = format!("`{}` cannot be {}", key.replace('_', " "), Value::Real(real));
        diagnostics.push(
            Diagnostic::new(Code::E723, self.fields.span_of(key), message).label("must be from 0 to 1"),
        );
        None
    }

    /// A whole number from 1 on.
    pub(crate) fn count(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<u32> {
        let real = self.real(key, diagnostics)?;
        if (1.0..=1e6).contains(&real) && real.fract() == 0.0 {
            return Some(real as u32);
        }
        let message = format!("`{}` cannot be {}", key.replace('_', " "), Value::Real(real));
        diagnostics.push(
            Diagnostic::new(Code::E723, self.fields.span_of(key), message)
                .label("must be a whole number from 1 to 1000000"),
        );
        None
    }

    /// A vector of 3.
    pub(crate) fn vector(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<[f64; 3]> {
        match self.value(key, diagnostics)? {
            (Value::Vector(elements), _) if elements.len() == 3 => elements.try_into().ok(),
            (other, span) => {
                self.wrong_type(key, "a vector of 3", &other, span, diagnostics);
                None
            }
        }
    }

    /// A vector of 3 that is not zero.
    pub(crate) fn direction(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<[f64; 3]> {
        match self.value(key, diagnostics)? {
            (Value::Vector(elements), span) if elements.len() == 3 => {
                if elements.iter().all(|element| *element == 0.0) {
                    let message = format!("`{key}` has length 0, and so no direction");
                    diagnostics.push(
                        Diagnostic::new(Code::E723, span, message).help("write for example `[0, 0, 1]`"),
                    );
                }
                elements.try_into().ok()
            }
            (other, span) => {
                self.wrong_type(key, "a vector of 3", &other, span, diagnostics);
                None
            }
        }
    }
}
