//! Whatever becomes of a good file of rigid bodies, it reads to a world or to diagnostics, each with its
//! place.

use crate::support::torn::{lines, parts, torn};
use crate::support::{Memory, experiment};
use gedanken_lab::Options;
use gedanken_lab::rigid::build;
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use proptest::prelude::*;

/// The experiment of the reference.
fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut examples = page.split("```lab\n").filter_map(|text| text.split("```").next());
    examples.find(|text| text.contains("    mechanics = rigid\n")).unwrap().to_owned()
}

const PIECES: &[&str] = &[
    "",
    "{",
    "}",
    "=",
    "0",
    "-1",
    "1e308",
    "1e-300",
    "true",
    "world",
    "bob",
    "all",
    "of = all\n",
    "between = {bob, needle}\n",
    "between = {floor, needle}\n",
    "kinematic",
    "dynamic",
    "static",
    "position1",
    "velocity",
    "rotation",
    "orientation",
    "sqrt(position # 1)",
    "1/0",
    "kind = hinge\n",
    "kind = spring\n    stiffness = 3\n",
    "kind = rope\n    length = 1\n",
    "axis = [0, 0, 1]\n",
    "limits = [-1, 1]\n",
    "motor speed = 1\n    motor torque = 1\n",
    "anchor1 = [0, 0, 0]\n",
    "inequality = true\n",
    "value = [t, t, t, t, t, t, t]\n",
    "force f {",
    "potential p {\n    energy = position # 3\n}\n",
    "constraint c {\n    of = {needle}\n    value = position - [0, 0, 5]\n}\n",
    "joint j {\n    kind = weld\n    between = {bob, floor}\n}\n",
    "material plain {\n    restitution(v) = v\n}\n",
    "material = plain\n",
    "restitution(v) = 1/v\n",
    "mass = 1\n",
    "density = 1\n",
    "inertia_tensor = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n",
    "orientation = [1, 0, 0, 0]\n",
    "parts = {bob, needle}\n",
    "geometrical type = compound\n",
    "solver = jacobi\n",
    "solver = variational\n",
    "order = 2\n",
    "kinetic = seed\n",
    "friction iteration = coupled\n",
    "substeps = 1e9\n",
    "collides = false\n",
];

fn check(text: &str) {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    let found = match result {
        Ok(experiment) => {
            for simulation in experiment.simulations.iter().filter(|it| it.rigid().is_some()) {
                build(&experiment, simulation, &Options::default()).unwrap();
            }
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
    }
    render(&found, &sources, Style::Plain);
}

#[test]
fn the_example_of_the_reference_is_a_world() {
    let text = page();
    let (sources, result) = experiment(&Memory(&[]), &text, &[]);
    let experiment = result.unwrap_or_else(|found| panic!("{}", render(&found, &sources, Style::Plain)));
    assert!(experiment.warnings.is_empty(), "{}", render(&experiment.warnings, &sources, Style::Plain));
    let built = build(&experiment, &experiment.simulations[0], &Options::default()).unwrap();
    let laws: Vec<&str> = built.world.laws().terms().iter().map(|term| &*term.label).collect();
    assert_eq!(laws, ["gravity", "compass", "drag", "spring"]);
    assert_eq!(built.world.constraints().len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts(tears in parts(PIECES)) {
        check(&torn(&page(), &tears));
    }

    #[test]
    fn other_lines(tears in lines(PIECES)) {
        check(&torn(&page(), &tears));
    }
}
