//! Derivatives in time: f' = Σ ∂f/∂xₖ xₖ', exact by the rules of differentiation, no difference quotient
//! anywhere.

use super::NotDifferentiable;
use super::forward::{Forward, keep_first};
use super::write::Slots;
use crate::ir::{Graph, GraphOutput, Node, NodeId};
use crate::program::OutputKind;
use crate::types::Type;

/// Rate of the value in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seed {
    /// Zero: the value is frozen.
    Zero,
    /// One: the value is the time itself.
    One,
    /// An input of its own.
    Slot,
}

/// The graph together with its derivatives in time: the outputs of `graph`, then, in the same order, the
/// rates of those that are not truth values, named `position'`.
///
/// There is one seed per slot; slots without one are frozen. For every [`Seed::Slot`] a slot is appended, in
/// the order of the seeds, with the same [`ir::Slot`](crate::ir::Slot): it takes the rate of what that one
/// takes.
///
/// A row is bad where a value or a rate is not finite, as at √t for t = 0.
///
/// # Errors
/// If the graph is an enclosure, or draws random numbers whose seed or key varies.
pub fn rate(graph: &Graph, seeds: &[Seed]) -> Result<Graph, NotDifferentiable> {
    let mut slots = Slots::of(graph);
    let mut appended = vec![None; graph.slots.len()];
    for (slot, (place, seed)) in appended.iter_mut().zip(seeds).enumerate() {
        if *seed == Seed::Slot {
            *place = Some(slots.push(graph, slot, |name| format!("{name}'")));
        }
    }
    let mut forward = Forward::new(graph, 1, |writer, slot, _| match seeds.get(slot as usize) {
        None | Some(Seed::Zero) => None,
        Some(Seed::One) => Some(writer.real(1.0)),
        Some(Seed::Slot) => appended[slot as usize].map(|slot| writer.keep(Node::Slot(slot))),
    })?;
    let rates = derivatives(&mut forward, graph, 0, |output| format!("{}'", output.name));
    Ok(finish(forward, graph, slots, rates))
}

/// The rates of all outputs that have one, in one direction.
pub(super) fn derivatives(
    forward: &mut Forward<'_>,
    graph: &Graph,
    direction: usize,
    name: impl Fn(&GraphOutput) -> String,
) -> Vec<GraphOutput> {
    let zero = forward.writer.real(0.0);
    let of = |output: &GraphOutput| GraphOutput {
        name: name(output),
        kind: OutputKind::Rate,
        ty: output.ty.clone(),
        nodes: output.nodes.iter().map(|&id| forward.rate_of(id, direction).unwrap_or(zero)).collect(),
    };
    graph.outputs.iter().filter(|output| output.ty != Type::Bool).map(of).collect()
}

/// The finished graph: the old outputs and demands, then the `derivatives`, which must be finite.
pub(super) fn finish(
    forward: Forward<'_>,
    graph: &Graph,
    slots: Slots,
    derivatives: Vec<GraphOutput>,
) -> Graph {
    let to = |ids: &[NodeId]| -> Vec<NodeId> { ids.iter().map(|&id| forward.value_of(id)).collect() };
    let mut outputs: Vec<GraphOutput> = graph
        .outputs
        .iter()
        .map(|output| GraphOutput { nodes: to(&output.nodes), ..output.clone() })
        .collect();
    let mut demands = to(&graph.demands);
    demands.extend(derivatives.iter().flat_map(|output| &output.nodes));
    keep_first(&mut demands);
    outputs.extend(derivatives);
    forward.writer.finish(slots, outputs, demands, graph.finite)
}
