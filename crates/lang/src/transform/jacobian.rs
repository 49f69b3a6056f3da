//! Derivatives with respect to inputs: Jacobian matrices, and gradients of potentials and constraints.
//!
//! Forward differentiation in one direction per slot. All directions are followed in the same walk, so
//! values, conditions and arms are shared between them.

use super::NotDifferentiable;
use super::forward::Forward;
use super::rate::{derivatives, finish};
use super::write::Slots;
use crate::ir::Graph;

/// The graph together with ∂output/∂slot: the outputs of `graph`; then, for every slot of `with_respect_to`
/// in turn, the derivatives of all outputs that are not truth values, named `d energy / d position#1`. So the
/// gradient of a single real is the list of derivatives as it stands.
///
/// # Errors
/// If the graph is an enclosure, or draws random numbers whose seed or key varies.
pub fn jacobian(graph: &Graph, with_respect_to: &[u32]) -> Result<Graph, NotDifferentiable> {
    let mut forward = Forward::new(graph, with_respect_to.len(), |writer, slot, direction| {
        (with_respect_to[direction] == slot).then(|| writer.real(1.0))
    })?;
    let mut outputs = Vec::new();
    for (direction, slot) in with_respect_to.iter().enumerate() {
        let name = graph.slot_names.get(*slot as usize).cloned().unwrap_or_else(|| format!("slot {slot}"));
        outputs.extend(derivatives(&mut forward, graph, direction, |output| {
            format!("d {} / d {name}", output.name)
        }));
    }
    Ok(finish(forward, graph, Slots::of(graph), outputs))
}
