//! Any text: elements that are closed and escaped and have the right number of children, however broken or deep it is.

use crate::xml::read;
use gedanken_lang::mathml;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Definition, Expr, File, Item, Value};
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
];

fn expression(expr: &Expr) {
    read(&mathml::expression(expr)).check();
}

fn definition(it: &Definition) {
    let node = read(&mathml::definition(it));
    node.check();
    assert!(node.names().contains(&it.name.text) || it.name.text.chars().any(char::is_control));
}

fn all_of(file: &File) {
    for item in &file.items {
        match item {
            Item::Definition(it) => definition(it),
            Item::Evaluate(it) => expression(it),
            Item::Block(block) => block.entries.iter().for_each(|entry| match &entry.value {
                Value::Expression(it) => expression(it),
                Value::Expressions(list) => list.iter().for_each(expression),
                Value::Definitions(list) => list.iter().for_each(definition),
                Value::Function(it) => definition(it),
                _ => {}
            }),
            Item::Import(_) | Item::Export(_) => {}
        }
    }
}

fn stands(text: &str) {
    for dialect in [Dialect::Library, Dialect::Experiment, Dialect::Session, Dialect::Expression] {
        let mut sources = Sources::new();
        let source = sources.add("text", text);
        all_of(&parse(&sources, source, dialect).0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_pieces(pieces in prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.7)), 0..40)) {
        let text: String = pieces.iter().map(|(piece, space)| format!("{piece}{}", if *space { " " } else { "" })).collect();
        stands(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        stands(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn the_deepest_and_tallest_texts() {
    let nested = MOST_NESTED as usize;
    let between = |open: &str, close: &str| format!("a = {}x{}", open.repeat(nested), close.repeat(nested));
    for text in [
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
        format!("a = x{}", " + x".repeat(TALLEST as usize - 2)),
        format!("a = x{}", " / x".repeat(TALLEST as usize - 2)),
        format!("a = x{}", " # 1".repeat(TALLEST as usize - 2)),
        format!("a = {}x{}", "[[],[],".repeat(nested - 1), "]".repeat(nested - 1)),
    ] {
        let mut sources = Sources::new();
        let source = sources.add("text", text.as_str());
        let (file, diagnostics) = parse(&sources, source, Dialect::Library);
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", &text[..20]);
        all_of(&file);
    }
}
