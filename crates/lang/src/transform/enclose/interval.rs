//! Intervals of reals, and how their ends are rounded.

use super::super::write::Writer;
use crate::arithmetic::{Comparison, Unary};
use crate::ir::{Node, NodeId};

/// The reals from `lo` to `hi`. While a graph runs, lo < ∞ and hi > -∞ always, and neither is NaN: a sum of
/// lower ends is then never ∞ - ∞.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: NodeId,
    pub(super) hi: NodeId,
    pub(super) sign: Sign,
}

/// Sign that is known whatever the inputs are; spares half of the products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Any,
    NotNegative,
}

/// Rounding of ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// As the program rounds: encloses computed values.
    Monotonic,
    /// A unit outwards: encloses exact values as well.
    Outward,
}

/// Writes operations on intervals.
pub(super) struct Encloser {
    pub(super) writer: Writer,
    pub(super) rounding: Rounding,
}

impl Encloser {
    pub(super) fn new(rounding: Rounding) -> Self {
        Self { writer: Writer::default(), rounding }
    }

    /// Interval in a slot of the original graph.
    pub(super) fn slot(&mut self, slot: u32) -> Interval {
        let lo = self.writer.keep(Node::Slot(2 * slot));
        let hi = self.writer.keep(Node::Slot(2 * slot + 1));
        Interval { lo, hi, sign: Sign::Any }
    }

    /// A single number; the whole line if it is not finite, because a program that meets it fails.
    pub(super) fn constant(&mut self, value: f64) -> Interval {
        if !value.is_finite() {
            return self.whole();
        }
        let id = self.writer.real(value);
        Interval { lo: id, hi: id, sign: if value >= 0.0 { Sign::NotNegative } else { Sign::Any } }
    }

    /// All reals.
    pub(super) fn whole(&mut self) -> Interval {
        let (lo, hi) = (self.writer.real(f64::NEG_INFINITY), self.writer.real(f64::INFINITY));
        Interval { lo, hi, sign: Sign::Any }
    }

    /// The number, if the interval is a constant.
    pub(super) fn known(&self, x: Interval) -> Option<f64> {
        if x.lo == x.hi { self.writer.known(x.lo) } else { None }
    }

    /// Truth of: it is a single number.
    pub(super) fn is_point(&mut self, x: Interval) -> NodeId {
        if x.lo == x.hi { self.writer.truth(true) } else { self.writer.compare(Comparison::Eq, x.lo, x.hi) }
    }

    /// Truth of: zero is strictly inside.
    pub(super) fn straddles_zero(&mut self, x: Interval) -> NodeId {
        if x.sign == Sign::NotNegative {
            return self.writer.truth(false);
        }
        let zero = self.writer.real(0.0);
        let below = self.writer.compare(Comparison::Lt, x.lo, zero);
        let above = self.writer.compare(Comparison::Lt, zero, x.hi);
        self.writer.and(below, above)
    }

    /// Truth of: it holds this number.
    pub(super) fn contains(&mut self, x: Interval, value: f64) -> NodeId {
        let value = self.writer.real(value);
        let from = self.writer.compare(Comparison::Le, x.lo, value);
        let to = self.writer.compare(Comparison::Le, value, x.hi);
        self.writer.and(from, to)
    }

    /// A lower end that a correctly rounded operation gave. ∞, where all results overflow and the program
    /// fails, becomes the largest number.
    pub(super) fn lower(&mut self, end: NodeId) -> NodeId {
        match self.rounding {
            Rounding::Monotonic => {
                let largest = self.writer.real(f64::MAX);
                self.writer.min(end, largest)
            }
            Rounding::Outward => self.unless_zero(Unary::NextDown, end),
        }
    }

    /// An upper end that a correctly rounded operation gave.
    pub(super) fn upper(&mut self, end: NodeId) -> NodeId {
        match self.rounding {
            Rounding::Monotonic => {
                let least = self.writer.real(f64::MIN);
                self.writer.max(end, least)
            }
            Rounding::Outward => self.unless_zero(Unary::NextUp, end),
        }
    }

    /// Zero is exact: a product is zero because a factor is, and vectors at rest stay exactly at rest.
    fn unless_zero(&mut self, step: Unary, end: NodeId) -> NodeId {
        let zero = self.writer.real(0.0);
        let exact = self.writer.compare(Comparison::Eq, end, zero);
        let moved = self.writer.unary(step, end);
        self.writer.select(exact, end, moved)
    }

    /// An end moved by so many units in the last place.
    pub(super) fn moved(&mut self, step: Unary, end: NodeId, units: u32) -> NodeId {
        (0..units).fold(end, |end, _| self.writer.unary(step, end))
    }

    /// Ends that a function with an error gave, moved outwards by `units`; as they are where the operands are
    /// a point.
    pub(super) fn widened(&mut self, is_point: NodeId, lo: NodeId, hi: NodeId, units: u32) -> Interval {
        let (down, up) = (self.moved(Unary::NextDown, lo, units), self.moved(Unary::NextUp, hi, units));
        let is_point = match self.rounding {
            Rounding::Monotonic => is_point,
            Rounding::Outward => self.writer.truth(false),
        };
        Interval {
            lo: self.writer.select(is_point, lo, down),
            hi: self.writer.select(is_point, hi, up),
            sign: Sign::Any,
        }
    }

    /// The part of `x` between two numbers. It must not be empty whenever the program does not fail.
    pub(super) fn within(&mut self, x: Interval, least: f64, greatest: f64) -> Interval {
        let lo = self.clamped(x.lo, least, greatest);
        let hi = self.clamped(x.hi, least, greatest);
        Interval { lo, hi, sign: if least >= 0.0 { Sign::NotNegative } else { x.sign } }
    }

    fn clamped(&mut self, end: NodeId, least: f64, greatest: f64) -> NodeId {
        let mut end = end;
        if least > f64::NEG_INFINITY {
            // The bound first, so that of two zeros the one without a sign is kept.
            let least = self.writer.real(least);
            end = self.writer.max(least, end);
        }
        if greatest < f64::INFINITY {
            let greatest = self.writer.real(greatest);
            end = self.writer.min(end, greatest);
        }
        end
    }

    /// `then` where the condition holds.
    pub(super) fn choose(&mut self, condition: NodeId, then: Interval, otherwise: Interval) -> Interval {
        let sign = match self.writer.known_truth(condition) {
            Some(true) => then.sign,
            Some(false) => otherwise.sign,
            None if then.sign == otherwise.sign => then.sign,
            None => Sign::Any,
        };
        Interval {
            lo: self.writer.select(condition, then.lo, otherwise.lo),
            hi: self.writer.select(condition, then.hi, otherwise.hi),
            sign,
        }
    }

    /// The smallest interval that holds both.
    pub(super) fn hull(&mut self, x: Interval, y: Interval) -> Interval {
        Interval {
            lo: self.writer.min(x.lo, y.lo),
            hi: self.writer.max(x.hi, y.hi),
            sign: if x.sign == y.sign { x.sign } else { Sign::Any },
        }
    }
}
