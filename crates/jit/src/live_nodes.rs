//! The part of a schedule that is worth compiling: the outputs, the checks, and all they depend on.

use gedanken_lang::arithmetic::Unary;
use gedanken_lang::ir::{Access, Block, Graph, Layout, Node, NodeId, Schedule, Step};
use std::collections::HashMap;

/// Properties of nodes that the translation asks for.
pub(crate) struct Needs {
    needed: Vec<bool>,
    /// Results of each `If` that are needed: pick and its index, in order.
    picks: Vec<(NodeId, NodeId, u32)>,
    /// The `If`s with checks in their arms, in order.
    checking: Vec<NodeId>,
    /// Sines and cosines of one argument in one block, each with the other.
    twins: HashMap<NodeId, NodeId>,
}

impl Needs {
    /// Goes back from outputs and checks.
    pub(crate) fn new(graph: &Graph, schedule: &Schedule) -> Self {
        let mut open: Vec<NodeId> = graph.outputs.iter().flat_map(|output| output.nodes.clone()).collect();
        let mut checking = Vec::new();
        seek_checks(&schedule.root, &mut open, &mut checking);
        checking.sort_unstable();
        open.extend(&checking);
        let mut needed = vec![false; graph.nodes.len()];
        let mut picks = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut needed[id.0 as usize], true) {
                continue;
            }
            graph.node(id).operands(|operand| open.push(operand));
            if let Node::Pick(from, index) = graph.node(id) {
                picks.push((from, id, index));
                if let Node::If(_, then, otherwise) = graph.node(from) {
                    open.extend([then, otherwise].map(|arm| graph.arm(arm).results[index as usize]));
                }
            }
        }
        picks.sort_unstable();
        let mut twins = HashMap::new();
        seek_twins(graph, &schedule.root, &needed, &mut twins);
        Self { needed, picks, checking, twins }
    }

    /// Returns `true` if anything depends on the node.
    pub(crate) fn needs(&self, id: NodeId) -> bool {
        self.needed[id.0 as usize]
    }

    /// The cosine that is needed beside a sine, and the other way round.
    pub(crate) fn twin(&self, id: NodeId) -> Option<NodeId> {
        self.twins.get(&id).copied()
    }

    /// Returns `true` if there are checks in an arm of the `If`.
    pub(crate) fn checks(&self, branch: NodeId) -> bool {
        self.checking.binary_search(&branch).is_ok()
    }

    /// The results of an `If` that something depends on, with their indices.
    pub(crate) fn picks(&self, branch: NodeId) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        let start = self.picks.partition_point(|(from, ..)| *from < branch);
        self.picks[start..]
            .iter()
            .take_while(move |(from, ..)| *from == branch)
            .map(|(_, pick, index)| (*pick, *index))
    }
}

/// Collects what is checked, and every `If` on the way to a check; says whether there was one.
fn seek_checks(block: &Block, checked: &mut Vec<NodeId>, checking: &mut Vec<NodeId>) -> bool {
    let mut any = false;
    for step in &block.steps {
        match step {
            Step::Compute(_) => {}
            Step::Check(id) => {
                checked.push(*id);
                any = true;
            }
            Step::Branch { node, then, otherwise, .. } => {
                // Both sides are looked at, whatever the first one says.
                if seek_checks(&then.1, checked, checking) | seek_checks(&otherwise.1, checked, checking) {
                    checking.push(*node);
                    any = true;
                }
            }
        }
    }
    any
}

fn seek_twins(graph: &Graph, block: &Block, needed: &[bool], twins: &mut HashMap<NodeId, NodeId>) {
    let mut alone: HashMap<(NodeId, Unary), NodeId> = HashMap::new();
    for step in &block.steps {
        match step {
            Step::Compute(id) if needed[id.0 as usize] => {
                if let Node::Unary(operation @ (Unary::Sin | Unary::Cos), x) = graph.node(*id) {
                    let other = if operation == Unary::Sin { Unary::Cos } else { Unary::Sin };
                    alone.insert((x, operation), *id);
                    if let Some(&twin) = alone.get(&(x, other)) {
                        twins.extend([(twin, *id), (*id, twin)]);
                    }
                }
            }
            Step::Branch { then, otherwise, .. } => {
                seek_twins(graph, &then.1, needed, twins);
                seek_twins(graph, &otherwise.1, needed, twins);
            }
            Step::Compute(_) | Step::Check(_) => {}
        }
    }
}

/// Depth to which the branches of a schedule are nested. Without recursion: it is not bounded yet.
pub(crate) fn depth(schedule: &Schedule) -> usize {
    let mut deepest = 0;
    let mut open = vec![(&schedule.root, 0)];
    while let Some((block, depth)) = open.pop() {
        deepest = deepest.max(depth);
        for step in &block.steps {
            if let Step::Branch { then, otherwise, .. } = step {
                open.extend([(&then.1, depth + 1), (&otherwise.1, depth + 1)]);
            }
        }
    }
    deepest
}

/// Returns for each node `true` if it has the same value in all rows, by its operands alone. Results of an
/// `If` never count as such.
pub(crate) fn invariant(graph: &Graph, layout: &Layout) -> Vec<bool> {
    let mut same = vec![false; graph.nodes.len()];
    for (i, node) in graph.nodes.iter().enumerate() {
        same[i] = match node {
            Node::Slot(slot) => layout.slots[*slot as usize] == Access::Same,
            Node::If(..) | Node::Pick(..) => false,
            node => {
                let mut all = true;
                node.operands(|operand| all &= same[operand.0 as usize]);
                all
            }
        };
    }
    same
}
