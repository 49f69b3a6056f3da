//! Exact division.

use super::{Adder, Monomial, Polynomial};
use crate::normal::budget::{Beyond, Budget};
use crate::number::Rational;
use std::collections::BTreeMap;

impl Polynomial {
    /// Returns q with self = q · divisor, if there is one.
    pub(crate) fn divided(&self, divisor: &Self, budget: &mut Budget) -> Result<Option<Self>, Beyond> {
        if self.is_zero() {
            return Ok(Some(Self::zero()));
        }
        let Some((lead, first)) = divisor.terms().first() else { return Ok(None) };
        if let Some((monomial, number)) = divisor.single() {
            let inverse = &Rational::one() / number;
            return Ok(Some(self.shifted(&monomial.raised(-1)).scaled(&inverse)));
        }
        // Powers that all terms share are no obstacle: what remains is a question about ordinary polynomials.
        let (shift, down) = (self.common_monomial(), divisor.common_monomial());
        let (above, below) = (self.shifted(&shift.raised(-1)), divisor.shifted(&down.raised(-1)));
        let lead = lead.over(&down);
        let inverse = &Rational::one() / first;
        if !below.may_divide(&above) {
            return Ok(None);
        }
        let words = below.words();
        let mut rest: BTreeMap<Monomial, Rational> = above.0.into_iter().collect();
        let mut quotient = Adder::default();
        while let Some((monomial, number)) = rest.pop_last() {
            let monomial = monomial.over(&lead);
            if !monomial.is_whole() {
                return Ok(None);
            }
            let number = &number * &inverse;
            budget.spend(below.len().saturating_mul(number.words() * words))?;
            for (m, n) in &below.terms()[1..] {
                let place = monomial.times(m);
                let change = &number * n;
                match rest.entry(place) {
                    std::collections::btree_map::Entry::Vacant(it) => {
                        it.insert(-&change);
                    }
                    std::collections::btree_map::Entry::Occupied(mut it) => {
                        let left = it.get() - &change;
                        if left.is_zero() {
                            it.remove();
                        } else {
                            it.insert(left);
                        }
                    }
                }
            }
            quotient.add(monomial, number);
        }
        Ok(Some(quotient.finish().shifted(&shift.over(&down))))
    }

    /// Returns `true` if degrees and last terms leave division possible: asked first because it costs little.
    fn may_divide(&self, other: &Self) -> bool {
        let (Some((low, _)), Some((last, _))) = (self.0.last(), other.0.last()) else { return false };
        last.over(low).is_whole()
            && self.kernels().into_iter().all(|it| self.degrees(it).0 <= other.degrees(it).0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::x;
    use super::*;

    #[test]
    fn difference_of_squares() {
        let mut budget = Budget::new(1000);
        let (plus, minus) = (x(0).plus(&x(1)), x(0).minus(&x(1)));
        let product = plus.times(&minus, &mut budget).unwrap();
        assert_eq!(product.divided(&minus, &mut budget), Ok(Some(plus.clone())));
        assert_eq!(product.plus(&x(0)).divided(&minus, &mut budget), Ok(None));
        let lowered = product.shifted(&Monomial::power(0, -3));
        let expected = plus.shifted(&Monomial::power(0, -3));
        assert_eq!(lowered.divided(&minus, &mut budget), Ok(Some(expected)));
    }
}
