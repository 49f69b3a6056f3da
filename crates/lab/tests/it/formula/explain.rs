//! Every explanation of the 9xx keeps its word: the wrong example gives the code and nothing else, the right
//! one is a formula.

use super::sample;
use gedanken_lang::diagnostic::CATALOGUE;
use gedanken_recording::formula::Formula;

#[test]
fn every_example_does_what_it_says() {
    let schema = sample::schema();
    let mut count = 0;
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str()[1..].starts_with('9')) {
        let example = |words: &str| {
            let after = entry.explanation.split(&format!("```formula {words}\n")).nth(1).unwrap();
            after.split("```").next().unwrap().to_owned()
        };
        let refused = Formula::read(&schema, &example("wrong")).unwrap_err();
        assert!(refused.diagnostics.iter().all(|it| it.code == entry.code), "{refused}");
        let right = Formula::read(&schema, &example("right"));
        assert!(right.is_ok(), "{}", right.unwrap_err());
        count += 1;
    }
    assert!(count >= 2);
}
