//! Drops what nobody needs from a graph, and numbers the rest anew: nodes in their order, slots in the order of the inputs.
//!
//! Slots all stay, also those that no node reads any more: when a row fails, the values that went in are shown whole.

use super::{Arm, ArmId, Graph, Node, NodeId};

/// The same program without idle nodes and arms.
pub(crate) fn compact(graph: Graph) -> Graph {
    let needed = needed(&graph);
    let slots = slot_order(&graph);
    let mut new_slot = vec![0_u32; graph.slots.len()];
    for (number, &old) in (0_u32..).zip(&slots) {
        new_slot[old] = number;
    }
    let mut compact = Graph {
        slots: slots.iter().map(|&slot| graph.slots[slot]).collect(),
        slot_names: slots.iter().filter_map(|&slot| graph.slot_names.get(slot).cloned()).collect(),
        finite: graph.finite,
        ..Graph::default()
    };
    let mut numbers = vec![NodeId(0); graph.nodes.len()];
    let renumber = |ids: &[NodeId], numbers: &[NodeId]| -> Vec<NodeId> {
        ids.iter().filter(|id| needed[id.0 as usize]).map(|id| numbers[id.0 as usize]).collect()
    };
    let mut next = 0_u32;
    for (index, &node) in graph.nodes.iter().enumerate() {
        if !needed[index] {
            continue;
        }
        let to = |id: NodeId| numbers[id.0 as usize];
        let moved = match node {
            Node::Real(_) | Node::Truth(_) | Node::Fail => node,
            Node::Slot(slot) => Node::Slot(new_slot[slot as usize]),
            Node::Unary(operation, x) => Node::Unary(operation, to(x)),
            Node::Binary(operation, x, y) => Node::Binary(operation, to(x), to(y)),
            Node::Compare(comparison, x, y) => Node::Compare(comparison, to(x), to(y)),
            Node::Not(x) => Node::Not(to(x)),
            Node::And(x, y) => Node::And(to(x), to(y)),
            Node::Or(x, y) => Node::Or(to(x), to(y)),
            Node::Select(c, x, y) => Node::Select(to(c), to(x), to(y)),
            Node::Pick(from, result) => Node::Pick(to(from), result),
            Node::If(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|arm| {
                    let arm = graph.arm(arm);
                    compact.arms.push(Arm {
                        results: renumber(&arm.results, &numbers),
                        demands: renumber(&arm.demands, &numbers),
                    });
                    ArmId(u32::try_from(compact.arms.len() - 1).unwrap_or(u32::MAX))
                });
                Node::If(to(condition), then, otherwise)
            }
        };
        numbers[index] = NodeId(next);
        next += 1;
        compact.nodes.push(moved);
        compact.spans.push(graph.spans.get(index).copied().flatten());
    }
    compact.demands = renumber(&graph.demands, &numbers);
    compact.outputs = graph.outputs;
    for output in &mut compact.outputs {
        output.nodes = renumber(&output.nodes, &numbers);
    }
    compact
}

/// Of each node, whether an output or a demand needs it.
fn needed(graph: &Graph) -> Vec<bool> {
    let mut needed = vec![false; graph.nodes.len()];
    for id in graph.outputs.iter().flat_map(|output| &output.nodes).chain(&graph.demands) {
        needed[id.0 as usize] = true;
    }
    for index in (0..graph.nodes.len()).rev() {
        if !needed[index] {
            continue;
        }
        graph.nodes[index].operands(|operand| needed[operand.0 as usize] = true);
        if let Node::If(_, then, otherwise) = graph.nodes[index] {
            for arm in [then, otherwise].map(|arm| graph.arm(arm)) {
                for id in arm.results.iter().chain(&arm.demands) {
                    needed[id.0 as usize] = true;
                }
            }
        }
    }
    needed
}

/// The slots by input and element.
fn slot_order(graph: &Graph) -> Vec<usize> {
    let mut slots: Vec<usize> = (0..graph.slots.len()).collect();
    slots.sort_by_key(|&slot| (graph.slots[slot].input, graph.slots[slot].element));
    slots
}
