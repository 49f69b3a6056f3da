//! Every explanation of the 7xx and 8xx keeps its word: the wrong example gives the code and nothing else,
//! the right one gives nothing at all. An example that begins with `// gedanken check --set …` is read with
//! that setting. Examples of the 8xx are read without a word, and
//! then run; some are found when they are read.

use crate::support;
use gedanken_lang::diagnostic::{CATALOGUE, Style, render};
use support::{Memory, experiment, ran, said};

/// For each pair of fences the words after the opening one, and the text.
fn fences(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((words.to_owned(), body.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn every_example_does_what_it_says() {
    let mut failures = Vec::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str()[1..].starts_with('7')) {
        let fences = fences(entry.explanation);
        let words: Vec<&str> = fences.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["lab wrong", "lab right"], "{}", entry.code);
        for (words, text) in &fences {
            let settings: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("// gedanken check --set ")).collect();
            let (sources, result) = experiment(&Memory(&[]), text, &settings);
            let found = said(result);
            let kept = match words.as_str() {
                "lab right" => found.is_empty(),
                _ => !found.is_empty() && found.iter().all(|it| it.code == entry.code),
            };
            if !kept {
                let said = render(&found, &sources, Style::Plain);
                failures.push(format!("{}, {words}:\n{text}{said}", entry.code));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_run_does_what_it_says() {
    let mut failures = Vec::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str()[1..].starts_with('8')) {
        let fences = fences(entry.explanation);
        let words: Vec<&str> = fences.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["lab wrong", "lab right"], "{}", entry.code);
        for (words, text) in &fences {
            let (sources, result) = experiment(&Memory(&[]), text, &[]);
            let read = match result {
                Ok(read) if read.warnings.is_empty() => read,
                // Found before anything runs: laws of objects that need each other.
                Err(found) if words == "lab wrong" && found.iter().all(|it| it.code == entry.code) => {
                    continue;
                }
                other => {
                    let said = render(&said(other), &sources, Style::Plain);
                    failures.push(format!("{}, {words}, when it is read:\n{text}{said}", entry.code));
                    continue;
                }
            };
            let (notices, found) = ran(&read);
            let kept = match words.as_str() {
                "lab right" => found.is_empty() && notices.is_empty(),
                _ => !found.is_empty() && found.iter().all(|it| it.code == entry.code),
            };
            if !kept {
                let said = render(&found, &sources, Style::Plain);
                failures.push(format!("{}, {words}:\n{text}{notices:?}\n{said}", entry.code));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
