//! Every explanation keeps its word: the wrong example gives the code and nothing else, the right one gives
//! nothing at all.

use crate::check_support::{Lab, diagnostics, library};
use crate::fences::fences;
use crate::transcript::transcript;
use gedanken_lang::diagnostic::CATALOGUE;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, parse};
use std::path::Path;

/// The code that no example can give: the user stops an evaluation from outside, whatever it is.
const WITHOUT_EXAMPLES: &str = "E524";

/// The code that an example of another code may give as well: of names that need each other, one is written
/// first.
const NAME_NOT_YET_DEFINED: &str = "W601";

/// 0xx and 7xx to 9xx are given by the crates that read models and run experiments, which this one does not know; their
/// tests run their examples.
fn is_of_experiments(code: &str) -> bool {
    code[1..].starts_with(['0', '7', '8', '9'])
}

/// The codes of all that is said about an example. A text that cannot be read is not checked.
fn codes(kind: &str, text: &str) -> Vec<&'static str> {
    let mistakes = |dialect| {
        let mut sources = Sources::new();
        let source = sources.add("text", text);
        parse(&sources, source, dialect).1
    };
    let mut found = match kind {
        "vfl" => mistakes(Dialect::Library),
        "lab" => mistakes(Dialect::Experiment),
        "session" => transcript(text).1,
        _ => panic!("no such kind of example: {kind}"),
    };
    if found.is_empty() && kind == "vfl" {
        found = diagnostics(library(text).1);
    }
    if found.is_empty() && kind == "lab" {
        let lab = Lab::new(text);
        found = (0..lab.contexts.len()).flat_map(|context| diagnostics(lab.check(context))).collect();
    }
    found.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// Returns `true` if an example gives what its verdict says.
fn keeps_its_word(verdict: &str, code: &str, found: &[&str]) -> bool {
    if verdict == "right" {
        return found.is_empty();
    }
    found.contains(&code) && found.iter().all(|met| *met == code || *met == NAME_NOT_YET_DEFINED)
}

#[test]
fn the_catalogue_is_in_order() {
    assert!(CATALOGUE.is_sorted_by(|a, b| a.code < b.code));
}

/// All files below a folder that hold snapshots, in line or on their own, as one text.
fn snapshots(folder: &Path) -> String {
    let mut texts = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts += &snapshots(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "snap") {
            texts += &std::fs::read_to_string(&path).unwrap();
        }
    }
    texts
}

/// Returns `true` if a line tells a message as the renderer or the tests of the checker do: `error[E101]: …`,
/// `E201 1:5 …`.
fn tells(line: &str, code: &str) -> bool {
    let line = line.trim_start();
    let rendered = ["error", "warning"].iter().find_map(|word| line.strip_prefix(word)?.strip_prefix('['));
    let told = match rendered {
        Some(rest) => rest.strip_prefix(code).is_some_and(|rest| rest.starts_with(']')),
        None => line.strip_prefix(code).is_some_and(|rest| rest.starts_with(' ')),
    };
    told && line.contains(':')
}

#[test]
fn every_code_is_in_a_snapshot() {
    let texts = snapshots(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")));
    for entry in CATALOGUE.iter().filter(|entry| !is_of_experiments(entry.code.as_str())) {
        assert!(
            texts.lines().any(|line| tells(line, entry.code.as_str())),
            "no snapshot shows {}",
            entry.code
        );
    }
}

#[test]
fn every_example_does_what_it_says() {
    let mut failures = Vec::new();
    for entry in CATALOGUE.iter().filter(|entry| !is_of_experiments(entry.code.as_str())) {
        let mut verdicts = Vec::new();
        for (words, text) in fences(entry.explanation) {
            let (kind, verdict) = words.split_once(' ').unwrap_or((&words, ""));
            let found = codes(kind, &text);
            if !keeps_its_word(verdict, entry.code.as_str(), &found) {
                failures.push(format!("{}: the {verdict} example gives {found:?}\n{text}", entry.code));
            }
            verdicts.push(verdict.to_owned());
        }
        let expected: &[&str] = if entry.code == WITHOUT_EXAMPLES { &[] } else { &["wrong", "right"] };
        assert_eq!(verdicts, expected, "{}", entry.code);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
