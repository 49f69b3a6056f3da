//! Laws as plain text that reads like mathematics, for terminals: `m l² θ̈ + m g l sin(θ)`.
//!
//! How they are laid out is decided by `paper`, all in one line; `medium` says how each thing is written.

mod medium;

use super::layout;
use super::layout::LOOSEST;
use crate::syntax::tree::{Definition, Expr};
use medium::Line;

/// An expression: `½ m v²`.
pub fn expression(expr: &Expr) -> String {
    let mut line = Line::new();
    layout::expr(&mut line, expr, LOOSEST);
    line.finish()
}

/// A definition: `v̇ = −g`.
pub fn definition(definition: &Definition) -> String {
    let mut line = Line::new();
    layout::definition(&mut line, definition);
    line.finish()
}
