//! Laws as mathematics: presentation MathML of expressions and definitions, for whoever shows them in a
//! browser.
//!
//! How they are laid out is decided by `paper`. Every name carries itself in the attribute `data-name`, as it
//! stands in the text.

mod markup;
mod medium;

use super::layout;
use super::layout::LOOSEST;
use crate::syntax::tree::{Definition, Expr};
use markup::Markup;

/// An expression as a `<math>` element that stands in a line of text.
pub fn expression(expr: &Expr) -> String {
    let mut markup = Markup::new("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">");
    layout::expr(&mut markup, expr, LOOSEST);
    markup.finish("</math>")
}

/// A definition as a `<math>` element that stands alone: `v = v0 + a (t − t0)`. A rate has a dot above its
/// name, or is a fraction of differentials if its name is a word; what is plainly true or false is defined by
/// `⇔`.
pub fn definition(definition: &Definition) -> String {
    let mut markup = Markup::new("<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">");
    layout::definition(&mut markup, definition);
    markup.finish("</math>")
}

/// Any text as it stands, for what is too long to be laid out.
pub(crate) fn verbatim(text: &str) -> String {
    let mut markup = Markup::new("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">");
    markup.leaf("mtext", &[], text);
    markup.finish("</math>")
}
