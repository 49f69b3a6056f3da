//! Numbers at which two expressions differ.
//!
//! Values carry a bound on their rounding errors, so that a difference counts only if it is larger than both
//! bounds together.

use crate::pool::function::{Function, Function2};
use crate::pool::table::Map;
use crate::pool::truth::{Truth, TruthNode};
use crate::pool::{Expr, Node, Pool};
use gedanken_math::hash::Fnv1a;

/// Number of points that are tried.
const TRIED_POINTS: u64 = 12;
/// Relative error allowed to one operation, functions included.
const RELATIVE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A value and a bound on its error. If one of them is infinite or undefined, nothing is known.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    value: f64,
    error: f64,
}

impl Pool {
    /// Returns `true` if numbers were found at which both are defined and differ.
    pub(crate) fn differ(&self, a: Expr, b: Expr) -> bool {
        (0..TRIED_POINTS).any(|point| {
            let mut sample = Sample { pool: self, point, known: Map::default() };
            let (x, y) = (sample.real(a), sample.real(b));
            (x.value - y.value).abs() > 4.0 * (x.error + y.error)
        })
    }
}

struct Sample<'p> {
    pool: &'p Pool,
    point: u64,
    known: Map<Expr, Bounded>,
}

impl Sample<'_> {
    /// Returns a number between -3 and 3 for a name, the same in every pool. Every other point has positive
    /// coordinates only.
    fn coordinate(&self, name: &str) -> f64 {
        let mut hash = Fnv1a::seeded(self.point.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        hash.write(name.as_bytes());
        let mut hash = hash.finish();
        hash ^= hash >> 29;
        hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^= hash >> 32;
        let unit = (hash >> 11) as f64 / (1u64 << 53) as f64;
        if self.point.is_multiple_of(2) { 0.1 + 2.9 * unit } else { 6.0 * unit - 3.0 }
    }

    fn real(&mut self, expr: Expr) -> Bounded {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        let found = self.computed(expr);
        let found =
            if found.value.is_finite() { found } else { Bounded { value: f64::NAN, error: f64::NAN } };
        self.known.insert(expr, found);
        found
    }

    fn computed(&mut self, expr: Expr) -> Bounded {
        let rounded =
            |value: f64, error: f64| Bounded { value, error: error + RELATIVE_ROUNDING * value.abs() };
        match self.pool.node(expr) {
            // Whole numbers of this size are exact, as exponents have to be.
            Node::Number(number) if number.to_i64().is_some_and(|it| it.abs() < 1 << 53) => {
                Bounded { value: number.to_f64(), error: 0.0 }
            }
            Node::Number(number) => rounded(number.to_f64(), 0.0),
            Node::Pi => rounded(std::f64::consts::PI, 0.0),
            Node::Symbol(symbol) => Bounded { value: self.coordinate(self.pool.name(*symbol)), error: 0.0 },
            Node::Sum { constant, terms } => {
                let mut sum = rounded(constant.to_f64(), 0.0);
                for (term, coefficient) in terms {
                    let (it, scale) = (self.real(*term), coefficient.to_f64());
                    let part = it.value * scale;
                    let value = sum.value + part;
                    let error = sum.error + it.error * scale.abs() + RELATIVE_ROUNDING * part.abs();
                    sum = rounded(value, error);
                }
                sum
            }
            Node::Product(factors) => {
                let mut product = Bounded { value: 1.0, error: 0.0 };
                for factor in factors {
                    let it = self.real(*factor);
                    let error = product.error * it.value.abs()
                        + it.error * product.value.abs()
                        + product.error * it.error;
                    product = rounded(product.value * it.value, error);
                }
                product
            }
            &Node::Power(base, exponent) => {
                let (x, y) = (self.real(base), self.real(exponent));
                spread(x, y, false, libm::pow)
            }
            &Node::Call(function, x) => {
                let it = self.real(x);
                // A jump within the error may change the value by any amount.
                let jumps =
                    matches!(function, Function::Floor | Function::Ceil | Function::Round | Function::Sign);
                spread(it, Bounded { value: 0.0, error: 0.0 }, jumps, |x, _| function.apply(x))
            }
            &Node::Call2(function, x, y) => {
                let (x, y) = (self.real(x), self.real(y));
                let jumps = matches!(function, Function2::Mod | Function2::Atan2);
                spread(x, y, jumps, |x, y| function.apply(x, y))
            }
            &Node::Choice(condition, x, y) => match self.truth(condition) {
                Some(true) => self.real(x),
                Some(false) => self.real(y),
                // Rounding may choose either branch, so nothing is known.
                None => Bounded { value: f64::NAN, error: f64::NAN },
            },
        }
    }

    /// Returns the truth of a condition, if rounding leaves no doubt.
    fn truth(&mut self, truth: Truth) -> Option<bool> {
        match *self.pool.truth_node(truth) {
            TruthNode::Known(known) => Some(known),
            TruthNode::Compare(comparison, x, y) => {
                let (x, y) = (self.real(x), self.real(y));
                let clear = (x.value - y.value).abs() > x.error + y.error;
                clear.then(|| comparison.apply(x.value, y.value))
            }
            TruthNode::Not(x) => self.truth(x).map(|it| !it),
            TruthNode::Both(x, y) => Some(self.truth(x)? && self.truth(y)?),
            TruthNode::Either(x, y) => Some(self.truth(x)? || self.truth(y)?),
        }
    }
}

/// Returns the value of a function of two reals, and how far it changes within their errors.
fn spread(x: Bounded, y: Bounded, jumps: bool, f: impl Fn(f64, f64) -> f64) -> Bounded {
    let value = f(x.value, y.value);
    let mut error = RELATIVE_ROUNDING * value.abs();
    // How far it goes within the error, or by the slope over a step that is well above the rounding; twice
    // for its curvature.
    for (it, h) in [(x, [1.0, 0.0]), (y, [0.0, 1.0])] {
        if it.error == 0.0 {
            continue;
        }
        let reach = |step: f64| {
            let change = |step: f64| (f(x.value + h[0] * step, y.value + h[1] * step) - value).abs();
            change(step).max(change(-step))
        };
        let step = it.error.max(1e-7 * it.value.abs().max(1e-3));
        let (near, far) = (reach(it.error), reach(step));
        // Undefined nearby, or torn: nothing is known.
        if near.is_nan() || far.is_nan() || (jumps && far > 1e-3) {
            return Bounded { value: f64::NAN, error: f64::NAN };
        }
        error += 2.0 * near.max(far * (it.error / step)) + RELATIVE_ROUNDING * value.abs();
    }
    Bounded { value, error }
}
