//! Mathematics on paper: how expressions are laid out, whatever the paper is.
//!
//! ```text
//! v = v0 + a * (t - t0)      v_in . n / norm(n)      if x > 0 then 1 else -1
//! ```
//!
//! become what one would write by hand: fractions, powers, roots, subscripts (`names`), braces with cases
//! (`tables`), the signs of natives (`functions`), and no more parentheses than meaning needs (`expression`).
//! Types are not known here, so `*` is a small space, whatever it multiplies, or `∗` beside names of several
//! words; only two vectors written out are surely a cross product.
//!
//! What is decided here holds for every [`Medium`]: MathML, LaTeX and plain Unicode only say how a fraction
//! or a subscript is written.

mod expression;
mod functions;
mod level;
mod medium;
mod names;
mod numbers;
mod tables;

pub(crate) use expression::expr;
pub(crate) use level::LOOSEST;
pub(crate) use medium::{Fence, Medium, Place, Times};
pub(crate) use names::{Gap, Part, Symbol, glyph, greek_name};
pub(crate) use numbers::Written;

use crate::syntax::tree::{Binary, Definition, Expr, ExprKind, Unary};
use level::inner;

/// A definition: `v = v0 + a (t − t0)`. A rate has a dot above its name, or is a fraction of differentials if
/// its name is a word; what is plainly true or false is defined by `⇔`.
pub(crate) fn definition<M: Medium>(medium: &mut M, definition: &Definition) {
    let name = &definition.name.text;
    if definition.prime.is_some() {
        names::rate(medium, name);
    } else {
        names::name(medium, name);
    }
    if !definition.params.is_empty() {
        medium
            .apply(|medium| medium.separated(&definition.params, |medium, it| names::name(medium, &it.text)));
    }
    medium.sign(if is_claim(&definition.body) { "⇔" } else { "=" });
    expr(medium, &definition.body, LOOSEST);
}

/// Returns `true` if an expression is plainly true or false: `when = a = b` would be hard to read.
fn is_claim(expr: &Expr) -> bool {
    match &inner(expr).kind {
        ExprKind::Unary { operator, .. } => *operator == Unary::Not,
        ExprKind::Binary { operator, .. } => {
            use Binary::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
            matches!(operator, And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        }
        _ => false,
    }
}
