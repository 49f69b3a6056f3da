//! Any text, and every experiment there is: shown without a panic, and LaTeX whose braces and environments are closed.

use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Definition, Expr, File, Item, Value};
use gedanken_lang::syntax::{Dialect, MOST_NESTED, TALLEST, parse};
use gedanken_lang::{latex, unicode};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// What LaTeX would refuse: braces that do not match, a bare underscore in text, two marks of one kind on one base.
fn compiles(text: &str) {
    let (mut open, mut marks, mut escaped) = (0_i32, Vec::new(), false);
    let mut last = Vec::new();
    for c in text.chars() {
        if escaped {
            escaped = false;
            marks.clear();
            continue;
        }
        match c {
            '\\' => escaped = true,
            '{' => {
                open += 1;
                last.push(std::mem::take(&mut marks));
            }
            '}' => {
                open -= 1;
                assert!(open >= 0, "{text}");
                marks = last.pop().unwrap();
            }
            '^' | '_' => {
                assert!(!marks.contains(&c), "two {c} in {text}");
                marks.push(c);
            }
            '$' | '%' | '#' => panic!("{c} in {text}"),
            // A mark is followed by one character or a group.
            c if c.is_alphanumeric() && matches!(marks.last(), Some('^' | '_')) => marks.push(' '),
            _ => marks.clear(),
        }
    }
    assert_eq!(open, 0, "{text}");
    assert_eq!(text.matches("\\begin{").count(), text.matches("\\end{").count(), "{text}");
    assert_eq!(text.matches("\\left").count(), text.matches("\\right").count(), "{text}");
}

fn expression(expr: &Expr) {
    compiles(&latex::expression(expr));
    unicode::expression(expr);
}

fn definition(it: &Definition) {
    compiles(&latex::definition(it));
    unicode::definition(it);
}

fn all_of(file: &File) -> usize {
    let mut count = 0;
    for item in &file.items {
        match item {
            Item::Definition(it) => definition(it),
            Item::Evaluate(it) => expression(it),
            Item::Block(block) => block.entries.iter().for_each(|entry| match &entry.value {
                Value::Expression(it) => expression(it),
                Value::Expressions(list) => list.iter().for_each(expression),
                Value::Definitions(list) => {
                    count += list.len();
                    list.iter().for_each(definition);
                }
                Value::Function(it) => definition(it),
                _ => {}
            }),
            Item::Import(_) | Item::Export(_) => {}
        }
    }
    count
}

fn shown(text: &str, dialect: Dialect) -> usize {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    all_of(&parse(&sources, source, dialect).0)
}

const PIECES: &[&str] = &[
    "a",
    "b_c",
    "_",
    "x1",
    "omega_dot",
    "f(",
    "g(x) =",
    "x =",
    "v' =",
    "1",
    "2",
    "1e-30",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "==",
    "<",
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
    "matrixTranspose(",
    "\n",
    "²",
    "é",
    "ß",
    "context {",
    "functions = {",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.join(" ");
        for dialect in [Dialect::Library, Dialect::Experiment, Dialect::Session, Dialect::Expression] {
            shown(&text, dialect);
        }
    }
}

#[test]
fn the_deepest_and_tallest_texts() {
    let nested = MOST_NESTED as usize;
    let between = |open: &str, close: &str| format!("a = {}x{}", open.repeat(nested), close.repeat(nested));
    for text in [
        between("(", ")"),
        between("[", "]"),
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
    ] {
        shown(&text, Dialect::Library);
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "lab" || it == "vfl") {
            found.push(path);
        }
    }
}

/// All programs of the thesis and all laws of the gallery.
#[test]
fn every_law_there_is() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    files(&crates.join("tests/thesis"), &mut found);
    files(&crates.join("../../experiments"), &mut found);
    let mut laws = 0;
    for path in &found {
        let dialect = match path.extension().and_then(|it| it.to_str()) {
            Some("vfl") => Dialect::Library,
            _ => Dialect::Experiment,
        };
        laws += shown(&std::fs::read_to_string(path).unwrap(), dialect);
    }
    assert!(found.len() > 60 && laws > 200, "{} files, {laws} laws", found.len());
}
