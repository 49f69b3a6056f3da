//! `derive`: from energies to equations, from laws to formulas, in every notation, and what it says when there is nothing to derive.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[allow(dead_code, reason = "shared with other tests, which use all of it")]
mod support;

use serde_json::Value;
use support::{Folder, outcome};

const CART: &str = include_str!("../../../experiments/cart_pole.lab");
const DROP: &str = "object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [0, 0, 5]
        size = 0.5
        v = 2
    }
}
context {
    name = fall
    type = free fall
    attributes = {z0, v0, t0}
    compute_first_time_only_attributes = {z0, v0, t0}
    functions = {
        z0 = position # 3
        v0 = v
        t0 = t
        position = [0, 0, z0 + v0 * (t - t0) - 9.81 / 2 * (t - t0)^2]
        v = v0 - 9.81 * (t - t0)
    }
}
simulation {
    name = drop
    duration = 1
    objects_involved = {ball}
    contexts_involved = {fall}
}
";

fn folder(name: &str) -> Folder {
    Folder::with(name, &[("cart.lab", CART), ("drop.lab", DROP)])
}

fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    stdout
}

/// As in any textbook, but for the order of the terms.
#[test]
fn a_cart_with_a_pole_has_the_equations_of_the_textbook() {
    let text = fine(&folder("derive-cart"), &["derive", "cart.lab"]);
    for line in [
        "(M + m) x\u{308} + m l θ\u{308} cos(θ) − m l θ\u{307}² sin(θ) = 0",
        "l θ\u{308} + x\u{308} cos(θ) − g sin(θ) = 0",
        "x does not occur in L",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("Momenta"), "steps are shown on request only");
}

#[test]
fn steps_lead_to_hamilton() {
    let text = fine(&folder("derive-steps"), &["derive", "cart.lab", "--steps"]);
    for title in [
        "Energies",
        "Momenta",
        "Slopes of L",
        "Lagrange's equations",
        "Separated",
        "Hamiltonian",
        "Hamilton's equations",
    ] {
        assert!(text.contains(title), "{title} is not in\n{text}");
    }
}

#[test]
fn an_oscillator_from_the_command_line_in_every_notation() {
    let folder = folder("derive-line");
    let oscillator = ["derive", "--lagrangian", "m/2*x_dot^2 - k/2*x^2", "--coordinates", "x", "--format"];
    let shown = |format: &str| fine(&folder, &[&oscillator[..], &[format]].concat());
    assert!(shown("unicode").contains("x\u{308} = −k x/m"), "{}", shown("unicode"));
    assert!(shown("vfl").contains("x_dot_dot = -k*x/m"), "{}", shown("vfl"));
    assert!(shown("latex").contains("\\ddot{x} = -\\frac{k x}{m}"), "{}", shown("latex"));
    let mathml = shown("mathml");
    assert_eq!(mathml.matches("<math").count(), mathml.matches("</math>").count(), "{mathml}");
    let data: Value = serde_json::from_str(&shown("json")).unwrap();
    assert_eq!(data["lagrange"]["accelerations"][0]["vfl"], "-k*x/m");
    assert_eq!(data["coordinates"][0], "x");
}

/// d/dt (z0 + v0 (t - t0) - g/2 (t - t0)²) = v0 - g (t - t0)
#[test]
fn laws_are_shown_and_differentiated() {
    let folder = folder("derive-law");
    let text = fine(&folder, &["derive", "drop.lab", "--law", "position", "--by", "t", "--format", "json"]);
    let data: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(data[0]["where"], "context fall");
    let derivative = data[0]["elements"][2].as_str().unwrap();
    let law = fine(&folder, &["derive", "drop.lab", "--law", "v", "--format", "json"]);
    let law: Value = serde_json::from_str(&law).unwrap();
    assert_eq!(derivative, law[0]["elements"][0].as_str().unwrap());
}

#[test]
fn what_cannot_be_derived_is_told_with_the_way_out() {
    let folder = folder("derive-wrong");
    let wrong: [(&[&str], &str); 8] = [
        (&["derive", "drop.lab"], "it has no `lagrangian` block"),
        (&["derive", "cart.lab", "--system", "cart_pola"], "did you mean cart_pole?"),
        (&["derive", "drop.lab", "--law", "positoin"], "did you mean position?"),
        (&["derive", "drop.lab", "--law", "v", "--by", "mass"], "does not depend on `mass`"),
        (&["derive", "--lagrangian", "m*x", "--coordinates", "x"], "contains no velocity"),
        (&["derive", "--lagrangian", "x_dot^2/2 - y", "--coordinates", "x,y"], "y"),
        (&["derive", "--lagrangian", "x_dot^2/2 +", "--coordinates", "x"], "--lagrangian"),
        (&["derive", "--lagrangian", "x_dot^2/2", "--coordinates", "x,x_dot"], "its rate follows"),
    ];
    for (arguments, words) in wrong {
        let (code, _, stderr) = outcome(&folder, arguments);
        assert!(code == 1 || code == 2, "{arguments:?}");
        assert!(stderr.contains(words), "{arguments:?} says\n{stderr}");
    }
}
