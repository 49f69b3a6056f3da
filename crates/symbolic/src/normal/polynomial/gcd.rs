//! Greatest common divisors.
//!
//! By Euclid's algorithm in one kernel at a time, over polynomials in the others (primitive remainder
//! sequences; Knuth, The Art of Computer Programming, volume 2, section 4.6.1), unless an
//! [image](super::image) shows that there is no common factor, which is the usual case. The bound on work is
//! small: a caller that gets no answer does not cancel.

use super::{Monomial, Place, Polynomial};
use crate::normal::budget::{Beyond, Budget};
use crate::number::Rational;

/// Cost of reducing a fraction of two words, relative to a product of two small numbers.
const REDUCTION_COST: usize = 16;

impl Polynomial {
    /// Returns the greatest common divisor: primitive, with a positive first coefficient. That of zero and p
    /// is p made primitive.
    pub(crate) fn common_divisor(&self, other: &Self, budget: &mut Budget) -> Result<Self, Beyond> {
        if self.is_zero() {
            return Ok(other.unit_free());
        }
        if other.is_zero() {
            return Ok(self.unit_free());
        }
        let (m, n) = (self.common_monomial(), other.common_monomial());
        let monomial = m.common(&n);
        budget.spend(self.reduction() + other.reduction())?;
        let (a, b) = (self.shifted(&m.raised(-1)).unit_free(), other.shifted(&n.raised(-1)).unit_free());
        Ok(divisor(a, b, budget)?.shifted(&monomial))
    }

    /// Returns the polynomial divided by its content, with a positive first coefficient.
    fn unit_free(&self) -> Self {
        match self.signed_content().inverse() {
            Some(inverse) => self.scaled(&inverse),
            None => Self::zero(),
        }
    }

    /// Cost of dividing by the content: each coefficient is reduced by all bits of its words.
    fn reduction(&self) -> usize {
        match self.words() {
            1 => self.len(),
            words => self.len().saturating_mul(REDUCTION_COST * words * words),
        }
    }

    /// Returns the coefficients as a polynomial in one kernel, by exponent, highest first.
    pub(crate) fn coefficients(&self, kernel: Place) -> Vec<(i32, Self)> {
        self.grouped(|it, _| it == kernel)
            .into_iter()
            .map(|(power, coefficient)| (power.exponent(kernel), coefficient))
            .collect()
    }

    /// Returns the greatest common divisor of the coefficients as a polynomial in one kernel.
    pub(crate) fn content_in(&self, kernel: Place, budget: &mut Budget) -> Result<Self, Beyond> {
        let mut coefficients: Vec<Self> = self.coefficients(kernel).into_iter().map(|it| it.1).collect();
        coefficients.sort_by_key(Self::len);
        let mut common = Self::zero();
        for coefficient in &coefficients {
            common = common.common_divisor(coefficient, budget)?;
            if common.as_number().is_some() {
                break;
            }
        }
        Ok(common)
    }
}

/// Greatest common divisor of two primitive polynomials that are not zero and that no monomial divides.
fn divisor(a: Polynomial, b: Polynomial, budget: &mut Budget) -> Result<Polynomial, Beyond> {
    let one = || Polynomial::constant(Rational::one());
    if a == b {
        return Ok(a);
    }
    if a.single().is_some() || b.single().is_some() {
        return Ok(one());
    }
    if a.is_coprime_to(&b, budget)? {
        return Ok(one());
    }
    let (in_a, in_b) = (a.kernels(), b.kernels());
    // A kernel of one alone: the divisor divides each coefficient of its powers.
    if let Some(&alone) = in_a.iter().find(|it| in_b.binary_search(it).is_err()) {
        let content = a.content_in(alone, budget)?;
        return content.common_divisor(&b, budget);
    }
    if let Some(&alone) = in_b.iter().find(|it| in_a.binary_search(it).is_err()) {
        let content = b.content_in(alone, budget)?;
        return content.common_divisor(&a, budget);
    }
    let (small, large) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if large.divided(small, budget)?.is_some() {
        return Ok(small.clone());
    }
    // The kernel of lowest degree makes the shortest sequence.
    let Some(main) = in_a.iter().copied().min_by_key(|&it| a.degrees(it).0.max(b.degrees(it).0)) else {
        return Ok(one());
    };
    let (content_a, content_b) = (a.content_in(main, budget)?, b.content_in(main, budget)?);
    let content = content_a.common_divisor(&content_b, budget)?;
    let exact = "a content divides its polynomial";
    let (mut u, mut v) =
        (a.divided(&content_a, budget)?.expect(exact), b.divided(&content_b, budget)?.expect(exact));
    if u.degrees(main).0 < v.degrees(main).0 {
        std::mem::swap(&mut u, &mut v);
    }
    loop {
        if v.is_zero() {
            break;
        }
        if v.degrees(main).0 <= 0 {
            return Ok(content.unit_free());
        }
        let rest = pseudo_remainder(&u, &v, main, budget)?;
        u = v;
        v = if rest.is_zero() {
            rest
        } else {
            budget.spend(rest.reduction())?;
            let content = rest.content_in(main, budget)?;
            rest.divided(&content, budget)?.expect(exact).unit_free()
        };
    }
    Ok(u.times(&content, budget)?.unit_free())
}

/// Returns the remainder of lc(v)ᵏ u divided by v, lc being the leading coefficient.
fn pseudo_remainder(
    u: &Polynomial,
    v: &Polynomial,
    main: Place,
    budget: &mut Budget,
) -> Result<Polynomial, Beyond> {
    let leading = |it: &Polynomial| it.coefficients(main).into_iter().next();
    let Some((degree, lead)) = leading(v) else { return Ok(u.clone()) };
    let mut rest = u.clone();
    while let Some((high, coefficient)) = leading(&rest)
        && high >= degree
    {
        let lifted = rest.times(&lead, budget)?;
        let taken = v.times(&coefficient, budget)?.shifted(&Monomial::power(main, high - degree));
        rest = lifted.minus(&taken);
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::x;
    use super::*;

    #[test]
    fn divisors_of_products_are_found() {
        let mut budget = Budget::new(100_000);
        let one = Polynomial::constant(Rational::one());
        let (x, y, z) = (x(0), x(1), x(2));
        let f = x.plus(&y).plus(&one);
        let g = x.times(&y, &mut budget).unwrap().minus(&z);
        let h = y.plus(&z.times(&z, &mut budget).unwrap()).scaled(&Rational::from(3));
        let a = f.times(&f, &mut budget).unwrap().times(&g, &mut budget).unwrap();
        let b = f.times(&h, &mut budget).unwrap();
        assert_eq!(a.common_divisor(&b, &mut budget), Ok(f.clone()));
        let b = b.times(&g, &mut budget).unwrap();
        assert_eq!(a.common_divisor(&b, &mut budget), Ok(f.times(&g, &mut budget).unwrap().unit_free()));
        assert_eq!(g.common_divisor(&h, &mut budget), Ok(one));
    }
}
