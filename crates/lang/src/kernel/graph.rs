//! A graph with its executors, and when native code pays.
//!
//! Compiling an operation takes as long as evaluating it a thousand times. A formula that is evaluated
//! seldom, like the collision of two kinds of bodies that meet twice, is left to the column evaluator. One
//! that has been evaluated often enough to have paid for the compiler is compiled, since it is likely to be
//! evaluated as often again. Either way the total time is at most twice that of the best choice in hindsight.
//! Counts decide, never a clock, and not even they show: executors agree to the bit.

use super::native_code::{ColumnsOnly, NativeCode};
use super::shared_code::{Code, Compile};
use crate::ir::{ColumnProgram, Executor, Feed, Graph, Layout};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Number of evaluated rows above which a graph is compiled. Tests, which run with assertions, see both
/// executors at once.
const ROWS_WORTH_COMPILING: usize = if cfg!(debug_assertions) { 2 } else { 300 };

/// Runs a graph by the column evaluator, and as native code as soon as that pays.
pub struct GraphKernel<N = ColumnsOnly> {
    graph: Graph,
    layout: Layout,
    width: usize,
    /// `true` if it may be compiled.
    is_native: bool,
    code: Arc<Code<N>>,
}

impl<N: NativeCode> GraphKernel<N> {
    /// Prepares a graph whose slots are read as `layout` says; `compile` allows native code. No executor is
    /// made before the first row: many kernels never run.
    pub fn new(graph: Graph, layout: Layout, compile: &Compile<N>) -> Self {
        Self {
            width: graph.outputs.iter().map(|output| output.nodes.len()).sum(),
            is_native: compile.is_allowed(),
            code: compile.code(&graph, &layout),
            graph,
            layout,
        }
    }

    /// Allows native code, or forbids it from now on.
    pub(super) fn set_compile(&mut self, compile: &Compile<N>) {
        self.is_native = compile.is_allowed();
        self.code = compile.code(&self.graph, &self.layout);
    }

    /// The graph that runs.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Access of each slot.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of scalars that a row gives.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of operations per row.
    pub fn cost(&self) -> usize {
        self.graph.nodes.len()
    }

    fn columns(&self) -> &ColumnProgram {
        self.code.columns.get_or_init(|| ColumnProgram::new(&self.graph, &self.layout))
    }

    /// Native code, if there is any by now. `rows` more are about to be evaluated.
    fn compiled(&self, rows: usize) -> Option<&N> {
        if let Some(known) = self.code.compiled.get().filter(|_| self.is_native) {
            return known.as_ref();
        }
        // The count needs no order among threads: it only decides which of two equal executors runs.
        if !self.is_native
            || self.code.rows.fetch_add(rows, Ordering::Relaxed).saturating_add(rows) <= ROWS_WORTH_COMPILING
        {
            return None;
        }
        self.code.compiled.get_or_init(|| N::compile(&self.graph, &self.layout)).as_ref()
    }
}

impl<N: NativeCode> Executor for GraphKernel<N> {
    fn run(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: Range<usize>,
        outputs: &mut [&mut [f64]],
    ) -> Option<usize> {
        match self.compiled(rows.len()) {
            Some(program) => program.run(feeds, lists, rows, outputs),
            None => self.columns().run(feeds, lists, rows, outputs),
        }
    }

    fn run_row(&self, inputs: &[f64], outputs: &mut [f64]) -> bool {
        match self.compiled(1) {
            Some(program) => program.run_row(inputs, outputs),
            None => self.columns().run_row(inputs, outputs),
        }
    }
}

impl<N> fmt::Debug for GraphKernel<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GraphKernel").field("rows", &self.code.rows).finish_non_exhaustive()
    }
}
