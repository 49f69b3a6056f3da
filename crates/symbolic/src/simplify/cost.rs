//! Cost of reading an expression.

use super::is_acceleration;
use crate::number::Rational;
use crate::pool::function::{Function, Function2};
use crate::pool::table::Map;
use crate::pool::{Expr, Node, Pool};

/// Maximum cost, for expressions that nobody reads to the end.
const MAX_COST: u64 = 1 << 40;
/// Cost of a quotient within brackets.
const NESTED_QUOTIENT_COST: u64 = 4;

/// Costs of reading expressions as they are printed: shared parts are read again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    known: Map<Expr, u64>,
}

impl Costs {
    pub(crate) fn of(&mut self, pool: &Pool, expr: Expr) -> u64 {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        let cost = match pool.node(expr) {
            Node::Number(number) => of_number(number),
            Node::Pi | Node::Symbol(_) => 2,
            Node::Sum { constant, terms } => {
                let mut cost = if constant.is_zero() { 0 } else { of_number(constant) + 1 };
                for (term, coefficient) in terms {
                    let own = self.of(pool, *term).saturating_add(1 + of_coefficient(coefficient));
                    cost = cost.saturating_add(own);
                }
                cost - 1
            }
            Node::Product(factors) => {
                // A sum above a line needs a longer look than a term above one.
                let above = factors.iter().any(|&it| matches!(pool.node(it), Node::Sum { .. }));
                let line = if above && factors.iter().any(|&it| is_below(pool, it)) { 2 } else { 0 };
                factors.iter().fold(line, |cost: u64, &factor| {
                    cost.saturating_add(self.of(pool, factor)).saturating_add(brackets(pool, factor))
                })
            }
            &Node::Power(base, power) => {
                let exponent = match pool.as_number(power) {
                    Some(number) if number.is_integer() => {
                        let raised = if number.abs().is_one() { 0 } else { of_number(&number.abs()) };
                        raised + u64::from(number.is_negative())
                    }
                    Some(number) if *number == Rational::new(1, 2) => 2,
                    _ => self.of(pool, power).saturating_add(1),
                };
                // A quotient of quotients.
                let storeys =
                    if is_below(pool, expr) && is_divided(pool, base) { NESTED_QUOTIENT_COST } else { 0 };
                let brackets = brackets(pool, base) + storeys;
                self.of(pool, base).saturating_add(exponent).saturating_add(brackets)
            }
            Node::Call(function, x) => {
                let x = *x;
                let multiple = is_multiple_angle(pool, expr);
                // The value of sin(acos x) is hard to see.
                let trig = |it: &Function| matches!(it, Function::Sin | Function::Cos | Function::Tan);
                let nested = trig(function)
                    && matches!(
                        pool.node(x),
                        Node::Call(Function::Asin | Function::Acos | Function::Atan, _)
                            | Node::Call2(Function2::Atan2, ..)
                    );
                let extra = u64::from(multiple) + if nested { 4 } else { 0 };
                self.of(pool, x).saturating_add(2 + extra)
            }
            &Node::Call2(_, x, y) => self.of(pool, x).saturating_add(self.of(pool, y)).saturating_add(3),
            &Node::Choice(condition, x, y) => {
                let mut cost = 4u64.saturating_add(self.of(pool, x)).saturating_add(self.of(pool, y));
                let mut compared = Vec::new();
                pool.compared(condition, &mut |it| compared.push(it));
                for it in compared {
                    cost = cost.saturating_add(self.of(pool, it)).saturating_add(1);
                }
                cost
            }
        };
        let cost = cost.min(MAX_COST);
        self.known.insert(expr, cost);
        cost
    }
}

/// Cost of the brackets round a factor or a base. Brackets round brackets or quotients are harder to read,
/// and accelerations belong outside.
fn brackets(pool: &Pool, expr: Expr) -> u64 {
    if !matches!(pool.node(expr), Node::Sum { .. }) {
        return 0;
    }
    let (mut nested, mut accelerated) = (false, false);
    each_factor(pool, expr, |factor| {
        nested |= matches!(pool.node(pool.base(factor)), Node::Sum { .. });
        accelerated |= is_acceleration(pool, factor);
    });
    let divided = is_divided(pool, expr);
    1 + if nested { 2 } else { 0 }
        + if divided { NESTED_QUOTIENT_COST } else { 0 }
        + if accelerated { 6 } else { 0 }
}

/// Returns `true` if terms of a sum are quotients.
fn is_divided(pool: &Pool, expr: Expr) -> bool {
    let mut divided = false;
    each_factor(pool, expr, |factor| divided |= is_below(pool, factor));
    divided
}

/// Returns `true` if it is a negative power.
fn is_below(pool: &Pool, expr: Expr) -> bool {
    match pool.node(expr) {
        &Node::Power(_, exponent) => pool.as_number(exponent).is_some_and(Rational::is_negative),
        _ => false,
    }
}

/// Calls `visit` with each factor of each term of a sum.
fn each_factor(pool: &Pool, sum: Expr, mut visit: impl FnMut(Expr)) {
    let Node::Sum { terms, .. } = pool.node(sum) else { return };
    for (term, _) in terms {
        match pool.node(*term) {
            Node::Product(factors) => factors.iter().for_each(|&it| visit(it)),
            _ => visit(*term),
        }
    }
}

fn of_coefficient(number: &Rational) -> u64 {
    if number.abs().is_one() { 0 } else { of_number(number) }
}

/// Cost of a number: long ones are harder to read, and so are fractions.
fn of_number(number: &Rational) -> u64 {
    let digits = |bits: u64| 1 + bits / 10;
    let above = digits(number.numerator().bits());
    if number.is_integer() { above } else { above + 1 + digits(number.denominator().bits()) }
}

/// Returns `true` if it is a sine, cosine or tangent of something like 2θ.
pub(crate) fn is_multiple_angle(pool: &Pool, expr: Expr) -> bool {
    let &Node::Call(Function::Sin | Function::Cos | Function::Tan, x) = pool.node(expr) else { return false };
    match pool.node(x) {
        Node::Sum { terms, .. } => terms.iter().any(|it| !it.1.abs().is_one()),
        _ => false,
    }
}
