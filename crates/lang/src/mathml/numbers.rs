//! Numbers: plain digits where they are short, powers of ten where they are not.

use super::level::{ATOM, POWER, PRODUCT};
use super::markup::Markup;

/// A number as it is written: digits, and a power of ten if there is one.
struct Written {
    /// Empty if the power of ten is all.
    digits: String,
    /// Of ten.
    exponent: Option<String>,
}

fn written(value: f64) -> Written {
    let (plain, short) = (value.to_string(), format!("{value:e}"));
    // Leading zeros hide how small a number is; trailing ones are easier to read.
    let longest = short.len() + if value.abs() < 1.0 { 1 } else { 4 };
    match short.split_once('e') {
        Some((digits, exponent)) if plain.len() > longest => {
            let digits = if digits == "1" { String::new() } else { digits.to_owned() };
            Written { digits, exponent: Some(exponent.replace('-', "−")) }
        }
        _ => Written { digits: if value.is_finite() { plain } else { "∞".to_owned() }, exponent: None },
    }
}

/// How tightly a number holds together: `6.67 × 10⁻¹¹` is a product.
pub(super) fn level(value: f64) -> u8 {
    match written(value) {
        Written { exponent: None, .. } => ATOM,
        Written { digits, .. } if digits.is_empty() => POWER,
        _ => PRODUCT,
    }
}

impl Markup {
    /// A number that is not negative.
    pub(super) fn number(&mut self, value: f64) {
        let Written { digits, exponent } = written(value);
        if !digits.is_empty() {
            self.leaf("mn", &[], &digits);
        }
        if let Some(exponent) = exponent {
            if !digits.is_empty() {
                self.sign("×");
            }
            self.element("msup", |markup| {
                markup.leaf("mn", &[], "10");
                markup.leaf("mn", &[], &exponent);
            });
        }
    }
}
