//! Roots of a formula of one unknown in closed form, for the forms that mechanics books solve.

use crate::lagrange::simplify::{self, Effort};
use crate::{Expr, Function, Node, Pool, Rational};
use std::collections::HashMap;

/// Returns all x with expr = 0, angles within one turn; `None` if the form is not known. The other `unknowns`
/// must not occur in the coefficients of x or in its functions.
pub(super) fn of(pool: &mut Pool, expr: Expr, x: Expr, unknowns: &[Expr]) -> Option<Vec<Expr>> {
    let others: Vec<Expr> = unknowns.iter().copied().filter(|&it| it != x).collect();
    let is_free = |pool: &Pool, it: Expr| others.iter().all(|&other| !pool.contains(it, other));
    // Linear: a x + b.
    let slope = derivative(pool, expr, x);
    if !pool.contains(slope, x) && is_free(pool, slope) {
        let rest = at_zero(pool, expr, x);
        let root = pool.div(rest, slope);
        return Some(vec![pool.neg(root)]);
    }
    if !is_free(pool, expr) {
        return None;
    }
    if let Some(roots) = of_angle(pool, expr, x) {
        return Some(roots);
    }
    // Quadratic: a x² + b x + c.
    let bend = derivative(pool, slope, x);
    if !pool.contains(bend, x) {
        let a = pool.scale(&Rational::new(1, 2), bend);
        let (b, c) = (at_zero(pool, slope, x), at_zero(pool, expr, x));
        let square = pool.powi(b, 2);
        let product = pool.mul(a, c);
        let below = pool.linear(&[(square, Rational::one()), (product, Rational::from(-4))]);
        let below = Effort::Readable.simplify(pool, below);
        if pool.as_number(below).is_some_and(Rational::is_negative) {
            return Some(Vec::new());
        }
        let root = pool.sqrt(below);
        return Some(
            [1, -1]
                .into_iter()
                .map(|sign| {
                    let above = pool.linear(&[(b, Rational::from(-1)), (root, Rational::from(sign))]);
                    pool.div(above, bend)
                })
                .collect(),
        );
    }
    None
}

fn derivative(pool: &mut Pool, expr: Expr, x: Expr) -> Expr {
    let slope = pool.derivative(expr, x);
    Effort::Readable.simplify(pool, slope)
}

fn at_zero(pool: &mut Pool, expr: Expr, x: Expr) -> Expr {
    let zero = pool.zero();
    pool.substitute(expr, &HashMap::from([(x, zero)]))
}

/// Roots of A sin w + B cos w + C with w linear in x, one of A, B and C being zero; and of A eʷ + C.
fn of_angle(pool: &mut Pool, expr: Expr, x: Expr) -> Option<Vec<Expr>> {
    let w = only_argument(pool, expr, x)?;
    let form = TrigonometricForm::of(pool, expr, x, w)?;
    let angles = form.zeros(pool)?;
    solved(pool, w, x, &angles)
}

/// Returns the argument of all functions of x, if they have the same one.
fn only_argument(pool: &Pool, expr: Expr, x: Expr) -> Option<Expr> {
    let mut inner: Option<Expr> = None;
    let mut one = true;
    pool.each_part(expr, |part| {
        if let &Node::Call(Function::Sin | Function::Cos | Function::Tan | Function::Exp, w) = pool.node(part)
            && pool.contains(w, x)
        {
            one &= inner.is_none_or(|it| it == w);
            inner = Some(w);
        }
    });
    inner.filter(|_| one)
}

/// Coefficients of A sin w + B cos w + E eʷ + C.
struct TrigonometricForm {
    sine: Expr,
    cosine: Expr,
    power: Expr,
    rest: Expr,
}

impl TrigonometricForm {
    /// Returns the expression in this form, if it has it and x occurs nowhere else.
    fn of(pool: &mut Pool, expr: Expr, x: Expr, w: Expr) -> Option<Self> {
        // Each function is replaced by a symbol that no author can write.
        let places = ["the sine", "the cosine", "the power"].map(|name| pool.symbol(name));
        let [sine, cosine, power] = places;
        let (sin, cos) = (pool.sin(w), pool.cos(w));
        let (tan, exp) = (pool.call(Function::Tan, w), pool.call(Function::Exp, w));
        let ratio = pool.div(sine, cosine);
        let table = HashMap::from([(sin, sine), (cos, cosine), (tan, ratio), (exp, power)]);
        let form = pool.substitute(expr, &table);
        if pool.contains(form, x) {
            return None;
        }
        let [a, b, e] = places.map(|place| derivative(pool, form, place));
        if [a, b, e].iter().any(|&it| places.iter().any(|&place| pool.contains(it, place))) {
            return None;
        }
        let zero = pool.zero();
        let rest = pool.substitute(form, &places.iter().map(|&place| (place, zero)).collect());
        Some(Self { sine: a, cosine: b, power: e, rest: Effort::Readable.simplify(pool, rest) })
    }

    /// Returns all w, within one turn, where it is zero; `None` if it has none of the forms that are solved.
    fn zeros(&self, pool: &mut Pool) -> Option<Vec<Expr>> {
        let &Self { sine, cosine, power, rest } = self;
        Some(match [sine, cosine, power, rest].map(|it| simplify::vanishes(pool, it)) {
            // A sin w = 0
            [false, true, true, true] => vec![pool.zero(), pool.pi()],
            // B cos w = 0
            [true, false, true, true] => {
                let pi = pool.pi();
                let right = pool.scale(&Rational::new(1, 2), pi);
                vec![right, pool.neg(right)]
            }
            // A sin w + C = 0
            [false, true, true, false] => {
                let Some(value) = within_one(pool, rest, sine) else { return Some(Vec::new()) };
                let (angle, pi) = (pool.call(Function::Asin, value), pool.pi());
                vec![angle, pool.sub(pi, angle)]
            }
            // B cos w + C = 0
            [true, false, true, false] => {
                let Some(value) = within_one(pool, rest, cosine) else { return Some(Vec::new()) };
                let angle = pool.call(Function::Acos, value);
                vec![angle, pool.neg(angle)]
            }
            // A sin w + B cos w = 0
            [false, false, true, true] => {
                let slope = opposite_ratio(pool, cosine, sine);
                let (angle, pi) = (pool.call(Function::Atan, slope), pool.pi());
                vec![angle, pool.add(angle, pi)]
            }
            // E eʷ + C = 0
            [true, true, false, false] => {
                let value = opposite_ratio(pool, rest, power);
                if pool.as_number(value).is_some_and(Rational::is_negative) {
                    return Some(Vec::new());
                }
                vec![pool.call(Function::Log, value)]
            }
            _ => return None,
        })
    }
}

/// Returns each x with w = u x + v equal to one of these values.
fn solved(pool: &mut Pool, w: Expr, x: Expr, values: &[Expr]) -> Option<Vec<Expr>> {
    let slope = derivative(pool, w, x);
    if pool.contains(slope, x) {
        return None;
    }
    let start = at_zero(pool, w, x);
    let root = |&value: &Expr| {
        let way = pool.sub(value, start);
        let root = pool.div(way, slope);
        Effort::Readable.simplify(pool, root)
    };
    Some(values.iter().map(root).collect())
}

/// Returns −a / b.
fn opposite_ratio(pool: &mut Pool, a: Expr, b: Expr) -> Expr {
    let ratio = pool.div(a, b);
    let ratio = pool.neg(ratio);
    Effort::Readable.simplify(pool, ratio)
}

/// Returns −C / A, unless it is a number beyond ±1.
fn within_one(pool: &mut Pool, rest: Expr, scale: Expr) -> Option<Expr> {
    let value = opposite_ratio(pool, rest, scale);
    match pool.as_number(value) {
        Some(number) if number.abs() > Rational::one() => None,
        _ => Some(value),
    }
}
