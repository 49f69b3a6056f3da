//! Parameters and initial values that are set from outside.

use super::run::simulated;
use crate::support::{Memory, experiment};
use gedanken_experiment::Lagrangian;
use gedanken_lang::diagnostic::{Style, render};

/// Two systems that share a name, beside a world and an object that have names of their own.
fn text() -> String {
    let blocks = "world attributes { g = 9.81 }
object {
    name = cart
    physical type = dynamic
    geometrical type = sphere
    attributes = { size = 0.1  stiffness = 3  position = [0, 0, 0] }
}
lagrangian cart {
    coordinates = { x = 1 }
    rates = { x_dot = 0.5 }
    parameters = { m = 2  stiffness = 5  twice = 2 * m }
    T = 0.5 * m * x_dot^2
    V = 0.5 * stiffness * x^2 + twice * g * x
}
lagrangian other {
    coordinates = { x = 3 }
    momenta = { p_x = 1 }
    parameters = { m = 7 }
    H = p_x^2 / (2 * m)
}";
    simulated(blocks, "    duration = 1\n    lagrangian = cart")
}

/// The two systems with these settings, or what is wrong with these.
fn read(settings: &[&str]) -> Result<[Lagrangian; 2], String> {
    let (sources, result) = experiment(&Memory(&[]), &text(), settings);
    let found = result.map_err(|found| render(&found, &sources, Style::Plain))?;
    Ok(found.lagrangians.try_into().expect("there are two"))
}

fn parameter(system: &Lagrangian, name: &str) -> f64 {
    system.parameters.iter().find(|it| it.name == name).expect("it has this parameter").value
}

#[test]
fn a_name_alone_is_for_the_world_and_then_for_every_block_that_has_it() {
    let [cart, other] = read(&["m=4", "g=1"]).expect("both are there");
    assert_eq!([parameter(&cart, "m"), parameter(&other, "m")], [4.0, 4.0]);
    assert_eq!(parameter(&cart, "g"), 1.0);
    // What is computed from a parameter follows.
    assert_eq!(parameter(&cart, "twice"), 8.0);
}

#[test]
fn a_name_with_an_owner_is_for_one_and_objects_come_first() {
    let [cart, other] = read(&["other.m=3", "cart.m=2 + 3"]).expect("both are there");
    assert_eq!([parameter(&cart, "m"), parameter(&other, "m")], [5.0, 3.0]);
    // The object `cart` has such an attribute, and takes it; without an owner the block does.
    let [cart, _] = read(&["cart.stiffness=8"]).expect("it is there");
    assert_eq!(parameter(&cart, "stiffness"), 5.0);
    let [cart, _] = read(&["stiffness=8"]).expect("it is there");
    assert_eq!(parameter(&cart, "stiffness"), 8.0);
}

#[test]
fn initial_values_can_be_set() {
    let [cart, other] = read(&["x=m", "cart.x_dot=-1", "p_x=14"]).expect("they are there");
    assert_eq!([cart.coordinates[0], other.coordinates[0]], [2.0, 7.0]);
    assert_eq!(cart.rates, [-1.0]);
    assert!((other.rates[0] - 2.0).abs() < 1e-15);
}

#[test]
fn what_cannot_be_set_says_what_can() {
    let cases = [
        ("k=1", "E717", "what can be named here"),
        ("stifness=1", "E717", "did you mean `stiffness`?"),
        ("cart.mm=1", "E717", "did you mean"),
        ("card.m=1", "E717", "did you mean `cart`?"),
        ("m=[1, 2]", "E718", "set it to a real"),
        ("m=", "E", ""),
    ];
    for (setting, code, words) in cases {
        let said = read(&[setting]).expect_err("it cannot be");
        assert!(said.contains(&format!("error[{code}")) && said.contains(words), "{setting}\n{said}");
    }
}
