//! Interval arithmetic as a graph: what a program can give when its inputs are anywhere in given intervals.
//!
//! **Promise.** If every slot holds a value inside its interval and the program does not fail there, each
//! output that it computes lies inside its interval. [`enclose`] keeps this promise for the numbers that
//! executors compute, [`enclose_outward`] also for the numbers that the formulas mean without rounding. Where
//! nothing can be said the interval is the whole line, with infinite ends; ends are never NaN. Where the
//! program fails (√ of a negative number, 1/0) there is no value, so nothing is promised, and an operation
//! may assume that its operands were in its domain.
//!
//! **Rounding.** Sums, products, quotients and square roots are correctly rounded, and rounding is monotonic,
//! so the ends computed by the same operations bound all computed results without further care. That keeps
//! frozen inputs points: a condition on them is decided as the program decides it. The functions of `libm`
//! err by less than one unit in the last place, so ends made by them are moved two units outwards, unless the
//! operand is a point and the function is therefore computed exactly as in the program. [`enclose_outward`]
//! moves every inexact end by a unit.
//!
//! **Choice.** Truth values become three-valued. An arm of an `if` that is certainly not taken does not widen
//! the result; when both may be taken the result is the hull. There are no branches left, so an enclosure is
//! straight code.

mod arithmetic;
mod continuity;
mod functions;
mod interval;
mod over_time;
mod periodic;
mod truth;
mod walk;

pub use over_time::sweep;

use super::write::Slots;
use crate::ir::{Graph, GraphOutput, NodeId};
use interval::{Encloser, Rounding};
use walk::{Enclosed, walk};

/// Encloses what executors compute. Slot k becomes the slots 2k and 2k+1, its lower and its upper end; output
/// k becomes the outputs 2k and 2k+1, named `least x` and `greatest x`. Of a truth value the lower end says
/// that it is certainly true, the upper end that it may be true.
///
/// Ends given to slots must be ordered and not NaN; the lower one may be -∞, the upper one ∞.
pub fn enclose(graph: &Graph) -> Graph {
    enclosed(graph, Rounding::Monotonic)
}

/// As [`enclose`], but the exact value of every formula lies inside too (but for what underflows to zero).
/// Points become a few units in the last place wide, so conditions that hang on an equality may stay open.
pub fn enclose_outward(graph: &Graph) -> Graph {
    enclosed(graph, Rounding::Outward)
}

fn enclosed(graph: &Graph, rounding: Rounding) -> Graph {
    let mut encloser = Encloser::new(rounding);
    let found = walk(&mut encloser, graph, &[], |encloser, slot| encloser.slot(slot));
    let mut outputs = Vec::with_capacity(2 * graph.outputs.len());
    for output in &graph.outputs {
        outputs.extend(both_ends(output, output.nodes.iter().map(|id| found[id.0 as usize].ends())));
    }
    encloser.writer.finish(two_each(graph), outputs, Vec::new(), false)
}

/// Every slot twice: its two ends come from the same place.
fn two_each(graph: &Graph) -> Slots {
    let mut slots = Slots::default();
    for slot in 0..graph.slots.len() {
        slots.push(graph, slot, |name| format!("least {name}"));
        slots.push(graph, slot, |name| format!("greatest {name}"));
    }
    slots
}

/// The outputs that hold the lower and the upper ends of an output.
fn both_ends(output: &GraphOutput, ends: impl IntoIterator<Item = (NodeId, NodeId)>) -> [GraphOutput; 2] {
    let (lower, upper): (Vec<_>, Vec<_>) = ends.into_iter().unzip();
    [("least", lower), ("greatest", upper)].map(|(which, nodes)| GraphOutput {
        name: format!("{which} {}", output.name),
        nodes,
        ..output.clone()
    })
}

impl Enclosed {
    /// The nodes of the lower and the upper end.
    fn ends(self) -> (NodeId, NodeId) {
        match self {
            Self::Real(x) => (x.lo, x.hi),
            Self::Truth(x) => (x.certain, x.possible),
        }
    }
}
