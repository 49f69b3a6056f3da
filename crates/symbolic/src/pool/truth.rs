//! Conditions of `if`.

use crate::pool::{Expr, Node, Pool};

/// A condition of a pool. Equal conditions of a pool are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Truth(pub(crate) u32);

/// Comparisons of two reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// x = y
    Eq,
    /// x ≠ y
    Ne,
    /// x < y
    Lt,
    /// x ≤ y
    Le,
}

/// Content of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TruthNode {
    /// Always true or always false.
    Known(bool),
    /// A comparison.
    Compare(Comparison, Expr, Expr),
    /// Negation.
    Not(Truth),
    /// Conjunction.
    Both(Truth, Truth),
    /// Disjunction.
    Either(Truth, Truth),
}

impl Comparison {
    /// Returns `true` if the comparison holds.
    pub fn apply<T: PartialOrd>(self, x: T, y: T) -> bool {
        match self {
            Self::Eq => x == y,
            Self::Ne => x != y,
            Self::Lt => x < y,
            Self::Le => x <= y,
        }
    }
}

impl Pool {
    /// A constant condition.
    pub fn truth(&mut self, known: bool) -> Truth {
        self.intern_truth(TruthNode::Known(known))
    }

    /// A comparison, constant if both sides are numbers or equal. Sides that may be exchanged are in
    /// canonical order, but numbers come last: `x == 0`.
    pub fn compare(&mut self, comparison: Comparison, x: Expr, y: Expr) -> Truth {
        match (self.node(x), self.node(y)) {
            (Node::Number(x), Node::Number(y)) => {
                let known = comparison.apply(x, y);
                self.truth(known)
            }
            _ if x == y => self.truth(matches!(comparison, Comparison::Eq | Comparison::Le)),
            _ if matches!(comparison, Comparison::Eq | Comparison::Ne) && self.read_backwards(x, y) => {
                self.intern_truth(TruthNode::Compare(comparison, y, x))
            }
            _ => self.intern_truth(TruthNode::Compare(comparison, x, y)),
        }
    }

    fn read_backwards(&self, x: Expr, y: Expr) -> bool {
        match (self.as_number(x), self.as_number(y)) {
            (Some(_), _) => true,
            (None, Some(_)) => false,
            (None, None) => self.order(x, y).is_gt(),
        }
    }

    /// Negation. That of a comparison is the opposite comparison, as for all reals.
    pub fn not(&mut self, x: Truth) -> Truth {
        match *self.truth_node(x) {
            TruthNode::Known(known) => self.truth(!known),
            TruthNode::Not(inner) => inner,
            TruthNode::Compare(comparison, x, y) => match comparison {
                Comparison::Eq => self.compare(Comparison::Ne, x, y),
                Comparison::Ne => self.compare(Comparison::Eq, x, y),
                Comparison::Lt => self.compare(Comparison::Le, y, x),
                Comparison::Le => self.compare(Comparison::Lt, y, x),
            },
            TruthNode::Both(..) | TruthNode::Either(..) => self.intern_truth(TruthNode::Not(x)),
        }
    }

    /// Conjunction.
    pub fn both(&mut self, x: Truth, y: Truth) -> Truth {
        match (self.truth_node(x), self.truth_node(y)) {
            (TruthNode::Known(true), _) => y,
            (_, TruthNode::Known(true)) => x,
            (TruthNode::Known(false), _) => x,
            (_, TruthNode::Known(false)) => y,
            _ if x == y => x,
            _ => self.intern_truth(TruthNode::Both(x, y)),
        }
    }

    /// Disjunction.
    pub fn either(&mut self, x: Truth, y: Truth) -> Truth {
        match (self.truth_node(x), self.truth_node(y)) {
            (TruthNode::Known(false), _) => y,
            (_, TruthNode::Known(false)) => x,
            (TruthNode::Known(true), _) => x,
            (_, TruthNode::Known(true)) => y,
            _ if x == y => x,
            _ => self.intern_truth(TruthNode::Either(x, y)),
        }
    }

    /// `then` where the condition holds, else `otherwise`.
    pub fn choice(&mut self, condition: Truth, then: Expr, otherwise: Expr) -> Expr {
        match *self.truth_node(condition) {
            TruthNode::Known(true) => then,
            TruthNode::Known(false) => otherwise,
            _ if then == otherwise => then,
            TruthNode::Not(inner) => self.choice(inner, otherwise, then),
            _ => self.intern(Node::Choice(condition, then, otherwise)),
        }
    }
}
