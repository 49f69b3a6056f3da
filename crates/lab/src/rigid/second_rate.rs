//! How the rate of a formula changes along a motion without acceleration: C̈ at constant twists, by
//! differentiating twice.
//!
//! Solvers of constraints need it beside the slopes: C̈ = J v̇ + J̇ v, and this is J̇ v, with whatever
//! depends on time.

use super::formula::{Desk, Formula, Source};
use crate::run::kernel::{Compile, GraphKernel};
use gedanken_lang::ir::{self, Access, Executor as _, Layout};
use gedanken_lang::transform::{Seed, rate};

/// A formula's second derivative in time.
#[derive(Debug)]
pub(super) struct Bend {
    kernel: GraphKernel,
    /// For every slot, the place of a scalar among those of all inputs, and what it takes of it.
    slots: Vec<(usize, Take)>,
    width: usize,
}

/// What a slot takes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    Value,
    Rate,
    RateOfRate,
}

impl Bend {
    /// Differentiates the formula's only output twice. An error says why that cannot be.
    pub(super) fn new(formula: &Formula, compile: &Compile) -> Result<Self, String> {
        let graph = ir::build(formula.reference.program(), &[0]).map_err(|unfixed| unfixed.reason)?;
        let seed = |slot: &ir::Slot| match formula.sources[formula.reference.place(*slot)] {
            Source::Own(..) => Seed::Slot,
            Source::Time => Seed::One,
            _ => Seed::Zero,
        };
        let width = graph.outputs[0].nodes.len();
        let mut seeds: Vec<Seed> = graph.slots.iter().map(seed).collect();
        let moving = seeds.iter().filter(|seed| **seed == Seed::Slot).count();
        let mut takes = vec![Take::Value; seeds.len()];
        takes.extend(vec![Take::Rate; moving]);
        let once = rate(&graph, &seeds).map_err(|error| error.to_string())?;
        // The rates change too: theirs are appended after those of the values, which come once more.
        seeds.extend(vec![Seed::Slot; moving]);
        takes.extend(vec![Take::Rate; moving]);
        takes.extend(vec![Take::RateOfRate; moving]);
        let twice = rate(&once, &seeds).map_err(|error| error.to_string())?;
        let slots = formula.reference.places_of(&twice).into_iter().zip(takes).collect();
        let layout = Layout { slots: vec![Access::Same; twice.slots.len()] };
        Ok(Self { kernel: GraphKernel::new(twice, layout, compile), slots, width })
    }

    /// C̈ of the only row on the desk, whose bodies move as they are seen to; `None` where it is not finite.
    pub(super) fn along(&self, formula: &Formula, desk: &Desk) -> Option<Vec<f64>> {
        let take = |&(place, take): &(usize, Take)| match (&formula.sources[place], take) {
            (_, Take::Value) => desk.inputs[place].at(0),
            (Source::Own(number, part), Take::Rate) => desk.seen[0][*number].rate(*part),
            (Source::Own(number, part), _) => desk.seen[0][*number].rate_of_rate(*part),
            _ => 0.0,
        };
        let slots: Vec<f64> = self.slots.iter().map(take).collect();
        // Value, rate, the rate again, and the rate of the rate.
        let mut found = vec![0.0; 4 * self.width];
        let fine = slots.iter().all(|it| it.is_finite()) && self.kernel.run_row(&slots, &mut found);
        fine.then(|| found.split_off(3 * self.width))
    }
}
