//! Laws as LaTeX, for papers and slides; the package `amsmath` is all they need.
//!
//! How they are laid out is decided by `paper`; `medium` says how each thing is written. What is written
//! stands between dollar signs or in an equation.

mod medium;

use super::layout;
use super::layout::LOOSEST;
use crate::syntax::tree::{Definition, Expr};
use medium::Latex;

/// An expression: `\frac{1}{2} m v^2`.
pub fn expression(expr: &Expr) -> String {
    let mut latex = Latex::default();
    layout::expr(&mut latex, expr, LOOSEST);
    latex.finish()
}

/// A definition: `\dot{v} = -g`.
pub fn definition(definition: &Definition) -> String {
    let mut latex = Latex::default();
    layout::definition(&mut latex, definition);
    latex.finish()
}

/// Any text as it stands, for what is too long to be set as mathematics.
pub(crate) fn verbatim(text: &str) -> String {
    let mut latex = Latex::default();
    latex.verbatim(text);
    latex.finish()
}
