//! Whatever becomes of a good file, it reads to a model or to diagnostics, each with its place in a text.

use crate::support;
use crate::support::torn;
use gedanken_experiment::Files;
use gedanken_lang::diagnostic::{Diagnostic, Style, render, to_json};
use proptest::prelude::*;
use support::{Gallery, experiment};
use torn::{lines, parts, torn};

const PIECES: &[&str] = &[
    "",
    " ",
    "\n",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "=",
    ",",
    "#",
    "'",
    "\"",
    "\"wedge.obj\"",
    "0",
    "-1",
    "1e308",
    "2",
    "true",
    "pi",
    "t",
    "dt",
    "v",
    "position",
    "size",
    "ball",
    "floor",
    "brick",
    "name = ball\n",
    "parts = {ball, floor}\n",
    "geometrical type = compound\n",
    "geometrical type = mesh\n",
    "geometrical type = convex hull\n",
    "static",
    "dynamic",
    "type = contact\n",
    "type = collision\n",
    "applicability = { mandatory 4294967295 objects }\n",
    "applicability = { mandatory ball and 1 sphere }\n",
    "points = [[0, 0, 0]]\n",
    "file = \"x.stl\"\n",
    "world attributes {",
    "object {",
    "name = \"x\"\n",
    "name = 3\n",
    "value = 1\n",
    "t = 1\n",
    "= 1/0\n",
    "context {",
    "simulation {",
    "measure m {",
    "of = {left, right}\n",
    "value = [v # 1, previous(v) # 2]\n",
    "expected = 1 / mass\n",
    "simulation = alone\n",
    "record = {v, all, speed\n",
    "force {",
    "import \"solids.vfl\"\n",
    "duration = 0\n",
    "identityMatrix(2000)",
    "é",
    "geometric_data_directions = {[0, 0, 1]}\n",
    "use w as attribute v of object with index 1\n",
];

fn check(text: &str, settings: &[&str]) {
    let (sources, result) = experiment(&Gallery, text, settings);
    let found = match result {
        Ok(experiment) => {
            assert!(!experiment.simulations.is_empty());
            assert!(experiment.objects.is_sorted_by(|a, b| a.name < b.name));
            experiment.warnings
        }
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error), "a failure says why\n{text}");
            found
        }
    };
    for diagnostic in &found {
        let place = diagnostic.primary.span;
        assert!(sources.text(place.source).get(place.range()).is_some(), "{diagnostic:?}\n{text}");
        assert!(!diagnostic.message.is_empty());
    }
    render(&found, &sources, Style::Plain);
    to_json(&found, &sources);
}

/// Without a message the laws would be left unchecked in silence.
#[test]
fn a_text_is_no_attribute_of_the_world() {
    let text = Gallery.text("bouncing_ball.lab").unwrap();
    let torn = text.replacen("world attributes {\n", "world attributes {\n    title = \"x\"\n", 1);
    let found = experiment(&Gallery, &torn, &[]).1.unwrap_err();
    assert_eq!(found.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["E424"]);
}

const NAMES: [&str; 2] = ["bouncing_ball.lab", "two_spheres.lab"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_experiments(which in 0..2_usize, tears in parts(PIECES)) {
        check(&torn(&Gallery.text(NAMES[which]).unwrap(), &tears), &["left.v=[1, 2, 3]"]);
    }

    #[test]
    fn other_lines(which in 0..2_usize, tears in lines(PIECES)) {
        check(&torn(&Gallery.text(NAMES[which]).unwrap(), &tears), &["ball.size=2"]);
    }

    #[test]
    fn soup(pieces in prop::collection::vec(0..PIECES.len(), 0..40)) {
        let text: Vec<&str> = pieces.iter().map(|&piece| PIECES[piece]).collect();
        check(&text.join(" "), &["ball.v=1 +", "g=é"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_large_experiment(tears in parts(PIECES)) {
        check(&torn(&Gallery.text("chapter5.lab").unwrap(), &tears), &[]);
    }
}
