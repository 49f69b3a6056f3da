//! Markdown links to files of the repository lead somewhere.

use std::path::Path;

use crate::repository::{expect_none, files, place, root};

#[test]
fn every_relative_link_leads_to_a_file() {
    let mut offenders = Vec::new();
    for file in files().iter().filter(|file| file.has_extension(&["md"])) {
        let folder = root().join(Path::new(&file.path).parent().unwrap_or(Path::new("")));
        for (at, target) in local_links(&file.text) {
            if !folder.join(target).exists() {
                offenders.push(place(file, at, &format!("no file `{target}`")));
            }
        }
    }
    expect_none(&offenders, "correct the path, which starts at the folder of the Markdown file itself.");
}

/// Targets of inline links and of `[name]: target` lines, without web addresses, anchors and code.
fn local_links(markdown: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut fenced) = (0, false);
    for line in markdown.split_inclusive('\n') {
        fenced ^= line.trim_start().starts_with("```");
        let definition = line.starts_with('[').then(|| line.find("]: ")).flatten();
        for at in line.match_indices("](").map(|(at, _)| at).chain(definition).filter(|_| !fenced) {
            let in_code = line[..at].matches('`').count() % 2 == 1;
            let rest = line[at + 2..].trim_start();
            let target = rest.split([')', ' ', '#', '\n']).next().unwrap_or("");
            let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !in_code && !elsewhere {
                found.push((start + at, target));
            }
        }
        start += line.len();
    }
    found
}

#[test]
fn links_are_told_from_code_and_addresses() {
    let markdown =
        "[a](b.md#c) `[x](y.md)` [w](https://a.org/z) [q](#here)\n```\n[k](l.md)\n```\n[m]: n.md\n";
    let targets: Vec<&str> = local_links(markdown).into_iter().map(|(_, target)| target).collect();
    assert_eq!(targets, ["b.md", "n.md"]);
}
