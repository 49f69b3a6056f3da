//! Citations: what the code and the docs cite is in `docs/references.bib`, and what is there is cited.
//!
//! A key is author and year in one word. It is cited by an at-sign before it, in Markdown and in comments,
//! or by the field `cite` of a registry value. Doc comments put the citation in parentheses: rustdoc takes
//! square brackets for a link.

use crate::repository::{File, expect_none, files, place};

const BIBLIOGRAPHY: &str = "docs/references.bib";

#[test]
fn citations_and_bibliography_agree() {
    let files = files();
    let bibliography = files.iter().find(|file| file.path == BIBLIOGRAPHY).expect(BIBLIOGRAPHY);
    let entries = entries(&bibliography.text);
    let mut offenders = Vec::new();
    let mut cited = Vec::new();
    for file in &files {
        for (at, key) in citations(file) {
            if !entries.iter().any(|entry| entry.1 == key) {
                offenders.push(place(file, at, &format!("`{key}` is not in {BIBLIOGRAPHY}")));
            }
            cited.push(key);
        }
    }
    for (number, (at, key)) in entries.iter().enumerate() {
        if key_at_start(key) != Some(key) {
            offenders.push(place(bibliography, *at, &format!("`{key}` is no author and year")));
        } else if entries[..number].iter().any(|entry| entry.1 == *key) {
            offenders.push(place(bibliography, *at, &format!("`{key}` is there twice")));
        } else if !cited.contains(key) {
            offenders.push(place(bibliography, *at, &format!("`{key}` is cited nowhere")));
        }
    }
    expect_none(&offenders, "correct the key, add the entry, cite it where it is used, or remove it.");
}

/// Keys of a BibTeX file with their byte offsets.
fn entries(bibliography: &str) -> Vec<(usize, &str)> {
    let key = |at: usize| Some(bibliography[at..].split_once('{')?.1.split_once(',')?.0.trim());
    let begins_line = |at: usize| at == 0 || bibliography[..at].ends_with('\n');
    let signs = bibliography.match_indices('@').map(|(at, _)| at).filter(|at| begins_line(*at));
    signs.filter_map(|at| Some((at, key(at)?))).collect()
}

/// Keys that a file cites, with their byte offsets.
fn citations(file: &File) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let rust = file.has_extension(&["rs"]);
    if !rust && !file.has_extension(&["md"]) {
        return found;
    }
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let prose = if rust { line.find("//").unwrap_or(line.len()) } else { 0 };
        for (at, _) in line.match_indices('@').filter(|(at, _)| *at >= prose) {
            let address = line[..at].ends_with(char::is_alphanumeric);
            found.extend(key_at_start(&line[at + 1..]).filter(|_| !address).map(|key| (start + at, key)));
        }
        let field = concat!("cite", ": \"");
        let quoted =
            line.match_indices(field).filter(|_| rust).map(|(at, _)| (at, &line[at + field.len()..]));
        found.extend(quoted.filter_map(|(at, rest)| Some((start + at, rest.split_once('"')?.0))));
        start += line.len();
    }
    found
}

/// The key that a text begins with: lower-case letters, four digits, perhaps one more letter.
fn key_at_start(text: &str) -> Option<&str> {
    let key = &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())];
    let year = key.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let digits = year.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(year);
    let named = year.len() < key.len();
    (named && digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(key)
}

#[test]
fn citations_are_found_in_all_their_forms() {
    let keys = |path: &str, text: &str| {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        citations(&file).into_iter().map(|(_, key)| key.to_owned()).collect::<Vec<_>>()
    };
    let markdown = "a [@hairer2006, §I.3; @ruth1983] b, me@example2006, @types/node, (@kutta1901b)";
    assert_eq!(keys("a.md", markdown), ["hairer2006", "ruth1983", "kutta1901b"]);
    let field = format!("let a = x@ruth1983; A {{ {}: \"wrong key\" }}; {}/ (@kutta1901)\n", "cite", "/");
    assert_eq!(keys("a.rs", &field), ["kutta1901", "wrong key"]);
    assert_eq!(entries("@book{a1999,\n t = {@x}\n}\n\n@article{b2000,\n}"), [(0, "a1999"), (26, "b2000")]);
}
