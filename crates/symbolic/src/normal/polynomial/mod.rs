//! Polynomials with rational coefficients over kernels, exponents of either sign.
//!
//! Sparse: a list of monomials with their coefficients, highest first. Here a kernel is a number; the
//! [table](super::kernels) holds its meaning.

mod divide;
mod gcd;
mod image;
mod monomial;

pub(crate) use monomial::{Monomial, Place};

use crate::normal::budget::{Beyond, Budget};
use crate::number::Rational;
use crate::pool::table::Map;
use std::collections::BTreeMap;

/// Maximum number of pairs of terms in a product. Larger products are not begun.
const MAX_TERM_PAIRS: usize = 60_000;

/// Σ coefficient · monomial: monomials all different, descending; no coefficient is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Polynomial(Vec<(Monomial, Rational)>);

impl Polynomial {
    pub(crate) fn zero() -> Self {
        Self::default()
    }

    pub(crate) fn constant(number: Rational) -> Self {
        Self::term(Monomial::one(), number)
    }

    pub(crate) fn term(monomial: Monomial, coefficient: Rational) -> Self {
        if coefficient.is_zero() { Self::zero() } else { Self(vec![(monomial, coefficient)]) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of terms.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Number of machine words of the longest coefficient, which is the cost of one operation with it.
    pub(crate) fn words(&self) -> usize {
        self.0.iter().fold(1, |most, (_, number)| most.max(number.words()))
    }

    /// The terms, highest first.
    pub(crate) fn terms(&self) -> &[(Monomial, Rational)] {
        &self.0
    }

    /// Returns the only term, if there is exactly one.
    pub(crate) fn single(&self) -> Option<&(Monomial, Rational)> {
        if let [term] = self.0.as_slice() { Some(term) } else { None }
    }

    /// Returns the number, if the polynomial is constant.
    pub(crate) fn as_number(&self) -> Option<Rational> {
        match self.0.as_slice() {
            [] => Some(Rational::zero()),
            [(monomial, number)] if monomial.is_one() => Some(number.clone()),
            _ => None,
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.combined(other, |it| it.clone())
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combined(other, |it| -it)
    }

    fn combined(&self, other: &Self, change: impl Fn(&Rational) -> Rational) -> Self {
        let mut found = Vec::with_capacity(self.len() + other.len());
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((m, p)), Some((n, q))) if m == n => {
                    let sum = p + &change(q);
                    if !sum.is_zero() {
                        found.push((m.clone(), sum));
                    }
                    a.next();
                    b.next();
                }
                (Some((m, p)), other) if other.is_none_or(|it| *m > it.0) => {
                    found.push((m.clone(), p.clone()));
                    a.next();
                }
                (_, Some((n, q))) => {
                    found.push((n.clone(), change(q)));
                    b.next();
                }
                (_, None) => return Self(found),
            }
        }
    }

    pub(crate) fn scaled(&self, scale: &Rational) -> Self {
        if scale.is_zero() {
            return Self::zero();
        }
        if scale.is_one() {
            return self.clone();
        }
        Self(self.0.iter().map(|(monomial, number)| (monomial.clone(), number * scale)).collect())
    }

    pub(crate) fn negated(&self) -> Self {
        self.scaled(&Rational::from(-1))
    }

    /// Returns the product with a monomial, which keeps the order of terms.
    pub(crate) fn shifted(&self, by: &Monomial) -> Self {
        if by.is_one() {
            return self.clone();
        }
        Self(self.0.iter().map(|(monomial, number)| (monomial.times(by), number.clone())).collect())
    }

    pub(crate) fn times(&self, other: &Self, budget: &mut Budget) -> Result<Self, Beyond> {
        if self.len() * other.len() > MAX_TERM_PAIRS {
            return Err(Beyond);
        }
        budget.spend((self.len() * other.len()).saturating_mul(self.words() * other.words()))?;
        let (one, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        if let Some((monomial, number)) = one.single() {
            return Ok(many.shifted(monomial).scaled(number));
        }
        let mut adder = Adder::default();
        for (m, p) in one.terms() {
            for (n, q) in many.terms() {
                adder.add(m.times(n), p * q);
            }
        }
        Ok(adder.finish())
    }

    pub(crate) fn power(&self, exponent: u32, budget: &mut Budget) -> Result<Self, Beyond> {
        let mut power = Self::constant(Rational::one());
        for _ in 0..exponent {
            power = power.times(self, budget)?;
        }
        Ok(power)
    }

    /// Returns the content: the positive number that divides all coefficients to whole numbers without a
    /// common factor. It is 0 for zero.
    pub(crate) fn content(&self) -> Rational {
        let mut content = Rational::zero();
        for (_, number) in &self.0 {
            content = content.common(number);
        }
        content
    }

    /// Returns the product of the powers that all terms have in common.
    pub(crate) fn common_monomial(&self) -> Monomial {
        let mut terms = self.0.iter();
        let Some((first, _)) = terms.next() else { return Monomial::one() };
        terms.fold(first.clone(), |common, (monomial, _)| common.common(monomial))
    }

    /// Returns the content with the sign of the first coefficient.
    pub(crate) fn signed_content(&self) -> Rational {
        let content = self.content();
        if self.0.first().is_some_and(|(_, first)| first.is_negative()) { -&content } else { content }
    }

    /// Returns the signed content, the common monomial, and the primitive rest.
    pub(crate) fn primitive(&self) -> (Rational, Monomial, Self) {
        if self.is_zero() {
            return (Rational::zero(), Monomial::one(), Self::zero());
        }
        let content = self.signed_content();
        let monomial = self.common_monomial();
        let inverse =
            content.inverse().expect("a polynomial that is not zero has a content that is not zero");
        let inverse_monomial = monomial.raised(-1);
        let rest = self.shifted(&inverse_monomial).scaled(&inverse);
        (content, monomial, rest)
    }

    /// Groups the terms by the part of each monomial for which `key` holds: Σ key · polynomial in the rest,
    /// in descending order of keys.
    pub(crate) fn grouped(&self, key: impl Fn(Place, i32) -> bool) -> Vec<(Monomial, Self)> {
        let mut groups: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
        for (monomial, number) in &self.0 {
            let (chosen, rest) = monomial.split(&key);
            groups.entry(chosen).or_default().push((rest, number.clone()));
        }
        groups
            .into_iter()
            .rev()
            .map(|(key, mut terms)| {
                terms.sort_by(|a, b| b.0.cmp(&a.0));
                (key, Self(terms))
            })
            .collect()
    }

    /// Returns every kernel that occurs, ascending.
    pub(crate) fn kernels(&self) -> Vec<Place> {
        let mut found: Vec<Place> = self.0.iter().flat_map(|it| it.0.powers().map(|it| it.0)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the highest and the lowest exponent of a kernel.
    pub(crate) fn degrees(&self, kernel: Place) -> (i32, i32) {
        self.0.iter().fold((i32::MIN, i32::MAX), |(high, low), (monomial, _)| {
            let exponent = monomial.exponent(kernel);
            (high.max(exponent), low.min(exponent))
        })
    }
}

impl FromIterator<(Monomial, Rational)> for Polynomial {
    fn from_iter<T: IntoIterator<Item = (Monomial, Rational)>>(terms: T) -> Self {
        let mut adder = Adder::default();
        terms.into_iter().for_each(|(monomial, number)| adder.add(monomial, number));
        adder.finish()
    }
}

/// A polynomial under construction.
#[derive(Debug, Default)]
pub(crate) struct Adder {
    terms: Map<Monomial, Rational>,
}

impl Adder {
    pub(crate) fn add(&mut self, monomial: Monomial, number: Rational) {
        self.terms.entry(monomial).and_modify(|sum| *sum = &*sum + &number).or_insert(number);
    }

    pub(crate) fn add_all(&mut self, polynomial: &Polynomial, scale: &Rational) {
        for (monomial, number) in polynomial.terms() {
            self.add(monomial.clone(), number * scale);
        }
    }

    pub(crate) fn finish(self) -> Polynomial {
        let mut terms: Vec<(Monomial, Rational)> =
            self.terms.into_iter().filter(|(_, number)| !number.is_zero()).collect();
        terms.sort_by(|a, b| b.0.cmp(&a.0));
        Polynomial(terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn x(kernel: Place) -> Polynomial {
        Polynomial::term(Monomial::power(kernel, 1), Rational::one())
    }

    #[test]
    fn binomial() {
        let mut budget = Budget::new(1000);
        let square = x(0).plus(&x(1)).power(2, &mut budget).unwrap();
        let by_hand = x(0)
            .power(2, &mut budget)
            .unwrap()
            .plus(&x(0).times(&x(1), &mut budget).unwrap().scaled(&Rational::from(2)))
            .plus(&x(1).power(2, &mut budget).unwrap());
        assert_eq!(square, by_hand);
        assert!(square.minus(&by_hand).is_zero());
        assert!(x(0).plus(&x(1)).power(1000, &mut Budget::new(1000)).is_err(), "work is bounded");
    }
}
