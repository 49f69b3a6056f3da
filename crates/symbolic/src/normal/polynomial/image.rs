//! Images of polynomials on a line, over a finite field: cheap proofs that there is no common factor.
//!
//! Put rᵢ t + sᵢ for every kernel xᵢ, and compute modulo a prime. Products go to products. A polynomial whose
//! image has as high a degree in t as it has in all kernels together has only factors of which the same is
//! true, since degrees add up. So if such images have no common factor, neither have the polynomials; and if
//! an image has no factor twice, neither has its polynomial. The converse does not hold: an unlucky line
//! costs a longer search, never a wrong result (Geddes, Czapor and Labahn, Algorithms for Computer Algebra,
//! section 7.4).

use super::{Place, Polynomial};
use crate::normal::budget::{Beyond, Budget};

/// Modulus 2³¹ - 1, so that products fit into 64 bits.
const PRIME: u64 = 2_147_483_647;
/// Maximum degree of a polynomial with an image. Beyond it an image would cost more than it saves.
const MAX_DEGREE: usize = 64;

/// Coefficients of a polynomial in t, lowest first; the last is not 0.
type Image = Vec<u64>;

impl Polynomial {
    /// Returns `true` if two polynomials without negative exponents are proved to have no common factor but
    /// numbers.
    pub(super) fn is_coprime_to(&self, other: &Self, budget: &mut Budget) -> Result<bool, Beyond> {
        let (Some(a), Some(b)) = (self.image(budget)?, other.image(budget)?) else { return Ok(false) };
        budget.spend(1 + a.len() * b.len() / 8)?;
        Ok(common_degree(a, b) == 0)
    }

    /// Returns `true` if a polynomial without negative exponents is proved to be square-free.
    pub(crate) fn is_square_free(&self, budget: &mut Budget) -> Result<bool, Beyond> {
        let Some(image) = self.image(budget)? else { return Ok(false) };
        budget.spend(1 + image.len() * image.len() / 8)?;
        let slope: Image = (1..).zip(image.iter().skip(1)).map(|(n, it)| n * it % PRIME).collect();
        Ok(common_degree(image, trimmed(slope)) == 0)
    }

    /// Returns the image on a line that is the same for all polynomials, if it has the full degree.
    fn image(&self, budget: &mut Budget) -> Result<Option<Image>, Beyond> {
        let mut degree = 0;
        for (monomial, _) in self.terms() {
            let mut own = 0_usize;
            for (_, exponent) in monomial.powers() {
                let Ok(exponent) = usize::try_from(exponent) else { return Ok(None) };
                own = own.saturating_add(exponent);
            }
            degree = degree.max(own);
        }
        if degree > MAX_DEGREE {
            return Ok(None);
        }
        budget.spend(self.len() * (1 + degree * degree / 16))?;
        let mut sum = vec![0; degree + 1];
        let mut product: Image = Vec::with_capacity(degree + 1);
        for (monomial, number) in self.terms() {
            let Some(number) = number.modulo(PRIME) else { return Ok(None) };
            product.clear();
            product.push(number);
            for (kernel, exponent) in monomial.powers() {
                let (slope, start) = line(kernel);
                for _ in 0..exponent {
                    times_line(&mut product, slope, start);
                }
            }
            for (sum, it) in sum.iter_mut().zip(&product) {
                *sum = (*sum + it) % PRIME;
            }
        }
        Ok((sum[degree] != 0).then_some(sum))
    }
}

/// Returns r and s of the line for a kernel: pseudo-random numbers, none of them 0.
fn line(kernel: Place) -> (u64, u64) {
    let number = |start: u64| {
        let mut hash = (u64::from(kernel) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ start;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        1 + (hash ^ (hash >> 29)) % (PRIME - 1)
    };
    (number(0x94d0_49bb_1331_11eb), number(0x2545_f491_4f6c_dd1d))
}

/// p · (slope t + start)
fn times_line(p: &mut Image, slope: u64, start: u64) {
    let mut carried = 0;
    for it in p.iter_mut() {
        let next = *it * slope % PRIME;
        *it = (*it * start + carried) % PRIME;
        carried = next;
    }
    p.push(carried);
}

fn trimmed(mut image: Image) -> Image {
    while image.last() == Some(&0) {
        image.pop();
    }
    image
}

/// Returns the degree of the greatest common divisor, by Euclid's algorithm with pseudo-remainders.
fn common_degree(mut a: Image, mut b: Image) -> usize {
    while let Some(&lead) = b.last() {
        while a.len() >= b.len() {
            let (shift, factor) = (a.len() - b.len(), PRIME - a[a.len() - 1]);
            a[..shift].iter_mut().for_each(|it| *it = *it * lead % PRIME);
            for (it, own) in a[shift..].iter_mut().zip(&b) {
                *it = (*it * lead + factor * own) % PRIME;
            }
            a = trimmed(a);
        }
        (a, b) = (b, a);
    }
    a.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::{Monomial, Polynomial};
    use super::*;
    use crate::number::Rational;
    use proptest::prelude::*;

    fn polynomial() -> impl Strategy<Value = Polynomial> {
        let term = (prop::collection::vec((0..3_u32, 0..3), 0..3), -4..5_i64);
        prop::collection::vec(term, 1..5).prop_map(|terms| {
            let term = |(powers, number): (Vec<(Place, i32)>, i64)| {
                (powers.into_iter().collect::<Monomial>(), Rational::from(number))
            };
            terms.into_iter().map(term).collect()
        })
    }

    proptest! {
        /// Products with a common factor are never called coprime, and squares never square-free.
        #[test]
        fn never_wrong(a in polynomial(), b in polynomial(), c in polynomial()) {
            let mut budget = Budget::new(1_000_000);
            let product = |a: &Polynomial, b: &Polynomial, budget: &mut Budget| a.times(b, budget).expect("small");
            if c.as_number().is_none() && !a.is_zero() && !b.is_zero() {
                let (x, y) = (product(&a, &c, &mut budget), product(&b, &c, &mut budget));
                prop_assert_eq!(x.is_coprime_to(&y, &mut budget), Ok(false));
                let square = product(&x, &c, &mut budget);
                prop_assert_eq!(square.is_square_free(&mut budget), Ok(false));
            }
            // And what Euclid finds to be coprime, the line shows.
            if !a.is_zero() && !b.is_zero() {
                let common = a.common_divisor(&b, &mut budget).expect("small");
                prop_assert_eq!(a.is_coprime_to(&b, &mut budget), Ok(common.as_number().is_some()));
            }
        }
    }
}
