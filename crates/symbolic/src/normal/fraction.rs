//! Polynomials over a common denominator.

use crate::normal::budget::Beyond;
use crate::normal::kernels::{Depth, Kernel, Wave};
use crate::normal::polynomial::{Monomial, Place, Polynomial};
use crate::normal::read_polynomial::Reader;
use crate::number::Rational;

/// Maximum number of terms, and of steps, of the search for a greatest common divisor.
const MAX_TERMS_FOR_GCD: usize = 60;
const MAX_STEPS_PER_DIVISOR: u64 = 20_000;

/// Quotient above / below, where no exponent above is negative.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    pub(crate) above: Polynomial,
    /// Denominator: kernels, sums among them, with positive exponents.
    pub(crate) below: Monomial,
}

impl Reader<'_> {
    /// Returns the polynomial over a common denominator.
    pub(crate) fn together(&mut self, polynomial: &Polynomial) -> Result<Fraction, Beyond> {
        let (mut above, mut below) = (polynomial.clone(), Monomial::one());
        // A sum that is multiplied out may itself contain quotients.
        loop {
            let lowest = above.terms().iter().fold(Monomial::one(), |low, (it, _)| low.common(it));
            if lowest.is_one() {
                match self.flattened(&below)? {
                    Some((lift, plain)) => {
                        above = self.reduced(above.shifted(&lift))?;
                        below = plain;
                        continue;
                    }
                    None => return Ok(Fraction { above, below }),
                }
            }
            let lift = lowest.raised(-1);
            below = below.times(&lift);
            self.budget.spend(above.len())?;
            above = self.reduced(above.shifted(&lift))?;
        }
    }

    /// Returns a denominator in which no sum contains quotients, and the factor by which numerator and
    /// denominator are multiplied for that.
    fn flattened(&mut self, below: &Monomial) -> Result<Option<(Monomial, Monomial)>, Beyond> {
        for (place, exponent) in below.powers() {
            let Some((1, value)) = self.table.kernel(place).value else { continue };
            let sum = self.read(value)?;
            let lowest = sum.terms().iter().fold(Monomial::one(), |low, (it, _)| low.common(it));
            if lowest.is_one() {
                continue;
            }
            let lift = lowest.raised(-1);
            let lifted = self.reduced(sum.shifted(&lift))?;
            self.budget.spend(lifted.len())?;
            let (number, monomial, rest) = lifted.primitive();
            let number = self.pool.number(number);
            let rest = self.flat(&rest);
            let whole = self.pool.mul(number, rest);
            let place_of_whole =
                self.table.place(Kernel { expr: whole, value: Some((1, whole)), trig: None });
            let whole = Monomial::power(place_of_whole, 1).times(&monomial).raised(exponent);
            let plain = below.over(&Monomial::power(place, exponent)).times(&whole);
            return Ok(Some((lift.raised(exponent), plain)));
        }
        Ok(None)
    }

    /// Returns the polynomial with squares of this wave, of each angle, replaced by 1 less those of the
    /// other.
    pub(crate) fn without_squares(
        &mut self,
        polynomial: &Polynomial,
        of: Wave,
    ) -> Result<Polynomial, Beyond> {
        let mut reduced = polynomial.clone();
        for place in polynomial.kernels() {
            let Some((wave, unit)) = self.table.kernel(place).trig else { continue };
            if wave != of || reduced.degrees(place).0 < 2 {
                continue;
            }
            let Some(other) = self.other_wave(wave, unit) else { continue };
            let one = Polynomial::constant(Rational::one());
            let square = one.minus(&Polynomial::term(Monomial::power(other, 2), Rational::one()));
            let mut sum = Polynomial::zero();
            for (exponent, coefficient) in reduced.coefficients(place) {
                let (squares, rest) = if exponent < 2 { (0, exponent) } else { (exponent / 2, exponent % 2) };
                let power = square.power(squares.unsigned_abs(), &mut self.budget)?;
                let part = coefficient.times(&power, &mut self.budget)?;
                sum = sum.plus(&part.shifted(&Monomial::power(place, rest)));
            }
            reduced = sum;
        }
        Ok(reduced)
    }

    pub(crate) fn other_wave(&self, wave: Wave, unit: usize) -> Option<Place> {
        let other = match wave {
            Wave::Cosine => Wave::Sine,
            Wave::Sine => Wave::Cosine,
        };
        self.table.wave(other, unit)
    }

    /// Cancels common factors of numerator and denominator: sums by division, other kernels by their
    /// exponents.
    pub(crate) fn cancelled(&mut self, fraction: Fraction) -> Result<Fraction, Beyond> {
        let Fraction { mut above, mut below } = fraction;
        for (place, exponent) in below.clone().powers() {
            let kernel = self.table.kernel(place).clone();
            if let Some((degree, value)) = kernel.value {
                let divisor = self.read(value)?;
                if divisor.len() < 2 {
                    continue;
                }
                for _ in 0..exponent / degree {
                    if let Some(quotient) = self.quotient(&above, &divisor)? {
                        above = quotient;
                        below = below.over(&Monomial::power(place, degree));
                        continue;
                    }
                    if let Some((quotient, rest)) = self.partly(&above, &divisor) {
                        above = quotient;
                        below = below.over(&Monomial::power(place, degree)).times(&rest);
                    }
                    break;
                }
            } else if let (Some((wave, _)), Depth::Functions) = (kernel.trig, self.table.depth) {
                // sin²θ / cos θ hides what cancels in 1 - cos²θ.
                let other = if wave == Wave::Sine { Wave::Cosine } else { Wave::Sine };
                let written = self.without_squares(&above, other)?;
                if written.degrees(place).1 > 0 {
                    above = written;
                }
            }
        }
        if above.is_zero() {
            return Ok(Fraction { above, below: Monomial::one() });
        }
        let shared = above.common_monomial().common(&below);
        Ok(Fraction { above: above.shifted(&shared.raised(-1)), below: below.over(&shared) })
    }

    /// Cancels the greatest common divisor, if it is found with little work. Returns the remaining numerator
    /// and denominator.
    fn partly(&mut self, above: &Polynomial, divisor: &Polynomial) -> Option<(Polynomial, Monomial)> {
        if above.len() > MAX_TERMS_FOR_GCD || divisor.len() > MAX_TERMS_FOR_GCD {
            return None;
        }
        let found = self.budget.within(MAX_STEPS_PER_DIVISOR, |budget| {
            let common = above.common_divisor(divisor, budget)?;
            if common.len() < 2 {
                return Ok(None);
            }
            let (Some(a), Some(b)) = (above.divided(&common, budget)?, divisor.divided(&common, budget)?)
            else {
                return Ok(None);
            };
            Ok(Some((a, b)))
        });
        let (a, b) = found.ok()??;
        let (number, monomial, rest) = b.primitive();
        let a = a.scaled(&number.inverse()?);
        if rest.len() < 2 {
            return Some((a, monomial));
        }
        let sum = self.flat(&rest);
        let place = self.table.place(Kernel { expr: sum, value: Some((1, sum)), trig: None });
        Some((a, monomial.times(&Monomial::power(place, 1))))
    }

    /// Returns the quotient, if there is one, with squares of sines and cosines written in any way.
    fn quotient(&mut self, above: &Polynomial, divisor: &Polynomial) -> Result<Option<Polynomial>, Beyond> {
        if let Some(found) = above.divided(divisor, &mut self.budget)? {
            return Ok(Some(found));
        }
        if !above.kernels().iter().any(|&it| self.table.kernel(it).trig.is_some()) {
            return Ok(None);
        }
        for wave in [Wave::Cosine, Wave::Sine] {
            let (a, b) = (self.without_squares(above, wave)?, self.without_squares(divisor, wave)?);
            if let Some(found) = a.divided(&b, &mut self.budget)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
