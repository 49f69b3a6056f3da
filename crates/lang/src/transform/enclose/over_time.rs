//! Value and rate over an interval of time.
//!
//! Interval arithmetic forgets that the t in v t and the t in g t²/2 are the same: near the top of a throw,
//! where the two cancel, it gives a range hundreds of times too wide. The rate does not suffer from that, and
//! the mean value theorem carries its bound over to the value:
//!
//! x(t) ∈ x(m) + x'(T) (T - m),  m the middle of T
//!
//! which is exact for uniform motion and quadratic in the length of T otherwise. It holds where x is
//! continuous, see [`steady`](super::continuity); the result is what both ways allow.

use super::continuity::steady;
use super::interval::{Encloser, Interval, Rounding, Sign};
use super::walk::{Enclosed, frozen, real, walk};
use super::{both_ends, two_each};
use crate::arithmetic::{Binary, Comparison};
use crate::ir::{Graph, GraphOutput, NodeId};
use crate::program::OutputKind;
use crate::transform::{NotDifferentiable, Seed, rate};
use crate::types::Type;

/// Encloses values and rates over an interval of time. Slots are those of [`rate`](rate()) with the same
/// seeds, two for each as in [`enclose`](super::enclose); slots seeded with [`Seed::One`] hold the interval
/// of time, which is bounded, and both slots of what is frozen the one number that it is.
///
/// Outputs: the ends of every output and of every rate, in the order of `enclose(rate(graph))`; then for
/// every output of the graph, in order, a truth value `steady x`: whether x changes continuously there, so
/// that its rates bound all differences of its values.
///
/// Ends are rounded outwards and hold the exact values of what depends on time, given the numbers that the
/// program computes for what does not; the noise of computed ones is taken to be no larger than at the middle
/// of the interval.
///
/// # Errors
/// If the graph is an enclosure, or draws random numbers whose seed or key varies.
pub fn sweep(graph: &Graph, seeds: &[Seed]) -> Result<Graph, NotDifferentiable> {
    let rated = rate(graph, seeds)?;
    let mut e = Encloser::new(Rounding::Outward);
    let is_frozen = |slot: u32| {
        let seed = seeds.get(slot as usize).copied().unwrap_or(Seed::Zero);
        (slot as usize) < graph.slots.len() && seed == Seed::Zero
    };
    let found = walk(&mut e, &rated, &frozen(&rated, is_frozen), |e, slot| e.slot(slot));
    let continuous = steady(&mut e, &rated, &found);

    let is_time = |slot: u32| seeds.get(slot as usize) == Some(&Seed::One);
    let middle = walk(&mut e, graph, &frozen(graph, is_frozen), |e, slot| {
        if is_time(slot) { e.middle(slot) } else { e.slot(slot) }
    });
    let time = (0..graph.slots.len() as u32).find(|&slot| is_time(slot));
    let elapsed = time.map(|slot| e.around_middle(slot));

    let values = &rated.outputs[..graph.outputs.len()];
    let mut rates = rated.outputs[graph.outputs.len()..].iter();
    let mut outputs = Vec::new();
    let mut flags = Vec::new();
    for (value, original) in values.iter().zip(&graph.outputs) {
        let of_rates = if value.ty == Type::Bool { None } else { rates.next() };
        let mut ends: Vec<(NodeId, NodeId)> = Vec::new();
        let mut flag = e.writer.truth(true);
        for (place, &id) in value.nodes.iter().enumerate() {
            flag = e.writer.and(flag, continuous[id.0 as usize]);
            let plain = found[id.0 as usize];
            ends.push(match (plain, of_rates, elapsed) {
                (Enclosed::Real(plain), Some(rate), Some(elapsed)) => {
                    let moved = e.mul(real(&found, rate.nodes[place]), elapsed);
                    let around = e.with_noise(real(&middle, original.nodes[place]));
                    let mean = e.add(around, moved);
                    let both = e.common(continuous[id.0 as usize], plain, mean);
                    (both.lo, both.hi)
                }
                _ => plain.ends(),
            });
        }
        outputs.extend(both_ends(value, ends));
        flags.push(GraphOutput {
            name: format!("steady {}", value.name),
            kind: OutputKind::Law,
            ty: Type::Bool,
            nodes: vec![flag],
        });
    }
    for rate in &rated.outputs[graph.outputs.len()..] {
        outputs.extend(both_ends(rate, rate.nodes.iter().map(|id| found[id.0 as usize].ends())));
    }
    outputs.extend(flags);
    Ok(e.writer.finish(two_each(&rated), outputs, Vec::new(), false))
}

impl Encloser {
    /// The middle of what a slot holds, a point inside it.
    fn middle(&mut self, slot: u32) -> Interval {
        let whole = self.slot(slot);
        let w = &mut self.writer;
        let half = w.real(0.5);
        let (low, high) = (w.mul(whole.lo, half), w.mul(whole.hi, half));
        let sum = w.add(low, high);
        let above = w.binary(Binary::Max, sum, whole.lo);
        let middle = w.binary(Binary::Min, above, whole.hi);
        Interval { lo: middle, hi: middle, sign: Sign::Any }
    }

    /// The distance from the middle.
    fn around_middle(&mut self, slot: u32) -> Interval {
        let (whole, middle) = (self.slot(slot), self.middle(slot));
        self.sub(whole, middle, false)
    }

    /// Widened to each side by its own width. At a point of time that width is what rounding may do to a
    /// value.
    fn with_noise(&mut self, x: Interval) -> Interval {
        let width = self.writer.sub(x.hi, x.lo);
        let (lo, hi) = (self.writer.sub(x.lo, width), self.writer.add(x.hi, width));
        Interval { lo: self.lower(lo), hi: self.upper(hi), sign: Sign::Any }
    }

    /// Intersection of both, where the second is `valid`; the first elsewhere, and where they do not meet.
    fn common(&mut self, valid: NodeId, x: Interval, y: Interval) -> Interval {
        let (lo, hi) = (self.writer.max(x.lo, y.lo), self.writer.min(x.hi, y.hi));
        let meet = self.writer.compare(Comparison::Le, lo, hi);
        let valid = self.writer.and(valid, meet);
        self.choose(valid, Interval { lo, hi, sign: x.sign }, x)
    }
}
