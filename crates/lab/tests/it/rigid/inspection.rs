//! States for single steps: what is taken, and what is refused, word for word; and what steps tell.

use super::worlds::body;
use crate::support::model;
use gedanken_experiment::Experiment;
use gedanken_lab::Options;
use gedanken_lab::inspection::{GivenState, InspectedStep, Inspector, read_states};
use gedanken_lang::diagnostic::Code;
use gedanken_math::{Quat, Vec3};

const H: f64 = 0.01;
const G: f64 = 9.81;
const MU: f64 = 0.4;

/// A cube of a metre and a kilogram on a table, another one in the air, and these settings of the solver.
fn dice(settings: &str) -> Experiment {
    let cube = |name: &str, place: &str| {
        let size = "size = [1, 1, 1]  mass = 1  friction = 0.4  orientation = [1, 0, 0, 0]";
        body(name, "cuboid", &format!("position = {place}  {size}")).replace("    collides = false\n", "")
    };
    let table = "object {\n    name = table\n    physical type = static\n    geometrical type = half space\n    attributes = { position = [0, 0, 0]  friction = 0.4 }\n}\n";
    let simulation = format!(
        "simulation {{\n    name = s\n    duration = 1\n    mechanics = rigid\n    gravity = [0, 0, -{G}]\n    time step = {H}\n    {settings}\n}}\n"
    );
    model(&(cube("die", "[0, 0, 0.5]") + &cube("other", "[5, 0, 9]") + table + &simulation))
}

fn states(text: &str) -> Vec<GivenState> {
    read_states(text).unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

/// What is wrong with states, as text or for the dice with lagged friction.
fn refused(text: &str) -> String {
    let experiment = dice("solver = variational\n    kinetic = seed");
    let mistakes = match read_states(text) {
        Err(mistakes) => mistakes,
        Ok(states) => {
            let simulation = experiment.simulation(None).unwrap();
            Inspector::new(&experiment, simulation, &Options::default()).unwrap().misfits(&states)
        }
    };
    mistakes.iter().map(|it| format!("{it}\n")).collect()
}

#[test]
fn states_say_what_they_say() {
    let [state] = &states(
        r#"[{"die": {"position": [1, 2, 3], "orientation": [0.6, 0, -0.8, 0]}, "other": {"velocity": [0, 1e-3, 0], "angular_velocity": [0, 0, -4]}}]"#,
    )[..] else {
        panic!("one state")
    };
    let [(die, first), (other, second)] = &state.bodies[..] else { panic!("two bodies") };
    assert_eq!((die.as_str(), other.as_str()), ("die", "other"));
    assert_eq!(first.position, Some(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(first.orientation, Some(Quat::from_xyzw(0.0, -0.8, 0.0, 0.6)));
    assert_eq!((first.velocity, first.angular_velocity), (None, None));
    assert_eq!(second.velocity, Some(Vec3::new(0.0, 0.001, 0.0)));
    assert_eq!(second.angular_velocity, Some(Vec3::new(0.0, 0.0, -4.0)));
    // Under `bodies`, alone and with what is told of a step, it is the same.
    let die = r#"{"die": {"position": [1, 2, 3]}}"#;
    let plain = states(&format!("[{die}]"));
    for text in [
        die.to_owned(),
        format!("{{\"bodies\": {die}}}"),
        format!("\u{feff}[{{\"cost\": 3, \"bodies\": {die}}}]"),
    ] {
        assert_eq!(states(&text), plain, "{text}");
    }
    // Seven digits are a rotation, brought to length 1.
    let [state] = &states(r#"[{"die": {"orientation": [0.7071068, 0, 0.7071068, 0]}}]"#)[..] else {
        panic!("one state")
    };
    assert!((state.bodies[0].1.orientation.unwrap().length_squared() - 1.0).abs() < 1e-15);
    assert_eq!(states("[]"), []);
}

#[test]
fn mistakes_in_states_are_told_with_their_places() {
    let cases = [
        "",
        "[{\"die\": {\"position\": [0, 0, 1}}]",
        "[{\"die\": {\"position\": [NaN, 0, 1]}}]",
        "[{\"die\": {\"position\": [1e999, 0, 1]}}]",
        &"[".repeat(500),
        "7",
        "[7, null, {\"die\": [0, 0, 1]}]",
        r#"[{}, {"die": {"position": [0, 1], "orientation": [1, 0, 0], "velocity": 3, "angular_velocity": [0, "x", null]}}]"#,
        r#"[{"die": {"orientation": [1, 1, 0, 0]}}, {"die": {"orientation": [0, 0, 0, 0]}}]"#,
        r#"[{"die": {"velocty": [0, 0, 1], "spin": [0, 0, 1]}}]"#,
        r#"[{"die": {"position": [0, 0, 1], "position": [0, 0, 2]}, "die": {}}]"#,
        r#"[{"bodies": {"die": {}}, "lamda": [], "other": {}}]"#,
        r#"[{"dye": {}}, {"ball": {}}, {"table": {"position": [0, 0, 1]}}]"#,
        r#"[{"bodies": {}, "lambda": 3}]"#,
        r#"[{"lambda": [{"bodies": ["die"], "point": 1.5, "force": -1}, {"bodies": 3, "point": "0", "force": "x"}, {"point": 0, "fors": 1}, {"bodies": ["die", "table"]}]}]"#,
        r#"[{"lambda": [{"bodies": ["die", "tabel"], "point": 0, "force": 1}, {"bodies": ["die", "die"], "point": 0, "force": 1}]}]"#,
    ];
    let told: Vec<String> = cases.iter().map(|text| refused(text)).collect();
    insta::assert_snapshot!(told.join("────\n"));
}

/// Forces of a first pass need one, and other solvers tell nothing of their steps.
#[test]
fn simulations_without_the_steps_that_are_asked_for() {
    let experiment = dice("solver = variational");
    let simulation = experiment.simulation(None).unwrap();
    let inspector = Inspector::new(&experiment, simulation, &Options::default()).unwrap();
    let given = states(r#"[{}, {"lambda": [{"bodies": ["die", "table"], "point": 0, "force": 1}]}]"#);
    let misfits = inspector.misfits(&given);
    assert_eq!(misfits.len(), 1, "{misfits:?}");
    assert_eq!(misfits[0].place, "[1].lambda");
    assert!(misfits[0].message.contains("friction iteration = lagged"), "{}", misfits[0]);
    let experiment = dice("solver = gauss-seidel");
    let found = Inspector::new(&experiment, experiment.simulation(None).unwrap(), &Options::default());
    let found = found.unwrap_err();
    assert_eq!(found[0].code, Code::E761);
    assert!(found[0].help.as_ref().unwrap().contains("solver = variational"));
}

/// Steps of the dice with `kinetic = seed` from these states.
fn steps(text: &str) -> Vec<InspectedStep> {
    let experiment = dice("solver = variational\n    kinetic = seed");
    let mut inspector =
        Inspector::new(&experiment, experiment.simulation(None).unwrap(), &Options::default()).unwrap();
    states(text).iter().map(|it| inspector.step(it, H).unwrap()).collect()
}

fn motion<'s>(step: &'s InspectedStep, name: &str) -> &'s gedanken_lab::inspection::BodyMotion {
    &step.bodies.iter().find(|it| it.0 == name).unwrap().1
}

/// Backward Euler in closed form: v₊ = v + h g, c₊ = c + h v₊; the kinetic term is m/(2h²)|h² g|².
#[test]
fn a_body_that_touches_nothing_falls() {
    let [step] =
        &steps(r#"[{"die": {"position": [0, 0, 4], "velocity": [1, 2, 3], "angular_velocity": [0, 0, 0]}}]"#)
            [..]
    else {
        panic!("one state")
    };
    let die = motion(step, "die");
    let after = Vec3::new(1.0, 2.0, 3.0 - H * G);
    assert!((die.velocity - after).length() < 1e-12, "{die:?}");
    assert!((die.position - (Vec3::new(0.0, 0.0, 4.0) + after * H)).length() < 1e-14, "{die:?}");
    // Both cubes fall alike, and only the die began with a velocity.
    let cost = step.inspection.cost;
    assert!((cost.translational - 2.0 * 0.5 * (H * G) * (H * G)).abs() < 1e-12, "{cost:?}");
    // m g times the heights at the end; the other cube begins where the file puts it, at rest.
    let other = step.bodies.iter().find(|it| it.0 != "die").map_or(0.0, |it| it.1.position.z);
    assert!((cost.potential - G * (die.position.z + other)).abs() < 1e-12 * cost.potential, "{cost:?}");
    assert!(cost.rotational.abs() < 1e-15 && cost.friction == 0.0, "{cost:?}");
    assert!(step.report.converged && step.inspection.multipliers.iter().all(|it| it.normal_force == 0.0));
}

/// On a face four corners share the weight, and of all ways to share it the one of least norm is equal.
#[test]
fn a_die_at_rest_is_held_by_four_corners() {
    let [step] = &steps("[{}]")[..] else { panic!("one state") };
    let holding: Vec<_> = step.inspection.multipliers.iter().filter(|it| it.normal_force > 0.0).collect();
    assert_eq!(holding.len(), 4, "{:?}", step.inspection.multipliers);
    for it in &holding {
        assert!((it.first_pass - G / 4.0).abs() < 1e-7, "{it:?}");
        assert!(it.gap.abs() < 1e-9 && it.sliding.length() < 1e-12, "{it:?}");
    }
    assert!((holding.iter().map(|it| it.normal_force).sum::<f64>() - G).abs() < 1e-7);
    assert!(step.pairs.iter().all(|pair| *pair == ["die", "table"]));
    assert!((motion(step, "die").position - Vec3::new(0.0, 0.0, 0.5)).length() < 1e-9);
    assert!(step.report.converged);
}

/// Friction is μ λ of what is given, however large the normal forces of the second pass are.
#[test]
fn given_forces_limit_friction() {
    let slide = |force: f64| {
        let corners: Vec<String> = (0..8)
            .map(|point| format!(r#"{{"bodies": ["die", "table"], "point": {point}, "force": {force}}}"#))
            .collect();
        let state = format!(
            r#"[{{"die": {{"velocity": [3, 0, 0]}}, "lambda": [{}]}}, {{"die": {{"velocity": [3, 0, 0]}}}}]"#,
            corners.join(", ")
        );
        steps(&state)
    };
    for force in [0.0, 0.5, 2.0] {
        let [given, computed] = &slide(force)[..] else { panic!("two states") };
        // All eight corners move alike, so that friction acts at all of them, in the air too.
        let pushed = motion(given, "die").velocity.x;
        let held: Vec<_> =
            given.inspection.multipliers.iter().filter(|it| it.friction_force.length() > 0.0).collect();
        let friction: f64 = held.iter().map(|it| it.friction_force.length()).sum();
        assert!((friction - MU * force * held.len() as f64).abs() < 1e-8, "{force}: {friction}");
        assert!((pushed - (3.0 - H * friction)).abs() < 1e-9, "{force}: {pushed}");
        // The next state has none given.
        let computed = motion(computed, "die").velocity.x;
        assert!((computed - (3.0 - H * MU * G)).abs() < 1e-7, "{computed}");
    }
}

/// What is told of a step is a state again, and steps do not depend on the states before.
#[test]
fn steps_can_be_chained_and_are_independent() {
    let start = r#"[{"die": {"position": [0, 0, 0.87], "orientation": [0.8, 0.36, 0.48, 0], "velocity": [1, 0.5, -3], "angular_velocity": [2, 3, 1]}}]"#;
    let mut text = start.to_owned();
    for _ in 0..5 {
        let [step] = &steps(&text)[..] else { panic!("one state") };
        text = format!("[{}]", step.to_json());
    }
    let last = states(&text);
    assert_eq!(states(&format!("{{\"states\": {text}}}")), last);
    let together = states(start).into_iter().chain(last.clone()).chain(states(start)).collect::<Vec<_>>();
    let experiment = dice("solver = variational\n    kinetic = seed");
    let simulation = experiment.simulation(None).unwrap();
    let mut inspector = Inspector::new(&experiment, simulation, &Options::default()).unwrap();
    let all: Vec<String> = together.iter().map(|it| inspector.step(it, H).unwrap().to_json()).collect();
    assert_eq!(all[0], all[2]);
    let mut alone = Inspector::new(&experiment, simulation, &Options::default()).unwrap();
    assert_eq!(alone.step(&last[0], H).unwrap().to_json(), all[1]);
}
