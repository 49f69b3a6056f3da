//! Whatever becomes of a good block, it is refused in words, or it runs: nothing panics, no run hangs, and
//! every coordinate that is recorded is finite.

use super::motion::double_pendulum;
use super::run::simulated;
use crate::support::Memory;
use crate::support::torn::{first_steps, lines, torn, words};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "",
    "{",
    "}",
    "0",
    "-1",
    "1e308",
    "1e-300",
    "t",
    "1 / (t - 0.01)",
    "x",
    "x_dot",
    "x_dot_dot",
    "p_x",
    "p_z^4",
    "integrator = implicit_midpoint\n",
    "r_dot",
    "f = f_dot\n",
    "x = 1e200\n",
    "l = 0\n",
    "m = -1\n",
    "square_root(x)",
    "logarithm(z)",
    "(-1)^(1/2)",
    "if x > 0 then 1 else z",
    "constraints = { c = x - z }\n",
    "velocity constraints = { w = x_dot * z_dot }\n",
    "velocity constraints = { w = x_dot - z_dot }\n",
    "stops = { s = z + 1 }\n",
    "stops = { s = 1 - x^2  u = x + 2 }\n",
    "restitution = 0\n",
    "dissipation = -x_dot^4\n",
    "forces = { x = 1e30 }\n",
    "forces = { x = previous(x) }\n",
    "momenta = { p_x = 1 }\n",
    "H = p_x^2\n",
    "L = x_dot\n",
    "T = x_dot * z\n",
    "integrator = leapfrog\n",
    "integrator = variational4\n",
    "integrator = rk4\n",
    "time step = 0.1\n",
    "record = all\n",
    "initial time = 3\n",
    "measure mean { value = total_energy / x }\n",
];

/// Reads a text, and looks at the first few steps of what can run.
fn check(text: &str) {
    for recording in first_steps(&Memory(&[]), text, 10, |it| it.lagrangian().is_some()) {
        for quantity in recording
            .schema
            .quantities
            .iter()
            .filter(|it| ["x", "z", "x_dot", "position"].contains(&it.name.as_str()))
        {
            for frame in 0..recording.frames() {
                let scalars = &recording.row(frame)[quantity.start..quantity.end()];
                assert!(scalars.iter().all(|it| it.is_finite()), "{} is {scalars:?}\n{text}", quantity.name);
            }
        }
    }
}

fn texts() -> [String; 4] {
    let rod = "object {
    name = bob
    physical type = dynamic
    geometrical type = sphere
    attributes = { size = 0.1 }
}
lagrangian system {
    coordinates = { x = 0.6  z = -0.8 }
    rates = { x_dot = 0 }
    parameters = { m = 1  l = 1 }
    functions = {
        r = [x, 0, z]
    }
    T = 0.5 * m * (r_dot . r_dot)
    V = 9.81 * m * z
    constraints = { rod = x^2 + z^2 - l^2 }
    positions = { bob = r }
}";
    let bounce = "lagrangian system {
    coordinates = { x = 0  z = 1 }
    rates = { x_dot = 1 }
    T = 0.5 * (x_dot^2 + z_dot^2)
    V = 9.81 * z
    stops = { floor = z }
    restitution = 0.7
}";
    let fast = "lagrangian system {
    coordinates = { x = 1  z = 2 }
    momenta = { p_x = 0.5 }
    H = sqrt(1 + p_x^2 + p_z^2) + 2 * z + 0.25 * x^4
    dissipation = 0.05 * x_dot^2
    stops = { floor = z  wall = x + 1 }
    restitution = 0.4
}";
    [
        simulated(fast, "    duration = 1"),
        simulated(rod, "    duration = 1"),
        simulated(bounce, "    duration = 1"),
        simulated(&double_pendulum("2", "1"), "    duration = 1"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_words(which in 0..4usize, tears in words(PIECES)) {
        check(&torn(&texts()[which], &tears));
    }

    #[test]
    fn other_lines(which in 0..4usize, tears in lines(PIECES)) {
        check(&torn(&texts()[which], &tears));
    }
}
