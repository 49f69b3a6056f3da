//! Rows through an executor, and the bad ones through the reference evaluator, which knows the words.

use super::reference::Reference;
use crate::ir::{Access, Executor, Feed, Graph, GraphOutput, Layout};
use crate::vm::Fault;
use std::ops::Range;

/// Number of rows after which the token that ends evaluations is looked at: a millisecond for most formulas.
const ROWS_BETWEEN_LOOKS: usize = 1 << 14;

/// Runs `rows` as [`Executor::run`] does. A bad row is run again by the reference evaluator of the program
/// that the graph was built from. If that finds nothing wrong its values are taken, since the executor may
/// have looked at what nothing asked for.
///
/// # Errors
/// The first row with a fault, and the fault. The rows before it are complete.
///
/// # Panics
/// If graph, layout, feeds and columns do not belong together.
pub fn run_rows(
    executor: &(impl Executor + ?Sized),
    reference: &Reference,
    graph: &Graph,
    layout: &Layout,
    feeds: &[Feed<'_>],
    lists: &[&[u32]],
    rows: Range<usize>,
    columns: &mut [&mut [f64]],
) -> Result<(), (usize, Fault)> {
    let mut start = rows.start;
    // At most so many rows at once, so that a run over very many can be ended between them. After a bad row, few rows at first: a chunk that is computed up to its first bad row is mostly computed
    // in vain.
    let mut batch = ROWS_BETWEEN_LOOKS;
    while start < rows.end {
        reference.look().map_err(|fault| (start, fault))?;
        let end = rows.end.min(start.saturating_add(batch));
        match executor.run(feeds, lists, start..end, columns) {
            None => {
                start = end;
                batch = batch.saturating_mul(2).min(ROWS_BETWEEN_LOOKS);
            }
            Some(bad) => {
                // Scalars that the program does not look at are 0.
                let mut scalars = vec![0.0; reference.places()];
                for (number, &slot) in graph.slots.iter().enumerate() {
                    scalars[reference.place(slot)] = read(layout, feeds, lists, number, bad);
                }
                let outputs: Vec<usize> = graph.outputs.iter().map(|it| index_of(reference, it)).collect();
                let values = reference.values(|place| scalars[place]);
                let write = |number: usize, scalar| columns[number][bad] = scalar;
                reference.evaluate(values, &outputs, write).map_err(|fault| (bad, fault))?;
                start = bad + 1;
                batch = 1;
            }
        }
    }
    Ok(())
}

/// Value that a slot reads in a row.
fn read(layout: &Layout, feeds: &[Feed<'_>], lists: &[&[u32]], slot: usize, row: usize) -> f64 {
    match (layout.slots[slot], feeds[slot]) {
        (_, Feed::Same(value)) => value,
        (Access::Picked(list), Feed::Column(column)) => column[lists[list as usize][row] as usize],
        (_, Feed::Column(column)) => column[row],
    }
}

/// Index of an output of the graph among those of the program.
fn index_of(reference: &Reference, output: &GraphOutput) -> usize {
    let mut outputs = reference.program().outputs.iter();
    let found = outputs.position(|from| from.name == output.name && from.kind == output.kind);
    found.expect("the graph was built from this program")
}
