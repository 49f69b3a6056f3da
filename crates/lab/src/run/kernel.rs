//! When native code pays, and executors that wait until it does.
//!
//! Compiling an operation takes as long as evaluating it a thousand times. So what is evaluated seldom, like
//! the collision of two kinds of bodies that meet twice, is left to the column evaluator; and what has been
//! evaluated often enough to have paid for the compiler is compiled, since who has come so often will come
//! again. Either way it takes at most twice as long as if the future had been known. Counts decide, never a
//! clock, and not even they show: executors agree to the bit.

use gedanken_jit::{NativeProgram, compile};
use gedanken_lang::ir::{ColumnProgram, Executor, Feed, Graph, Layout, Schedule};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Evaluations from which on something is compiled. Tests, which run with assertions, see both executors at
/// once.
const WORTH: usize = if cfg!(debug_assertions) { 2 } else { 300 };

/// Whether native code pays for what has been evaluated so many times.
pub(crate) fn pays(evaluations: usize) -> bool {
    evaluations > WORTH
}

/// Runs a graph by the column evaluator, and as native code as soon as that pays.
pub(crate) struct Runner {
    pub(crate) graph: Graph,
    pub(crate) layout: Layout,
    /// Whether it may be compiled.
    native: bool,
    /// Rows that have been evaluated.
    rows: AtomicUsize,
    columns: OnceLock<ColumnProgram>,
    compiled: OnceLock<Option<NativeProgram>>,
}

impl Runner {
    /// Nothing is compiled before it runs: much is never asked for.
    pub(crate) fn new(graph: Graph, layout: Layout, native: bool) -> Self {
        Self {
            graph,
            layout,
            native,
            rows: AtomicUsize::new(0),
            columns: OnceLock::new(),
            compiled: OnceLock::new(),
        }
    }

    fn columns(&self) -> &ColumnProgram {
        self.columns.get_or_init(|| ColumnProgram::new(&self.graph, &self.layout))
    }

    /// Native code, if there is any by now. So many more rows are to be evaluated.
    fn compiled(&self, rows: usize) -> Option<&NativeProgram> {
        if let Some(known) = self.compiled.get() {
            return known.as_ref();
        }
        if !self.native || !pays(self.rows.fetch_add(rows, Ordering::Relaxed).saturating_add(rows)) {
            return None;
        }
        let make = || compile(&self.graph, &Schedule::new(&self.graph), &self.layout).ok();
        self.compiled.get_or_init(make).as_ref()
    }
}

impl Executor for Runner {
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

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("rows", &self.rows).finish_non_exhaustive()
    }
}
