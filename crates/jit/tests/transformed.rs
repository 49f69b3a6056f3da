//! Rates and enclosures of random programs: native code gives the bits of columns, infinite ends of intervals
//! included, and stops at the same rows.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../../lang/tests/support/dice.rs"]
mod dice;
#[allow(dead_code, reason = "inputs are drawn slot by slot here")]
#[path = "../../lang/tests/support/generate.rs"]
mod generate;

use dice::Dice;
use gedanken_jit::{JitError, compile};
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, build};
use gedanken_lang::transform::{Seed, enclose, enclose_outward, rate};

const ROWS: usize = 10;
const PROGRAMS: u64 = 60;

/// The graph of every law of a random program.
fn graphs(seed: u64) -> impl Iterator<Item = Graph> {
    let program = generate::program(seed).program;
    (0..program.outputs.len()).map(move |output| build(&program, &[output]).unwrap())
}

/// Row after row, by itself: whether it was bad, and its results, all NaNs alike.
fn rows(executor: &dyn Executor, columns: &[Vec<f64>], width: usize) -> Vec<(bool, Vec<u64>)> {
    let feeds: Vec<Feed<'_>> = columns.iter().map(|column| Feed::Column(column)).collect();
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    let row = |row: usize| {
        let mut results = vec![vec![0.0; ROWS]; width];
        let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        let bad = executor.run(&feeds, &[], row..row + 1, &mut outputs).is_some();
        // What a bad row leaves behind is nobody's business.
        (bad, if bad { Vec::new() } else { results.iter().map(|column| bits(column[row])).collect() })
    };
    (0..ROWS).map(row).collect()
}

fn agree(graph: &Graph, dice: &mut Dice) {
    let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
    let columns: Vec<Vec<f64>> =
        layout.slots.iter().map(|_| (0..ROWS).map(|_| dice.number()).collect()).collect();
    let width = graph.outputs.iter().map(|output| output.nodes.len()).sum();
    let expected = rows(&ColumnProgram::new(graph, &layout), &columns, width);
    match compile(graph, &Schedule::new(graph), &layout) {
        Ok(native) => assert_eq!(rows(&native, &columns, width), expected, "{graph}"),
        Err(JitError::TooLarge { .. }) => {}
        Err(error) => panic!("{error}\n{graph}"),
    }
}

#[test]
fn rates_agree() {
    for seed in 0..PROGRAMS {
        for graph in graphs(seed) {
            let rate = rate(&graph, &vec![Seed::Slot; graph.slots.len()]).unwrap();
            agree(&rate, &mut Dice::new(seed));
        }
    }
}

#[test]
fn enclosures_agree() {
    for seed in 0..PROGRAMS {
        for graph in graphs(seed) {
            agree(&enclose(&graph), &mut Dice::new(seed));
            agree(&enclose_outward(&graph), &mut Dice::new(seed));
        }
    }
}
