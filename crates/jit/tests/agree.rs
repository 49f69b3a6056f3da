//! One meaning: random programs give the same bits, and the same faults, by the reference evaluator, by
//! columns and by native code, in whatever way their inputs are read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../../lang/tests/support/dice.rs"]
mod dice;
#[path = "../../lang/tests/support/generate.rs"]
mod generate;

use dice::Dice;
use gedanken_jit::{JitError, compile};
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, Slot, build};
use gedanken_lang::kernel::{Reference, run_rows};
use gedanken_lang::program::Program;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits, Machine, compile as compile_to_bytecode};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

const ROWS: usize = 12;
const LISTS: u8 = 2;

/// What a program gives in each row: its scalars as bits, or the fault.
type Rows = Vec<Result<Vec<u64>, Fault>>;

/// A program with the columns that it reads.
struct Case {
    text: String,
    program: Program,
    graph: Graph,
    /// Of every input, its values down the rows.
    stored: Vec<Vec<Value>>,
    lists: Vec<Vec<u32>>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let generate::Generated { text, program } = generate::program(seed);
        let all: Vec<usize> = (0..program.outputs.len()).collect();
        let graph = build(&program, &all).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
        let mut dice = Dice::new(seed);
        let stored = (0..ROWS).map(|_| generate::inputs(&program, &mut dice)).collect();
        let list = |dice: &mut Dice| (0..ROWS).map(|_| u32::try_from(dice.below(ROWS)).unwrap()).collect();
        let lists = (0..LISTS).map(|_| list(&mut dice)).collect();
        Self { text, program, graph, stored, lists }
    }

    /// The place that an input is read from in a row.
    fn place(&self, access: Access, row: usize) -> usize {
        match access {
            Access::Same => 0,
            Access::Each => row,
            Access::Picked(list) => self.lists[usize::from(list)][row] as usize,
        }
    }

    /// Every row by the reference evaluator.
    fn reference(&self, access: &[Access]) -> Rows {
        let mut machine = self.machine();
        let mut row = |row: usize| {
            let place =
                |(input, access): (usize, &Access)| self.stored[self.place(*access, row)][input].clone();
            machine.start(access.iter().enumerate().map(place).collect());
            let mut bits = Vec::new();
            for output in &self.program.outputs {
                bits.extend(
                    machine.get(output.function)?.scalars().unwrap().iter().map(|scalar| scalar.to_bits()),
                );
            }
            Ok(bits)
        };
        (0..ROWS).map(&mut row).collect()
    }

    /// Every row by an executor, the bad ones by the evaluator after it, as the lab does.
    fn executed(&self, executor: &dyn Executor, layout: &Layout) -> Rows {
        let columns: Vec<Vec<f64>> = self.graph.slots.iter().map(|slot| self.column(slot)).collect();
        let feeds: Vec<Feed<'_>> = columns
            .iter()
            .zip(&layout.slots)
            .map(|(column, access)| match access {
                Access::Same => Feed::Same(column[0]),
                Access::Each | Access::Picked(_) => Feed::Column(column),
            })
            .collect();
        let lists: Vec<&[u32]> = self.lists.iter().map(Vec::as_slice).collect();
        let width: usize = self.graph.outputs.iter().map(|output| output.nodes.len()).sum();
        let mut results = vec![vec![0.0; ROWS]; width];
        let again = Reference::new(self.program.clone(), Limits::default());
        let mut faults: Vec<Option<Fault>> = vec![None; ROWS];
        let mut start = 0;
        while start < ROWS {
            let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
            let rows = start..ROWS;
            match run_rows(executor, &again, &self.graph, layout, &feeds, &lists, rows, &mut outputs) {
                Ok(()) => break,
                Err((row, fault)) => {
                    faults[row] = Some(fault);
                    start = row + 1;
                }
            }
        }
        let bits = |row: usize| results.iter().map(|column| column[row].to_bits()).collect();
        faults.into_iter().enumerate().map(|(row, fault)| fault.map_or_else(|| Ok(bits(row)), Err)).collect()
    }

    /// Holds the three against each other, with inputs that are read as `access` says.
    fn agree(&self, access: &[Access]) {
        let layout =
            Layout { slots: self.graph.slots.iter().map(|slot| access[slot.input.0 as usize]).collect() };
        let told = || format!("{access:?}\n{}\n{}", self.text, self.graph);
        let expected = self.reference(access);
        let columns = self.executed(&ColumnProgram::new(&self.graph, &layout), &layout);
        assert_eq!(columns, expected, "columns: {}", told());
        match compile(&self.graph, &Schedule::new(&self.graph), &layout) {
            Ok(native) => assert_eq!(self.executed(&native, &layout), expected, "native code: {}", told()),
            // Some programs grow without bound when their calls are inlined.
            Err(JitError::TooLarge { .. }) => {}
            Err(error) => panic!("{error}\n{}", told()),
        }
    }

    fn machine(&self) -> Machine {
        Machine::new(Arc::new(compile_to_bytecode(&self.program)), Limits::default())
    }

    fn column(&self, slot: &Slot) -> Vec<f64> {
        let scalar = |row: &Vec<Value>| row[slot.input.0 as usize].scalars().unwrap()[slot.element as usize];
        self.stored.iter().map(scalar).collect()
    }
}

const WAYS: [Access; 4] = [Access::Same, Access::Each, Access::Picked(0), Access::Picked(1)];

/// 2,048 programs in `make test`, 102,400 in `make test-long`. By hand, since the macro would take the number
/// of cases from the environment, whatever is configured.
#[test]
fn all_executors_agree() {
    let cases = ProptestConfig::default().cases;
    let cases = if cases > 256 { 25 * cases } else { 8 * cases };
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&any::<u64>().no_shrink(), |seed| {
        let case = Case::new(seed);
        let mut dice = Dice::new(!seed);
        let access: Vec<Access> = case.program.inputs.iter().map(|_| dice.one_of(&WAYS)).collect();
        case.agree(&access);
        Ok(())
    });
    outcome.unwrap();
}

/// Every input in the same way, each way in turn.
#[test]
fn all_executors_agree_on_every_way_to_read() {
    for seed in 0..100 {
        let case = Case::new(seed);
        for way in WAYS {
            case.agree(&vec![way; case.program.inputs.len()]);
        }
    }
}
