//! Powers of numbers: computed where they are rational, else as roots of primes.
//!
//! √12 is 2√3, √(2/3) is √2 √3 / 3, and ∛4 is 2^(2/3): radicands are primes, as far as primes are looked for,
//! and exponents are between 0 and 1. So each number has one form, and roots of the same prime meet in
//! products.

use crate::number::Rational;
use crate::pool::{Expr, Pool};
use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// Maximum prime that is looked for under roots.
pub(crate) const MAX_PRIME: u32 = 1000;

/// Number of primes below [`MAX_PRIME`].
const PRIME_COUNT: usize = 168;

const PRIMES: [u32; PRIME_COUNT] = primes();

/// Maximum number of bits of a number that is tested for being a power.
const MAX_BITS_FOR_POWER_TEST: u64 = 128;

impl Pool {
    pub(crate) fn number_power(&mut self, base: &Rational, exponent: &Rational) -> Expr {
        if base.is_zero() && exponent.is_negative() {
            // Nowhere defined, in one way; sums and products with it are no more than that.
            let zero = self.zero();
            let undefined = self.raised(zero, &Rational::from(-1));
            self.undefined = Some(undefined);
            return undefined;
        }
        match self.computed(base, exponent) {
            Some(power) => power,
            None => {
                let base = self.number(base.clone());
                self.raised(base, exponent)
            }
        }
    }

    /// Returns the power; `None` if it is not real or would be enormous.
    fn computed(&mut self, base: &Rational, exponent: &Rational) -> Option<Expr> {
        if base.is_one() || base.is_zero() {
            return Some(self.number(base.clone()));
        }
        if exponent.is_integer() && base.abs().is_one() {
            let power = base.power(if exponent.is_even() { 2 } else { 1 })?;
            return Some(self.number(power));
        }
        if exponent.is_integer() {
            let power = base.power(exponent.to_i64()?)?;
            return Some(self.number(power));
        }
        if base.is_negative() {
            return None;
        }
        let (mut number, mut roots) = (Rational::one(), Vec::new());
        let degree = exponent.denominator().to_u32()?;
        let (above, below) = (base.numerator(), base.denominator());
        let parts = factors(above, degree)
            .into_iter()
            .chain(factors(below, degree).into_iter().map(|(factor, count)| (factor, -count)));
        for (factor, count) in parts {
            let total = exponent * &Rational::from(count);
            let whole = total.floor();
            let factor = Rational::from(factor);
            number = &number * &factor.power(whole.to_i64()?)?;
            roots.push((factor, &total - &whole));
        }
        let mut powers = vec![self.number(number)];
        for (factor, rest) in roots.into_iter().filter(|(_, rest)| !rest.is_zero()) {
            let factor = self.number(factor);
            powers.push(self.raised(factor, &rest));
        }
        Some(self.product(&powers))
    }
}

/// Returns a positive whole number as powers of different ones: small primes, and the rest. The rest is not a
/// power itself, if it is not too large. In any case it has no root of this degree.
fn factors(mut whole: BigInt, degree: u32) -> Vec<(BigInt, i64)> {
    let mut found = Vec::new();
    for prime in PRIMES {
        if BigInt::from(prime * prime) > whole {
            // Nothing, or a prime.
            found.extend((!whole.is_one()).then(|| (whole.clone(), 1)));
            return found;
        }
        let mut count = 0;
        while (&whole % prime).is_zero() {
            whole /= prime;
            count += 1;
        }
        if count > 0 {
            found.push((BigInt::from(prime), count));
        }
    }
    if whole.is_one() {
        return found;
    }
    debug_assert!(whole.is_positive(), "only positive numbers have roots here");
    if let Some(root) = root(&whole, degree) {
        found.push((root, degree.into()));
        return found;
    }
    let mut count = 1;
    if whole.bits() <= MAX_BITS_FOR_POWER_TEST {
        // Each prime in it has more than nine bits.
        for power in (2..=MAX_BITS_FOR_POWER_TEST as u32 / 9).rev() {
            if let Some(root) = root(&whole, power) {
                (whole, count) = (root, power.into());
                break;
            }
        }
    }
    found.push((whole, count));
    found
}

/// Returns the root, if it is whole.
fn root(whole: &BigInt, degree: u32) -> Option<BigInt> {
    if u64::from(degree) > whole.bits() {
        return None;
    }
    let root = whole.nth_root(degree);
    (Pow::pow(&root, degree) == *whole).then_some(root)
}

const fn primes() -> [u32; PRIME_COUNT] {
    let mut found = [0; PRIME_COUNT];
    let (mut count, mut number) = (0, 2);
    while number < MAX_PRIME {
        let mut divisor = 2;
        while divisor * divisor <= number && number % divisor != 0 {
            divisor += 1;
        }
        if divisor * divisor > number {
            found[count] = number;
            count += 1;
        }
        number += 1;
    }
    found
}
