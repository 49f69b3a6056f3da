//! Kernels: formulas of users, ready to run over rows of numbers.
//!
//! ```text
//! Program ──build──► Graph ──► native code          as soon as counts say that it pays
//!    │                  └────► column evaluator     until then, and where there is no native code
//!    └──compile──► reference evaluator              rows that fail, and programs without a graph
//! ```
//!
//! A [`Kernel`] computes some outputs of a checked program, many rows at once over [`Column`]s or one row
//! alone. It chooses the executor; a row that an executor takes for bad goes to the reference evaluator,
//! whose [`Fault`](crate::vm::Fault) names law, operator and values. A [`GraphKernel`] has the upper two
//! tiers only: it runs graphs that no program computes, such as derivatives, bounds and equations of motion.
//!
//! All tiers agree to the bit, so that the choice between them is never seen in a result. It depends on the
//! number of rows that have been evaluated, never on a clock.
//!
//! The compiler of native code is a crate above this one. It enters as a type, [`NativeCode`], and not as a
//! function pointer that gives a boxed executor: a row is then a direct call in every tier. Crates without a
//! compiler use the default, [`ColumnsOnly`].

mod column;
mod graph;
mod native_code;
mod program;
mod reference;
mod rows;
mod shared_code;

pub use column::{Column, resize, room};
pub use graph::GraphKernel;
pub use native_code::{ColumnsOnly, NativeCode};
pub use program::Kernel;
pub use reference::Reference;
pub use rows::run_rows;
pub use shared_code::{Compile, SharedCode};
