//! Sums, products, quotients, roots and what else is correctly rounded.
//!
//! A product or quotient is monotonic in each operand as long as the other one is held, so its extremes over
//! a box are at corners. An infinite end stands for numbers without bound, not for a number: 0·∞ as a corner
//! is 0, and so are 0/0 (nothing divided by ever smaller numbers) and ∞/∞ (numbers divided by ever larger
//! ones); the other corners hold the rest.

use super::interval::{Encloser, Interval, Sign};
use crate::arithmetic::{Comparison, Unary};
use crate::ir::NodeId;

impl Encloser {
    pub(super) fn neg(&mut self, x: Interval) -> Interval {
        Interval { lo: self.writer.neg(x.hi), hi: self.writer.neg(x.lo), sign: Sign::Any }
    }

    pub(super) fn add(&mut self, x: Interval, y: Interval) -> Interval {
        let (lo, hi) = (self.writer.add(x.lo, y.lo), self.writer.add(x.hi, y.hi));
        let sign = if x.sign == Sign::NotNegative { y.sign } else { Sign::Any };
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign }
    }

    /// x - y; where both are the same value, not only the same interval, exactly zero.
    pub(super) fn sub(&mut self, x: Interval, y: Interval, same: bool) -> Interval {
        if same {
            return self.constant(0.0);
        }
        let (lo, hi) = (self.writer.sub(x.lo, y.hi), self.writer.sub(x.hi, y.lo));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
    }

    /// |x|
    pub(super) fn abs(&mut self, x: Interval) -> Interval {
        if x.sign == Sign::NotNegative {
            return x;
        }
        let (zero, turned) = (self.writer.real(0.0), self.writer.neg(x.hi));
        let nearest = self.writer.max(x.lo, turned);
        let lo = self.writer.max(zero, nearest);
        let other = self.writer.neg(x.lo);
        Interval { lo, hi: self.writer.max(other, x.hi), sign: Sign::NotNegative }
    }

    /// x x, which is never negative.
    pub(super) fn square(&mut self, x: Interval) -> Interval {
        let x = self.abs(x);
        let (lo, hi) = (self.writer.mul(x.lo, x.lo), self.writer.mul(x.hi, x.hi));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::NotNegative }
    }

    /// x y, of two values that are not the same.
    pub(super) fn mul(&mut self, x: Interval, y: Interval) -> Interval {
        match (self.known(x), self.known(y)) {
            (Some(factor), _) => self.scaled(y, factor),
            (_, Some(factor)) => self.scaled(x, factor),
            _ => match (x.sign, y.sign) {
                (Sign::NotNegative, Sign::NotNegative) => {
                    let (lo, hi) = (self.product(x.lo, y.lo), self.product(x.hi, y.hi));
                    Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::NotNegative }
                }
                (Sign::NotNegative, Sign::Any) => self.mul_by_any(x, y),
                (Sign::Any, Sign::NotNegative) => self.mul_by_any(y, x),
                (Sign::Any, Sign::Any) => {
                    let corners = [(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)];
                    let corners = corners.map(|(x, y)| self.product(x, y));
                    self.hull_of(corners)
                }
            },
        }
    }

    /// x y for x ≥ 0.
    fn mul_by_any(&mut self, x: Interval, y: Interval) -> Interval {
        let low = [self.product(x.lo, y.lo), self.product(x.hi, y.lo)];
        let high = [self.product(x.lo, y.hi), self.product(x.hi, y.hi)];
        let (lo, hi) = (self.writer.min(low[0], low[1]), self.writer.max(high[0], high[1]));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
    }

    fn scaled(&mut self, x: Interval, factor: f64) -> Interval {
        if factor == 0.0 {
            return self.constant(0.0);
        }
        let (from, to) = if factor > 0.0 { (x.lo, x.hi) } else { (x.hi, x.lo) };
        let sign = if factor > 0.0 { x.sign } else { Sign::Any };
        if factor.abs() == 1.0 {
            return if factor > 0.0 { x } else { self.neg(x) };
        }
        let factor = self.writer.real(factor);
        let (lo, hi) = (self.writer.mul(from, factor), self.writer.mul(to, factor));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign }
    }

    /// x / y. Where zero is inside y, the whole line; where it is at an end, a half-line, because y itself is
    /// not zero.
    pub(super) fn div(&mut self, x: Interval, y: Interval, same: bool) -> Interval {
        if same {
            return self.constant(1.0);
        }
        if let Some(divisor) = self.known(y).filter(|&divisor| divisor != 0.0) {
            let (from, to) = if divisor > 0.0 { (x.lo, x.hi) } else { (x.hi, x.lo) };
            let (lo, hi) = (self.writer.div(from, y.lo), self.writer.div(to, y.lo));
            let sign = if divisor > 0.0 { x.sign } else { Sign::Any };
            return Interval { lo: self.lower(lo), hi: self.upper(hi), sign };
        }
        // A zero at the lower end is approached from above, so it counts as +0; one at the upper end as -0.
        let zero = self.writer.real(0.0);
        let smallest = self.writer.add(y.lo, zero);
        if y.sign == Sign::NotNegative {
            let near = [x.lo, x.hi].map(|end| self.quotient(end, smallest));
            let far = [x.lo, x.hi].map(|end| self.quotient(end, y.hi));
            return if x.sign == Sign::NotNegative {
                Interval { lo: self.lower(far[0]), hi: self.upper(near[1]), sign: Sign::NotNegative }
            } else {
                let (lo, hi) = (self.writer.min(near[0], far[0]), self.writer.max(near[1], far[1]));
                Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
            };
        }
        let ends_at_zero = self.writer.compare(Comparison::Eq, y.hi, zero);
        let minus_zero = self.writer.real(-0.0);
        let largest = self.writer.select(ends_at_zero, minus_zero, y.hi);
        let corners = [(x.lo, smallest), (x.lo, largest), (x.hi, smallest), (x.hi, largest)];
        let corners = corners.map(|(x, y)| self.quotient(x, y));
        let outside = self.hull_of(corners);
        let inside = self.straddles_zero(y);
        let whole = self.whole();
        self.choose(inside, whole, outside)
    }

    fn hull_of(&mut self, [a, b, c, d]: [NodeId; 4]) -> Interval {
        let w = &mut self.writer;
        let low = (w.min(a, b), w.min(c, d));
        let high = (w.max(a, b), w.max(c, d));
        let (lo, hi) = (w.min(low.0, low.1), w.max(high.0, high.1));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
    }

    fn product(&mut self, x: NodeId, y: NodeId) -> NodeId {
        let product = self.writer.mul(x, y);
        self.number_or_zero(product)
    }

    fn quotient(&mut self, x: NodeId, y: NodeId) -> NodeId {
        let quotient = self.writer.div(x, y);
        self.number_or_zero(quotient)
    }

    /// Zero in place of NaN.
    pub(super) fn number_or_zero(&mut self, x: NodeId) -> NodeId {
        let zero = self.writer.real(0.0);
        let is_number = self.writer.compare(Comparison::Eq, x, x);
        self.writer.select(is_number, x, zero)
    }

    /// √x of the part of x that has a root.
    pub(super) fn sqrt(&mut self, x: Interval) -> Interval {
        let x = if x.sign == Sign::NotNegative { x } else { self.within(x, 0.0, f64::INFINITY) };
        let (lo, hi) = (self.writer.unary(Unary::Sqrt, x.lo), self.writer.unary(Unary::Sqrt, x.hi));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::NotNegative }
    }

    pub(super) fn min(&mut self, x: Interval, y: Interval) -> Interval {
        let sign = if x.sign == y.sign { x.sign } else { Sign::Any };
        Interval { lo: self.writer.min(x.lo, y.lo), hi: self.writer.min(x.hi, y.hi), sign }
    }

    pub(super) fn max(&mut self, x: Interval, y: Interval) -> Interval {
        let sign = if x.sign == Sign::NotNegative { x.sign } else { y.sign };
        Interval { lo: self.writer.max(x.lo, y.lo), hi: self.writer.max(x.hi, y.hi), sign }
    }

    /// ⌊x⌋, ⌈x⌉, the nearest integer, or a neighbour: exact and never decreasing.
    pub(super) fn rounded(&mut self, operation: Unary, x: Interval) -> Interval {
        let (lo, hi) = (self.writer.unary(operation, x.lo), self.writer.unary(operation, x.hi));
        match operation {
            // Only these two pass zero, or the largest number.
            Unary::NextUp | Unary::NextDown => {
                Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
            }
            _ => Interval { lo, hi, sign: x.sign },
        }
    }
}
