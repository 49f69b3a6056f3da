//! Truth values that may be open: certainly true, certainly false, or either.

use super::interval::{Encloser, Interval};
use crate::arithmetic::Comparison;
use crate::ir::NodeId;

/// A truth value over a box of inputs. What is certain is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    /// True everywhere.
    pub(super) certain: NodeId,
    /// Possibly true somewhere.
    pub(super) possible: NodeId,
}

impl Encloser {
    pub(super) fn truth(&mut self, value: bool) -> Truth {
        let id = self.writer.truth(value);
        Truth { certain: id, possible: id }
    }

    pub(super) fn not(&mut self, x: Truth) -> Truth {
        Truth { certain: self.writer.not(x.possible), possible: self.writer.not(x.certain) }
    }

    pub(super) fn and(&mut self, x: Truth, y: Truth) -> Truth {
        Truth {
            certain: self.writer.and(x.certain, y.certain),
            possible: self.writer.and(x.possible, y.possible),
        }
    }

    pub(super) fn or(&mut self, x: Truth, y: Truth) -> Truth {
        Truth {
            certain: self.writer.or(x.certain, y.certain),
            possible: self.writer.or(x.possible, y.possible),
        }
    }

    /// Compares two values, which may be the same one.
    pub(super) fn compare(&mut self, comparison: Comparison, x: Interval, y: Interval, same: bool) -> Truth {
        if same {
            return self.truth(matches!(comparison, Comparison::Eq | Comparison::Le));
        }
        match comparison {
            Comparison::Lt | Comparison::Le => Truth {
                certain: self.writer.compare(comparison, x.hi, y.lo),
                possible: self.writer.compare(comparison, x.lo, y.hi),
            },
            Comparison::Eq => {
                // xl = yh and xh = yl, together with xl ≤ xh and yl ≤ yh, make all four equal.
                let first = self.writer.compare(Comparison::Eq, x.lo, y.hi);
                let second = self.writer.compare(Comparison::Eq, x.hi, y.lo);
                let (below, above) = (
                    self.writer.compare(Comparison::Le, x.lo, y.hi),
                    self.writer.compare(Comparison::Le, y.lo, x.hi),
                );
                Truth { certain: self.writer.and(first, second), possible: self.writer.and(below, above) }
            }
            Comparison::Ne => {
                let equal = self.compare(Comparison::Eq, x, y, false);
                self.not(equal)
            }
        }
    }

    /// Truth of: it is one or the other, not open.
    pub(super) fn decided(&mut self, x: Truth) -> NodeId {
        let never = self.writer.not(x.possible);
        self.writer.or(x.certain, never)
    }

    /// One of two reals: of both, if the condition is open.
    pub(super) fn chosen(&mut self, condition: Truth, then: Interval, otherwise: Interval) -> Interval {
        if condition.certain == condition.possible {
            return self.choose(condition.certain, then, otherwise);
        }
        let hull = self.hull(then, otherwise);
        let possible = self.choose(condition.possible, hull, otherwise);
        self.choose(condition.certain, then, possible)
    }

    /// One of two truth values: certain only if it is so in every arm that may be taken.
    pub(super) fn chosen_truth(&mut self, condition: Truth, then: Truth, otherwise: Truth) -> Truth {
        let w = &mut self.writer;
        let (never, open) = (w.not(condition.possible), w.not(condition.certain));
        let in_then = w.or(never, then.certain);
        let in_otherwise = w.or(condition.certain, otherwise.certain);
        let by_then = w.and(condition.possible, then.possible);
        let by_otherwise = w.and(open, otherwise.possible);
        Truth { certain: w.and(in_then, in_otherwise), possible: w.or(by_then, by_otherwise) }
    }
}
