//! Whatever becomes of a good file of rigid bodies, it is refused in words, or it runs: nothing panics, no run hangs, and every
//! place and motion that is recorded is finite.

use crate::support::{Gallery, experiment};
use gedanken_lab::engine::{Options, Stop};
use gedanken_lab::experiment::Mechanics;
use gedanken_lab::recording::{Event, Frame, Notice, Owner, Recording, Sink};
use gedanken_lab::{Files, Run};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use proptest::prelude::*;
use std::io;

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

/// Keeps what comes within a few steps.
struct Brief {
    recording: Recording,
    steps: u32,
}

impl Sink for Brief {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.recording.frame(frame)
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.recording.event(event)
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.recording.notice(notice)
    }

    fn goes_on(&mut self) -> io::Result<()> {
        self.steps = self.steps.checked_sub(1).ok_or_else(|| io::Error::other("enough"))?;
        Ok(())
    }
}

/// Reads a text, and runs the first few steps of what can run.
fn check(text: &str) {
    let (sources, result) = experiment(&Gallery, text, &[]);
    let experiment = match result {
        Ok(experiment) => experiment,
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error), "a failure says why\n{text}");
            return;
        }
    };
    for simulation in experiment.simulations.iter().filter(|it| it.mechanics == Mechanics::Rigid) {
        let mut run = match Run::new(&experiment, simulation, Options::default()) {
            Ok(run) => run,
            Err(found) => {
                assert!(!render(&found, &sources, Style::Plain).is_empty(), "it is said why\n{text}");
                continue;
            }
        };
        let mut brief = Brief { recording: Recording::new(run.schema().clone()), steps: 30 };
        loop {
            match run.advance(&mut brief) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Sink(_)) => break,
                Err(Stop::Experiment(said)) => {
                    render(&[*said], &sources, Style::Plain);
                    break;
                }
                Err(stop) => panic!("{stop}\n{text}"),
            }
        }
        let recording = brief.recording;
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

    /// A piece in the place of a whole word: most of the text stays readable.
    #[test]
    fn other_words(
        which in 0..NAMES.len(),
        changes in prop::collection::vec((any::<usize>(), 0..PIECES.len()), 1..3),
    ) {
        let text = Gallery.text(NAMES[which]).unwrap();
        let code: String =
            text.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect();
        let mut words: Vec<&str> = code.split_inclusive([' ', '\n']).collect();
        for (place, piece) in changes {
            let place = place % words.len();
            words[place] = PIECES[piece];
        }
        check(&words.join(" "));
    }

    /// A line more, or another one in its place.
    #[test]
    fn other_lines(
        which in 0..NAMES.len(),
        moves in prop::collection::vec((0..4_u8, any::<usize>(), any::<usize>()), 1..4),
    ) {
        let text = Gallery.text(NAMES[which]).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        for (kind, a, b) in moves {
            let (at, other) = (a % lines.len(), b % lines.len());
            match kind {
                0 => drop(lines.remove(at)),
                1 => lines.insert(other, lines[at]),
                2 => lines.insert(at, PIECES[b % PIECES.len()]),
                _ => lines.swap(at, other),
            }
        }
        check(&lines.join("\n"));
    }
}
