//! Numbers as literals that are read back exactly.
//!
//! Readers take a literal for the rational number of the shortest decimal that means the same f64, and
//! compute with rationals exactly. So 9.81 is 981/100, 1e30 is 10³⁰, and 2⁵³ + 1, which no literal means, is
//! written as a sum.

use super::level;
use crate::Rational;
use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// Maximum number of digits of a literal that is always read back exactly.
const EXACT_DIGITS: u32 = 15;

/// Denominators below this are written as fractions, if that is not longer.
const MAX_FRACTION_DENOMINATOR: i64 = 1000;

/// Number of characters by which a whole number, and a decimal, may be longer than in the notation with an
/// exponent.
const EXTRA_DIGITS_ALLOWED: [usize; 2] = [5, 3];

/// Returns the text of a number that is not negative, and its binding level. It is a decimal if that is
/// shorter than the fraction.
pub(super) fn literal(number: &Rational) -> (String, u8) {
    if let Some(small) = number.to_i64()
        && small < 1_000_000
    {
        return (small.to_string(), level::ATOM);
    }
    let decimal = decimal(number);
    if number.is_integer() {
        return match decimal {
            Some(text) => (text, level::ATOM),
            None => (in_pieces(&number.numerator()), level::SUM),
        };
    }
    let (above, below) = (number.numerator(), number.denominator());
    let part = |whole: BigInt| {
        let (text, level) = literal(&Rational::from(whole));
        if level < level::FACTOR { format!("({text})") } else { text }
    };
    let fraction = format!("{}/{}", part(above), part(below));
    let simple = number.to_small().is_some_and(|(_, below)| below < MAX_FRACTION_DENOMINATOR);
    match decimal {
        Some(text) if !simple || text.len() < fraction.len() => (text, level::ATOM),
        _ => (fraction, level::PRODUCT),
    }
}

/// Returns the number as one literal, if one is read back as this number.
fn decimal(number: &Rational) -> Option<String> {
    // The smallest f64 has less than 1100 binary places.
    if number.bits() > 1100 {
        return None;
    }
    let (mut rest, mut places) = (number.denominator(), 0_u32);
    for prime in [2_u32, 5] {
        let mut count = 0;
        while (&rest % prime).is_zero() {
            rest /= prime;
            count += 1;
        }
        places = places.max(count);
    }
    if !rest.is_one() {
        return None;
    }
    let scaled = number * &Rational::from(Pow::pow(BigInt::from(10), places));
    let digits = scaled.numerator().abs().to_string();
    let significant = digits.trim_end_matches('0');
    if significant.len() > 17 {
        return None;
    }
    let exponent = digits.len().to_i64()? - 1 - i64::from(places);
    let mut scientific = significant.get(..1).unwrap_or("0").to_owned();
    if let Some(more) = significant.get(1..)
        && !more.is_empty()
    {
        scientific.extend([".", more]);
    }
    scientific.push_str(&format!("e{exponent}"));
    let places = places as usize;
    let positional = match places {
        0 => digits,
        _ => {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            format!("{whole}.{fraction}")
        }
    };
    let longer = EXTRA_DIGITS_ALLOWED[usize::from(places > 0)];
    let text = if positional.len() <= scientific.len() + longer { positional } else { scientific };
    let read = Rational::from_decimal(text.parse().ok()?)?;
    (read == *number).then_some(text)
}

/// Returns a whole number that is no literal as a sum of literals: `123*1e15 + 456`.
fn in_pieces(whole: &BigInt) -> String {
    let scale = BigInt::from(10_i64.pow(EXACT_DIGITS));
    let mut pieces = Vec::new();
    let (mut rest, mut zeros) = (whole.clone(), 0_u32);
    while !rest.is_zero() {
        let piece = &rest % &scale;
        if !piece.is_zero() {
            pieces.push(format!("{piece}{}", shift(zeros)));
        }
        rest /= &scale;
        zeros += EXACT_DIGITS;
    }
    pieces.reverse();
    pieces.join(" + ")
}

/// Returns a factor of so many powers of ten, each of which is a literal.
fn shift(mut zeros: u32) -> String {
    let mut text = String::new();
    while zeros > 0 {
        let step = zeros.min(300);
        text.push_str(&format!("*1e{step}"));
        zeros -= step;
    }
    text
}
