//! Measures may name what the mechanics computes, where nothing else runs.

use super::run::{ball, near, run, simulation, value, wrong};

const G: &str = "gravity = [0, 0, -9.81]";

fn text(measure: &str, lines: &str) -> String {
    ball("a", "position = [0, 0, 5]\n mass = 2\n velocity = [1, 0, 0]")
        + &ball("b", "position = [9, 0, 5]\n mass = 3\n angular_velocity = [0, 0, 1]")
        + &format!("measure m {{ {measure} }}\n")
        + &simulation(&format!("duration = 0.5\n {G}\n {lines}"))
}

#[test]
fn what_the_mechanics_computes_can_be_measured() {
    let recording = run(&text("of = {a, b}  value = kinetic_energy + rotational_energy", ""));
    for frame in 0..recording.frames() {
        let whole = value(&recording, frame, "", "kinetic_energy");
        assert!(near(&value(&recording, frame, "measure", "m"), &whole, 1e-12));
    }
    let recording = run(&text("value = [total_energy, momentum # 3, work_of_gravity]", ""));
    for frame in 0..recording.frames() {
        let t = recording.times[frame];
        let found = value(&recording, frame, "measure", "m");
        assert!(near(&found[1..2], &[-5.0 * 9.81 * t], 1e-11));
        assert!(near(&found[2..], &[0.5 * 5.0 * (9.81 * t) * (9.81 * t)], 1e-10));
        assert_eq!(found[0], value(&recording, frame, "", "total_energy")[0]);
    }
    let recording = run(&text("of = {a}  value = if at_rest then 1 else 0", ""));
    assert_eq!(value(&recording, 3, "measure", "m"), [0.0]);
    let recording = run(&text("of = {b}  value = mass * (acceleration # 3)", ""));
    assert!(near(&value(&recording, 3, "measure", "m"), &[-3.0 * 9.81], 1e-8));
}

#[test]
fn names_that_nobody_gives_are_told() {
    let message = wrong(&text("of = {a}  value = kinetic_energi", ""));
    assert!(message.contains("did you mean `kinetic_energy`?"), "{message}");
    let message = wrong(&text("value = work_of_gravitas", ""));
    assert!(message.contains("did you mean `work_of_gravity`?"), "{message}");
    let message = wrong(&text("value = 1", "record = {overlab}"));
    assert!(message.contains("did you mean `overlap`?"), "{message}");
}

/// In contexts a kinetic energy is what the user says it is.
#[test]
fn other_mechanics_give_nothing() {
    let text = text("of = {a}  value = kinetic_energy", "");
    let contexts = text.replace("mechanics = rigid\n", "").replace(G, "");
    assert!(wrong(&contexts).contains("has no attribute `kinetic_energy`"));
    let both = text + "simulation {\n    name = other\n    duration = 1\n}\n";
    assert!(wrong(&both).contains("has no attribute `kinetic_energy`"), "it belongs to both");
    run(&both.replace("measure m {", "measure m { simulation = s "));
}
