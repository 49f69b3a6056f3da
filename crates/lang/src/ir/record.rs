//! Writes scalar operations down: the [`Arithmetic`] whose reals and truth values are nodes.
//!
//! Nodes are simplified (`simplify`), but results that are known are taken only where they are finite: 1/0
//! stays an operation, and fails where something asks for it.

use super::{Builder, Node, NodeId, Simple, simplify};
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
        self.operate(Node::Unary(operation, x))
    }

    fn binary(&mut self, operation: Binary, x: NodeId, y: NodeId) -> NodeId {
        self.operate(Node::Binary(operation, x, y))
    }

    fn compare(&mut self, comparison: Comparison, x: NodeId, y: NodeId) -> NodeId {
        self.write_simply(Node::Compare(comparison, x, y), true)
    }

    fn not(&mut self, x: NodeId) -> NodeId {
        self.write_simply(Node::Not(x), true)
    }

    fn both(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.write_simply(Node::And(x, y), true)
    }

    fn either(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.write_simply(Node::Or(x, y), true)
    }

    fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        self.write_simply(Node::Select(condition, then, otherwise), false)
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
        self.node(x).known()
    }

    fn known_truth(&self, x: NodeId) -> Option<bool> {
        self.node(x).known_truth()
    }
}

impl Builder {
    /// Writes what the node comes to, or finds it.
    fn write_simply(&mut self, node: Node, truth: bool) -> NodeId {
        match simplify(node, |id| self.node(id)) {
            Simple::Is(id) => id,
            Simple::Write(node) => self.write(node, truth),
        }
    }

    /// Writes a real operation, which the open context computes unless its result is known and finite.
    fn operate(&mut self, node: Node) -> NodeId {
        match simplify(node, |id| self.node(id)) {
            Simple::Is(id) => id,
            Simple::Write(simple) => match simple.known() {
                Some(constant) if constant.is_finite() => self.write(simple, false),
                _ => self.compute(node),
            },
        }
    }
}
