//! Writes scalar operations down: the [`Arithmetic`] whose reals and truth values are nodes.
//!
//! Constants are folded by the very functions that compute at run time, and only where the result is finite: 1/0 stays an
//! operation, and fails where something asks for it. No algebra beyond what is exact for every number is done: x·1, x/1 and
//! -(-x) are x, but x + 0 is not (for x = -0).

use super::{Builder, Node, NodeId};
use crate::arithmetic::{Arithmetic, Binary, Comparison, Failure, Unary};

impl Arithmetic for Builder {
    type Real = NodeId;
    type Bool = NodeId;

    fn real(&mut self, constant: f64) -> NodeId {
        self.write(Node::real(constant), false)
    }

    fn truth(&mut self, constant: bool) -> NodeId {
        self.write(Node::Truth(constant), true)
    }

    fn unary(&mut self, operation: Unary, x: NodeId) -> NodeId {
        if let Some(value) = self.known(x).map(|x| operation.apply(x)).filter(|value| value.is_finite()) {
            return self.real(value);
        }
        match (operation, self.node(x)) {
            (Unary::Neg, Node::Unary(Unary::Neg, inner)) => inner,
            _ => self.compute(Node::Unary(operation, x)),
        }
    }

    fn binary(&mut self, operation: Binary, x: NodeId, y: NodeId) -> NodeId {
        let (known_x, known_y) = (self.known(x), self.known(y));
        if let (Some(a), Some(b)) = (known_x, known_y) {
            let value = operation.apply(a, b);
            if value.is_finite() {
                return self.real(value);
            }
        }
        match operation {
            Binary::Mul | Binary::Div if known_y == Some(1.0) => x,
            Binary::Mul if known_x == Some(1.0) => y,
            _ => self.compute(Node::Binary(operation, x, y)),
        }
    }

    fn compare(&mut self, comparison: Comparison, x: NodeId, y: NodeId) -> NodeId {
        match (self.known(x), self.known(y)) {
            (Some(x), Some(y)) => self.truth(comparison.apply(x, y)),
            _ => self.write(Node::Compare(comparison, x, y), true),
        }
    }

    fn not(&mut self, x: NodeId) -> NodeId {
        match self.node(x) {
            Node::Truth(constant) => self.truth(!constant),
            Node::Not(inner) => inner,
            _ => self.write(Node::Not(x), true),
        }
    }

    fn both(&mut self, x: NodeId, y: NodeId) -> NodeId {
        match (self.known_truth(x), self.known_truth(y)) {
            (Some(true), _) => y,
            (_, Some(true)) => x,
            (Some(false), _) | (_, Some(false)) => self.truth(false),
            _ if x == y => x,
            _ => self.write(Node::And(x, y), true),
        }
    }

    fn either(&mut self, x: NodeId, y: NodeId) -> NodeId {
        match (self.known_truth(x), self.known_truth(y)) {
            (Some(false), _) => y,
            (_, Some(false)) => x,
            (Some(true), _) | (_, Some(true)) => self.truth(true),
            _ if x == y => x,
            _ => self.write(Node::Or(x, y), true),
        }
    }

    fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.known_truth(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.write(Node::Select(condition, then, otherwise), false),
        }
    }

    fn branch(
        &mut self,
        condition: NodeId,
        then: &mut dyn FnMut(&mut Self) -> Vec<NodeId>,
        otherwise: &mut dyn FnMut(&mut Self) -> Vec<NodeId>,
    ) -> Vec<NodeId> {
        match self.known_truth(condition) {
            Some(true) => then(self),
            Some(false) => otherwise(self),
            None => {
                self.begin_arm();
                let results = then(self);
                let then = (self.end_arm(), results);
                self.begin_arm();
                let results = otherwise(self);
                let otherwise = (self.end_arm(), results);
                self.join(condition, then, otherwise)
            }
        }
    }

    fn fail(&mut self, _: Failure) -> NodeId {
        self.compute(Node::Fail)
    }

    fn known(&self, x: NodeId) -> Option<f64> {
        match self.node(x) {
            Node::Real(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn known_truth(&self, x: NodeId) -> Option<bool> {
        match self.node(x) {
            Node::Truth(constant) => Some(constant),
            _ => None,
        }
    }
}
