//! Sums of waves: Σ coefficient · cos or sin of whole combinations of units.
//!
//! Every polynomial in sines and cosines is such a sum, in exactly one way: products become sums by the
//! addition theorems. So this form decides whether a polynomial is zero, and shows cos(θ₁ - θ₂) in cos θ₁ cos
//! θ₂ + sin θ₁ sin θ₂.

use crate::normal::budget::{Beyond, Budget};
use crate::normal::kernels::Wave;
use crate::normal::polynomial::Monomial;
use crate::number::Rational;
use std::collections::BTreeMap;

/// An angle as whole multiples of units, stored like a product of powers: unit and multiplicity.
pub(super) type Angle = Monomial;

/// A sum of waves. Angles begin with a positive multiple, no coefficient is 0, and sin 0 does not occur.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Waves(BTreeMap<(Angle, Wave), Rational>);

impl Waves {
    pub(super) fn one() -> Self {
        let mut waves = Self::default();
        waves.add(Angle::one(), Wave::Cosine, &Rational::one());
        waves
    }

    /// Angle, wave and coefficient, ascending.
    pub(super) fn terms(&self) -> impl DoubleEndedIterator<Item = (&Angle, Wave, &Rational)> {
        self.0.iter().map(|((angle, wave), number)| (angle, *wave, number))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn add(&mut self, angle: Angle, wave: Wave, number: &Rational) {
        let (angle, number) = match wave {
            Wave::Sine if angle.is_one() => return,
            _ if angle < Angle::one() => {
                let number = if wave == Wave::Sine { -number } else { number.clone() };
                (angle.raised(-1), number)
            }
            _ => (angle, number.clone()),
        };
        let key = (angle, wave);
        let sum = self.0.get(&key).map_or_else(|| number.clone(), |it| it + &number);
        if sum.is_zero() {
            self.0.remove(&key);
        } else {
            self.0.insert(key, sum);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self, scale: &Rational) {
        for (angle, wave, number) in other.terms() {
            self.add(angle.clone(), wave, &(number * scale));
        }
    }

    /// Returns the product with one wave.
    pub(super) fn times(&self, by: &Angle, wave: Wave, budget: &mut Budget) -> Result<Self, Beyond> {
        budget.spend(2 * self.len())?;
        let mut product = Self::default();
        let half = Rational::new(1, 2);
        for (angle, own, number) in self.terms() {
            let number = number * &half;
            let (sum, difference) = (angle.times(by), angle.over(by));
            match (own, wave) {
                (_, Wave::Cosine) => {
                    product.add(sum, own, &number);
                    product.add(difference, own, &number);
                }
                (Wave::Cosine, Wave::Sine) => {
                    product.add(sum, Wave::Sine, &number);
                    product.add(difference, Wave::Sine, &-&number);
                }
                (Wave::Sine, Wave::Sine) => {
                    product.add(difference, Wave::Cosine, &number);
                    product.add(sum, Wave::Cosine, &-&number);
                }
            }
        }
        Ok(product)
    }

    /// Returns q with self = q · wave(of), if there is one.
    pub(super) fn divided(
        &self,
        of: &Angle,
        wave: Wave,
        budget: &mut Budget,
    ) -> Result<Option<Self>, Beyond> {
        let (mut rest, mut quotient) = (self.clone(), Self::default());
        let most = 4 * self.len() + 8;
        for _ in 0..most {
            let Some((angle, own, number)) =
                rest.terms().next_back().map(|(a, w, n)| (a.clone(), w, n.clone()))
            else {
                return Ok(Some(quotient));
            };
            budget.spend(rest.len())?;
            let left = angle.over(of);
            if left < Angle::one() {
                return Ok(None);
            }
            // cos(v) = 2 cos(w) cos(v - w) - ..., and so on; at v = w both halves fall together.
            let scale = Rational::from(if left.is_one() { 1 } else { 2 });
            let (partner, number) = match (own, wave) {
                (own, Wave::Cosine) => (own, &number * &scale),
                (Wave::Sine, Wave::Sine) => (Wave::Cosine, &number * &scale),
                (Wave::Cosine, Wave::Sine) => (Wave::Sine, -&(&number * &scale)),
            };
            if left.is_one() && partner == Wave::Sine {
                return Ok(None);
            }
            let mut part = Self::default();
            part.add(left, partner, &number);
            quotient.add_all(&part, &Rational::one());
            let taken = part.times(of, wave, budget)?;
            rest.add_all(&taken, &Rational::from(-1));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pythagoras() {
        let mut budget = Budget::new(1000);
        let x = Angle::power(0, 1);
        let mut sum = Waves::default();
        for wave in [Wave::Cosine, Wave::Sine] {
            let square =
                Waves::one().times(&x, wave, &mut budget).unwrap().times(&x, wave, &mut budget).unwrap();
            sum.add_all(&square, &Rational::one());
        }
        assert_eq!(sum, Waves::one());
    }

    #[test]
    fn sums_of_sines_are_products() {
        let mut budget = Budget::new(1000);
        let (x, y) = (Angle::power(0, 1), Angle::power(1, 1));
        let (sum, difference) = (x.times(&y), x.over(&y));
        let mut waves = Waves::default();
        waves.add(sum, Wave::Sine, &Rational::one());
        waves.add(difference, Wave::Sine, &Rational::one());
        let quotient = waves.divided(&y, Wave::Cosine, &mut budget).unwrap().unwrap();
        let mut expected = Waves::default();
        expected.add(x.clone(), Wave::Sine, &Rational::from(2));
        assert_eq!(quotient, expected);
        assert_eq!(waves.divided(&x, Wave::Cosine, &mut budget), Ok(None));
    }
}
