//! Whatever becomes of a good block, it is refused in words, or it runs: nothing panics, no run hangs, and every coordinate that is
//! recorded is finite.

use crate::motion::double_pendulum;
use crate::run::simulated;
use crate::support::{Memory, experiment};
use gedanken_lab::Run;
use gedanken_lab::engine::{Options, Stop};
use gedanken_lab::recording::{Event, Frame, Notice, Recording, Sink};
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
    "t",
    "1 / (t - 0.01)",
    "x",
    "x_dot",
    "x_dot_dot",
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
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    let experiment = match result {
        Ok(experiment) => experiment,
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error), "a failure says why\n{text}");
            return;
        }
    };
    for simulation in experiment.simulations.iter().filter(|it| it.lagrangian.is_some()) {
        let options = Options { most_collisions: 200, ..Options::default() };
        let mut run = match Run::new(&experiment, simulation, options) {
            Ok(run) => run,
            Err(found) => {
                assert!(!render(&found, &sources, Style::Plain).is_empty(), "it is said why\n{text}");
                continue;
            }
        };
        let mut brief = Brief { recording: Recording::new(run.schema().clone()), steps: 10 };
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

fn texts() -> [String; 3] {
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
    [
        simulated(rod, "    duration = 1"),
        simulated(bounce, "    duration = 1"),
        simulated(&double_pendulum("2", "1"), "    duration = 1"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// A piece in the place of a whole word: most of the text stays readable.
    #[test]
    fn other_words(
        which in 0..3usize,
        changes in prop::collection::vec((any::<usize>(), 0..PIECES.len()), 1..3),
    ) {
        let text = &texts()[which];
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for (place, piece) in changes {
            let place = place % words.len();
            words[place] = PIECES[piece];
        }
        check(&words.join(" "));
    }

    /// A line more, or another one in its place.
    #[test]
    fn other_lines(
        which in 0..3usize,
        moves in prop::collection::vec((0..4_u8, any::<usize>(), any::<usize>()), 1..4),
    ) {
        let text = &texts()[which];
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
