//! Messages about `lagrangian` blocks with mistakes.

use super::run::{simulated, wrong};

/// A block with these lines, and a simulation of it.
fn block(lines: &str) -> String {
    simulated(&format!("lagrangian system {{\n{lines}\n}}"), "    duration = 1")
}

/// Every text that is wrong says so with this code, and these words.
#[test]
fn mistakes_are_named() {
    let cases = [
        ("coordinates = { x = 1 }\n T = 2", "E765", "x_dot"),
        ("coordinates = { x = 1  y = 1 }\n T = 0.5 * (x_dot + y_dot)^2\n V = x", "E765", "inertia"),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dto^2", "E201", "x_dot"),
        ("coordinates = { x = 1 }\n T = 0.5 * m * x_dot^2", "E201", "`m`"),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n L = x_dot^2", "E763", "both given"),
        ("coordinates = { x = 1 }\n V = x", "E763", "kinetic"),
        ("coordinates = { x = 1 }", "E763", "no energy"),
        ("coordinates = { x, y }\n T = 0.5 * x_dot^2", "E705", "value to start from"),
        ("T = 1", "E705", "coordinates"),
        ("coordinates = { x = 1 }\n rates = { x = 2 }\n T = 0.5 * x_dot^2", "E767", "x_dot"),
        ("coordinates = { x = 1 }\n forces = { y = 2 }\n T = 0.5 * x_dot^2", "E767", "`y`"),
        (
            "coordinates = { x = 1 }\n positions = { ball = [x, 0, 0] }\n T = 0.5 * x_dot^2",
            "E767",
            "no object",
        ),
        ("coordinates = { x = [1, 2] }\n T = 0.5 * x_dot^2", "E768", "starts from a real"),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n V = [x, x]", "E768", "a vector of 2"),
        (
            "coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n constraints = { c = x - 2 }",
            "E766",
            "let `x` start from 2",
        ),
        (
            "coordinates = { x = 1  y = 1 }\n rates = { x_dot = 1 }\n T = 0.5 * (x_dot^2 + y_dot^2)\n velocity constraints = { c = x_dot - y_dot }",
            "E766",
            "is 1 at the start",
        ),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n stops = { wall = -x }", "E766", "-1 at the start"),
        ("coordinates = { x = 1 }\n functions = { f = f_dot + x }\n T = 0.5 * x_dot^2", "E765", "circle"),
        ("coordinates = { x = 1  x_dot = 2 }\n T = 0.5 * x_dot^2", "E703", "x_dot"),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2 / x\n V = logarithm(x - 1)", "E", ""),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n V = uniform(1, x)", "E765", "draws a random number"),
        ("coordinates = { x = 0 }\n T = 0.5 * x_dot^2\n V = 1 / x", "E765", "no value at the start"),
        ("coordinates = { x = 1 }\n T = 0.5 * x_dot^2\n restitution = 2", "E723", "from 0 to 1"),
        (
            "coordinates = { x = 1 }\n momenta = { p_x = 1 }\n rates = { x_dot = 1 }\n T = 0.5 * x_dot^2",
            "E763",
            "momenta",
        ),
    ];
    for (lines, code, words) in cases {
        let said = wrong(&block(lines));
        assert!(said.contains(&format!("error[{code}")) && said.contains(words), "{lines}\n{said}");
    }
}
