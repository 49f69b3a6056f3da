//! One row alone: the same instructions on scalars.
//!
//! Laws of single objects are asked for at single instants. A loop over one row is all overhead, and a list
//! for every place more than that: here a place is a number.

use super::{ColumnProgram, Instruction, Output, Real, Side};
use crate::ir::Feed;

/// The row under way and all its places.
struct Row<'a> {
    feeds: &'a [Feed<'a>],
    lists: &'a [&'a [u32]],
    row: usize,
    reals: Vec<f64>,
    truths: Vec<bool>,
}

impl ColumnProgram {
    /// Computes one row. Returns `true` if it is good.
    pub(super) fn run_one(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        row: usize,
        outputs: &mut [&mut [f64]],
    ) -> bool {
        let mut one =
            Row { feeds, lists, row, reals: vec![0.0; self.reals], truths: vec![false; self.truths] };
        for &(place, constant) in &self.real_constants {
            one.reals[place] = constant;
        }
        for &(place, constant) in &self.truth_constants {
            one.truths[place] = constant;
        }
        for &(place, slot) in &self.same {
            match feeds[slot] {
                Feed::Same(value) => one.reals[place] = value,
                Feed::Column(_) => panic!("slot {slot} is the same for all rows, but is fed a column"),
            }
        }
        if !one.run(&self.instructions) {
            return false;
        }
        for (output, column) in self.outputs.iter().zip(outputs.iter_mut()) {
            column[row] = match *output {
                Output::Real(real) => one.real(real),
                Output::Truth(truth) => f64::from(u8::from(one.truths[truth])),
            };
        }
        true
    }
}

impl Row<'_> {
    fn real(&self, real: Real) -> f64 {
        match real {
            Real::Place(place) => self.reals[place],
            Real::Column(slot) => self.column(slot)[self.row],
        }
    }

    fn column(&self, slot: usize) -> &[f64] {
        match self.feeds[slot] {
            Feed::Column(column) => column,
            Feed::Same(_) => &[],
        }
    }

    /// Returns `true` if all checks hold.
    fn run(&mut self, instructions: &[Instruction]) -> bool {
        for instruction in instructions {
            match *instruction {
                Instruction::Gather { to, slot, list } => {
                    self.reals[to] = self.column(slot)[self.lists[list][self.row] as usize];
                }
                Instruction::Unary(operation, to, x) => self.reals[to] = operation.apply(self.real(x)),
                Instruction::Binary(operation, to, x, y) => {
                    self.reals[to] = operation.apply(self.real(x), self.real(y));
                }
                Instruction::Compare(comparison, to, x, y) => {
                    self.truths[to] = comparison.apply(self.real(x), self.real(y));
                }
                Instruction::Not(to, x) => self.truths[to] = !self.truths[x],
                Instruction::And(to, x, y) => self.truths[to] = self.truths[x] & self.truths[y],
                Instruction::Or(to, x, y) => self.truths[to] = self.truths[x] | self.truths[y],
                Instruction::Select(to, condition, x, y) => {
                    self.reals[to] = self.real(if self.truths[condition] { x } else { y });
                }
                Instruction::Check(x) => {
                    if !self.real(x).is_finite() {
                        return false;
                    }
                }
                Instruction::Branch { condition, ref then, ref otherwise } => {
                    let side: &Side = if self.truths[condition] { then } else { otherwise };
                    if !self.run(&side.instructions) {
                        return false;
                    }
                    for &(to, from) in &side.reals {
                        self.reals[to] = self.real(from);
                    }
                    for &(to, from) in &side.truths {
                        self.truths[to] = self.truths[from];
                    }
                }
            }
        }
        true
    }
}
