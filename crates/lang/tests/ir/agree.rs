//! One meaning, several executors: random programs give the same bits, and the same faults, whoever runs
//! them.

use crate::dice::Dice;
use crate::generate;
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, build};
use gedanken_lang::kernel::{Reference, run_rows};
use gedanken_lang::program::Program;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits, Machine, compile};
use proptest::prelude::*;
use std::sync::Arc;

const ROWS: usize = 20;

/// All outputs of one row by the reference evaluator.
fn reference(machine: &mut Machine, program: &Program, inputs: &[Value]) -> Result<Vec<u64>, Fault> {
    machine.start(inputs.to_vec());
    let mut all = Vec::new();
    for output in &program.outputs {
        all.extend(machine.get(output.function)?.scalars().unwrap().iter().map(|scalar| scalar.to_bits()));
    }
    Ok(all)
}

/// Outcomes of the rows of a program.
#[derive(Default)]
struct Tally {
    good: usize,
    faulty: usize,
    in_vain: usize,
}

/// Runs the program of a seed both ways and compares.
fn agree(seed: u64, tally: &mut Tally) {
    let generated = generate::program(seed);
    let (text, program) = (&generated.text, &generated.program);
    let all: Vec<usize> = (0..program.outputs.len()).collect();
    let graph = build(program, &all).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    let schedule = Schedule::new(&graph);
    schedule.validate(&graph).unwrap_or_else(|mistake| panic!("{mistake}\n{text}\n{graph}"));

    let mut dice = Dice::new(seed);
    let rows: Vec<Vec<Value>> = (0..ROWS).map(|_| generate::inputs(program, &mut dice)).collect();
    let mut machine = Machine::new(Arc::new(compile(program)), Limits::default());
    let expected: Vec<_> = rows.iter().map(|row| reference(&mut machine, program, row)).collect();

    let columns = columns(&graph, &rows);
    let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
    let executor = ColumnProgram::new(&graph, &layout);
    let feeds: Vec<Feed<'_>> = columns.iter().map(|column| Feed::Column(column)).collect();
    let width: usize = graph.outputs.iter().map(|output| output.nodes.len()).sum();
    let mut results = vec![vec![0.0; ROWS]; width];
    let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    let again = Reference::new(program.clone(), Limits::default());
    let mut start = 0;
    let mut faults = Vec::new();
    while start < ROWS {
        let range = start..ROWS;
        match run_rows(&executor, &again, &graph, &layout, &feeds, &[], range, &mut outputs) {
            Ok(()) => break,
            Err((row, fault)) => {
                faults.push((row, fault));
                start = row + 1;
            }
        }
    }
    let bad = bad_rows(&executor, &feeds, width);
    for (row, expected) in expected.iter().enumerate() {
        let told = || format!("row {row}: {:?}\n{text}\n{graph}", rows[row]);
        let fault = faults.iter().find(|(at, _)| *at == row).map(|(_, fault)| fault);
        match expected {
            Ok(bits) => {
                assert_eq!(fault, None, "{}", told());
                let found: Vec<u64> = results.iter().map(|column| column[row].to_bits()).collect();
                assert_eq!(&found, bits, "{}", told());
                tally.good += 1;
                tally.in_vain += usize::from(bad[row]);
            }
            Err(expected) => {
                assert!(bad[row], "{}: {}", expected.message, told());
                assert_eq!(fault, Some(expected), "{}", told());
                tally.faulty += 1;
            }
        }
    }
}

/// The rows that an executor by itself takes for bad.
fn bad_rows(executor: &dyn Executor, feeds: &[Feed<'_>], width: usize) -> Vec<bool> {
    let mut results = vec![vec![0.0; ROWS]; width];
    let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    (0..ROWS).map(|row| executor.run(feeds, &[], row..row + 1, &mut outputs).is_some()).collect()
}

/// Rows of values as one column per slot.
fn columns(graph: &Graph, rows: &[Vec<Value>]) -> Vec<Vec<f64>> {
    let column = |slot: &gedanken_lang::ir::Slot| {
        rows.iter().map(|row| row[slot.input.0 as usize].scalars().unwrap()[slot.element as usize]).collect()
    };
    graph.slots.iter().map(column).collect()
}

proptest! {
    /// Eight programs for each case: 2,048 in `make test`. Native code is compared in the same way, on many
    /// more, in the crate that makes it.
    #[test]
    fn columns_agree_with_the_evaluator(seed in any::<u64>()) {
        for next in 0..8 {
            agree(seed.wrapping_add(next), &mut Tally::default());
        }
    }
}

/// The comparison above means something only if many rows come out well and many do not, and it is quick only
/// if few rows are run again for nothing.
#[test]
fn good_and_faulty_rows_are_both_common() {
    let mut tally = Tally::default();
    (0..300).for_each(|seed| agree(seed, &mut tally));
    let Tally { good, faulty, in_vain } = tally;
    let all = good + faulty;
    assert!(good * 5 > all && faulty * 5 > all, "{good} good, {faulty} faulty");
    assert!(in_vain * 20 < good, "{in_vain} in vain, {good} good");
}
