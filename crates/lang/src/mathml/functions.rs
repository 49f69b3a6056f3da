//! Calls: natives that have a sign of their own get it, all others are a name with arguments.

use super::level::{BASE, LOOSEST, inner};
use super::markup::Markup;
use super::names::is_letter;
use crate::syntax::tree::{Expr, ExprKind};

/// Natives that mathematics calls something else.
const WORDS: &[(&str, &str)] = &[
    ("sine", "sin"),
    ("cosine", "cos"),
    ("tangent", "tan"),
    ("inverseSine", "arcsin"),
    ("inverseCosine", "arccos"),
    ("inverseTangent", "arctan"),
    ("log", "ln"),
    ("sign", "sgn"),
    ("determinant", "det"),
    ("trace", "tr"),
];

/// Natives that are a pair of signs around their argument.
const FENCES: &[(&str, &str, &str)] =
    &[("norm", "‖", "‖"), ("abs", "|", "|"), ("floor", "⌊", "⌋"), ("ceil", "⌈", "⌉")];

impl Markup {
    /// A call, always one element.
    pub(super) fn call(&mut self, callee: &str, arguments: &[Expr]) {
        if let [argument] = arguments
            && self.special(callee, argument)
        {
            return;
        }
        self.element("mrow", |markup| {
            match WORDS.iter().find(|(name, _)| *name == callee) {
                Some((_, word)) => {
                    markup.leaf("mi", &[("data-name", callee), ("mathvariant", "normal")], word);
                }
                None => markup.name(callee),
            }
            markup.apply(|markup| {
                markup.separated(arguments, |markup, argument| markup.expr(argument, LOOSEST));
            });
        });
    }

    /// The arguments of a function, in parentheses.
    pub(super) fn apply(&mut self, arguments: impl FnOnce(&mut Self)) {
        self.sign("\u{2061}");
        self.fenced("(", ")", arguments);
    }

    /// A native of one argument that is more than a word; false if this is none.
    fn special(&mut self, callee: &str, argument: &Expr) -> bool {
        if let Some((_, opening, closing)) = FENCES.iter().find(|(name, ..)| *name == callee) {
            self.fenced(opening, closing, |markup| markup.expr(argument, LOOSEST));
            return true;
        }
        let name = match &inner(argument).kind {
            ExprKind::Name(name) => Some(name.as_str()),
            _ => None,
        };
        match (callee, name) {
            ("sqrt", _) => self.element("msqrt", |markup| markup.expr(argument, LOOSEST)),
            ("matrixTranspose", _) => self.raised(argument, |markup| {
                markup.leaf("mi", &[("mathvariant", "normal")], "T");
            }),
            ("squareMatrixInverse", _) => self.raised(argument, |markup| markup.leaf("mn", &[], "−1")),
            ("skewSymmetricMatrix", _) => self.element("msub", |markup| {
                markup.fenced("[", "]", |markup| markup.expr(argument, LOOSEST));
                markup.sign("×");
            }),
            ("identityMatrix", _) => self.element("msub", |markup| {
                markup.leaf("mi", &[("data-name", callee)], "I");
                markup.script(|markup| markup.expr(argument, LOOSEST));
            }),
            ("normalize", Some(name)) if is_letter(name) => self.accented(name, "^"),
            ("previous", Some(name)) => self.previous(name),
            _ => return false,
        }
        true
    }

    fn raised(&mut self, base: &Expr, exponent: impl FnOnce(&mut Self)) {
        self.element("msup", |markup| {
            markup.one(base, BASE);
            exponent(markup);
        });
    }
}
