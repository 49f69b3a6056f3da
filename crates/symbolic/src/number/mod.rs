//! Exact rational numbers of any size.
//!
//! Nearly all numbers in formulas are small: numerator and denominator are kept in 64 bits and computed with
//! in 128. Only a number that does not fit is kept as a big one, therefore equal numbers have equal
//! representations.

mod operators;
mod small_rational;

use num_bigint::BigInt;
use num_integer::{Integer, Roots};
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive};
use small_rational::SmallRational;

/// A rational number, exactly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rational(Kept);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Small(SmallRational),
    /// Numerator or denominator of more than 64 bits.
    Big(Box<BigRational>),
}

/// Maximum number of bits of a power of a number. Larger powers stay as they are written.
const MAX_BITS_OF_A_POWER: u64 = 4096;

impl Rational {
    /// numerator / denominator.
    ///
    /// # Panics
    /// If the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Self {
        assert!(denominator != 0, "a denominator is not zero");
        Self::reduced(numerator.into(), denominator.into())
    }

    /// 0
    pub fn zero() -> Self {
        Self::from(0)
    }

    /// 1
    pub fn one() -> Self {
        Self::from(1)
    }

    /// Returns the number whose shortest decimal form is that of this real: 0.1 is 1/10. `None` if the real
    /// is not finite.
    pub fn from_decimal(real: f64) -> Option<Self> {
        if !real.is_finite() {
            return None;
        }
        if real.abs() < 1e15 && real == libm::trunc(real) {
            return real.to_i64().map(Self::from);
        }
        let text = format!("{real:e}");
        let (digits, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let digits: i64 = digits.replace('.', "").parse().ok()?;
        let exponent = exponent - i32::try_from(fraction).ok()?;
        if (-18..0).contains(&exponent) {
            return Some(Self::reduced(digits.into(), 10_i128.pow(exponent.unsigned_abs())));
        }
        let scale = BigInt::from(10).pow(exponent.unsigned_abs());
        Some(Self::from_big(match exponent < 0 {
            true => BigRational::new(digits.into(), scale),
            false => BigRational::from_integer(scale * digits),
        }))
    }

    /// Returns the nearest real, or an infinity if there is none.
    pub fn to_f64(&self) -> f64 {
        let real = match &self.0 {
            Kept::Small(small) => small.to_f64().or_else(|| self.big().to_f64()),
            Kept::Big(big) => big.to_f64(),
        };
        real.unwrap_or(f64::NAN)
    }

    /// Number of 64-bit words of the longer of numerator and denominator.
    pub(super) fn words(&self) -> usize {
        match &self.0 {
            Kept::Small(_) => 1,
            Kept::Big(_) => 1 + usize::try_from(self.bits() / 64).unwrap_or(usize::MAX / 2),
        }
    }

    /// Returns the residue modulo a prime below 2³²; `None` if that divides the denominator.
    pub(super) fn modulo(&self, prime: u64) -> Option<u64> {
        let of = |whole: &BigInt| whole.mod_floor(&BigInt::from(prime)).to_u64();
        match &self.0 {
            Kept::Small(small) if small.denominator() == 1 => {
                let prime = i64::try_from(prime).ok()?;
                u64::try_from(small.numerator().rem_euclid(prime)).ok()
            }
            _ => {
                let (above, below) = (of(&self.numerator())?, of(&self.denominator())?);
                // 1/x is x to the power of p - 2, by Fermat.
                let inverse = BigInt::from(below).modpow(&BigInt::from(prime - 2), &BigInt::from(prime));
                (below != 0).then_some(above * inverse.to_u64()? % prime)
            }
        }
    }

    /// Numerator; carries the sign.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Kept::Small(small) => small.numerator().into(),
            Kept::Big(big) => big.numer().clone(),
        }
    }

    /// Denominator; positive.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Kept::Small(small) => small.denominator().into(),
            Kept::Big(big) => big.denom().clone(),
        }
    }

    /// Numerator and denominator, if both have at most 64 bits.
    pub fn to_small(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Kept::Small(small) => Some((small.numerator(), small.denominator())),
            Kept::Big(_) => None,
        }
    }

    /// Number of bits of the longer of numerator and denominator, which is the cost of computing with it.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Kept::Small(small) => {
                let (above, below) = (small.numerator().unsigned_abs(), small.denominator().unsigned_abs());
                (u64::BITS - above.leading_zeros().min(below.leading_zeros())).into()
            }
            Kept::Big(big) => big.numer().bits().max(big.denom().bits()),
        }
    }

    /// Returns `true` if it is 0.
    pub fn is_zero(&self) -> bool {
        self.to_i64() == Some(0)
    }

    /// Returns `true` if it is 1.
    pub fn is_one(&self) -> bool {
        self.to_i64() == Some(1)
    }

    /// Returns `true` if it is a whole number.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Kept::Small(small) => small.denominator() == 1,
            Kept::Big(big) => big.is_integer(),
        }
    }

    /// Returns `true` if it is below 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Kept::Small(small) => small.numerator() < 0,
            Kept::Big(big) => big.is_negative(),
        }
    }

    /// Returns `true` if it is above 0.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Kept::Small(small) => small.numerator() > 0,
            Kept::Big(big) => big.is_positive(),
        }
    }

    /// Returns `true` if it is a whole number that 2 divides.
    pub fn is_even(&self) -> bool {
        self.is_integer()
            && match &self.0 {
                Kept::Small(small) => small.numerator() % 2 == 0,
                Kept::Big(big) => big.numer().is_even(),
            }
    }

    /// Returns the number as 64-bit integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Kept::Small(small) => (small.denominator() == 1).then_some(small.numerator()),
            Kept::Big(_) => None,
        }
    }

    /// Returns the magnitude.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// -1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> Self {
        Self::from(i64::from(self.is_positive()) - i64::from(self.is_negative()))
    }

    /// Returns the largest whole number not above it.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Kept::Small(small) => Self::from(small.numerator().div_euclid(small.denominator())),
            Kept::Big(big) => Self::from_big(big.floor()),
        }
    }

    /// Returns 1 / x; `None` for zero.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        if self.is_zero() {
            return None;
        }
        Some(match &self.0 {
            Kept::Small(small) => Self::reduced(small.denominator().into(), small.numerator().into()),
            Kept::Big(big) => Self::from_big(big.recip()),
        })
    }

    /// Returns xⁿ; `None` for 0 to a negative power, and where the result would be enormous.
    #[must_use]
    pub fn power(&self, exponent: i64) -> Option<Self> {
        if self.is_zero() && exponent < 0 {
            return None;
        }
        if let Some(power) = self.small_power(exponent) {
            return Some(power);
        }
        // A reciprocal is as long as the number.
        let is_longer = exponent.unsigned_abs() > 1;
        if is_longer && self.bits().saturating_mul(exponent.unsigned_abs()) > MAX_BITS_OF_A_POWER {
            return None;
        }
        let power = Pow::pow(self.big(), u32::try_from(exponent.unsigned_abs()).ok()?);
        Some(Self::from_big(if exponent < 0 { power.recip() } else { power }))
    }

    /// Returns the power, if it and all intermediate results are small.
    fn small_power(&self, exponent: i64) -> Option<Self> {
        let (numerator, denominator) = self.to_small()?;
        let magnitude = match exponent.unsigned_abs() {
            // Only the parity of the exponent counts.
            many if denominator == 1 && (-1..=1).contains(&numerator) => {
                if many == 0 {
                    0
                } else {
                    2 - u32::from(!many.is_multiple_of(2))
                }
            }
            many => u32::try_from(many).ok()?,
        };
        let (above, below) = (numerator.checked_pow(magnitude)?, denominator.checked_pow(magnitude)?);
        Some(match exponent < 0 {
            true => Self::reduced(below.into(), above.into()),
            false => Self(Kept::Small(SmallRational::new(above, below)?)),
        })
    }

    /// Returns the positive q-th root of a number that is not negative, if it is rational.
    #[must_use]
    pub fn root(&self, q: u32) -> Option<Self> {
        if self.is_negative() || q == 0 {
            return None;
        }
        if let Some((numerator, denominator)) = self.to_small() {
            let whole = |n: i64| {
                let root = n.nth_root(q);
                (root.checked_pow(q) == Some(n)).then_some(root)
            };
            return Some(Self(Kept::Small(SmallRational::new(whole(numerator)?, whole(denominator)?)?)));
        }
        let whole = |n: &BigInt| {
            let root = n.nth_root(q);
            (Pow::pow(&root, q) == *n).then_some(root)
        };
        Some(Self::from_big(BigRational::new(whole(&self.numerator())?, whole(&self.denominator())?)))
    }

    /// Returns the largest positive number of which both are whole multiples; that of zero and x is |x|.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        if let (Kept::Small(a), Kept::Small(b)) = (&self.0, &other.0) {
            let numerator = a.numerator().unsigned_abs().gcd(&b.numerator().unsigned_abs());
            let (c, d) = (i128::from(a.denominator()), i128::from(b.denominator()));
            return Self::reduced(numerator.into(), c / c.gcd(&d) * d);
        }
        let numerator = self.numerator().gcd(&other.numerator());
        let denominator = self.denominator().lcm(&other.denominator());
        Self::from_big(BigRational::new(numerator, denominator))
    }

    /// Returns the fraction in lowest terms, with a positive denominator; the given one is not zero.
    fn reduced(numerator: i128, denominator: i128) -> Self {
        match SmallRational::reduced(numerator, denominator) {
            Some(small) => Self(Kept::Small(small)),
            None => Self(Kept::Big(Box::new(BigRational::new(numerator.into(), denominator.into())))),
        }
    }

    fn from_big(big: BigRational) -> Self {
        let small = big.numer().to_i64().zip(big.denom().to_i64());
        match small.and_then(|(numerator, denominator)| SmallRational::new(numerator, denominator)) {
            Some(small) => Self(Kept::Small(small)),
            None => Self(Kept::Big(Box::new(big))),
        }
    }

    fn big(&self) -> BigRational {
        match &self.0 {
            Kept::Small(small) => BigRational::new_raw(small.numerator().into(), small.denominator().into()),
            Kept::Big(big) => BigRational::clone(big),
        }
    }
}

#[cfg(test)]
mod tests;
