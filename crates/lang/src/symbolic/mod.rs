//! Laws as formulas: programs become exact symbolic expressions, and expressions become text and programs
//! again.
//!
//! ```text
//! Program ──read──► formulas ──definition──► text of a law
//! text ──expression──► formula ──show──► VFLang, LaTeX, MathML, Unicode
//! StraightLine ──graph──► ir::Graph ──► columns, native code
//! ```
//!
//! The formulas live in a [`Pool`], which knows nothing of this language: it differentiates and simplifies.
//! Operators and natives come through the same seam as for all executors: `formulas` is one more
//! [`Arithmetic`](crate::arithmetic::Arithmetic), whose reals are expressions.
//!
//! **Numbers** are what their author wrote: `0.1` is one tenth, and `pi` is π.
//!
//! **Where a formula holds.** A program that fails has no value, so a formula need not have one there either:
//! an arm of an `if` that always fails, for another reason than its numbers, is left out, and `normalize(v)`
//! is v/|v|, without a word about the zero vector. Wherever both have a value, the values are the same.

mod decimal;
mod formulas;
mod graph;
mod not_symbolic;
mod parse;
mod read;
mod show;

pub use graph::graph;
pub use not_symbolic::NotSymbolic;
pub use parse::{expression, expression_in, value_in};
pub use read::{function, read};
pub use show::{Notation, as_written, definition, show, show_definition, show_equation, show_value, text};

pub use gedanken_symbolic::lagrange::StraightLine;
pub use gedanken_symbolic::{Expr, Pool, Truth};

use crate::value::Shaped;

/// A value whose reals are expressions of a pool, and whose truth values are its conditions.
pub type Formula = Shaped<Expr, Truth>;
