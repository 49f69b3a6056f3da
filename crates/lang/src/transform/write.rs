//! Writes graphs: equal nodes become one, nodes are simplified (`ir::simplify`), what nothing needs is left
//! out.
//!
//! Unlike `ir::Builder` it notes no needs, since a transform knows what its graph demands, and sets no
//! bounds, since what it writes is a few times as large as what it transforms. Results that are known are
//! taken even where they are not finite.

use crate::arithmetic::{Binary, Comparison, Unary};
use crate::ir::{Arm, ArmId, Graph, GraphOutput, Node, NodeId, Simple, Slot, compact, simplify};
use crate::source::Span;
use std::collections::HashMap;

/// A graph in the making.
#[derive(Default)]
pub(super) struct Writer {
    graph: Graph,
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
        let id = NodeId(index(self.graph.nodes.len()));
        self.graph.nodes.push(node);
        self.graph.spans.push(self.span);
        self.known.insert(node, id);
        id
    }

    /// Writes the node in its simplified form.
    fn write(&mut self, node: Node) -> NodeId {
        match simplify(node, |id| self.graph.node(id)) {
            Simple::Is(id) => id,
            Simple::Write(node) => self.keep(node),
        }
    }

    pub(super) fn real(&mut self, value: f64) -> NodeId {
        self.keep(Node::real(value))
    }

    pub(super) fn truth(&mut self, value: bool) -> NodeId {
        self.keep(Node::Truth(value))
    }

    /// The constant, if the node is one.
    pub(super) fn known(&self, id: NodeId) -> Option<f64> {
        self.graph.node(id).known()
    }

    /// The truth value, if the node is a constant.
    pub(super) fn known_truth(&self, id: NodeId) -> Option<bool> {
        self.graph.node(id).known_truth()
    }

    pub(super) fn unary(&mut self, operation: Unary, x: NodeId) -> NodeId {
        self.write(Node::Unary(operation, x))
    }

    pub(super) fn binary(&mut self, operation: Binary, x: NodeId, y: NodeId) -> NodeId {
        self.write(Node::Binary(operation, x, y))
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
        self.write(Node::Compare(comparison, x, y))
    }

    pub(super) fn not(&mut self, x: NodeId) -> NodeId {
        self.write(Node::Not(x))
    }

    pub(super) fn and(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.write(Node::And(x, y))
    }

    pub(super) fn or(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.write(Node::Or(x, y))
    }

    pub(super) fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        self.write(Node::Select(condition, then, otherwise))
    }

    /// An `if` with arms of its own.
    pub(super) fn branch(&mut self, condition: NodeId, then: Arm, otherwise: Arm) -> NodeId {
        let first = index(self.graph.arms.len());
        self.graph.arms.extend([then, otherwise]);
        self.keep(Node::If(condition, ArmId(first), ArmId(first + 1)))
    }

    /// The finished graph. Only the nodes that outputs and demands reach are in it, but all slots.
    pub(super) fn finish(
        self,
        slots: Slots,
        outputs: Vec<GraphOutput>,
        demands: Vec<NodeId>,
        finite: bool,
    ) -> Graph {
        let Slots { slots, names: slot_names } = slots;
        compact(Graph { slots, slot_names, outputs, demands, finite, ..self.graph })
    }
}

/// The scalar inputs of a graph, with their names if they have any.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    names: Vec<String>,
}

impl Slots {
    /// Slots of a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        Self { slots: graph.slots.clone(), names: graph.slot_names.clone() }
    }

    /// Appends a slot that belongs to slot `of` of a graph, and is named after it.
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
