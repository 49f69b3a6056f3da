//! Source files: a module doc first, short enough to read, finished, and at home on every machine.

use crate::repository::{File, expect_none, files, place};

const LONGEST: usize = 700;

/// Made from other sources, and read there.
const MADE: &str = "web/src/wire/types.ts";

#[test]
fn every_rust_file_opens_with_a_module_doc() {
    let bare = |file: &File| file.has_extension(&["rs"]) && !file.text.starts_with("//!");
    let offenders: Vec<String> =
        files().iter().filter(|file| bare(file)).map(|file| place(file, 0, "no `//!`")).collect();
    expect_none(&offenders, "begin the file with `//!`: what it is, why here, the equation, the invariant.");
}

#[test]
fn every_file_of_the_page_opens_with_a_comment() {
    let bare = |file: &File| file.has_extension(&["ts", "tsx"]) && !file.text.starts_with("// ");
    let offenders: Vec<String> =
        files().iter().filter(|file| bare(file)).map(|file| place(file, 0, "no `//`")).collect();
    expect_none(&offenders, "begin the file with `//`: what it is, and why.");
}

#[test]
fn no_source_file_is_too_long() {
    let mut offenders = Vec::new();
    let read =
        |file: &&File| file.has_extension(&["rs", "ts", "tsx", "css", "py", "sh"]) && file.path != MADE;
    for file in files().iter().filter(read) {
        let lines = file.text.lines().count();
        if lines > LONGEST {
            offenders.push(place(file, 0, &format!("{lines} lines, at most {LONGEST}")));
        }
    }
    expect_none(&offenders, "split by concept, one per file; the module that remains is a contents page.");
}

#[test]
fn nothing_is_left_unfinished() {
    // Cut in two, so that this file does not find itself.
    let code = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[ig", "nore")];
    let words = [concat!("FIX", "ME"), concat!("X", "XX")];
    let mut offenders = Vec::new();
    for file in files().iter().filter(|file| file.path != "Cargo.lock") {
        let in_code = code.iter().filter(|_| file.has_extension(&["rs"]));
        for needle in in_code.chain(&words) {
            let hits = file.text.match_indices(needle).filter(|(at, _)| stands_alone(&file.text, *at));
            offenders.extend(hits.map(|(at, _)| place(file, at, needle)));
        }
    }
    expect_none(&offenders, "finish it or take it out; what is still to come belongs into an issue.");
}

#[test]
fn no_path_of_one_machine() {
    let mut offenders = Vec::new();
    for file in files() {
        offenders.extend(machine_paths(&file.text).into_iter().map(|(at, path)| place(&file, at, &path)));
    }
    expect_none(&offenders, "write it from the repository's root, or make a temporary folder where needed.");
}

/// Absolute paths into folders that differ from machine to machine, with their byte offsets.
fn machine_paths(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for folder in ["home", "mnt", "root", "tmp", "work", "Users"] {
        let needle = format!("/{folder}");
        for (at, _) in text.match_indices(&needle) {
            let before = text[..at].chars().next_back();
            let begins = before.is_none_or(|c| c.is_whitespace() || "\"'`(=:,".contains(c));
            let goes_on = text[at + needle.len()..].starts_with(['/', '"', '\'', '`']);
            if begins && goes_on {
                found.push((at, needle.clone()));
            }
        }
    }
    found
}

/// No letter before, so that a needle inside a longer word does not count.
fn stands_alone(text: &str, at: usize) -> bool {
    !text[..at].ends_with(char::is_alphanumeric)
}

#[test]
fn machine_paths_are_told_from_others() {
    let home = format!("see /{}/ann/notes", "home");
    assert_eq!(machine_paths(&home), [(4, ["/", "home"].concat())]);
    assert_eq!(machine_paths("docs/home/x, a/root/b, /homely/, https://example.org/mnt/"), []);
}
