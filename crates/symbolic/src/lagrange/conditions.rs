//! Conditions on the parameters under which a formula is real.

use crate::{Comparison, Expr, Function, Node, Pool, Rational, Truth, TruthNode};

/// Returns the conditions for these expressions to be real: |x| ≤ 1 for arcsin x and arccos x, x ≥ 0 for
/// roots, x > 0 for logarithms. Conditions that always hold are left out.
pub fn conditions(pool: &mut Pool, exprs: &[Expr]) -> Vec<Truth> {
    let mut found = Vec::new();
    for part in pool.parts_of(exprs.iter().copied()) {
        let truth = match *pool.node(part) {
            Node::Call(Function::Asin | Function::Acos, x) => {
                let size = pool.call(Function::Abs, x);
                let (above, below) = fraction(pool, size);
                pool.compare(Comparison::Le, above, below)
            }
            Node::Call(Function::Log, x) => {
                let zero = pool.zero();
                pool.compare(Comparison::Lt, zero, x)
            }
            Node::Power(base, exponent) => {
                let is_root = pool.as_number(exponent).is_some_and(|it| !it.is_integer());
                if !is_root || pool.never_negative(base) {
                    continue;
                }
                let divides = pool.as_number(exponent).is_some_and(Rational::is_negative);
                let zero = pool.zero();
                pool.compare(if divides { Comparison::Lt } else { Comparison::Le }, zero, base)
            }
            _ => continue,
        };
        if *pool.truth_node(truth) != TruthNode::Known(true) && !found.contains(&truth) {
            found.push(truth);
        }
    }
    found
}

/// Returns numerator and denominator of an expression that is never negative.
fn fraction(pool: &mut Pool, expr: Expr) -> (Expr, Expr) {
    let (scale, rest) = match pool.node(expr) {
        Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
            (terms[0].1.clone(), terms[0].0)
        }
        _ => (Rational::one(), expr),
    };
    let factors = if let Node::Product(factors) = pool.node(rest) { factors.to_vec() } else { vec![rest] };
    let divides = |pool: &Pool, it: Expr| match *pool.node(it) {
        Node::Power(_, exponent) => pool.as_number(exponent).is_some_and(Rational::is_negative),
        _ => false,
    };
    let (below, above): (Vec<Expr>, Vec<Expr>) = factors.into_iter().partition(|&it| divides(pool, it));
    let (above, below) = (pool.product(&above), pool.product(&below));
    let one = pool.one();
    let below = pool.div(one, below);
    let number = |whole| Rational::from(whole);
    let (numerator, denominator) = (number(scale.numerator()), number(scale.denominator()));
    (pool.scale(&numerator, above), pool.scale(&denominator, below))
}
