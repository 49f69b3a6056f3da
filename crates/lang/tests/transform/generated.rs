//! Random programs in the language itself, through parser, checker and builder, with all their natives.

use crate::dice::Dice;
use crate::evaluate::{fraction, inside, intervals, outputs, programs};
use crate::generate::{self, Generated};
use crate::graphs::by_the_book;
use crate::rate::difference;
use gedanken_lang::ir::{Graph, Schedule, build};
use gedanken_lang::transform::{Seed, enclose, enclose_outward, rate, sweep};
use gedanken_lang::types::Type;

/// Of difference quotients.
const STEP: f64 = 1e-3;

/// One row of inputs, as the slots of the graph, and which of them are truth values.
fn row(generated: &Generated, graph: &Graph, dice: &mut Dice) -> Vec<(f64, bool)> {
    let values = generate::inputs(&generated.program, dice);
    let slot = |slot: &gedanken_lang::ir::Slot| {
        let value = &values[slot.input.0 as usize];
        (value.scalars().unwrap()[slot.element as usize], value.type_of() == Type::Bool)
    };
    graph.slots.iter().map(slot).collect()
}

fn all_outputs(generated: &Generated) -> Graph {
    let all: Vec<usize> = (0..generated.program.outputs.len()).collect();
    build(&generated.program, &all).unwrap()
}

#[test]
fn rates_are_limits_of_difference_quotients() {
    let (mut compared, mut refused) = (0, 0);
    let count = programs(500);
    for seed in 0..count {
        let generated = generate::program(seed);
        let graph = all_outputs(&generated);
        let mut dice = Dice::new(seed);
        let first = row(&generated, &graph, &mut dice);
        let seeds: Vec<Seed> =
            first.iter().map(|&(_, truth)| if truth { Seed::Zero } else { Seed::Slot }).collect();
        let rated = rate(&graph, &seeds).unwrap();
        Schedule::new(&rated).validate(&rated).unwrap();
        let (noise, swept) = (enclose_outward(&graph), sweep(&graph, &seeds).unwrap());
        // The places of the scalars that have rates, among all outputs.
        let mut reals = Vec::new();
        let mut place = 0;
        for (number, output) in graph.outputs.iter().enumerate() {
            if output.ty != Type::Bool {
                reals.extend((place..place + output.nodes.len()).map(|scalar| (number, scalar)));
            }
            place += output.nodes.len();
        }
        for _ in 0..8 {
            let slots = row(&generated, &graph, &mut dice);
            // Half of the rows hold numbers where things happen, kinks among them.
            if slots
                .iter()
                .any(|&(value, truth)| !truth && (value == libm::round(value) || value.abs() > 5.0))
            {
                continue;
            }
            let at: Vec<f64> = slots.iter().map(|&(value, _)| value).collect();
            let along: Vec<f64> = slots
                .iter()
                .map(|&(_, truth)| if truth { 0.0 } else { 2.0 * fraction(&mut dice) - 1.0 })
                .collect();
            let Some(plain) = by_the_book(&graph, &at) else { continue };
            let Some(expected) = difference(&graph, &at, &along, STEP) else { continue };
            let given = along.iter().zip(&slots).filter(|(_, (_, truth))| !truth).map(|(rate, _)| *rate);
            let given: Vec<f64> = given.collect();
            let around = at.iter().zip(&along).flat_map(|(x, d)| [x - STEP * d.abs(), x + STEP * d.abs()]);
            let around: Vec<f64> = around.chain(given.iter().flat_map(|&rate| [rate, rate])).collect();
            let flags = outputs(&swept, &around);
            let flags = &flags[flags.len() - graph.outputs.len()..];
            let found = outputs(&rated, &at.iter().copied().chain(given).collect::<Vec<_>>());
            let noise = intervals(&noise, &at.iter().map(|&x| (x, x)).collect::<Vec<_>>());
            for (number, &(output, k)) in reals.iter().enumerate() {
                // What rounding may do to a value (1e200 + x forgets x), the quotient divides by a small
                // step.
                let (rate, error) = (expected[k].0, expected[k].1 + 1e4 * (noise[k].1 - noise[k].0));
                let scale = rate.abs() + plain[k].abs();
                if !(error <= 1e-8 * scale && (1e-100..1e100).contains(&scale) && flags[output] == 1.0) {
                    continue;
                }
                let got = found[plain.len() + number];
                // Among numbers like 1e200 the square in a rule may overflow. That makes a bad row, not a
                // wrong rate.
                if !got.is_finite() {
                    refused += 1;
                    continue;
                }
                assert!(
                    (got - rate).abs() <= 1e-7 * scale,
                    "program {seed}: {got} but {rate} at {at:?}\n{}",
                    generated.text
                );
                compared += 1;
            }
        }
    }
    assert!(
        compared > 5 * count && 1000 * refused < compared,
        "{compared} rates compared, {refused} refused"
    );
}

#[test]
fn values_and_rates_stay_in_their_enclosures() {
    let (mut seen, mut bounded) = (0, 0);
    for seed in 0..programs(640) {
        let generated = generate::program(seed);
        let graph = all_outputs(&generated);
        let rated = rate(&graph, &vec![Seed::Slot; graph.slots.len()]).unwrap();
        let enclosures = [enclose(&graph), enclose(&rated)];
        let mut dice = Dice::new(seed);
        for _ in 0..5 {
            let slots = row(&generated, &graph, &mut dice);
            let width = dice.one_of(&[0.0, 1e-12, 1e-3, 0.1, 3.0]);
            let mut inputs: Vec<(f64, f64)> = slots
                .iter()
                .map(|&(value, truth)| match truth {
                    true if dice.happens(1, 2) => (0.0, 1.0),
                    true => (value, value),
                    false => (value - width * fraction(&mut dice), value + width * fraction(&mut dice)),
                })
                .collect();
            let rates =
                slots.iter().map(|&(_, truth)| if truth { (0.0, 0.0) } else { (-1.0, fraction(&mut dice)) });
            inputs.extend(rates.collect::<Vec<_>>());
            let found =
                [intervals(&enclosures[0], &inputs[..slots.len()]), intervals(&enclosures[1], &inputs)];
            for _ in 0..20 {
                let mut at: Vec<f64> = inputs.iter().map(|&input| inside(&mut dice, input)).collect();
                for (value, (_, truth)) in at.iter_mut().zip(&slots) {
                    *value = if *truth { libm::round(*value) } else { *value };
                }
                for (which, graph) in [&graph, &rated].into_iter().enumerate() {
                    let Some(values) = by_the_book(graph, &at[..graph.slots.len()]) else { continue };
                    for (value, &(lo, hi)) in values.into_iter().zip(&found[which]) {
                        let told = || {
                            format!(
                                "program {seed}: {value} at {at:?} is not in [{lo}, {hi}]\n{}",
                                generated.text
                            )
                        };
                        assert!(lo <= value && value <= hi, "{}", told());
                        seen += 1;
                        bounded += usize::from(hi - lo < f64::INFINITY);
                    }
                }
            }
        }
    }
    assert!(seen > 20_000 && 2 * bounded > seen, "{bounded} of {seen} values lie in bounded intervals");
}
