//! `inspect` from outside: what it prints, what it refuses, how it ends.

use crate::support::{Folder, outcome};
use serde_json::Value;

/// A cube of a metre and a kilogram on a table.
const DICE: &str = "object {
    name = table
    physical type = static
    geometrical type = half space
    attributes = {
        position = [0, 0, 0]
        friction = 0.4
    }
}
object {
    name = die
    physical type = dynamic
    geometrical type = cuboid
    attributes = {
        position = [0, 0, 0.5]
        orientation = [1, 0, 0, 0]
        size = [1, 1, 1]
        mass = 1
        friction = 0.4
    }
}
simulation {
    name = throw
    mechanics = rigid
    solver = variational
    kinetic = seed
    duration = 1
    time step = 0.01
    gravity = [0, 0, -10]
}
simulation {
    name = other
    mechanics = rigid
    duration = 1
}
";

const STATES: &str =
    r#"[{"die": {"position": [0, 0, 2], "velocity": [1, 0, 0]}}, {"die": {"velocity": [2, 0, 0]}}]"#;

fn folder(name: &str) -> Folder {
    Folder::with(name, &[("dice.lab", DICE), ("states.json", STATES)])
}

fn steps(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let (code, stdout, stderr) = outcome(folder, &[&["inspect", "dice.lab"], arguments].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    let Value::Array(steps) = serde_json::from_str(&stdout).expect("it prints JSON") else {
        panic!("a list")
    };
    steps
}

fn vector(value: &Value) -> [f64; 3] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

/// What is printed is in closed form for a fall, and Coulomb's law for a slide.
#[test]
fn every_state_has_its_step() {
    let folder = folder("inspect");
    let [fall, slide] = &steps(&folder, &["states.json"])[..] else { panic!("two states") };
    let near = |value: &Value, expected: [f64; 3]| {
        let off = vector(value).iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{value} is not {expected:?}");
    };
    near(&fall["bodies"]["die"]["velocity"], [1.0, 0.0, -0.1]);
    near(&fall["bodies"]["die"]["position"], [0.01, 0.0, 1.999]);
    near(&slide["bodies"]["die"]["velocity"], [2.0 - 0.4 * 10.0 * 0.01, 0.0, 0.0]);
    assert!((fall["cost"]["translational"].as_f64().unwrap() - 0.5 * 0.1 * 0.1).abs() < 1e-12);
    for step in [fall, slide] {
        let keys: Vec<&String> = step.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["bodies", "converged", "cost", "iterations", "multipliers", "residuals"]);
        let terms: Vec<&String> = step["cost"].as_object().unwrap().keys().collect();
        assert_eq!(terms, ["friction", "potential", "rotational", "total", "translational"]);
        let residuals: Vec<&String> = step["residuals"].as_object().unwrap().keys().collect();
        assert_eq!(residuals, ["complementarity", "feasibility", "friction_residual", "stationarity"]);
        let residual = |name: &str| step["residuals"][name].as_f64().unwrap();
        for name in ["complementarity", "feasibility", "stationarity"] {
            assert!(residual(name) <= 1e-8, "{step}");
        }
        // Friction that slides tilts the die, so the second pass presses other corners than the first.
        assert_eq!(step["converged"], Value::Bool(residual("friction_residual") <= 1e-8));
    }
    assert_eq!([&fall["converged"], &slide["converged"]], [true, false]);
    let touching = slide["multipliers"].as_array().unwrap();
    let keys: Vec<&String> = touching[0].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "bodies",
            "first_pass",
            "friction_force",
            "gap",
            "normal",
            "normal_force",
            "place",
            "point",
            "sliding"
        ]
    );
    let weight: f64 = touching.iter().map(|it| it["first_pass"].as_f64().unwrap()).sum();
    assert!((weight - 10.0).abs() < 1e-6, "{weight}");
    // A shorter step, another world, and what was printed as states again.
    let [fall, _] = &steps(&folder, &["states.json", "--step", "0.001", "--set", "die.mass=3"])[..] else {
        panic!("two states")
    };
    near(&fall["bodies"]["die"]["velocity"], [1.0, 0.0, -0.01]);
    let (_, printed, _) = outcome(&folder, &["inspect", "dice.lab", "states.json"]);
    folder.write("next.json", &printed);
    let [fall, _] = &steps(&folder, &["next.json"])[..] else { panic!("two states") };
    near(&fall["bodies"]["die"]["velocity"], [1.0, 0.0, -0.2]);
    folder.write("none.json", "[]");
    assert_eq!(outcome(&folder, &["inspect", "dice.lab", "none.json"]).1, "[\n]\n");
}

#[test]
fn mistakes_are_told_and_end_it() {
    let folder = folder("inspect_mistakes");
    folder.write("wrong.json", r#"[{}, {"dye": {}}, {"die": {"position": [0, 0]}}]"#);
    folder.write("name.json", r#"[{}, {"dye": {}}]"#);
    folder.write("broken.json", "[{\"die\": ");
    folder.write("far.json", r#"[{"die": {"velocity": [1e308, 1e308, 1e308]}}, {}]"#);
    folder.write("run.csv", "t\n0\n");
    let many: Vec<&str> = std::iter::repeat_n(r#"{"dye": {}}"#, 50).collect();
    folder.write("many.json", &format!("[{}]", many.join(",")));
    folder.write("plain.lab", &DICE.replace("    solver = variational\n    kinetic = seed\n", ""));
    let cases: [&[&str]; 13] = [
        &["dice.lab", "wrong.json"],
        &["dice.lab", "name.json"],
        &["dice.lab", "broken.json"],
        &["dice.lab", "many.json"],
        &["dice.lab", "far.json"],
        &["dice.lab", "nowhere.json"],
        &["dice.lab", "."],
        &["run.csv", "states.json"],
        &["nowhere.lab", "states.json"],
        &["plain.lab", "states.json"],
        &["dice.lab", "states.json", "--simulation", "othr"],
        &["dice.lab", "states.json", "--step", "-1"],
        &["dice.lab", "states.json", "--simulation", "other"],
    ];
    let mut told = String::new();
    for case in cases {
        let (code, stdout, stderr) = outcome(&folder, &[&["inspect"], case].concat());
        // Steps that can be made are looked at elsewhere.
        let is_step = |line: &str| line.starts_with("{\"bodies\"");
        let stdout: String =
            stdout.lines().map(|line| format!("{}\n", if is_step(line) { "{…}" } else { line })).collect();
        told += &format!("$ gedanken inspect {}\n{stdout}{stderr}[{code}]\n\n", case.join(" "));
    }
    insta::assert_snapshot!(told);
}
