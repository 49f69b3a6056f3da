//! Texts that are deep or long: one message, never a lost stack, in the time it takes to read them.

use crate::read::read;
use gedanken_lang::diagnostic::{Style, render};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Expr, ExprKind, Item};
use gedanken_lang::syntax::{Dialect, MOST_NESTED, TALLEST, is_complete, parse};

fn codes(text: &str, dialect: Dialect) -> Vec<&'static str> {
    let (tree, diagnostics, _) = read(text, dialect);
    // Whoever walks over a tree recurses: copying and dropping it must be safe.
    drop(tree.items.clone());
    drop(tree);
    diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[test]
fn a_hundred_thousand_of_anything_is_one_diagnostic() {
    let many = 100_000;
    let texts = [
        format!("a = {}x{}\nb = 1", "(".repeat(many), ")".repeat(many)),
        format!("a = {}x\nb = 1", "(".repeat(many)),
        format!("a = {}1{}", "[".repeat(many), "]".repeat(many)),
        format!("a = {}1{}", "{".repeat(many), "}".repeat(many)),
        format!("a = {}1{}", "f(".repeat(many), ")".repeat(many)),
        format!("a = {}x\nb = 1", "-".repeat(many)),
        format!("a = {}x", "!".repeat(many)),
        format!("a = x{}", " + x".repeat(many)),
        format!("a = x{}", " ^ x".repeat(many)),
        format!("a = x{}", " # 1".repeat(many)),
        format!("a = x{}", " ++ x".repeat(many)),
        format!("a = x{}", " . -x".repeat(many)),
        format!("a = {}c", "if x then y else ".repeat(many)),
        format!("a = {}c", "if ".repeat(many)),
        format!("a = {}c{}", "if ".repeat(many), " then 1 else 2".repeat(many)),
        format!("a = {}x", "1 | 1 & 1 == 1 ++ 1 + 1 * -1 ^ (".repeat(many)),
    ];
    for text in texts {
        assert_eq!(codes(&text, Dialect::Library), ["E116"], "{}", &text[..60]);
        assert!(is_complete(&text));
    }
}

#[test]
fn the_bracket_that_is_too_deep_is_shown() {
    let (_, diagnostics, sources) = read(&format!("a = {}x", "(\n".repeat(300)), Dialect::Library);
    insta::assert_snapshot!(render(&diagnostics, &sources, Style::Plain), @r#"
    error[E116]: this expression is nested too deeply
       --> text:257:1
        |
    257 | (
        | ^ too deep from here on
        |
        = note: at most 256 brackets, signs and `if`s inside each other, and 512 operators in a row
        = note: in the definition of `a`
        = help: give parts of it names of their own, as definitions without parameters
    "#);
}

#[test]
fn a_flood_of_mistakes_ends() {
    let floods = [
        "object {",
        "a = { use ",
        "context { functions = { a = (",
        ") ",
        "a = b = ",
        "a(",
        "$ ",
        "f(x, ",
        "a = [x y ",
    ];
    for text in floods {
        for dialect in [Dialect::Library, Dialect::Session, Dialect::Experiment, Dialect::Expression] {
            assert!(!codes(&text.repeat(10_000), dialect).is_empty(), "{text}");
        }
    }
}

#[test]
fn what_is_deep_but_readable_is_accepted() {
    let nested = MOST_NESTED as usize;
    let brackets = |count: usize| format!("a = {}x{}", "(".repeat(count), ")".repeat(count));
    assert_eq!(codes(&brackets(nested), Dialect::Library), [""; 0]);
    assert_eq!(codes(&brackets(nested + 1), Dialect::Library), ["E116"]);
    let terms = TALLEST as usize - 1;
    let sum = |count: usize| format!("a = x{}", " + x".repeat(count - 1));
    assert_eq!(codes(&sum(terms), Dialect::Library), [""; 0]);
    assert_eq!(codes(&sum(terms + 1), Dialect::Library), ["E116"]);
    let levels = "1 | 1 & 1 == 1 ++ 1 + 1 * 1 ^ (";
    let text = format!("a = {}1{}", levels.repeat(60), ")".repeat(60));
    assert_eq!(codes(&text, Dialect::Library), [""; 0]);
}

fn height(expr: &Expr) -> u32 {
    1 + match &expr.kind {
        ExprKind::Binary { left, right, .. } => height(left).max(height(right)),
        ExprKind::Unary { operand, .. } => height(operand),
        ExprKind::Group(inner) => height(inner),
        ExprKind::If { condition, then, otherwise } => {
            height(condition).max(height(then)).max(height(otherwise))
        }
        ExprKind::Vector(list) | ExprKind::Sequence(list) | ExprKind::Call { arguments: list, .. } => {
            list.iter().map(height).max().unwrap_or(0)
        }
        _ => 0,
    }
}

#[test]
fn no_tree_is_taller_than_promised() {
    let pieces =
        ["x + ", "(", "-", "x ^ ", "f(x, ", "[x, ", "x * ", "if x then x else ", "x ++ ", "x # (", "if "];
    let mut tallest = 0;
    for (i, first) in pieces.iter().enumerate() {
        for second in &pieces[i..] {
            for count in [1, 100, 120, 127, 128, 200, 250, 255] {
                let open = format!("{first}{second}").repeat(count);
                let bracket = |c| match c {
                    '(' => Some(')'),
                    '[' => Some(']'),
                    _ => None,
                };
                let close: String = open.chars().rev().filter_map(bracket).collect();
                let mut sources = Sources::new();
                let source = sources.add("test", format!("{open}x{close}"));
                for item in parse(&sources, source, Dialect::Expression).0.items {
                    let Item::Evaluate(value) = item else { continue };
                    tallest = tallest.max(height(&value));
                }
            }
        }
    }
    assert!((MOST_NESTED..=TALLEST).contains(&tallest), "{tallest}");
}
