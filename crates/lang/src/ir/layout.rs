//! The way in which rows of columns are fed to an executor, and the contract of every executor.
//!
//! A row is one object, or one pair of objects. Every scalar of every input comes from a column of reals of
//! its own, row after row; or it is the same for all rows, like a world attribute; or it is picked from a
//! column by a list of row numbers, like the attributes of the two partners of each colliding pair. Which of
//! the three is fixed when a program is compiled (its [`Layout`]), the columns are given when it runs.
//! Results go to fresh columns without gaps.

use std::ops::Range;

/// Access to one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The same real for all rows.
    Same,
    /// Row i from place i.
    Each,
    /// Row i from place `rows[i]` of list number `0`.
    Picked(u8),
}

/// Access to each slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Layout {
    /// In the order of the graph's slots.
    pub slots: Vec<Access>,
}

/// Numbers that one slot reads in one run.
#[derive(Clone, Copy, Debug)]
pub enum Feed<'a> {
    /// For [`Access::Same`].
    Same(f64),
    /// For [`Access::Each`] and [`Access::Picked`].
    Column(&'a [f64]),
}

/// Runs a compiled program over rows.
///
/// Executors of one program agree to the bit, in values and in which rows are bad where the reference
/// evaluator would report an error.
pub trait Executor {
    /// Computes `rows`, writing row i of output scalar k to `outputs[k][i]`, and stops after the first bad
    /// row, which it returns; its outputs are then to be computed by the reference evaluator. Booleans are
    /// written as 0 and 1.
    ///
    /// # Panics
    /// If the feeds do not follow the layout or a column is too short for the rows: a mistake in the engine,
    /// not in a law.
    fn run(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: Range<usize>,
        outputs: &mut [&mut [f64]],
    ) -> Option<usize>;

    /// Computes one row alone, whose slots hold `inputs`, however their layout says that rows are read;
    /// returns `true` if the row is good. Callers with one object at a time need not make columns of it.
    ///
    /// # Panics
    /// If there are not as many inputs as slots and outputs as output scalars, or if slots are picked by
    /// lists.
    fn run_row(&self, inputs: &[f64], outputs: &mut [f64]) -> bool;
}
