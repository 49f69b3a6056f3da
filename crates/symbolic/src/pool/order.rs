//! Canonical order, by the content of expressions, never by the order in which they were made.

use crate::pool::truth::{Truth, TruthNode};
use crate::pool::{Expr, Node, Pool};
use std::cmp::Ordering;

/// A pair to compare.
#[derive(Clone, Copy, Debug)]
enum Pair {
    Exprs(Expr, Expr),
    Truths(Truth, Truth),
}

/// Result of one comparison of two different expressions or conditions.
enum Verdict {
    Settled(Ordering),
    /// The order is that of these parts, which are different.
    As(Pair),
}

impl Pool {
    /// Compares two expressions. Powers stand beside their bases, symbols are in the order of their names,
    /// and of two calls or sums the lower one comes first.
    ///
    /// Different expressions have a first difference, to which the comparison goes straight down: shared
    /// parts cost nothing.
    pub fn order(&self, a: Expr, b: Expr) -> Ordering {
        let mut pair = Pair::Exprs(a, b);
        loop {
            let verdict = match pair {
                Pair::Exprs(a, b) if a == b => return Ordering::Equal,
                Pair::Exprs(a, b) => self.look(a, b),
                Pair::Truths(a, b) => self.look_at_truths(a, b),
            };
            match verdict {
                Verdict::Settled(ordering) => return ordering,
                Verdict::As(parts) => pair = parts,
            }
        }
    }

    fn look(&self, a: Expr, b: Expr) -> Verdict {
        let (x, y) = (self.base(a), self.base(b));
        if x != a || y != b {
            return match (self.node(a), self.node(b)) {
                _ if x != y => Verdict::As(Pair::Exprs(x, y)),
                (&Node::Power(_, p), &Node::Power(_, q)) => Verdict::As(Pair::Exprs(p, q)),
                (Node::Power(..), _) => Verdict::Settled(Ordering::Greater),
                _ => Verdict::Settled(Ordering::Less),
            };
        }
        let heights = || self.height(a).cmp(&self.height(b));
        match (self.node(a), self.node(b)) {
            (Node::Number(x), Node::Number(y)) => Verdict::Settled(x.cmp(y)),
            (Node::Symbol(x), Node::Symbol(y)) => Verdict::Settled(self.name(*x).cmp(self.name(*y))),
            (Node::Call(f, x), Node::Call(g, y)) => {
                settled(f.cmp(g).then_with(heights)).unwrap_or(Verdict::As(Pair::Exprs(*x, *y)))
            }
            (Node::Call2(f, x, u), Node::Call2(g, y, v)) => settled(f.cmp(g).then_with(heights))
                .unwrap_or_else(|| first_difference([(*x, *y), (*u, *v)].into_iter(), || Ordering::Equal)),
            (Node::Product(x), Node::Product(y)) => {
                first_difference(x.iter().copied().zip(y.iter().copied()), || x.len().cmp(&y.len()))
            }
            (Node::Sum { constant: c, terms: x }, Node::Sum { constant: d, terms: y }) => settled(heights())
                .unwrap_or_else(|| {
                    let terms = x.iter().zip(y).map(|((x, _), (y, _))| (*x, *y));
                    let rest = || {
                        x.len()
                            .cmp(&y.len())
                            .then_with(|| x.iter().map(|(_, c)| c).cmp(y.iter().map(|(_, c)| c)))
                            .then_with(|| c.cmp(d))
                    };
                    first_difference(terms, rest)
                }),
            (&Node::Choice(c, x, u), &Node::Choice(d, y, v)) => match settled(heights()) {
                Some(verdict) => verdict,
                None if c != d => Verdict::As(Pair::Truths(c, d)),
                None => first_difference([(x, y), (u, v)].into_iter(), || Ordering::Equal),
            },
            (x, y) => Verdict::Settled(rank(x).cmp(&rank(y))),
        }
    }

    /// Returns the base of a power; of any other expression, itself.
    pub(crate) fn base(&self, expr: Expr) -> Expr {
        match self.node(expr) {
            &Node::Power(base, _) => base,
            _ => expr,
        }
    }

    fn look_at_truths(&self, a: Truth, b: Truth) -> Verdict {
        match (self.truth_node(a), self.truth_node(b)) {
            (TruthNode::Known(x), TruthNode::Known(y)) => Verdict::Settled(x.cmp(y)),
            (&TruthNode::Compare(f, x, u), &TruthNode::Compare(g, y, v)) => settled(f.cmp(&g))
                .unwrap_or_else(|| first_difference([(x, y), (u, v)].into_iter(), || Ordering::Equal)),
            (&TruthNode::Not(x), &TruthNode::Not(y)) => Verdict::As(Pair::Truths(x, y)),
            (&TruthNode::Both(x, u), &TruthNode::Both(y, v))
            | (&TruthNode::Either(x, u), &TruthNode::Either(y, v)) => {
                Verdict::As(if x != y { Pair::Truths(x, y) } else { Pair::Truths(u, v) })
            }
            (x, y) => Verdict::Settled(truth_rank(x).cmp(&truth_rank(y))),
        }
    }
}

fn settled(ordering: Ordering) -> Option<Verdict> {
    ordering.is_ne().then_some(Verdict::Settled(ordering))
}

/// Compares by the first pair that differs, else by the rest.
fn first_difference(
    mut pairs: impl Iterator<Item = (Expr, Expr)>,
    rest: impl FnOnce() -> Ordering,
) -> Verdict {
    match pairs.find(|(x, y)| x != y) {
        Some((x, y)) => Verdict::As(Pair::Exprs(x, y)),
        None => Verdict::Settled(rest()),
    }
}

fn rank(node: &Node) -> u8 {
    match node {
        Node::Number(_) => 0,
        Node::Pi => 1,
        Node::Symbol(_) => 2,
        Node::Call(..) => 3,
        Node::Call2(..) => 4,
        Node::Sum { .. } => 5,
        Node::Product(_) => 6,
        Node::Choice(..) => 7,
        Node::Power(..) => 8,
    }
}

fn truth_rank(node: &TruthNode) -> u8 {
    match node {
        TruthNode::Known(_) => 0,
        TruthNode::Compare(..) => 1,
        TruthNode::Not(_) => 2,
        TruthNode::Both(..) => 3,
        TruthNode::Either(..) => 4,
    }
}
