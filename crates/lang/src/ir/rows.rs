//! Rows through an executor, and the bad ones through the reference evaluator, which knows whom to blame.

use super::layout::{Executor, Feed, Layout};
use super::{Access, Graph};
use crate::program::{FunctionId, InputId, Program};
use crate::value::Value;
use crate::vm::{Fault, Machine};
use std::ops::Range;

/// Runs `rows` as [`Executor::run`] does. A bad row is run again by `machine`, with `program` compiled for
/// it: if that finds nothing wrong its values are taken, since the executor may have looked at what nothing
/// asked for.
///
/// # Errors
/// The first row with a fault, and the fault. The rows before it are complete.
///
/// # Panics
/// If graph, layout, feeds and columns do not belong together.
pub fn run_rows(
    executor: &dyn Executor,
    machine: &mut Machine,
    program: &Program,
    graph: &Graph,
    layout: &Layout,
    feeds: &[Feed<'_>],
    lists: &[&[u32]],
    rows: Range<usize>,
    outputs: &mut [&mut [f64]],
) -> Result<(), (usize, Fault)> {
    let mut start = rows.start;
    // After a bad row, few rows at first: a chunk that is computed up to its first bad row is mostly computed
    // in vain.
    let mut batch = usize::MAX;
    while start < rows.end {
        let end = rows.end.min(start.saturating_add(batch));
        match executor.run(feeds, lists, start..end, outputs) {
            None => {
                start = end;
                batch = batch.saturating_mul(2);
            }
            Some(bad) => {
                let row = |slot: usize| read(layout, feeds, lists, slot, bad);
                machine.start(inputs(program, graph, row));
                run_again(machine, program, graph, bad, outputs).map_err(|fault| (bad, fault))?;
                start = bad + 1;
                batch = 1;
            }
        }
    }
    Ok(())
}

/// Reads a slot in a row.
fn read(layout: &Layout, feeds: &[Feed<'_>], lists: &[&[u32]], slot: usize, row: usize) -> f64 {
    match (layout.slots[slot], feeds[slot]) {
        (_, Feed::Same(value)) => value,
        (Access::Picked(list), Feed::Column(column)) => column[lists[list as usize][row] as usize],
        (_, Feed::Column(column)) => column[row],
    }
}

/// The inputs of one row. What the program does not look at is 0.
fn inputs(program: &Program, graph: &Graph, row: impl Fn(usize) -> f64) -> Vec<Value> {
    let mut scalars: Vec<Vec<f64>> =
        program.inputs.iter().map(|input| vec![0.0; input.ty.scalars().unwrap_or(0)]).collect();
    for (number, slot) in graph.slots.iter().enumerate() {
        let InputId(input) = slot.input;
        scalars[input as usize][slot.element as usize] = row(number);
    }
    let types = program.inputs.iter().map(|input| &input.ty);
    // What has no fixed form is read by nothing that has one.
    let value = |ty, scalars| Value::from_scalars(ty, scalars).unwrap_or(Value::Sequence(Vec::new()));
    types.zip(scalars).map(|(ty, scalars)| value(ty, scalars)).collect()
}

fn run_again(
    machine: &mut Machine,
    program: &Program,
    graph: &Graph,
    row: usize,
    outputs: &mut [&mut [f64]],
) -> Result<(), Fault> {
    let mut columns = outputs.iter_mut();
    for output in &graph.outputs {
        let value = machine.get(function_of(program, output))?;
        for (scalar, column) in value.scalars().unwrap_or_default().into_iter().zip(&mut columns) {
            column[row] = scalar;
        }
    }
    Ok(())
}

/// The function behind an output of a graph that was built from `program`.
fn function_of(program: &Program, output: &super::GraphOutput) -> FunctionId {
    let found = program.outputs.iter().find(|from| from.name == output.name && from.kind == output.kind);
    found.expect("the graph was built from this program").function
}
