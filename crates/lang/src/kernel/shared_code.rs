//! Code of equal graphs, made once for many runs of one experiment.
//!
//! A run of an experiment builds its graphs anew. Those of the next run, with other initial values, are equal
//! to them, but for their places in the text, which code does not know. So a [`SharedCode`] finds the code of a
//! graph by all that it is made from. Executors agree to the bit, so that nothing shows but time.

use super::native_code::ColumnsOnly;
use crate::ir::{Arm, ColumnProgram, Graph, Layout, Node, NodeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum number of graphs whose code is shared: an experiment has some dozens. If its graphs differ from run to
/// run, because a value that varies is a constant of them, sharing is of no use, and must not fill the memory.
const MAX_GRAPHS: usize = 1000;

/// Executors of a graph, each made when it is first needed.
pub(super) struct Code<N> {
    /// Number of rows that have been evaluated.
    pub(super) rows: AtomicUsize,
    pub(super) columns: OnceLock<ColumnProgram>,
    pub(super) compiled: OnceLock<Option<N>>,
}

impl<N> Code<N> {
    fn new() -> Arc<Self> {
        Arc::new(Self { rows: AtomicUsize::new(0), columns: OnceLock::new(), compiled: OnceLock::new() })
    }
}

/// Permission to make native code.
#[derive(Default)]
pub enum Compile<N = ColumnsOnly> {
    /// None: graphs are run by the column evaluator.
    #[default]
    Never,
    /// Each graph gets its own.
    Alone,
    /// Equal graphs share theirs.
    Shared(Arc<SharedCode<N>>),
}

impl<N> Compile<N> {
    /// Returns `true` if there may be native code.
    pub(super) fn is_allowed(&self) -> bool {
        !matches!(self, Self::Never)
    }

    /// The code of a graph, which may be that of another one.
    pub(super) fn code(&self, graph: &Graph, layout: &Layout) -> Arc<Code<N>> {
        match self {
            Self::Never | Self::Alone => Code::new(),
            Self::Shared(shared) => shared.code(graph, layout),
        }
    }
}

impl<N> Clone for Compile<N> {
    fn clone(&self) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Alone => Self::Alone,
            Self::Shared(shared) => Self::Shared(Arc::clone(shared)),
        }
    }
}

impl<N> fmt::Debug for Compile<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Never => "Never",
            Self::Alone => "Alone",
            Self::Shared(_) => "Shared",
        })
    }
}

/// All of a graph that its code is made from.
#[derive(PartialEq, Eq, Hash)]
struct Made {
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    outputs: Vec<Vec<NodeId>>,
    demands: Vec<NodeId>,
    finite: bool,
    layout: Layout,
}

/// Code by what it is made from, for many runs on many threads.
pub struct SharedCode<N = ColumnsOnly> {
    known: Mutex<HashMap<Made, Arc<Code<N>>>>,
}

impl<N> SharedCode<N> {
    fn code(&self, graph: &Graph, layout: &Layout) -> Arc<Code<N>> {
        let made = Made {
            nodes: graph.nodes.clone(),
            arms: graph.arms.clone(),
            outputs: graph.outputs.iter().map(|output| output.nodes.clone()).collect(),
            demands: graph.demands.clone(),
            finite: graph.finite,
            layout: layout.clone(),
        };
        // Entries are whole, also if somebody panicked who had the lock.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_GRAPHS && !known.contains_key(&made) {
            return Code::new();
        }
        Arc::clone(known.entry(made).or_insert_with(Code::new))
    }
}

impl<N> Default for SharedCode<N> {
    fn default() -> Self {
        Self { known: Mutex::default() }
    }
}

impl<N> fmt::Debug for SharedCode<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedCode").finish_non_exhaustive()
    }
}
