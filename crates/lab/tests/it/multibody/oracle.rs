//! Models in MJCF against the stored answers of MuJoCo: from the text of a model to mass matrix, forces, rows of
//! constraints, accelerations and motions. `make oracle` makes the answers anew (`tools/oracle/answers.py`).

use gedanken_experiment::Files;
use gedanken_experiment::mjcf::MjcfOptions;
use gedanken_lab::multibody::inspection::{GivenStates, Inspector, read_model};
use gedanken_lang::source::Sources;
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::JointKind;
use gedanken_multibody::simulation::Simulation;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Largest difference of poses, mass matrix, forces, Jacobians and violations, relative to the largest entry.
const EXACT: f64 = 1e-10;
/// Of reference accelerations; of D and R entry by entry.
const SOFT: f64 = 1e-8;
/// Of accelerations.
const SOLVED: f64 = 1e-7;
/// Of accelerations with contacts of our own, which agree to 1e-8.
const OWN: f64 = 1e-6;
/// Of motions of one second.
const MOVED: f64 = 1e-6;

/// Models here read no files.
struct NoFiles;

impl Files for NoFiles {
    fn text(&self, _path: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn bytes(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("there is no such file".to_owned())
    }
}

fn folder() -> &'static Path {
    Path::new("tests/it/multibody")
}

fn model(name: &str) -> Model {
    let path = folder().join(format!("models/{name}.xml"));
    let text = fs::read_to_string(&path).expect("the model can be read");
    let mut sources = Sources::new();
    let read = read_model(&NoFiles, &mut sources, name, text, MjcfOptions::default());
    let (model, warnings) = read.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    model
}

/// What MuJoCo was asked, and what it said.
fn answers(name: &str) -> Value {
    let path = folder().join(format!("answers/{name}.json"));
    serde_json::from_str(&fs::read_to_string(path).expect("answers can be read")).expect("JSON")
}

/// All numbers of nested lists, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        value => vec![value.as_f64().expect("a number")],
    }
}

/// The largest differences found, by quantity.
#[derive(Default)]
struct Judge {
    name: String,
    wrong: Vec<String>,
    worst: std::collections::BTreeMap<&'static str, f64>,
}

impl Judge {
    fn note(&mut self, what: &'static str, place: &str, error: f64, limit: f64) {
        let worst = self.worst.entry(what).or_default();
        *worst = worst.max(error);
        if error.is_nan() || error > limit {
            self.wrong.push(format!("{}, {place}: {what} is off by {error:e}", self.name));
        }
    }

    /// Compares relative to the largest entry.
    fn compare(&mut self, what: &'static str, place: &str, found: &Value, expected: &Value, limit: f64) {
        let (found, expected) = (numbers(found), numbers(expected));
        let scale = expected.iter().fold(1e-6, |most: f64, it| most.max(it.abs()));
        let error = difference(&found, &expected, |_| scale);
        self.note(what, place, error, limit);
    }

    /// Compares entry by entry.
    fn compare_each(&mut self, what: &'static str, place: &str, found: &Value, expected: &Value) {
        let (found, expected) = (numbers(found), numbers(expected));
        let error = difference(&found, &expected, |it| it.abs() + 1e-300);
        self.note(what, place, error, SOFT);
    }

    fn rows(&mut self, place: &str, found: &Value, expected: &Value) {
        if found["type"] != expected["type"] {
            self.note("rows", place, f64::INFINITY, 0.0);
            return;
        }
        self.compare("J", place, &found["J"], &expected["J"], EXACT);
        self.compare("r", place, &found["pos"], &expected["pos"], EXACT);
        self.compare("a_ref", place, &found["aref"], &expected["aref"], SOFT);
        self.compare_each("D", place, &found["D"], &expected["D"]);
        self.compare_each("R", place, &found["R"], &expected["R"]);
    }

    /// Compares the contacts that we find, which stand in MuJoCo's order.
    fn contacts(&mut self, place: &str, found: &Value, expected: &Value) {
        for (what, key) in [
            ("geoms of contacts", "geom"),
            ("places of contacts", "pos"),
            ("frames of contacts", "frame"),
            ("distances of contacts", "dist"),
            ("friction of contacts", "friction"),
        ] {
            let (found, expected) = (numbers(&found["contacts"][key]), numbers(&expected[key]));
            self.note(what, place, difference(&found, &expected, |_| 1.0), SOFT);
        }
        let own = &found["qacc"];
        self.compare("acceleration with contacts of our own", place, own, &found["given"]["qacc"], OWN);
    }

    fn state(&mut self, place: &str, found: &Value, expected: &Value) {
        for (what, key) in [
            ("M", "M"),
            ("bias forces", "qfrc_bias"),
            ("passive forces", "qfrc_passive"),
            ("actuator forces", "qfrc_actuator"),
            ("inverse dynamics", "inverse"),
            ("Jacobian", "jac"),
            ("places", "xpos"),
        ] {
            self.compare(what, place, &found[key], &expected[key], EXACT);
        }
        let turned = turns_apart(&numbers(&found["xquat"]), &numbers(&expected["xquat"]));
        self.note("rotations", place, turned, EXACT);
        self.compare("smooth acceleration", place, &found["qacc_smooth"], &expected["qacc_smooth"], 1e-9);
        let certificate = expected["certificate"].as_f64().expect("a number");
        assert!(certificate < 1e-9, "{}, {place}: MuJoCo's own solution is no minimum", self.name);
        let given = &found["given"];
        self.rows(place, &given["rows"], &expected["rows"]);
        self.compare("acceleration", place, &given["qacc"], &expected["qacc"], SOLVED);
    }
}

fn difference(found: &[f64], expected: &[f64], scale: impl Fn(f64) -> f64) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let pairs = found.iter().zip(expected);
    pairs.fold(0.0, |most: f64, (a, b)| {
        let error = (a - b).abs() / scale(*b);
        if error.is_nan() { f64::INFINITY } else { most.max(error) }
    })
}

/// Largest difference of quaternions, of which q and −q are the same rotation.
fn turns_apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let of = |(a, b): (&[f64], &[f64])| {
        let apart = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max);
        apart(1.0).min(apart(-1.0))
    };
    found.chunks(4).zip(expected.chunks(4)).map(of).fold(0.0, f64::max)
}

/// Coordinates with every quaternion's sign such that its largest part is positive.
fn with_signs(model: &Model, coordinates: &[f64]) -> Vec<f64> {
    let mut made = coordinates.to_vec();
    for (number, joint) in model.description.joints.iter().enumerate() {
        let at = model.topology.coordinate_of[number]
            + match joint.kind {
                JointKind::Free => 3,
                JointKind::Ball => 0,
                JointKind::Slide | JointKind::Hinge => continue,
            };
        let largest = made[at..at + 4].iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
        if largest.is_some_and(|it| it < 0.0) {
            made[at..at + 4].iter_mut().for_each(|it| *it = -*it);
        }
    }
    made
}

fn judge(name: &str) -> Judge {
    let model = model(name);
    let stored = answers(name);
    let given = GivenStates::read(&stored["given"].to_string(), &model).expect("states that fit");
    let answer = Inspector::new(model.clone()).answer(&given).expect("an answer");
    let mut judge = Judge { name: name.to_owned(), ..Judge::default() };
    let expected = stored["answers"]["states"].as_array().expect("a list");
    for (number, expected) in expected.iter().enumerate() {
        let place = format!("state {number}");
        let found = &answer["states"][number];
        judge.state(&place, found, expected);
        judge.contacts(&place, found, &stored["given"]["contacts"][number]);
    }
    for (name, expected) in stored["answers"]["motions"].as_object().expect("motions") {
        let found = answer["motions"][name]["qpos"].as_array().expect("samples");
        let expected = expected.as_array().expect("samples");
        assert!(expected.len() > 10 && found.len() >= expected.len(), "{name}");
        for (sample, (found, expected)) in found.iter().zip(expected).enumerate() {
            let [a, b] = [found, expected].map(|it| with_signs(&model, &numbers(it)));
            let error = difference(&a, &b, |it| it.abs().max(1.0));
            judge.note("motion", &format!("{name}, sample {sample}"), error, MOVED);
        }
    }
    judge
}

/// Kinetic and potential energy.
fn energy(run: &mut Simulation) -> f64 {
    run.evaluate().expect("an acceleration");
    let (model, dynamics) = (run.model(), run.dynamics());
    let speeds = &run.state().velocities;
    let mut momentum = vec![0.0; speeds.len()];
    dynamics.matrix.times(&model.topology, speeds, &mut momentum);
    let kinetic: f64 = speeds.iter().zip(&momentum).map(|(v, p)| 0.5 * v * p).sum();
    let gravity = model.description.settings.gravity;
    let bodies = model.description.bodies.iter().zip(&dynamics.kinematics.centres);
    kinetic - bodies.map(|(body, centre)| body.mass * gravity.dot(*centre)).sum::<f64>()
}

#[test]
fn energy_in_free_fall_is_kept_as_well_as_by_mujoco() {
    let model = model("falling");
    let stored = answers("falling");
    let given = GivenStates::read(&stored["given"].to_string(), &model).expect("states that fit");
    let steps = (1.0 / model.description.settings.time_step).round() as usize;
    let mut run = Simulation::new(model);
    run.state_mut().clone_from(&given.states[3].state);
    let before = energy(&mut run);
    for _ in 0..steps {
        run.step().expect("a step");
    }
    let drift = (energy(&mut run) - before).abs();
    let expected = numbers(&stored["answers"]["energies"]);
    assert!((before - expected[0]).abs() < 1e-10 * expected[0].abs(), "{before} and {}", expected[0]);
    let its = (expected[1] - expected[0]).abs();
    assert!(drift <= 1.1 * its, "{drift:e} J, MuJoCo {its:e} J");
}

macro_rules! models {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let judge = judge(stringify!($name));
            assert!(judge.wrong.is_empty(), "{:#?}\nworst: {:#?}", judge.wrong, judge.worst);
        })*

        #[test]
        fn every_model_is_judged() {
            let mut stored: Vec<String> = fs::read_dir(folder().join("models"))
                .expect("the folder can be listed")
                .map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
                .collect();
            stored.sort();
            assert_eq!(stored, [$(stringify!($name)),*]);
        }
    };
}

models! {
    actuators
    creeping
    elliptic
    falling
    figure
    flags_noactuation
    flags_nodamping
    flags_nogravity
    flags_nosafety
    flags_nosprings
    gravcomp
    gravcomp_idle
    joints
    limits
    loops
    pairs
    pyramid
    servos
}
