//! Excerpts of experiments in Markdown stand in the experiments that they name.
//!
//! A fence such as `` ```lab experiments/gyroscope.lab `` holds lines of that file, in the order of the file.

use crate::repository::{File, expect_none, files, place};

#[test]
fn excerpts_stand_in_the_experiments_that_they_name() {
    let files = files();
    let mut offenders = Vec::new();
    let mut count = 0;
    for page in files.iter().filter(|file| file.has_extension(&["md"])) {
        for (at, path, excerpt) in excerpts(&page.text) {
            count += 1;
            let Some(experiment) = files.iter().find(|file| file.path == path) else {
                offenders.push(place(page, at, &format!("no file `{path}`")));
                continue;
            };
            if let Some(line) = first_missing(excerpt, experiment) {
                offenders.push(place(page, at, &format!("`{}` does not stand in `{path}`", line.trim())));
            }
        }
    }
    expect_none(&offenders, "copy the lines from the experiment again.");
    assert!(count > 0, "no excerpt was read");
}

/// Place, path and text of every excerpt of a page.
fn excerpts(page: &str) -> Vec<(usize, &str, &str)> {
    let mut found = Vec::new();
    for (at, _) in page.match_indices("```lab experiments/") {
        let (path, rest) = page[at + "```lab ".len()..].split_once('\n').unwrap_or_default();
        found.push((at, path.trim(), rest.split("```").next().unwrap_or(rest)));
    }
    found
}

/// The first line of an excerpt that does not follow, in the file, the lines before it.
fn first_missing<'e>(excerpt: &'e str, file: &File) -> Option<&'e str> {
    let mut lines = file.text.lines();
    excerpt.lines().find(|wanted| !lines.any(|line| line == *wanted))
}
