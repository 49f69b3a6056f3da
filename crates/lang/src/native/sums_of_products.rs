//! Sums of products, the form of nearly every formula here, so that they read as on paper and always round
//! alike.

use crate::arithmetic::{Arithmetic, Binary};

/// ±x₁x₂… ± y₁y₂… ±…: each product from left to right, then the sum from left to right. No terms sum to 0.
pub(super) fn terms<A: Arithmetic>(a: &mut A, terms: &[(i8, &[A::Real])]) -> A::Real {
    let mut sum: Option<A::Real> = None;
    for (sign, factors) in terms {
        let product =
            factors.iter().copied().reduce(|product, factor| a.binary(Binary::Mul, product, factor));
        let product = product.unwrap_or_else(|| a.real(1.0));
        sum = Some(match (sum, *sign < 0) {
            (None, false) => product,
            (None, true) => minus(a, product),
            (Some(sum), false) => a.binary(Binary::Add, sum, product),
            (Some(sum), true) => a.binary(Binary::Sub, sum, product),
        });
    }
    sum.unwrap_or_else(|| a.real(0.0))
}

/// 0 - x: as -x, but 0 for 0, so that matrices show no -0.
pub(super) fn minus<A: Arithmetic>(a: &mut A, x: A::Real) -> A::Real {
    let zero = a.real(0.0);
    a.binary(Binary::Sub, zero, x)
}
