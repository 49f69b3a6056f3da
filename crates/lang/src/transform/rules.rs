//! The rules of differentiation, one operation at a time.
//!
//! Each takes the operands, the result that the program computed anyway, and the rates of the operands, and
//! gives the rate of the result. No rate (`None`) means that it is zero by structure: such operands add no
//! node, so what is frozen costs nothing and can never fail.
//!
//! At a kink the rate of the piece that the program took is given. Where a root has an infinite slope (√x at
//! 0, arcsin at ±1, the angle of the origin) a rate of exactly zero stays zero: the length of a vector that
//! rests at zero rests.

use super::NotDifferentiable;
use super::write::Writer;
use crate::arithmetic::{Binary, Comparison, Unary};
use crate::ir::NodeId;

/// The rate of `value` = operation(x).
pub(super) fn unary(
    w: &mut Writer,
    operation: Unary,
    x: NodeId,
    value: NodeId,
    dx: Option<NodeId>,
) -> Result<Option<NodeId>, NotDifferentiable> {
    let Some(dx) = dx else { return Ok(None) };
    let one = w.real(1.0);
    let rate = match operation {
        Unary::Neg => w.neg(dx),
        Unary::Abs => {
            let zero = w.real(0.0);
            let below = w.compare(Comparison::Lt, x, zero);
            let falling = w.neg(dx);
            w.select(below, falling, dx)
        }
        Unary::Sqrt => {
            let twice = w.add(value, value);
            quotient(w, dx, twice)
        }
        Unary::Sin => {
            let cosine = w.unary(Unary::Cos, x);
            w.mul(dx, cosine)
        }
        Unary::Cos => {
            let sine = w.unary(Unary::Sin, x);
            let rate = w.mul(dx, sine);
            w.neg(rate)
        }
        Unary::Tan => {
            let square = w.mul(value, value);
            let slope = w.add(one, square);
            w.mul(dx, slope)
        }
        Unary::Asin | Unary::Acos => {
            // 1 - x² as a product loses nothing near ±1.
            let (below, above) = (w.sub(one, x), w.add(one, x));
            let square = w.mul(below, above);
            let root = w.unary(Unary::Sqrt, square);
            let rate = quotient(w, dx, root);
            if operation == Unary::Asin { rate } else { w.neg(rate) }
        }
        Unary::Atan => {
            let square = w.mul(x, x);
            let slope = w.add(one, square);
            w.div(dx, slope)
        }
        Unary::Exp => w.mul(dx, value),
        Unary::Log => w.div(dx, x),
        Unary::Floor | Unary::Ceil | Unary::Round => return Ok(None),
        Unary::NextUp | Unary::NextDown => return Err(NotDifferentiable::Rounding(operation)),
    };
    Ok(Some(rate))
}

/// The rate of `value` = operation(x, y).
pub(super) fn binary(
    w: &mut Writer,
    operation: Binary,
    (x, dx): (NodeId, Option<NodeId>),
    (y, dy): (NodeId, Option<NodeId>),
    value: NodeId,
) -> Result<Option<NodeId>, NotDifferentiable> {
    if dx.is_none() && dy.is_none() {
        return Ok(None);
    }
    Ok(match operation {
        Binary::Add => sum(w, dx, dy),
        Binary::Sub => difference(w, dx, dy),
        Binary::Mul if x == y => {
            let twice = w.add(x, x);
            dx.map(|dx| w.mul(dx, twice))
        }
        Binary::Mul => {
            let first = dx.map(|dx| w.mul(dx, y));
            let second = dy.map(|dy| w.mul(x, dy));
            sum(w, first, second)
        }
        Binary::Div => {
            // (x/y)' = (x' - (x/y) y') / y
            let moved = dy.map(|dy| w.mul(value, dy));
            difference(w, dx, moved).map(|rate| w.div(rate, y))
        }
        Binary::Pow => power(w, (x, dx), (y, dy), value),
        Binary::Min => {
            let second = w.compare(Comparison::Lt, y, x);
            Some(either(w, second, dy, dx))
        }
        Binary::Max => {
            let second = w.compare(Comparison::Lt, x, y);
            Some(either(w, second, dy, dx))
        }
        Binary::Atan2 => {
            // Of the angle of the point (y, x): (x' y - x y') / (x² + y²)
            // Scaling by the larger would hold beyond 1e154 too, but enclosures of it are wider.
            let first = dx.map(|dx| w.mul(dx, y));
            let second = dy.map(|dy| w.mul(x, dy));
            difference(w, first, second).map(|turned| {
                let (xx, yy) = (w.mul(x, x), w.mul(y, y));
                let square = w.add(xx, yy);
                quotient(w, turned, square)
            })
        }
        Binary::Mod => {
            // x mod y = x - k y, where k is the integer nearest to (x - x mod y) / y: dividing x itself could
            // round up to the next.
            let moved = dy.map(|dy| {
                let whole = w.sub(x, value);
                let ratio = w.div(whole, y);
                let k = w.unary(Unary::Round, ratio);
                w.mul(dy, k)
            });
            difference(w, dx, moved)
        }
        Binary::Mix | Binary::Uniform => return Err(NotDifferentiable::Chance),
    })
}

/// The rate of one of two values that have both been computed.
pub(super) fn either(
    w: &mut Writer,
    condition: NodeId,
    then: Option<NodeId>,
    otherwise: Option<NodeId>,
) -> NodeId {
    let zero = w.real(0.0);
    w.select(condition, then.unwrap_or(zero), otherwise.unwrap_or(zero))
}

/// (xʸ)' = y xʸ⁻¹ x' + xʸ log(x) y'. A base of zero is no place to take a logarithm, and there the second
/// term vanishes.
fn power(
    w: &mut Writer,
    (x, dx): (NodeId, Option<NodeId>),
    (y, dy): (NodeId, Option<NodeId>),
    value: NodeId,
) -> Option<NodeId> {
    let (zero, one) = (w.real(0.0), w.real(1.0));
    let of_base = dx.map(|dx| {
        // xʸ⁻¹ is xʸ/x where y < 0: x is not zero then, and nothing overflows on the way that did not before.
        let lower = if w.known(y).is_some_and(|exponent| exponent < 0.0) {
            w.div(value, x)
        } else {
            let less = w.sub(y, one);
            w.binary(Binary::Pow, x, less)
        };
        let slope = w.mul(y, lower);
        let rate = w.mul(slope, dx);
        // From exponent 1 on the slope is finite everywhere; below 0 the power fails where the slope would.
        if w.known(y).is_some_and(|exponent| !(0.0..1.0).contains(&exponent)) {
            return rate;
        }
        let (level, resting) = (w.compare(Comparison::Eq, y, zero), w.compare(Comparison::Eq, dx, zero));
        let flat = w.or(level, resting);
        w.select(flat, zero, rate)
    });
    let of_exponent = dy.map(|dy| {
        let logarithm = w.unary(Unary::Log, x);
        let slope = w.mul(value, logarithm);
        let rate = w.mul(slope, dy);
        let (nothing, resting) = (w.compare(Comparison::Eq, x, zero), w.compare(Comparison::Eq, dy, zero));
        let flat = w.or(nothing, resting);
        w.select(flat, zero, rate)
    });
    sum(w, of_base, of_exponent)
}

/// a / b, and zero where a is zero, whatever b is.
fn quotient(w: &mut Writer, a: NodeId, b: NodeId) -> NodeId {
    let zero = w.real(0.0);
    let resting = w.compare(Comparison::Eq, a, zero);
    let ratio = w.div(a, b);
    w.select(resting, zero, ratio)
}

fn sum(w: &mut Writer, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(w.add(a, b)),
        (a, None) => a,
        (None, b) => b,
    }
}

fn difference(w: &mut Writer, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
    match (a, b) {
        (Some(a), Some(b)) => Some(w.sub(a, b)),
        (a, None) => a,
        (None, Some(b)) => Some(w.neg(b)),
    }
}
