//! The language reference keeps its word: its sessions give the answers that are printed, its libraries and
//! experiments check, its wrong examples get the code that stands beside them, and its tables are made from
//! the registries.

use crate::fences::fences;
use crate::transcript::Nothing;
use gedanken_lang::check::{Library, Participant, Signature, check_context, check_library, context_kind};
use gedanken_lang::diagnostic::{CATALOGUE, Diagnostic};
use gedanken_lang::native::NATIVES;
use gedanken_lang::session::{Reply, Session};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::Type;
use gedanken_lang::vm::Limits;
use std::fmt::Write;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    std::fs::read_to_string(path).expect("docs/language.md is there")
}

/// Returns the answer of a session, as the page prints it.
fn answer(replies: &[Reply]) -> Vec<String> {
    let line = |reply: &Reply| match reply {
        Reply::Value(value) => Some(value.to_string()),
        Reply::Diagnostic(diagnostic) if diagnostic.is_error() => Some(format!("error[{}]", diagnostic.code)),
        _ => None,
    };
    replies.iter().filter_map(line).collect()
}

#[test]
fn sessions_answer_as_printed() {
    let mut count = 0;
    for (_, text) in fences(&page()).into_iter().filter(|(words, _)| words == "session") {
        let mut session = Session::new(Nothing, Limits::default());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let input =
                line.strip_prefix("> ").unwrap_or_else(|| panic!("an input starts with `> `: {line}"));
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("> ")) {
                expected.push(line.to_owned());
            }
            assert_eq!(answer(&session.submit(input)), expected, "{input}");
            count += 1;
        }
    }
    assert!(count > 30, "the page has examples");
}

/// Codes of all errors in a text, each context for an object with the attributes of the page's ball.
fn errors(words: &str, text: &str) -> Vec<&'static str> {
    let mut sources = Sources::new();
    let source = sources.add("example", text);
    let dialect = if words.starts_with("vfl") { Dialect::Library } else { Dialect::Experiment };
    let (file, mut errors) = parse(&sources, source, dialect);
    let mut definitions = Vec::new();
    for item in &file.items {
        match item {
            Item::Definition(definition) => definitions.push(definition.clone()),
            Item::Block(block) if context_kind(block).is_some() => {
                let vector = Type::vector(3);
                let attributes =
                    [("position", vector.clone()), ("orientation", vector.clone()), ("v", vector.clone())];
                let ball = Participant {
                    is_static: false,
                    attributes: attributes.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
                    synonyms: Vec::new(),
                };
                let world = vec![("a".to_owned(), vector)];
                let signature = Signature { world, participants: vec![ball], ..Signature::default() };
                errors.extend(
                    check_context(block, &signature, &Library::default()).err().into_iter().flatten(),
                );
            }
            _ => {}
        }
    }
    if dialect == Dialect::Library {
        errors.extend(check_library(&definitions, &Library::default()).err().into_iter().flatten());
    }
    errors.iter().filter(|error| error.is_error()).map(|error: &Diagnostic| error.code.as_str()).collect()
}

#[test]
fn texts_check_or_get_the_code_beside_them() {
    let mut count = 0;
    for (words, text) in fences(&page()) {
        if !(words.starts_with("vfl") || words.starts_with("lab")) {
            continue;
        }
        let expected: Vec<&str> = words.split(' ').skip(1).collect();
        assert_eq!(errors(&words, &text), expected, "{text}");
        count += 1;
    }
    assert!(count >= 3, "the page has examples");
}

/// The part of the page between two markers must be exactly this.
fn check_block(name: &str, expected: &str) {
    let page = page();
    let block = page
        .split_once(&format!("<!-- {name} -->\n"))
        .and_then(|(_, rest)| rest.split_once(&format!("<!-- end of {name} -->")))
        .unwrap_or_else(|| panic!("docs/language.md has the markers of '{name}'"))
        .0;
    assert!(
        block == expected,
        "docs/language.md is out of date; between the markers of '{name}' put\n{expected}"
    );
}

/// Bars would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_table_of_natives_is_fresh() {
    let mut table =
        String::from("| native | from and to | what it gives | formula | example |\n|---|---|---|---|---|\n");
    for native in NATIVES {
        let call = if native.params.is_empty() {
            native.name.to_owned()
        } else {
            format!("{}({})", native.name, native.params.join(", "))
        };
        let (expression, value) = native.example;
        writeln!(
            table,
            "| `{call}` | {} | {} | {} | `{}` is `{}` |",
            cell(native.signature),
            cell(native.summary),
            cell(native.formula),
            cell(expression),
            cell(value)
        )
        .unwrap();
    }
    check_block("natives", &table);
}

#[test]
fn the_table_of_codes_is_fresh() {
    let mut table = String::from("| code | meaning |\n|---|---|\n");
    for entry in CATALOGUE {
        writeln!(table, "| {} | {} |", entry.code, cell(entry.title)).unwrap();
    }
    check_block("codes", &table);
}
