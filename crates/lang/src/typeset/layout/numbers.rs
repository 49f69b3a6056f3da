//! Numbers: plain digits where they are short, powers of ten where they are not.

use super::level::{ATOM, POWER, PRODUCT, inner};
use crate::syntax::tree::{Expr, ExprKind};

/// A number as it is written: digits, and a power of ten if there is one.
pub(crate) struct Written {
    /// Empty if the power of ten is all.
    pub(crate) digits: String,
    /// Of ten, its minus as mathematics has it.
    pub(crate) exponent: Option<String>,
}

impl Written {
    /// A number that is not negative.
    pub(super) fn new(value: f64) -> Self {
        let (plain, short) = (value.to_string(), format!("{value:e}"));
        // Leading zeros hide how small a number is; trailing ones are easier to read.
        let longest = short.len() + if value.abs() < 1.0 { 1 } else { 4 };
        match short.split_once('e') {
            Some((digits, exponent)) if plain.len() > longest => {
                let digits = if digits == "1" { String::new() } else { digits.to_owned() };
                Self { digits, exponent: Some(exponent.replace('-', "−")) }
            }
            _ => Self { digits: if value.is_finite() { plain } else { "∞".to_owned() }, exponent: None },
        }
    }

    /// The exponent of an inverse.
    pub(super) fn minus_one() -> Self {
        Self { digits: "−1".to_owned(), exponent: None }
    }

    /// Returns how tightly it holds together: `6.67 × 10⁻¹¹` is a product.
    pub(super) fn level(&self) -> u8 {
        match self {
            Self { exponent: None, .. } => ATOM,
            Self { digits, .. } if digits.is_empty() => POWER,
            _ => PRODUCT,
        }
    }
}

/// Fractions that are one character.
const VULGAR: &[(f64, f64, &str)] = &[
    (1.0, 2.0, "½"),
    (1.0, 3.0, "⅓"),
    (2.0, 3.0, "⅔"),
    (1.0, 4.0, "¼"),
    (3.0, 4.0, "¾"),
    (1.0, 5.0, "⅕"),
    (1.0, 6.0, "⅙"),
    (1.0, 8.0, "⅛"),
];

/// A quotient of two small numbers as one character.
pub(super) fn vulgar(above: &Expr, below: &Expr) -> Option<&'static str> {
    match (&inner(above).kind, &inner(below).kind) {
        (ExprKind::Real(above), ExprKind::Real(below)) => {
            VULGAR.iter().find(|(x, y, _)| x == above && y == below).map(|(.., sign)| *sign)
        }
        _ => None,
    }
}
