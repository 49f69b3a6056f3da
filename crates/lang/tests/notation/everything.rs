//! Any text, and every experiment there is: shown without a panic, and LaTeX whose braces and environments
//! are closed.

use crate::texts::{DIALECTS, Part, extremes, parsed, parts, soup};
use gedanken_lang::syntax::Dialect;
use gedanken_lang::typeset::{latex, unicode};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// Checks what LaTeX would refuse: braces that do not match, a bare underscore in text, two marks of one kind
/// on one base.
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

/// Shows all that a text defines or evaluates; gives back how many definitions there are.
fn shown(text: &str, dialect: Dialect) -> usize {
    let file = parsed(text, dialect).0;
    let all = parts(&file);
    for part in &all {
        match part {
            Part::Expression(it) => {
                compiles(&latex::expression(it));
                unicode::expression(it);
            }
            Part::Definition(it) => {
                compiles(&latex::definition(it));
                unicode::definition(it);
            }
        }
    }
    all.iter().filter(|it| matches!(it, Part::Definition(_))).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_pieces(text in soup()) {
        for dialect in DIALECTS {
            shown(&text, dialect);
        }
    }
}

#[test]
fn the_deepest_and_tallest_texts() {
    for text in extremes() {
        assert_eq!(shown(&text, Dialect::Library), 1);
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
