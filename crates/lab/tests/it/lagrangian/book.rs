//! The chapter of the book keeps its word: its listing runs, and every measure is as expected.

use super::run::{run_with, value};
use crate::support::model;
use gedanken_lab::Options;
use gedanken_lab::measures::verdict;
use gedanken_lang::syntax::{Dialect, format};

#[test]
fn the_listing_runs_and_its_measures_are_as_expected() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lagrangian.md");
    let page = std::fs::read_to_string(path).expect("docs/lagrangian.md is there");
    let listings: Vec<&str> =
        page.split("```lab\n").skip(1).filter_map(|it| it.split("```\n").next()).collect();
    assert!(!listings.is_empty(), "the chapter has a listing");
    for text in listings {
        assert_eq!(format(text, Dialect::Experiment).expect("a text without mistakes"), text);
        let experiment = model(text);
        let (recording, ended) = run_with(&experiment, Options::default());
        ended.expect("it comes to its end");
        for measure in &experiment.measures {
            let found = value(&recording, recording.frames() - 1, "measure", &measure.name);
            let verdict = verdict(measure, &found).expect("it expects something");
            assert!(verdict.ok, "{verdict}");
        }
    }
}
