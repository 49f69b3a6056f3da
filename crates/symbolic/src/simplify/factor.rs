//! Factors of polynomials that are found without much work: contents, and repeated factors.

use crate::normal::budget::{Beyond, Budget};
use crate::normal::polynomial::{Monomial, Place, Polynomial};
use crate::number::Rational;

/// Maximum number of terms, and of kernels, of a polynomial that is searched.
const MAX_TERMS: usize = 60;
const MAX_KERNELS: usize = 10;

/// Returns two factors, neither of them a number or a monomial, of a polynomial that no monomial divides.
pub(super) fn two_factors(
    polynomial: &Polynomial,
    budget: &mut Budget,
) -> Result<Option<[Polynomial; 2]>, Beyond> {
    let kernels = polynomial.kernels();
    if polynomial.len() < 3 || polynomial.len() > MAX_TERMS || kernels.len() > MAX_KERNELS {
        return Ok(None);
    }
    let lift = polynomial.terms().iter().fold(Monomial::one(), |low, (it, _)| low.common(it)).raised(-1);
    let lifted = polynomial.shifted(&lift);
    for &kernel in &kernels {
        if has_lone_power(&lifted, kernel) {
            continue;
        }
        let content = lifted.content_in(kernel, budget)?;
        if content.len() > 1
            && let Some(rest) = polynomial.divided(&content, budget)?
            && rest.len() > 1
        {
            return Ok(Some([content, rest]));
        }
    }
    if lifted.is_square_free(budget)? {
        return Ok(None);
    }
    for &kernel in &kernels {
        if lifted.degrees(kernel).0 < 2 {
            continue;
        }
        let repeated = lifted.common_divisor(&derivative(&lifted, kernel), budget)?;
        if repeated.len() > 1
            && let Some(rest) = polynomial.divided(&repeated, budget)?
            && rest.len() > 1
        {
            return Ok(Some([repeated, rest]));
        }
    }
    Ok(None)
}

/// Returns `true` if some power of a kernel occurs in one term alone. Whatever divides the coefficients of
/// all powers is then a factor of that term, and therefore no sum.
fn has_lone_power(polynomial: &Polynomial, kernel: Place) -> bool {
    let mut exponents: Vec<i32> = polynomial.terms().iter().map(|(it, _)| it.exponent(kernel)).collect();
    exponents.sort_unstable();
    exponents.chunk_by(|a, b| a == b).any(|same| same.len() == 1)
}

fn derivative(polynomial: &Polynomial, kernel: Place) -> Polynomial {
    polynomial
        .terms()
        .iter()
        .filter_map(|(monomial, number)| {
            let exponent = monomial.exponent(kernel);
            (exponent != 0).then(|| {
                let lowered = monomial.over(&Monomial::power(kernel, 1));
                (lowered, number * &Rational::from(i64::from(exponent)))
            })
        })
        .collect()
}
