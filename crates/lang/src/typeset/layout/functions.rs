//! Calls: natives that have a sign of their own get it, all others are a name with arguments.

use super::expression::{expr, one};
use super::level::{BASE, LOOSEST, inner};
use super::medium::{Fence, Medium};
use super::names::{accented, is_letter, name, previous};
use super::numbers::Written;
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
    ("exp", "exp"),
    ("min", "min"),
    ("max", "max"),
    ("atan2", "atan2"),
    ("sign", "sgn"),
    ("determinant", "det"),
    ("trace", "tr"),
];

/// Natives whose powers stand behind their names.
const RAISED: &[&str] = &["sine", "cosine", "tangent"];

/// Natives that are a pair of signs around their argument.
const FENCES: &[(&str, Fence)] =
    &[("norm", Fence::Norm), ("abs", Fence::Magnitude), ("floor", Fence::Floor), ("ceil", Fence::Ceiling)];

/// Returns the mathematical name of a native whose powers stand behind its name.
pub(super) fn raised_word(callee: &str) -> Option<&'static str> {
    let word = WORDS.iter().find(|(name, _)| *name == callee).map(|(_, word)| *word);
    word.filter(|_| RAISED.contains(&callee))
}

/// A call, always one thing.
pub(super) fn call<M: Medium>(medium: &mut M, callee: &str, arguments: &[Expr]) {
    if let [argument] = arguments
        && special(medium, callee, argument)
    {
        return;
    }
    medium.row(|medium| {
        match WORDS.iter().find(|(name, _)| *name == callee) {
            Some((_, word)) => medium.function(callee, word),
            None => name(medium, callee),
        }
        medium.apply(|medium| medium.separated(arguments, |medium, it| expr(medium, it, LOOSEST)));
    });
}

/// A native of one argument that is more than a word; false if this is none.
fn special<M: Medium>(medium: &mut M, callee: &str, argument: &Expr) -> bool {
    if let Some((_, fence)) = FENCES.iter().find(|(name, _)| *name == callee) {
        medium.fenced(*fence, |medium| expr(medium, argument, LOOSEST));
        return true;
    }
    let of_name = match &inner(argument).kind {
        ExprKind::Name(name) => Some(name.as_str()),
        _ => None,
    };
    let base = |medium: &mut M| one(medium, argument, BASE);
    match (callee, of_name) {
        ("sqrt", _) => medium.root(|medium| expr(medium, argument, LOOSEST)),
        ("matrixTranspose", _) => medium.power(base, |medium| medium.upright("T")),
        ("squareMatrixInverse", _) => medium.power(base, |medium| medium.number(&Written::minus_one())),
        ("skewSymmetricMatrix", _) => medium.index(
            |medium| medium.fenced(Fence::Square, |medium| expr(medium, argument, LOOSEST)),
            |medium| medium.sign("×"),
        ),
        ("identityMatrix", _) => medium.index(
            |medium| medium.letter(callee, "I"),
            |medium| medium.script(|medium| expr(medium, argument, LOOSEST)),
        ),
        ("normalize", Some(letter)) if is_letter(letter) => accented(medium, letter, "^"),
        ("previous", Some(name)) => previous(medium, name),
        _ => return false,
    }
    true
}
