//! Whatever becomes of a good file of rigid bodies, it is refused in words, or it runs: nothing panics, no
//! run hangs, and every place and motion that is recorded is finite.

use crate::support::Gallery;
use crate::support::torn::{code, first_steps, lines, torn, words};
use gedanken_experiment::Files;
use gedanken_recording::Owner;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "",
    "{",
    "}",
    "0",
    "-1",
    "1e308",
    "1e-300",
    "1e30",
    "t",
    "1 / (t - 0.01)",
    "position",
    "velocity",
    "static",
    "kinematic",
    "collides = false\n",
    "size = 1e9\n",
    "mass = 1e-12\n",
    "mass = 1e12\n",
    "density = 1\n",
    "velocity = [1e5, 0, 0]\n",
    "velocity = [0, 0, -300]\n",
    "angular_velocity = [0, 1e4, 1]\n",
    "position = [0, 0, 0]\n",
    "orientation = [1, 2, 3]\n",
    "restitution = 1\n",
    "restitution = 0.9\n",
    "friction = 1e6\n",
    "friction(v) = 1 / v\n",
    "restitution(v) = v\n",
    "time step = 1 / 7\n",
    "frame rate = 7\n",
    "solver = jacobi\n",
    "gravity = [0, 0, -1e6]\n",
    "gravity = [0, 0, 9.81]\n",
    "record = {velocity, overlap}\n",
    "measure mean { value = total_energy / contacts }\n",
    "force wild { force = [1 / (position # 1), 0, 0] }\n",
    "potential deep { energy = -1 / norm(position) }\n",
    "constraint odd { of = {ball}  value = norm(position) - 1 }\n",
    "kind = hinge\n",
    "motor_torque = 1e12\n",
    "limits = [0, 0]\n",
    "length = 0\n",
];

const NAMES: [&str; 6] = [
    "bowling.lab",
    "four_bar.lab",
    "rigid_cradle.lab",
    "conical_pendulum.lab",
    "rebounds.lab",
    "dominoes.lab",
];

/// Reads a text, and looks at the first few steps of what can run.
fn check(text: &str) {
    for recording in first_steps(&Gallery, text, 30, |it| it.rigid().is_some()) {
        for quantity in &recording.schema.quantities {
            let place = matches!(quantity.owner, Owner::Object(_)) && !quantity.name.ends_with("energy");
            for frame in 0..recording.frames() {
                for scalar in &recording.row(frame)[quantity.start..quantity.end()] {
                    let fine = if place { scalar.is_finite() } else { !scalar.is_infinite() };
                    assert!(fine, "{} is {scalar}\n{text}", quantity.name);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_words(which in 0..NAMES.len(), tears in words(PIECES)) {
        check(&torn(&code(&Gallery.text(NAMES[which]).unwrap()), &tears));
    }

    #[test]
    fn other_lines(which in 0..NAMES.len(), tears in lines(PIECES)) {
        check(&torn(&Gallery.text(NAMES[which]).unwrap(), &tears));
    }
}
