//! Numbers as people write them, to the last digit.

use gedanken_symbolic::Rational;

/// Longer numbers, written out, are refused: nobody measures to that many digits, and computing with them
/// takes for ever.
const MOST_DIGITS: u64 = 5_000;
/// Digits that an `i64` holds.
const AT_ONCE: usize = 18;

/// A decimal number without a sign, such as `0.1`, `2.5e-3` or `40`, exactly; `None` if it is written in
/// another way or has thousands of digits.
pub(super) fn decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if exponent.unsigned_abs().checked_add(digits.len() as u64)? > MOST_DIGITS {
        return None;
    }
    let mut number = Rational::zero();
    let mut rest = digits.as_str();
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.len().min(AT_ONCE));
        let shifted = &number * &ten_to(i64::try_from(piece.len()).ok()?)?;
        number = &shifted + &Rational::from(piece.parse::<i64>().ok()?);
        rest = more;
    }
    Some(&number * &ten_to(exponent)?)
}

/// 10ⁿ, in steps that are within the bounds of powers.
fn ten_to(exponent: i64) -> Option<Rational> {
    const STEP: i64 = 1_000;
    let mut power = Rational::from(10).power(exponent % STEP)?;
    for _ in 0..(exponent / STEP).unsigned_abs() {
        power = &power * &Rational::from(10).power(STEP * exponent.signum())?;
    }
    Some(power)
}

/// Returns the number of bits of its longer half: the cost of computing with it.
pub(super) fn bits(number: &Rational) -> u64 {
    number.numerator().bits().max(number.denominator().bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_counts() {
        assert_eq!(decimal("0.1"), Some(Rational::new(1, 10)));
        assert_eq!(decimal("2.50e-3"), Some(Rational::new(1, 400)));
        assert_eq!(decimal(".5E+1"), Some(Rational::from(5)));
        let long = decimal("1000000000000000000000000000001").expect("a number");
        assert_eq!(long, &Rational::from(10).power(30).expect("short") + &Rational::one());
        let tiny = decimal("1e-4321").expect("a number");
        assert_eq!(&tiny * &decimal("1e4321").expect("a number"), Rational::one());
        for wrong in ["", ".", "-1", "1e", "1_0", "½", "1e999999999", "1e99999999999999999999", "e5"] {
            assert_eq!(decimal(wrong), None, "{wrong}");
        }
    }
}
