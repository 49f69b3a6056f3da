//! Every explanation of the 0xx keeps its word: the wrong example gives the code and nothing else, the right
//! one gives nothing at all. An example that begins with `<!-- lenient -->` or `<!-- confined -->` is read
//! that way.

use super::{read_with, said, told};
use gedanken_experiment::mjcf::MjcfOptions;
use gedanken_lang::diagnostic::{CATALOGUE, Entry, Family};

/// The example of a verdict.
fn example<'e>(entry: &'e Entry, verdict: &str) -> &'e str {
    let opening = format!("```mjcf {verdict}\n");
    let text =
        entry.explanation.split(&opening).nth(1).unwrap_or_else(|| panic!("{} has no example", entry.code));
    text.split("```").next().unwrap_or_default()
}

fn options(text: &str) -> MjcfOptions {
    MjcfOptions {
        lenient: text.starts_with("<!-- lenient -->"),
        confined: text.starts_with("<!-- confined -->"),
    }
}

#[test]
fn every_example_does_what_it_says() {
    for entry in CATALOGUE.iter().filter(|entry| entry.code.family() == Family::Models) {
        let wrong = example(entry, "wrong");
        let found = said(read_with(&[("model.xml", wrong)], wrong, options(wrong)).1);
        assert!(
            !found.is_empty() && found.iter().all(|it| it.code == entry.code),
            "{}: {found:?}",
            entry.code
        );
        let right = example(entry, "right");
        assert_eq!(told(&[], right, options(right)), "nothing is said\n", "{}", entry.code);
    }
}

#[test]
fn every_code_has_its_message() {
    let mut all = String::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.code.family() == Family::Models) {
        let wrong = example(entry, "wrong");
        let told = told(&[("model.xml", wrong)], wrong, options(wrong));
        all += &format!("── {}: {}\n{told}\n", entry.code, entry.title);
    }
    insta::assert_snapshot!(all);
}
