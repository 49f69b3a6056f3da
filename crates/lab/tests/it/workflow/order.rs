//! Methods that are written as rules have the order that is known of them, on an orbit whose solution is
//! known.

use super::run::{run, value};
use crate::support::Gallery;
use gedanken_experiment::Files;

/// The ellipse of the gallery for one period, in `steps` steps: how far the planet is from where it started.
fn miss(workflow: &str, steps: u32) -> f64 {
    let text = Gallery.text("workflow_orbit.lab").unwrap();
    let text = text
        .replace("seq(kick, drift, kick, perihelion, aphelion)", workflow)
        .replace("time step = 0.0005", &format!("time step = 1 / {steps}\n    frame rate = 1"))
        .replace("duration = 3", "duration = 1");
    let end = value(&run(&text), 1, "planet", "position");
    let start: [f64; 3] = [0.5, 0.0, 0.0];
    start.iter().zip(&end).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The order of a method, from errors at steps of which each is half the one before.
fn order(workflow: &str) -> f64 {
    let (first, last) = (miss(workflow, 4000), miss(workflow, 16000));
    libm::log2(first / last) / 2.0
}

#[test]
fn leapfrog_is_of_second_order() {
    let order = order("seq(kick, drift, kick)");
    assert!((order - 2.0).abs() < 0.02, "{order}");
}

/// Two half kicks at once are one: the method of Euler and Cromer, whose error after a period is of second
/// order only where an orbit is symmetric; after the half of one it is of first order.
#[test]
fn without_its_symmetry_the_method_is_of_first_order() {
    let text = Gallery.text("workflow_orbit.lab").unwrap();
    let miss = |steps: u32| {
        let text = text
            .replace("seq(kick, drift, kick, perihelion, aphelion)", "seq(kick, kick, drift)")
            .replace("time step = 0.0005", &format!("time step = 1 / {steps}\n    frame rate = 2"))
            .replace("duration = 3", "duration = 0.5");
        // Half a period after perihelion the planet is at aphelion, (-(1 + e), 0, 0).
        let end = value(&run(&text), 1, "planet", "position");
        ((end[0] + 1.5) * (end[0] + 1.5) + end[1] * end[1]).sqrt()
    };
    let order = libm::log2(miss(4000) / miss(16000)) / 2.0;
    assert!((order - 1.0).abs() < 0.05, "{order}");
}

/// Whole steps of a free fall under a steady force are exact where every number is a short binary fraction:
/// x = g n (n + 1) / 2 dt² with kicks before drifts.
#[test]
fn a_fall_in_eighths_is_exact() {
    let text = "
        object { name = ball  physical type = dynamic  geometrical type = sphere
            attributes = { position = [0, 0, 0]  size = 1  v = [0, 0, 0] } }
        world attributes { g = -8 }
        rule kick { reads = {g}  writes = {v}  functions = { v = previous(v) + [0, 0, g * dt] } }
        rule drift { reads = {v}  writes = {position}  functions = { position = previous(position) + dt * v } }
        simulation { name = s  mechanics = workflow  workflow = seq(kick, drift)  time step = 1 / 8  frame rate = 4
            duration = 10 }";
    let recording = run(text);
    assert_eq!(recording.frames(), 41);
    for frame in 0..41 {
        let n = 2.0 * frame as f64;
        let fallen = -8.0 * n * (n + 1.0) / 2.0 / 64.0;
        assert_eq!(value(&recording, frame, "ball", "position"), [0.0, 0.0, fallen]);
        assert_eq!(recording.times[frame], frame as f64 / 4.0);
    }
}
