//! Any text, for tests of notations: soups of pieces, the deepest and tallest texts that can be read, and all
//! that is shown of a file.

use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Curve, Definition, Expr, File, Item, Value};
use gedanken_lang::syntax::{Dialect, MOST_NESTED, TALLEST, parse};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "a",
    "b_c",
    "_",
    "x1",
    "omega",
    "f(",
    "g(x) =",
    "x =",
    "v' =",
    "1",
    "2.5",
    "1e-30",
    "1e999",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    "==",
    "<",
    "<=",
    "++",
    "+",
    "-",
    "*",
    "/",
    ".",
    "^",
    "#",
    "!",
    "&",
    "|",
    "if",
    "then",
    "else",
    "true",
    "sqrt(",
    "norm(",
    "previous(",
    "normalize(",
    "identityMatrix(",
    "VFLangNative.sine(",
    "\n",
    "²",
    "½",
    "é",
    "“",
    "\"<&>\"",
    "\0",
    "ß",
    "object {",
    "context {",
    "functions = {",
    "attributes = {",
    "value =",
    "omega_dot",
    "matrixTranspose(",
    "2",
];

pub(crate) const DIALECTS: [Dialect; 4] =
    [Dialect::Library, Dialect::Experiment, Dialect::Session, Dialect::Expression];

/// Pieces of the language one after the other, most of them with a space between.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let piece = (prop::sample::select(PIECES), prop::bool::weighted(0.7));
    let piece = piece.prop_map(|(piece, space)| format!("{piece}{}", if space { " " } else { "" }));
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The tree of a text, whatever it is.
pub(crate) fn parsed(text: &str, dialect: Dialect) -> (File, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    parse(&sources, source, dialect)
}

/// Something that can be shown.
#[derive(Clone, Copy)]
pub(crate) enum Part<'f> {
    Expression(&'f Expr),
    Definition(&'f Definition),
}

/// Everything in a file that can be shown.
pub(crate) fn parts(file: &File) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    for item in &file.items {
        match item {
            Item::Definition(it) => found.push(Part::Definition(it)),
            Item::Evaluate(it) => found.push(Part::Expression(it)),
            Item::Block(block) => block.entries.iter().for_each(|entry| match &entry.value {
                Value::Expression(it) => found.push(Part::Expression(it)),
                Value::Expressions(list) => found.extend(list.iter().map(Part::Expression)),
                Value::Curves(list) => {
                    found.extend(list.iter().flat_map(Curve::expressions).map(Part::Expression));
                }
                Value::Definitions(list) => found.extend(list.iter().map(Part::Definition)),
                Value::Function(it) => found.push(Part::Definition(it)),
                _ => {}
            }),
            Item::Import(_) | Item::Export(_) => {}
        }
    }
    found
}

/// Libraries as deep and as tall as can be read.
pub(crate) fn extremes() -> Vec<String> {
    let nested = MOST_NESTED as usize;
    let between = |open: &str, close: &str| format!("a = {}x{}", open.repeat(nested), close.repeat(nested));
    let tall = |more: &str| format!("a = x{}", more.repeat(TALLEST as usize - 2));
    vec![
        between("(", ")"),
        between("[", "]"),
        between("{", "}"),
        between("f(", ")"),
        between("sqrt(", ")"),
        between("-", ""),
        between("x ^ ", ""),
        format!("a = {}x{}", "x / (".repeat(nested - 2), ")".repeat(nested - 2)),
        between("if c then y else ", ""),
        between("if ", " then 1 else 2"),
        tall(" + x"),
        tall(" / x"),
        tall(" # 1"),
        format!("a = {}x{}", "[[],[],".repeat(nested - 1), "]".repeat(nested - 1)),
    ]
}
