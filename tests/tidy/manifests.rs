//! Manifests: every crate says what it is for and obeys the workspace's lints.

use crate::repository::{expect_none, files, place};

#[test]
fn every_crate_describes_itself_and_inherits_the_lints() {
    let mut offenders = Vec::new();
    // Peers and fuzzers are workspaces of their own and cannot inherit.
    let ours = |path: &str| path.starts_with("crates/") || path.starts_with("tests/");
    for file in files().iter().filter(|file| ours(&file.path) && file.path.ends_with("/Cargo.toml")) {
        let (description, lints) = (line_of(&file.text, "description = \""), line_of(&file.text, "[lints]"));
        if description.is_none() {
            offenders.push(place(file, 0, "no description"));
        }
        if lints.and_then(|at| file.text.lines().nth(at + 1)) != Some("workspace = true") {
            offenders.push(place(file, 0, "no `[lints]` with `workspace = true` below it"));
        }
    }
    expect_none(&offenders, "add the lines; crates/math/Cargo.toml has both.");
}

fn line_of(text: &str, start: &str) -> Option<usize> {
    text.lines().position(|line| line.starts_with(start))
}
