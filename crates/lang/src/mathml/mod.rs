//! Laws as mathematics: presentation MathML of expressions and definitions, for whoever shows them in a browser.
//!
//! ```text
//! v = v0 + a * (t - t0)      v_in . n / norm(n)      if x > 0 then 1 else -1
//! ```
//!
//! become what one would write on paper: fractions, powers, roots, subscripts (`names`), braces with cases (`tables`), the
//! signs of natives (`functions`), and no more parentheses than meaning needs (`expression`). Types are not known here, so
//! `*` is a small space, whatever it multiplies, or `∗` beside names of several words; only two vectors written out are surely
//! a cross product. Every name carries itself in the attribute `data-name`, as it stands in the text.

mod expression;
mod functions;
mod level;
mod markup;
mod names;
mod numbers;
mod tables;

use crate::syntax::tree::{Binary, Definition, Expr, ExprKind, Unary};
use level::{LOOSEST, inner};
use markup::Markup;

/// An expression as a `<math>` element that stands in a line of text.
pub fn expression(expr: &Expr) -> String {
    let mut markup = Markup::new("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">");
    markup.expr(expr, LOOSEST);
    markup.finish("</math>")
}

/// A definition as a `<math>` element that stands alone: `v = v0 + a (t − t0)`. A rate has a dot above its name, or is a
/// fraction of differentials if its name is a word; what is plainly true or false is defined by `⇔`.
pub fn definition(definition: &Definition) -> String {
    let mut markup = Markup::new("<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">");
    let name = &definition.name.text;
    if definition.prime.is_some() {
        markup.rate(name);
    } else {
        markup.name(name);
    }
    if !definition.params.is_empty() {
        markup.apply(|markup| {
            markup.separated(&definition.params, |markup, param| markup.name(&param.text));
        });
    }
    markup.sign(if is_claim(&definition.body) { "⇔" } else { "=" });
    markup.expr(&definition.body, LOOSEST);
    markup.finish("</math>")
}

/// Whether an expression is plainly true or false: `when = a = b` would be hard to read.
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
