//! Rational numbers with numerator and denominator of 64 bits.

use num_integer::Integer;
use std::cmp::Ordering;
use std::num::NonZeroI64;

/// A fraction in lowest terms. The denominator is positive; that it is not zero leaves room for a big number
/// in the same 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SmallRational {
    numerator: i64,
    denominator: NonZeroI64,
}

/// The number 1, as a denominator.
const ONE: NonZeroI64 = NonZeroI64::new(1).expect("1 is not 0");

/// A fraction before reduction. Sum and product of two small ones fit into 128 bits: 2 · 2⁶³ · 2⁶³ = 2¹²⁷,
/// and denominators stay below 2⁶³.
type Fraction = (i128, i128);

impl SmallRational {
    pub(super) fn whole(numerator: i64) -> Self {
        Self { numerator, denominator: ONE }
    }

    /// A fraction that is in lowest terms; `None` if the denominator is not positive.
    pub(super) fn new(numerator: i64, denominator: i64) -> Option<Self> {
        let denominator = NonZeroI64::new(denominator).filter(|it| it.is_positive())?;
        Some(Self { numerator, denominator })
    }

    /// Any fraction, if it fits when reduced to lowest terms.
    pub(super) fn reduced(mut numerator: i128, mut denominator: i128) -> Option<Self> {
        if denominator != 1 {
            let common = gcd(numerator, denominator)?;
            numerator /= common;
            denominator /= common;
            if denominator < 0 {
                (numerator, denominator) = (-numerator, -denominator);
            }
        }
        Self::new(i64::try_from(numerator).ok()?, i64::try_from(denominator).ok()?)
    }

    /// The fraction with another numerator, prime to the denominator too.
    pub(super) fn with(self, numerator: i64) -> Self {
        Self { numerator, ..self }
    }

    pub(super) fn numerator(self) -> i64 {
        self.numerator
    }

    pub(super) fn denominator(self) -> i64 {
        self.denominator.get()
    }

    fn wide(self) -> Fraction {
        (self.numerator.into(), self.denominator.get().into())
    }

    /// Returns the nearest real, if numerator and denominator are exact as reals.
    pub(super) fn to_f64(self) -> Option<f64> {
        const MAX_EXACT: u64 = 1 << 53;
        let (numerator, denominator) = (self.numerator, self.denominator.get());
        let exact = numerator.unsigned_abs() <= MAX_EXACT && denominator.unsigned_abs() <= MAX_EXACT;
        exact.then(|| numerator as f64 / denominator as f64)
    }

    pub(super) fn add(self, other: Self) -> Fraction {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        if b == d { (a + c, b) } else { (a * d + c * b, b * d) }
    }

    pub(super) fn sub(self, other: Self) -> Fraction {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        if b == d { (a - c, b) } else { (a * d - c * b, b * d) }
    }

    pub(super) fn mul(self, other: Self) -> Fraction {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        (a * c, b * d)
    }

    pub(super) fn div(self, other: Self) -> Fraction {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        assert!(c != 0, "a divisor is not zero");
        (a * d, b * c)
    }
}

impl Ord for SmallRational {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        if b == d { a.cmp(&c) } else { (a * d).cmp(&(c * b)) }
    }
}

impl PartialOrd for SmallRational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the greatest common divisor, positive. It is computed in 64 bits if both fit, which is faster.
fn gcd(a: i128, b: i128) -> Option<i128> {
    let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(a.gcd(&b).into()),
        _ => i128::try_from(a.gcd(&b)).ok(),
    }
}
