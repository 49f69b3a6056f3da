//! The compiler of native code as kernels see it.

use crate::ir::{Executor, Feed, Graph, Layout};
use std::ops::Range;

/// An executor in machine code. Its bits are those of the column evaluator.
pub trait NativeCode: Executor + Sized {
    /// Compiles a graph whose slots are read as `layout` says; `None` if there is no native code for it.
    ///
    /// # Panics
    /// If the layout is one of another graph.
    fn compile(graph: &Graph, layout: &Layout) -> Option<Self>;
}

/// The native code of crates that have no compiler: there is none, and no value of this type.
#[derive(Clone, Copy, Debug)]
pub enum ColumnsOnly {}

impl NativeCode for ColumnsOnly {
    fn compile(_: &Graph, _: &Layout) -> Option<Self> {
        None
    }
}

impl Executor for ColumnsOnly {
    fn run(&self, _: &[Feed<'_>], _: &[&[u32]], _: Range<usize>, _: &mut [&mut [f64]]) -> Option<usize> {
        match *self {}
    }

    fn run_row(&self, _: &[f64], _: &mut [f64]) -> bool {
        match *self {}
    }
}
