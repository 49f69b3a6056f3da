//! Writes graphs: equal nodes become one, operations on constants are done at once, what nothing needs is left out.
//!
//! Simplifications keep the bits of every result: x·1 is x, `select(c, x, x)` is x, and constants go through the very
//! functions that executors use. Nothing is reordered.

use crate::arithmetic::{Binary, Comparison, Unary};
use crate::ir::{Arm, ArmId, Graph, GraphOutput, Node, NodeId, Slot};
use crate::source::Span;
use std::collections::HashMap;

/// A graph in the making.
#[derive(Default)]
pub(super) struct Writer {
    nodes: Vec<Node>,
    spans: Vec<Option<Span>>,
    arms: Vec<Arm>,
    known: HashMap<Node, NodeId>,
    span: Option<Span>,
}

impl Writer {
    /// From here on, new nodes belong to this place.
    pub(super) fn at(&mut self, span: Option<Span>) {
        self.span = span;
    }

    /// The node as it is, without simplification.
    pub(super) fn keep(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = NodeId(index(self.nodes.len()));
        self.nodes.push(node);
        self.spans.push(self.span);
        self.known.insert(node, id);
        id
    }

    pub(super) fn real(&mut self, value: f64) -> NodeId {
        self.keep(Node::real(value))
    }

    pub(super) fn truth(&mut self, value: bool) -> NodeId {
        self.keep(Node::Truth(value))
    }

    /// The constant, if the node is one.
    pub(super) fn known(&self, id: NodeId) -> Option<f64> {
        match self.nodes[id.0 as usize] {
            Node::Real(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The truth value, if the node is a constant.
    pub(super) fn known_truth(&self, id: NodeId) -> Option<bool> {
        match self.nodes[id.0 as usize] {
            Node::Truth(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn unary(&mut self, operation: Unary, x: NodeId) -> NodeId {
        match (operation, self.nodes[x.0 as usize]) {
            (_, Node::Real(bits)) => self.real(operation.apply(f64::from_bits(bits))),
            (Unary::Neg, Node::Unary(Unary::Neg, inner)) => inner,
            _ => self.keep(Node::Unary(operation, x)),
        }
    }

    pub(super) fn binary(&mut self, operation: Binary, x: NodeId, y: NodeId) -> NodeId {
        match (operation, self.known(x), self.known(y)) {
            (_, Some(a), Some(b)) => self.real(operation.apply(a, b)),
            (Binary::Mul | Binary::Div, _, Some(1.0)) => x,
            (Binary::Mul, Some(1.0), _) => y,
            (Binary::Min | Binary::Max, ..) if x == y => x,
            _ => self.keep(Node::Binary(operation, x, y)),
        }
    }

    pub(super) fn add(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Add, x, y)
    }

    pub(super) fn sub(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Sub, x, y)
    }

    pub(super) fn mul(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Mul, x, y)
    }

    pub(super) fn div(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Div, x, y)
    }

    pub(super) fn min(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Min, x, y)
    }

    pub(super) fn max(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(Binary::Max, x, y)
    }

    pub(super) fn neg(&mut self, x: NodeId) -> NodeId {
        self.unary(Unary::Neg, x)
    }

    pub(super) fn compare(&mut self, comparison: Comparison, x: NodeId, y: NodeId) -> NodeId {
        match (self.known(x), self.known(y)) {
            (Some(a), Some(b)) => self.truth(comparison.apply(a, b)),
            _ => self.keep(Node::Compare(comparison, x, y)),
        }
    }

    pub(super) fn not(&mut self, x: NodeId) -> NodeId {
        match self.nodes[x.0 as usize] {
            Node::Truth(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.keep(Node::Not(x)),
        }
    }

    pub(super) fn and(&mut self, x: NodeId, y: NodeId) -> NodeId {
        match (self.known_truth(x), self.known_truth(y)) {
            (Some(true), _) => y,
            (_, Some(true)) => x,
            (Some(false), _) | (_, Some(false)) => self.truth(false),
            _ if x == y => x,
            _ => self.keep(Node::And(x, y)),
        }
    }

    pub(super) fn or(&mut self, x: NodeId, y: NodeId) -> NodeId {
        match (self.known_truth(x), self.known_truth(y)) {
            (Some(false), _) => y,
            (_, Some(false)) => x,
            (Some(true), _) | (_, Some(true)) => self.truth(true),
            _ if x == y => x,
            _ => self.keep(Node::Or(x, y)),
        }
    }

    pub(super) fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.known_truth(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None if then == otherwise => then,
            None => self.keep(Node::Select(condition, then, otherwise)),
        }
    }

    /// An `if` with arms of its own.
    pub(super) fn branch(&mut self, condition: NodeId, then: Arm, otherwise: Arm) -> NodeId {
        let first = index(self.arms.len());
        self.arms.extend([then, otherwise]);
        self.keep(Node::If(condition, ArmId(first), ArmId(first + 1)))
    }

    /// The finished graph. Only the nodes that outputs and demands reach are in it, but all slots.
    pub(super) fn finish(
        self,
        slots: Slots,
        mut outputs: Vec<GraphOutput>,
        demands: Vec<NodeId>,
        finite: bool,
    ) -> Graph {
        let mut needed = vec![false; self.nodes.len()];
        for id in outputs.iter().flat_map(|output| &output.nodes).chain(&demands) {
            needed[id.0 as usize] = true;
        }
        // Operands, and what is in the arms of an `if`, come before it: one walk backwards finds everything.
        for at in (0..self.nodes.len()).rev() {
            if !needed[at] {
                continue;
            }
            self.nodes[at].operands(|operand| needed[operand.0 as usize] = true);
            if let Node::If(_, then, otherwise) = self.nodes[at] {
                for arm in [then, otherwise].map(|arm| &self.arms[arm.0 as usize]) {
                    arm.results.iter().chain(&arm.demands).for_each(|id| needed[id.0 as usize] = true);
                }
            }
        }

        let mut place = vec![NodeId(0); self.nodes.len()];
        let mut graph = Graph { slots: slots.slots, slot_names: slots.names, finite, ..Graph::default() };
        let moved = |place: &[NodeId], ids: &[NodeId]| -> Vec<NodeId> {
            ids.iter().map(|id| place[id.0 as usize]).collect()
        };
        for (at, node) in self.nodes.iter().enumerate().filter(|&(at, _)| needed[at]) {
            let to = |id: NodeId| place[id.0 as usize];
            let node = match *node {
                Node::Unary(operation, x) => Node::Unary(operation, to(x)),
                Node::Binary(operation, x, y) => Node::Binary(operation, to(x), to(y)),
                Node::Compare(comparison, x, y) => Node::Compare(comparison, to(x), to(y)),
                Node::Not(x) => Node::Not(to(x)),
                Node::And(x, y) => Node::And(to(x), to(y)),
                Node::Or(x, y) => Node::Or(to(x), to(y)),
                Node::Select(c, x, y) => Node::Select(to(c), to(x), to(y)),
                Node::Pick(x, result) => Node::Pick(to(x), result),
                Node::If(c, then, otherwise) => {
                    let first = index(graph.arms.len());
                    for arm in [then, otherwise].map(|arm| &self.arms[arm.0 as usize]) {
                        let arm = Arm {
                            results: moved(&place, &arm.results),
                            demands: moved(&place, &arm.demands),
                        };
                        graph.arms.push(arm);
                    }
                    Node::If(to(c), ArmId(first), ArmId(first + 1))
                }
                node @ (Node::Real(_) | Node::Truth(_) | Node::Slot(_) | Node::Fail) => node,
            };
            place[at] = NodeId(index(graph.nodes.len()));
            graph.nodes.push(node);
            graph.spans.push(self.spans[at]);
        }
        for output in &mut outputs {
            output.nodes = moved(&place, &output.nodes);
        }
        graph.outputs = outputs;
        graph.demands = moved(&place, &demands);
        graph
    }
}

/// The scalar inputs of a graph, with their names if they have any.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    names: Vec<String>,
}

impl Slots {
    /// Those of a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        Self { slots: graph.slots.clone(), names: graph.slot_names.clone() }
    }

    /// One more: something about slot `of` of a graph, which is called after it.
    pub(super) fn push(&mut self, graph: &Graph, of: usize, called: impl Fn(&str) -> String) -> u32 {
        self.slots.push(graph.slots[of]);
        self.names.extend(graph.slot_names.get(of).map(|name| called(name)));
        index(self.slots.len() - 1)
    }
}

/// Programs are bounded far below four thousand million nodes, and so is what is made of them.
fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a graph has fewer than 2^32 nodes")
}
