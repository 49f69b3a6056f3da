//! The plan of a workflow: the flow with every column resolved and every parallel branch's columns assigned.
//!
//! A branch of a `par` runs on columns of its own. For each column that a branch touches, the builder
//! decides:
//!
//! - **shared**: the branch only reads it, so it stays with the surrounding branch and is read there;
//! - **moved**: the branch alone touches it, so it moves in and out whole (a pointer, not the data);
//! - **private**: several branches touch disjoint components of it, so the branch gets a copy of its rows,
//!   and the rows it changed are copied back.
//!
//! Cells that several branches add to (and therefore none of them reads or writes) are **deferred** one by
//! one: each sum stays in its rule's buffer until all branches are done and is then added in the order of the
//! workflow, which makes the result independent of threads and equal to that of a `seq`. What is left of a
//! column decides as above.

use crate::core::access::Place;
use crate::core::model::ColumnIndex;
use crate::core::rows::{RowSet, Rows};
use crate::core::rule::Rule;
use std::ops::Range;
use std::sync::Arc;

/// A rule in its place in the workflow.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) rule: Rule,
    /// Place of the column of each access, in declared order.
    pub(crate) places: Vec<Place>,
    /// Columns the rule writes, in declared order.
    pub(crate) writes: Vec<ColumnIndex>,
    /// Sums the rule makes, in declared order.
    pub(crate) adds: Vec<Sum>,
}

/// One column that a rule adds to.
#[derive(Debug)]
pub(crate) struct Sum {
    pub(crate) column: ColumnIndex,
    /// The position among the rule's accesses.
    pub(crate) access: usize,
    /// The rows that are added as soon as the rule has run: all that no enclosing `par` adds up, if any.
    pub(crate) at_once: Option<Rows>,
    /// The column was set to zero and nothing was added since, so the sum takes the place of the zeros.
    /// (Adding to zero would give the same number but for the sign of a zero, so that being fresh follows
    /// from the order of the rules alone, never from which rules run side by side.)
    pub(crate) fresh: bool,
    /// A fresh sum of which nothing waits: the rule adds straight into the column, which holds zeros, and
    /// needs no buffer.
    pub(crate) in_place: bool,
}

/// Rows of a sum that a `par` adds up when its branches are done.
#[derive(Debug)]
pub(crate) struct Deferred {
    pub(crate) leaf: usize,
    /// The number of the sum among the leaf's.
    pub(crate) sum: usize,
    pub(crate) rows: Rows,
}

/// A node of the plan.
#[derive(Debug)]
pub(crate) enum Node {
    Leaf(usize),
    Seq(Vec<Node>),
    Par(Parallel),
    Scaled(f64, Box<Node>),
    Repeat(u32, Box<Node>),
    Until { flag: ColumnIndex, name: Arc<str>, limit: u32, body: Box<Node> },
    Prime(Box<Node>),
}

/// A `par`.
#[derive(Debug)]
pub(crate) struct Parallel {
    pub(crate) branches: Vec<Branch>,
    /// The sums to add up at the end, in the order of the workflow.
    pub(crate) deferred: Vec<Deferred>,
    /// `true` if the branches are worth several threads: decided by size, never by the clock.
    pub(crate) wide: bool,
}

/// A branch of a `par`.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) node: Node,
    /// The number of the branch, before those nested in it.
    pub(crate) index: usize,
    pub(crate) leaves: Range<usize>,
    pub(crate) moved: Vec<ColumnIndex>,
    pub(crate) private: Vec<Private>,
}

/// Rows of a column that a branch copies in and out.
#[derive(Debug)]
pub(crate) struct Private {
    pub(crate) column: ColumnIndex,
    pub(crate) rows_in: RowSet,
    pub(crate) rows_out: RowSet,
}
