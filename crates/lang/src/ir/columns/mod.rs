//! The column evaluator: a schedule over chunks of rows, one plain loop per operation.
//!
//! It needs no compiler and runs everywhere; native code is faster and gives the same bits. Where the rows of
//! a chunk disagree about a branch both sides are computed for all of them, which operations being total is
//! harmless, and only checks look at who went where: gathering the rows of each side costs more than it saves
//! unless arms are long.
//!
//! `compile` gives nodes their places; here they are run, and in `one` for a single row.

mod compile;
mod one_row;

use super::layout::{Access, Executor, Feed, Layout};
use super::{Graph, Schedule};
use crate::arithmetic::{Binary, Comparison, Unary};
use std::ops::Range;

/// Rows that are computed together: few enough that a few dozen places stay in the innermost cache.
const CHUNK: usize = 256;

/// Place of a real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Real {
    /// In this place, one per row of the chunk.
    Place(usize),
    /// In the column of this slot.
    Column(usize),
}

/// Place of a truth value.
type Truth = usize;

/// One loop over the rows of a chunk.
#[derive(Clone, Debug)]
enum Instruction {
    Gather { to: usize, slot: usize, list: usize },
    Unary(Unary, usize, Real),
    Binary(Binary, usize, Real, Real),
    Compare(Comparison, Truth, Real, Real),
    Not(Truth, Truth),
    And(Truth, Truth, Truth),
    Or(Truth, Truth, Truth),
    Select(usize, Truth, Real, Real),
    Check(Real),
    Branch { condition: Truth, then: Side, otherwise: Side },
}

/// One arm: its instructions, then its results to where the `If` has them.
#[derive(Clone, Debug, Default)]
struct Side {
    instructions: Vec<Instruction>,
    reals: Vec<(usize, Real)>,
    truths: Vec<(Truth, Truth)>,
}

/// Place of an output scalar.
#[derive(Clone, Copy, Debug)]
enum Output {
    Real(Real),
    Truth(Truth),
}

/// A program for the column evaluator.
#[derive(Clone, Debug)]
pub struct ColumnProgram {
    layout: Layout,
    instructions: Vec<Instruction>,
    outputs: Vec<Output>,
    /// Number of places for reals and truth values, and maximum depth of branches.
    reals: usize,
    truths: usize,
    depth: usize,
    /// Places that hold one value throughout.
    real_constants: Vec<(usize, f64)>,
    truth_constants: Vec<(Truth, bool)>,
    /// Places that hold the value of a slot that is the same for all rows.
    same: Vec<(usize, usize)>,
}

impl ColumnProgram {
    /// Compiles `graph`, whose slots will be read as `layout` says.
    ///
    /// # Panics
    /// If the layout is not one of this graph's slots.
    pub fn new(graph: &Graph, layout: &Layout) -> Self {
        compile::compile(graph, &Schedule::new(graph), layout)
    }

    /// Number of reals kept for each row of a chunk.
    pub fn places(&self) -> usize {
        self.reals
    }
}

impl Executor for ColumnProgram {
    fn run_row(&self, inputs: &[f64], outputs: &mut [f64]) -> bool {
        assert_eq!(inputs.len(), self.layout.slots.len(), "one input per slot");
        let slots = self.layout.slots.iter().zip(inputs);
        let feeds: Vec<Feed<'_>> = slots
            .map(|(access, input)| match access {
                Access::Same => Feed::Same(*input),
                Access::Each => Feed::Column(std::slice::from_ref(input)),
                Access::Picked(list) => panic!("a row alone has no list {list} to pick by"),
            })
            .collect();
        let mut columns: Vec<&mut [f64]> = outputs.chunks_exact_mut(1).collect();
        self.run(&feeds, &[], 0..1, &mut columns).is_none()
    }

    fn run(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: Range<usize>,
        outputs: &mut [&mut [f64]],
    ) -> Option<usize> {
        assert_eq!(feeds.len(), self.layout.slots.len(), "one feed per slot");
        assert_eq!(outputs.len(), self.outputs.len(), "one column per output scalar");
        if rows.len() == 1 {
            return (!self.run_one(feeds, lists, rows.start, outputs)).then_some(rows.start);
        }
        let columns: Vec<&[f64]> = feeds
            .iter()
            .map(|feed| match *feed {
                Feed::Same(_) => &[][..],
                Feed::Column(column) => column,
            })
            .collect();
        let size = rows.len().min(CHUNK);
        let mut chunk = Chunk {
            columns,
            lists,
            reals: vec![vec![0.0; size]; self.reals],
            truths: vec![vec![false; size]; self.truths],
            masks: vec![vec![false; size]; self.depth],
            start: rows.start,
            rows: 0,
        };
        for &(place, constant) in &self.real_constants {
            chunk.reals[place].fill(constant);
        }
        for &(place, constant) in &self.truth_constants {
            chunk.truths[place].fill(constant);
        }
        for &(place, slot) in &self.same {
            match feeds[slot] {
                Feed::Same(value) => chunk.reals[place].fill(value),
                Feed::Column(_) => panic!("slot {slot} is the same for all rows, but is fed a column"),
            }
        }
        while chunk.start < rows.end {
            let wanted = size.min(rows.end - chunk.start);
            chunk.rows = wanted;
            chunk.run(&self.instructions, None, 0);
            let done = chunk.start..chunk.start + chunk.rows;
            for (output, column) in self.outputs.iter().zip(outputs.iter_mut()) {
                let to = &mut column[done.clone()];
                match *output {
                    Output::Real(real) => to.copy_from_slice(chunk.real(real)),
                    Output::Truth(truth) => {
                        let from = &chunk.truths[truth][..to.len()];
                        to.iter_mut().zip(from).for_each(|(to, &from)| *to = f64::from(u8::from(from)));
                    }
                }
            }
            if chunk.rows < wanted {
                return Some(done.end);
            }
            chunk.start += wanted;
        }
        None
    }
}

/// The rows under way and all their places.
struct Chunk<'a> {
    /// Column of each slot; empty for those that are the same for all rows.
    columns: Vec<&'a [f64]>,
    lists: &'a [&'a [u32]],
    reals: Vec<Vec<f64>>,
    truths: Vec<Vec<bool>>,
    /// For each depth of branches, the rows that went there; used while rows disagree.
    masks: Vec<Vec<bool>>,
    /// The first row.
    start: usize,
    /// Number of rows that are good so far; rows after a bad one are not computed.
    rows: usize,
}

impl Chunk<'_> {
    fn real(&self, real: Real) -> &[f64] {
        match real {
            Real::Place(place) => &self.reals[place][..self.rows],
            Real::Column(slot) => &self.columns[slot][self.start..self.start + self.rows],
        }
    }

    fn truth(&self, truth: Truth) -> &[bool] {
        &self.truths[truth][..self.rows]
    }

    /// Runs `instructions` for the rows in mask number `active`, or for all.
    fn run(&mut self, instructions: &[Instruction], active: Option<usize>, depth: usize) {
        for instruction in instructions {
            match *instruction {
                Instruction::Gather { to, slot, list } => self.write_real(to, |chunk, to| {
                    let rows = &chunk.lists[list][chunk.start..chunk.start + chunk.rows];
                    let column = chunk.columns[slot];
                    to.iter_mut().zip(rows).for_each(|(to, &row)| *to = column[row as usize]);
                }),
                Instruction::Unary(operation, to, x) => {
                    self.write_real(to, |chunk, to| unary(operation, to, chunk.real(x)));
                }
                Instruction::Binary(operation, to, x, y) => {
                    self.write_real(to, |chunk, to| binary(operation, to, chunk.real(x), chunk.real(y)));
                }
                Instruction::Compare(comparison, to, x, y) => {
                    self.write_truth(to, |chunk, to| compare(comparison, to, chunk.real(x), chunk.real(y)));
                }
                Instruction::Not(to, x) => self.write_truth(to, |chunk, to| {
                    to.iter_mut().zip(chunk.truth(x)).for_each(|(to, x)| *to = !x);
                }),
                Instruction::And(to, x, y) => self.write_truth(to, |chunk, to| {
                    let pairs = chunk.truth(x).iter().zip(chunk.truth(y));
                    to.iter_mut().zip(pairs).for_each(|(to, (x, y))| *to = x & y);
                }),
                Instruction::Or(to, x, y) => self.write_truth(to, |chunk, to| {
                    let pairs = chunk.truth(x).iter().zip(chunk.truth(y));
                    to.iter_mut().zip(pairs).for_each(|(to, (x, y))| *to = x | y);
                }),
                Instruction::Select(to, condition, x, y) => self.write_real(to, |chunk, to| {
                    let pairs = chunk.real(x).iter().zip(chunk.real(y));
                    let all = to.iter_mut().zip(chunk.truth(condition)).zip(pairs);
                    all.for_each(|((to, &condition), (&x, &y))| *to = if condition { x } else { y });
                }),
                Instruction::Check(x) => self.check(x, active),
                Instruction::Branch { condition, ref then, ref otherwise } => {
                    self.branch(condition, then, otherwise, active, depth);
                }
            }
        }
    }

    /// Lets `fill` write place `to`, which is none of those that it reads.
    fn write_real(&mut self, to: usize, fill: impl FnOnce(&Self, &mut [f64])) {
        let mut place = std::mem::take(&mut self.reals[to]);
        fill(self, &mut place[..self.rows]);
        self.reals[to] = place;
    }

    fn write_truth(&mut self, to: Truth, fill: impl FnOnce(&Self, &mut [bool])) {
        let mut place = std::mem::take(&mut self.truths[to]);
        fill(self, &mut place[..self.rows]);
        self.truths[to] = place;
    }

    /// Cuts the chunk off before the first active row whose `x` is not finite.
    fn check(&mut self, x: Real, active: Option<usize>) {
        let values = self.real(x);
        // First without a branch, because nearly always all is well.
        if values.iter().fold(true, |good, value| good & value.is_finite()) {
            return;
        }
        let bad = match active {
            None => values.iter().position(|value| !value.is_finite()),
            Some(mask) => {
                values.iter().zip(&self.masks[mask]).position(|(value, &active)| active && !value.is_finite())
            }
        };
        self.rows = bad.unwrap_or(self.rows);
    }

    fn branch(
        &mut self,
        condition: Truth,
        then: &Side,
        otherwise: &Side,
        active: Option<usize>,
        depth: usize,
    ) {
        let (mut yes, mut no) = (false, false);
        let conditions = self.truth(condition).iter();
        match active {
            None => conditions.for_each(|&condition| {
                yes |= condition;
                no |= !condition;
            }),
            Some(mask) => conditions.zip(&self.masks[mask]).for_each(|(&condition, &active)| {
                yes |= active & condition;
                no |= active & !condition;
            }),
        }
        if !(yes && no) {
            let side = if yes { then } else { otherwise };
            self.run(&side.instructions, active, depth);
            self.settle(side, None);
            return;
        }
        self.divide(condition, true, active, depth);
        self.run(&then.instructions, Some(depth), depth + 1);
        self.settle(then, None);
        self.divide(condition, false, active, depth);
        self.run(&otherwise.instructions, Some(depth), depth + 1);
        self.settle(otherwise, Some(condition));
    }

    /// Makes mask number `depth` the active rows whose condition is `wanted`.
    fn divide(&mut self, condition: Truth, wanted: bool, active: Option<usize>, depth: usize) {
        let mut mask = std::mem::take(&mut self.masks[depth]);
        for (row, &condition) in self.truth(condition).iter().enumerate() {
            mask[row] = condition == wanted && active.is_none_or(|outer| self.masks[outer][row]);
        }
        self.masks[depth] = mask;
    }

    /// Copies the results of a side, leaving out the rows in which `unless` holds.
    fn settle(&mut self, side: &Side, unless: Option<Truth>) {
        for &(to, from) in &side.reals {
            self.write_real(to, |chunk, to| match unless {
                None => to.copy_from_slice(chunk.real(from)),
                Some(unless) => {
                    let all = to.iter_mut().zip(chunk.real(from)).zip(chunk.truth(unless));
                    all.for_each(|((to, &from), &unless)| *to = if unless { *to } else { from });
                }
            });
        }
        for &(to, from) in &side.truths {
            self.write_truth(to, |chunk, to| match unless {
                None => to.copy_from_slice(chunk.truth(from)),
                Some(unless) => {
                    let all = to.iter_mut().zip(chunk.truth(from)).zip(chunk.truth(unless));
                    all.for_each(|((to, &from), &unless)| *to = if unless { *to } else { from });
                }
            });
        }
    }
}

/// A loop for each operation: the choice is made once, and the compiler sees what is done.
fn unary(operation: Unary, to: &mut [f64], x: &[f64]) {
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(Unary::$name => to.iter_mut().zip(x).for_each(|(to, &x)| *to = Unary::$name.apply(x)),)*
            }
        };
    }
    each!(Neg Abs Sqrt Sin Cos Tan Asin Acos Atan Exp Log Floor Ceil Round NextUp NextDown);
}

fn binary(operation: Binary, to: &mut [f64], x: &[f64], y: &[f64]) {
    macro_rules! each {
        ($($name:ident)*) => {
            match operation {
                $(Binary::$name => {
                    let pairs = x.iter().zip(y);
                    to.iter_mut().zip(pairs).for_each(|(to, (&x, &y))| *to = Binary::$name.apply(x, y));
                })*
            }
        };
    }
    each!(Add Sub Mul Div Pow Min Max Atan2 Mod Mix Uniform);
}

fn compare(comparison: Comparison, to: &mut [bool], x: &[f64], y: &[f64]) {
    macro_rules! each {
        ($($name:ident)*) => {
            match comparison {
                $(Comparison::$name => {
                    let pairs = x.iter().zip(y);
                    to.iter_mut().zip(pairs).for_each(|(to, (&x, &y))| *to = Comparison::$name.apply(x, y));
                })*
            }
        };
    }
    each!(Eq Ne Lt Le);
}

/// Access to a slot, for `compile`.
fn access(layout: &Layout, slot: u32) -> Access {
    layout.slots[slot as usize]
}
