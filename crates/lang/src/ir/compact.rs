//! Drops what nobody needs from a graph and numbers the rest anew, and puts slots in the order of the inputs.
//!
//! Slots all stay, also those that no node reads any more: when a row fails, the values that went in are
//! shown whole.

use super::{Arm, ArmId, Graph, Node, NodeId};

/// The same program without idle nodes and arms; its nodes stay in their order.
pub(crate) fn compact(graph: Graph) -> Graph {
    let needed = needed(&graph);
    let mut compact = Graph {
        slots: graph.slots,
        slot_names: graph.slot_names,
        outputs: graph.outputs,
        finite: graph.finite,
        ..Graph::default()
    };
    let mut numbers = vec![NodeId(0); graph.nodes.len()];
    let renumber = |ids: &[NodeId], numbers: &[NodeId]| -> Vec<NodeId> {
        ids.iter().map(|id| numbers[id.0 as usize]).collect()
    };
    let mut next = 0_u32;
    for (index, &node) in graph.nodes.iter().enumerate() {
        if !needed[index] {
            continue;
        }
        let mut moved = node.map(|id| numbers[id.0 as usize]);
        if let Node::If(_, then, otherwise) = &mut moved {
            for id in [then, otherwise] {
                let arm = &graph.arms[id.0 as usize];
                *id = ArmId(u32::try_from(compact.arms.len()).unwrap_or(u32::MAX));
                compact.arms.push(Arm {
                    results: renumber(&arm.results, &numbers),
                    demands: renumber(&arm.demands, &numbers),
                });
            }
        }
        numbers[index] = NodeId(next);
        next += 1;
        compact.nodes.push(moved);
        compact.spans.push(graph.spans.get(index).copied().flatten());
    }
    compact.demands = renumber(&graph.demands, &numbers);
    for output in &mut compact.outputs {
        output.nodes = renumber(&output.nodes, &numbers);
    }
    compact
}

/// The same program with its slots by input and element.
pub(crate) fn order_slots(mut graph: Graph) -> Graph {
    let mut order: Vec<usize> = (0..graph.slots.len()).collect();
    order.sort_by_key(|&slot| (graph.slots[slot].input, graph.slots[slot].element));
    let mut numbers = vec![0_u32; order.len()];
    for (number, &old) in (0_u32..).zip(&order) {
        numbers[old] = number;
    }
    for node in &mut graph.nodes {
        if let Node::Slot(slot) = node {
            *slot = numbers[*slot as usize];
        }
    }
    graph.slot_names = order.iter().filter_map(|&slot| graph.slot_names.get(slot).cloned()).collect();
    graph.slots = order.iter().map(|&slot| graph.slots[slot]).collect();
    graph
}

/// Returns for each node `true` if an output or a demand needs it.
fn needed(graph: &Graph) -> Vec<bool> {
    let mut needed = vec![false; graph.nodes.len()];
    for id in graph.outputs.iter().flat_map(|output| &output.nodes).chain(&graph.demands) {
        needed[id.0 as usize] = true;
    }
    // Operands, and what is in the arms of an `if`, come before it: one walk backwards finds everything.
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
