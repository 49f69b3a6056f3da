//! Recorded quantities, and those that measures can name.

use super::run::{last, run, simulated, value};
use gedanken_recording::Owner;

const DRAWN: &str = "world attributes { g = 9.81 }
object {
    name = bob
    physical type = dynamic
    geometrical type = sphere
    attributes = { size = 0.1 }
}
object {
    name = post
    physical type = static
    geometrical type = sphere
    attributes = { size = 0.1  position = [0, 0, 3] }
}
lagrangian pendulum {
    coordinates = { theta = 1 }
    parameters = { l = 2 }
    functions = { r = [l * sine(theta), 0, -l * cosine(theta)] }
    T = 0.5 * (r_dot . r_dot)
    V = g * (r # 3)
    positions = { bob = r }
    orientations = { bob = [0, -theta, 0] }
}
measure height { of = {bob}  value = position # 3 }
measure speed { of = {bob}  value = norm(velocity) }
measure energy { value = kinetic_energy + potential_energy - total_energy }
measure rate { value = l * theta_dot }
";

#[test]
fn coordinates_energies_and_objects_are_recorded() {
    let recording = run(&simulated(DRAWN, "    duration = 1"));
    let names: Vec<&str> = recording.schema.owned(Owner::World).iter().map(|it| it.name.as_str()).collect();
    for name in ["theta", "theta_dot", "p_theta", "kinetic_energy", "potential_energy", "total_energy", "E"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(!names.contains(&"r"), "functions are recorded where somebody asks");
    let theta = last(&recording, "theta");
    let end = recording.frames() - 1;
    let position = value(&recording, end, "bob", "position");
    assert!((position[0] - 2.0 * libm::sin(theta)).abs() < 1e-14 && position[1] == 0.0);
    assert_eq!(value(&recording, end, "bob", "orientation"), [0.0, -theta, 0.0]);
    let speed = value(&recording, end, "bob", "velocity");
    assert!((libm::hypot(speed[0], speed[2]) - 2.0 * last(&recording, "theta_dot").abs()).abs() < 1e-12);
    let measured = |name: &str| value(&recording, end, "measure", name)[0];
    assert_eq!(measured("height"), position[2]);
    assert!((measured("speed") - 2.0 * last(&recording, "theta_dot").abs()).abs() < 1e-12);
    assert!(measured("energy").abs() < 1e-12);
    assert!((measured("rate") - 2.0 * last(&recording, "theta_dot")).abs() < 1e-14);
    // What has no formula stays where it is.
    let post = recording.schema.object("post").unwrap();
    assert_eq!(recording.schema.constant(Owner::Object(post), "position").unwrap().scalars, [0.0, 0.0, 3.0]);
}

#[test]
fn the_derivation_is_part_of_the_recording() {
    let recording = run(&simulated(DRAWN, "    duration = 0.1"));
    let told =
        |what: &str| recording.schema.derived.iter().find(|(it, _)| it.starts_with(what)).unwrap().1.as_str();
    assert!(told("equation of theta").contains("theta_dot_dot"), "{:?}", recording.schema.derived);
    assert!(told("conserved: energy").contains("theta_dot^2"), "{:?}", recording.schema.derived);
}

#[test]
fn functions_are_recorded_where_somebody_asks() {
    let recording = run(&simulated(DRAWN, "    duration = 0.1\n    record = {theta, r}"));
    let names: Vec<&str> = recording.schema.owned(Owner::World).iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["r", "theta"]);
}
