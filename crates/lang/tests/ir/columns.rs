//! The column evaluator against graphs evaluated by the book, and every schedule on the way against its
//! guard.

use crate::dice::Dice;
use crate::graphs::{by_the_book, graph};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Unary};
use gedanken_lang::ir::{
    Access, Builder, ColumnProgram, Executor, Feed, Graph, GraphOutput, Layout, Schedule,
};
use gedanken_lang::program::{InputId, OutputKind};
use gedanken_lang::transform::{enclose, jacobian};
use gedanken_lang::types::Type;
use proptest::prelude::*;

/// Columns for the slots of a graph, more rows than a chunk has.
struct Table {
    columns: Vec<Vec<f64>>,
}

const ROWS: usize = 300;

impl Table {
    fn new(dice: &mut Dice, slots: usize) -> Self {
        // In some tables all rows of a column are equal, so that whole chunks agree.
        let columns = (0..slots).map(|_| {
            let first = dice.number();
            let varies = dice.happens(3, 4);
            (0..ROWS).map(|_| if varies { dice.number() } else { first }).collect()
        });
        Self { columns: columns.collect() }
    }

    fn row(&self, row: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[row]).collect()
    }
}

/// Runs all rows, going on after each bad one; `None` for those.
fn run_all(
    program: &ColumnProgram,
    feeds: &[Feed<'_>],
    lists: &[&[u32]],
    outputs: usize,
) -> Vec<Option<Vec<f64>>> {
    let mut columns = vec![vec![7.5; ROWS]; outputs];
    let mut bad = vec![false; ROWS];
    let (mut start, mut batch) = (0, ROWS);
    while start < ROWS {
        let mut slices: Vec<&mut [f64]> = columns.iter_mut().map(Vec::as_mut_slice).collect();
        let end = ROWS.min(start + batch);
        match program.run(feeds, lists, start..end, &mut slices) {
            None => (start, batch) = (end, 2 * batch),
            Some(row) => {
                bad[row] = true;
                (start, batch) = (row + 1, 1);
            }
        }
    }
    (0..ROWS).map(|row| (!bad[row]).then(|| columns.iter().map(|column| column[row]).collect())).collect()
}

/// One NaN is like another; all other numbers are told apart.
fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
}

/// Every row that is bad by the book is found, and every row that is not found has its values. Returns how
/// many rows were found in vain.
fn compare(graph: &Graph, table: &Table, found: &[Option<Vec<f64>>]) -> usize {
    let mut in_vain = 0;
    for (row, found) in found.iter().enumerate() {
        let expected = by_the_book(graph, &table.row(row));
        match (expected, found) {
            (Some(expected), Some(found)) => {
                assert_eq!(bits(&expected), bits(found), "row {row} = {:?} of\n{graph}", table.row(row));
            }
            (None, Some(found)) => {
                panic!("row {row} = {:?} is bad, but gave {found:?} in\n{graph}", table.row(row))
            }
            (Some(_), None) => in_vain += 1,
            (None, None) => {}
        }
    }
    in_vain
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * ProptestConfig::default().cases, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn columns_go_by_the_book(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let graph = graph(&mut dice, Binary::ALL);
        let schedule = Schedule::new(&graph);
        prop_assert_eq!(schedule.validate(&graph), Ok(()), "{}", graph);
        let table = Table::new(&mut dice, graph.slots.len());
        let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
        let program = ColumnProgram::new(&graph, &layout);
        let feeds: Vec<Feed<'_>> = table.columns.iter().map(|column| Feed::Column(column)).collect();
        let found = run_all(&program, &feeds, &[], graph.outputs.len());
        compare(&graph, &table, &found);
    }

    /// One column is the same for all rows, one is picked by a list: the same values as if they were columns.
    #[test]
    fn how_a_slot_is_read_does_not_matter(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let graph = graph(&mut dice, Binary::ALL);
        let mut table = Table::new(&mut dice, graph.slots.len());
        let places: Vec<u32> = (0..ROWS).map(|_| dice.below(10) as u32).collect();
        let mut layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
        let short: Vec<f64> = (0..10).map(|_| dice.number()).collect();
        let one = dice.number();
        for (slot, column) in table.columns.iter_mut().enumerate() {
            layout.slots[slot] = match slot {
                0 => {
                    column.fill(one);
                    Access::Same
                }
                1 => {
                    *column = places.iter().map(|&place| short[place as usize]).collect();
                    Access::Picked(0)
                }
                _ => Access::Each,
            };
        }
        let feeds: Vec<Feed<'_>> = table.columns.iter().enumerate().map(|(slot, column)| match slot {
            0 => Feed::Same(one),
            1 => Feed::Column(&short),
            _ => Feed::Column(column),
        }).collect();
        let program = ColumnProgram::new(&graph, &layout);
        compare(&graph, &table, &run_all(&program, &feeds, &[&places], graph.outputs.len()));
    }

    /// Rates of change and enclosures are graphs like any other.
    #[test]
    fn transformed_graphs_go_by_the_book(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let graph = graph(&mut dice, Binary::ALL);
        let slots: Vec<u32> = (0..graph.slots.len() as u32).collect();
        let transformed = [jacobian(&graph, &slots).ok(), Some(enclose(&graph))];
        for graph in transformed.into_iter().flatten() {
            prop_assert_eq!(Schedule::new(&graph).validate(&graph), Ok(()), "{}", graph);
            let table = Table::new(&mut dice, graph.slots.len());
            let program = ColumnProgram::new(&graph, &Layout { slots: vec![Access::Each; graph.slots.len()] });
            let feeds: Vec<Feed<'_>> = table.columns.iter().map(|column| Feed::Column(column)).collect();
            let width = graph.outputs.iter().map(|output| output.nodes.len()).sum();
            compare(&graph, &table, &run_all(&program, &feeds, &[], width));
        }
    }

    /// Enclosures may be infinite: then nothing is checked, and no row is bad.
    #[test]
    fn what_need_not_be_finite_is_never_bad(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let mut graph = graph(&mut dice, Binary::ALL);
        graph.finite = false;
        prop_assert_eq!(Schedule::new(&graph).validate(&graph), Ok(()));
        let table = Table::new(&mut dice, graph.slots.len());
        let program = ColumnProgram::new(&graph, &Layout { slots: vec![Access::Each; graph.slots.len()] });
        let feeds: Vec<Feed<'_>> = table.columns.iter().map(|column| Feed::Column(column)).collect();
        prop_assert!(run_all(&program, &feeds, &[], graph.outputs.len()).iter().all(Option::is_some));
    }
}

/// Rows that are run again for nothing cost time: they must stay the exception, also in graphs made to be
/// awkward.
#[test]
fn few_rows_are_bad_in_vain() {
    let (mut in_vain, mut all) = (0, 0);
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let graph = graph(&mut dice, Binary::ALL);
        let table = Table::new(&mut dice, graph.slots.len());
        let program = ColumnProgram::new(&graph, &Layout { slots: vec![Access::Each; graph.slots.len()] });
        let feeds: Vec<Feed<'_>> = table.columns.iter().map(|column| Feed::Column(column)).collect();
        in_vain += compare(&graph, &table, &run_all(&program, &feeds, &[], graph.outputs.len()));
        all += ROWS;
    }
    assert!(in_vain * 100 < all, "{in_vain} of {all}");
}

#[test]
fn rows_outside_the_range_and_after_a_bad_one_are_left_alone() {
    let mut builder = Builder::new();
    let x = builder.slot(InputId(0), 0, || "x".to_owned());
    let y = builder.unary(Unary::Log, x);
    let output = GraphOutput { name: "y".to_owned(), kind: OutputKind::Law, ty: Type::Real, nodes: vec![y] };
    let graph = builder.finish(vec![output]);
    let column: Vec<f64> = (0..ROWS).map(|row| if row == 100 { -1.0 } else { 2.0 }).collect();
    let program = ColumnProgram::new(&graph, &Layout { slots: vec![Access::Each] });
    let mut output = vec![7.5; ROWS];
    let found = program.run(&[Feed::Column(&column)], &[], 50..200, &mut [&mut output]);
    assert_eq!(found, Some(100));
    assert!(output[50..100].iter().all(|&value| value == libm::log(2.0)));
    assert!(output[..50].iter().chain(&output[100..]).all(|&value| value == 7.5));
}
