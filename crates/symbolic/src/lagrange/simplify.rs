//! Simplification of derived equations, and tests for zero.

use super::generic_point;
use crate::{Expr, Node, Pool, Rational};
use std::collections::{HashMap, HashSet};

/// Effort spent on the form of derived expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As differentiation leaves them, to be computed with.
    Plain,
    /// As people write them, with conserved quantities.
    Readable,
}

/// Maximum number of terms, multiplied out, of an expression that is simplified: nobody reads longer ones.
const MAX_READABLE_TERMS: f64 = 10_000.0;

impl Effort {
    /// Simplifies the expression as this effort asks.
    pub(super) fn simplify(self, pool: &mut Pool, expr: Expr) -> Expr {
        match self {
            Self::Plain => expr,
            Self::Readable if terms(pool, expr) > MAX_READABLE_TERMS => expr,
            Self::Readable => pool.simplify(expr),
        }
    }
}

/// Estimates the number of terms of the expression when it is multiplied out, terms of denominators counted
/// as factors.
fn terms(pool: &Pool, expr: Expr) -> f64 {
    let mut known: HashMap<Expr, f64> = HashMap::new();
    for part in pool.parts_of([expr]) {
        let of = |part: &Expr| known.get(part).copied().unwrap_or(1.0);
        let count = match pool.node(part) {
            Node::Sum { constant, terms } => {
                let start = if constant.is_zero() { 0.0 } else { 1.0 };
                terms.iter().fold(start, |sum, (term, _)| sum + of(term))
            }
            Node::Product(factors) => factors.iter().fold(1.0, |all, factor| all * of(factor)),
            Node::Power(base, exponent) => match pool.as_number(*exponent).and_then(Rational::to_i64) {
                // The n-th power of t terms has (t + n - 1 choose n).
                Some(whole) => {
                    let most = u8::try_from(whole.unsigned_abs()).unwrap_or(u8::MAX);
                    (0..most).map(f64::from).fold(1.0, |all, n| all * (of(base) + n) / (n + 1.0))
                }
                None => 1.0,
            },
            _ => 1.0,
        };
        known.insert(part, count);
    }
    known.get(&expr).copied().unwrap_or(1.0)
}

/// Smallest value at a generic point, where all symbols are about 1, that is surely not rounding.
const MIN_CLEARLY_NONZERO: f64 = 1e-6;

/// Returns `true` if the expression is 0 for all values of its symbols; `false` if that is not known.
pub(super) fn vanishes(pool: &mut Pool, expr: Expr) -> bool {
    if pool.as_number(expr).is_some() {
        return pool.is_zero(expr);
    }
    let clearly = |point: u32| {
        generic_point::at(pool, &[expr], point).is_some_and(|it| it[0].abs() > MIN_CLEARLY_NONZERO)
    };
    if (0..4).any(clearly) || terms(pool, expr) > MAX_READABLE_TERMS {
        return false;
    }
    let zero = pool.zero();
    pool.is_equal(expr, zero) == Some(true)
}

/// Returns the equation written term by term, and the same divided by the common factor of all terms that
/// contains none of these variables.
pub(super) fn equation(pool: &mut Pool, equation: Expr, variables: &HashSet<Expr>) -> (Expr, Expr) {
    if terms(pool, equation) > MAX_READABLE_TERMS {
        return (equation, equation);
    }
    let may_divide = |pool: &Pool, base: Expr| {
        let mut constant = true;
        pool.each_part(base, |part| constant &= !variables.contains(&part));
        constant
    };
    let (factor, rest) = pool.without_common_factor(equation, &may_divide);
    let whole = match pool.node(rest) {
        Node::Sum { constant, terms } => {
            let (constant, terms) = (constant.clone(), terms.clone());
            let mut scaled: Vec<(Expr, Rational)> =
                terms.iter().map(|(term, scale)| (pool.mul(*term, factor), scale.clone())).collect();
            scaled.push((factor, constant));
            pool.linear(&scaled)
        }
        _ => pool.mul(rest, factor),
    };
    (whole, rest)
}

/// Returns the factors of which one must be zero for the expression to be zero: the bases in its numerator.
pub(super) fn factors(pool: &mut Pool, expr: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    let (mut open, mut split) = (vec![expr], HashSet::new());
    while let Some(part) = open.pop() {
        match pool.node(part) {
            Node::Product(factors) => open.extend(factors.iter().rev()),
            &Node::Power(base, exponent) => {
                if pool.as_number(exponent).is_some_and(Rational::is_positive) {
                    open.push(base);
                }
            }
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                open.push(terms[0].0);
            }
            Node::Sum { .. } if split.insert(part) => {
                let no_sum = |pool: &Pool, base: Expr| !matches!(pool.node(base), Node::Sum { .. });
                let (common, rest) = pool.without_common_factor(part, &no_sum);
                split.insert(rest);
                open.extend([rest, common]);
            }
            Node::Number(_) => {}
            _ if found.contains(&part) => {}
            _ => found.push(part),
        }
    }
    found
}
