//! Simplification of a node, given its operands: the algebra that all writers of graphs share.
//!
//! Simplifications keep the bits of every result. Constants go through the very functions that compute at run
//! time; x·1, x/1 and -(-x) are x, but x + 0 is not (for x = -0). Nothing is reordered.

use super::{Node, NodeId};
use crate::arithmetic::{Binary, Unary};

/// Simplified form of a node.
pub(crate) enum Simple {
    /// A node that is there already.
    Is(NodeId),
    /// A constant, or the node as it was. A constant need not be finite.
    Write(Node),
}

/// Simplifies `node`, whose operands are given by `of`.
pub(crate) fn simplify(node: Node, of: impl Fn(NodeId) -> Node) -> Simple {
    let known = |id: NodeId| of(id).known();
    let known_truth = |id: NodeId| of(id).known_truth();
    match node {
        Node::Unary(operation, x) => match (operation, of(x)) {
            (Unary::Neg, Node::Unary(Unary::Neg, inner)) => Simple::Is(inner),
            (_, Node::Real(bits)) => Simple::Write(Node::real(operation.apply(f64::from_bits(bits)))),
            _ => Simple::Write(node),
        },
        Node::Binary(operation, x, y) => match (operation, known(x), known(y)) {
            (Binary::Mul | Binary::Div, _, Some(1.0)) => Simple::Is(x),
            (Binary::Mul, Some(1.0), _) => Simple::Is(y),
            (Binary::Min | Binary::Max, ..) if x == y => Simple::Is(x),
            (_, Some(a), Some(b)) => Simple::Write(Node::real(operation.apply(a, b))),
            _ => Simple::Write(node),
        },
        Node::Compare(comparison, x, y) => match (known(x), known(y)) {
            (Some(a), Some(b)) => Simple::Write(Node::Truth(comparison.apply(a, b))),
            _ => Simple::Write(node),
        },
        Node::Not(x) => match of(x) {
            Node::Truth(constant) => Simple::Write(Node::Truth(!constant)),
            Node::Not(inner) => Simple::Is(inner),
            _ => Simple::Write(node),
        },
        Node::And(x, y) => match (known_truth(x), known_truth(y)) {
            (Some(true), _) => Simple::Is(y),
            (_, Some(true)) => Simple::Is(x),
            (Some(false), _) | (_, Some(false)) => Simple::Write(Node::Truth(false)),
            _ if x == y => Simple::Is(x),
            _ => Simple::Write(node),
        },
        Node::Or(x, y) => match (known_truth(x), known_truth(y)) {
            (Some(false), _) => Simple::Is(y),
            (_, Some(false)) => Simple::Is(x),
            (Some(true), _) | (_, Some(true)) => Simple::Write(Node::Truth(true)),
            _ if x == y => Simple::Is(x),
            _ => Simple::Write(node),
        },
        Node::Select(condition, then, otherwise) => match known_truth(condition) {
            Some(true) => Simple::Is(then),
            Some(false) => Simple::Is(otherwise),
            None if then == otherwise => Simple::Is(then),
            None => Simple::Write(node),
        },
        Node::Real(_) | Node::Truth(_) | Node::Slot(_) | Node::If(..) | Node::Pick(..) | Node::Fail => {
            Simple::Write(node)
        }
    }
}
