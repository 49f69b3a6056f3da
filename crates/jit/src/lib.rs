//! Laws as native code: the intermediate form of VFLang, compiled by Cranelift.
//!
//! ```text
//! Graph, Schedule, Layout ──translate──► one function over rows ──Cranelift──► machine code ──► NativeProgram
//! ```
//!
//! A crate of its own, so that the language builds without a compiler in it. Native code is an optimization
//! and may be switched off: a [`NativeProgram`] gives the bits of the column evaluator, which are those of
//! the reference evaluator. Three things see to that. Additions, products, quotients, roots and comparisons
//! are single instructions that IEEE 754 pins down; everything else calls `apply` of
//! `gedanken_lang::arithmetic`, like all other executors; and nothing is fused, reordered or approximated,
//! whatever the processor offers.

mod code;
mod live_nodes;
mod machine;
mod operations;
mod routines;
mod translate;

pub use code::NativeProgram;

use code::Contract;
use gedanken_lang::ir::{Graph, Layout, NodeId, Schedule};
use gedanken_lang::kernel::NativeCode;

/// Maximum number of nodes of a graph that is compiled. Compilation takes some 5 µs for each; beyond this
/// size it would be waited for, and the column evaluator does well.
pub const MOST_NODES: usize = 20_000;

/// Maximum depth to which `if`s may be nested.
pub const MOST_NESTED: usize = 400;

/// Reason why there is no native code. The column evaluator runs every graph, so that this is never the end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JitError {
    /// Compiling would take too long.
    #[error("{nodes} operations are too many for native code, which takes up to {MOST_NODES}")]
    TooLarge {
        /// Number of operations.
        nodes: usize,
    },
    /// Compiling would take too much stack.
    #[error(
        "`if`s inside each other, {depth} deep, are too many for native code, which takes up to {MOST_NESTED}"
    )]
    TooDeep {
        /// Depth of the nesting.
        depth: usize,
    },
    /// Cranelift makes no code for this machine.
    #[error("no native code on this machine: {0}")]
    Machine(String),
    /// Cranelift, or the system's memory, refused.
    #[error("no native code: {0}")]
    Refused(String),
    /// The schedule uses a value that it has not computed: it is not the graph's.
    #[error("the schedule uses {0} before it is computed")]
    Unscheduled(NodeId),
}

/// Compiles a graph, in the order of its schedule, for columns that are read as the layout says.
///
/// # Errors
/// If the graph is too large, or there is no compiler for this machine.
///
/// # Panics
/// If the layout is one of another graph.
pub fn compile(graph: &Graph, schedule: &Schedule, layout: &Layout) -> Result<NativeProgram, JitError> {
    assert_eq!(graph.slots.len(), layout.slots.len(), "a layout has one entry for each slot");
    if graph.nodes.len() > MOST_NODES {
        return Err(JitError::TooLarge { nodes: graph.nodes.len() });
    }
    let depth = live_nodes::depth(schedule);
    if depth > MOST_NESTED {
        return Err(JitError::TooDeep { depth });
    }
    let contract = Contract::new(graph, layout);
    let mut module = machine::module()?;
    let function = translate::translate(graph, schedule, layout, &contract, &mut module)?;
    NativeProgram::new(module, function, contract)
}

impl NativeCode for NativeProgram {
    fn compile(graph: &Graph, layout: &Layout) -> Option<Self> {
        compile(graph, &Schedule::new(graph), layout).ok()
    }
}
