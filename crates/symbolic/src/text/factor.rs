//! Factors of a product as they are written: bases with positive exponents, in numerator and denominator.

use crate::pool::radical::MAX_PRIME;
use crate::{Expr, Pool, Rational};

/// A factor of a product: base, and the magnitude of its exponent.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub(super) base: Base,
    pub(super) exponent: Exponent,
}

#[derive(Clone, Debug)]
pub(super) enum Base {
    Expr(Expr),
    /// Minus a sum.
    Opposite(Expr),
    Number(Rational),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Exponent {
    Number(Rational),
    Expr(Expr),
    /// Minus a sum.
    Opposite(Expr),
}

impl Factor {
    pub(super) fn number(number: Rational) -> Self {
        Self { base: Base::Number(number), exponent: Exponent::Number(Rational::one()) }
    }
}

impl Exponent {
    /// Returns `true` if it makes a square root.
    pub(super) fn is_half(&self) -> bool {
        matches!(self, Self::Number(number) if *number == Rational::new(1, 2))
    }
}

/// Joins √2 √3 to one root, which constructors take apart again. Of numbers whose primes have not been looked
/// for only one joins the others.
pub(super) fn join_roots(pool: &Pool, factors: &mut Vec<Factor>) {
    let mut joined: Vec<(Rational, Rational, bool)> = Vec::new();
    factors.retain(|factor| {
        let (Base::Expr(base), Exponent::Number(exponent)) = (&factor.base, &factor.exponent) else {
            return true;
        };
        let Some(number) = pool.as_number(*base) else { return true };
        let is_root = exponent.floor().is_zero() && number.is_integer() && number.is_positive();
        if !is_root {
            return true;
        }
        let large = number.to_i64().is_none_or(|it| it > MAX_PRIME.into());
        match joined.iter_mut().find(|(_, it, taken)| it == exponent && !(large && *taken)) {
            Some((product, _, taken)) => {
                *product = &*product * number;
                *taken |= large;
            }
            None => joined.push((number.clone(), exponent.clone(), large)),
        }
        false
    });
    let roots = joined.into_iter().map(|(number, exponent, _)| Factor {
        base: Base::Number(number),
        exponent: Exponent::Number(exponent),
    });
    factors.splice(0..0, roots);
}
