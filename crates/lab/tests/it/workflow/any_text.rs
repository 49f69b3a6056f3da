//! Whatever becomes of a good workflow, it is refused in words, or it runs: nothing panics, and no value is
//! other than finite, but for a measure that has none, which is told.

use super::run::usual;
use crate::support::torn::{code, lines, parts, torn, words};
use crate::support::{Gallery, experiment};
use gedanken_experiment::Files;
use gedanken_lab::{Run, Stop};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_recording::{Owner, Recording};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "",
    " ",
    "{",
    "}",
    "0",
    "-1",
    "1e308",
    "true",
    "t",
    "dt",
    "when",
    "previous(when)",
    "previous(v)",
    "previous(heater)",
    "position",
    "temperature",
    "balance",
    "gm",
    "outside",
    "1 / 0",
    "1 / (t - 0.02)",
    "identityMatrix(3)",
    "{1, 2}",
    "head({v})",
    "of = {sun}\n",
    "of = {}\n",
    "of = {room, room}\n",
    "reads = {t, dt}\n",
    "writes = {t}\n",
    "adds = {balance}\n",
    "adds = {heater}\n",
    "adds = {low}\n    functions = { low = 1 }\n",
    "writes = {low}\n",
    "aliases = { use x as attribute v of object planet }\n",
    "aliases = { use temperature as attribute loss of object room }\n",
    "aliases = { use x as attribute v of object with index 0 }\n",
    "advances = 0.5\n",
    "advances = -1\n",
    "rule kick {",
    "event drift {",
    "v' = v\n",
    "seq(kick, drift)",
    "par(kick, drift)",
    "par(kick, kick)",
    "par(clear, clear, warm)",
    "seq(",
    "par()",
    "time step = 1e-9\n",
    "time step = 1e300\n",
    "frame rate = 7\n",
    "mechanics = contexts\n",
    "physical type = static\n",
    "record = {v}\n",
    "record = {}\n",
    "measure age { value = 1 / (t - 0.02) }\n",
    "measure size { of = {planet, sun}  value = size }\n",
];

/// Reads a text, and runs the first few frames of what can run.
fn check(text: &str) {
    let (sources, result) = experiment(&Gallery, text, &[]);
    let experiment = match result {
        Ok(experiment) => experiment,
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error), "a failure says why\n{text}");
            render(&found, &sources, Style::Plain);
            return;
        }
    };
    for simulation in experiment.simulations.iter().filter(|it| it.workflow().is_some()) {
        if simulation.steps().0 > 1000 {
            continue;
        }
        let mut run = Run::new(&experiment, simulation, usual())
            .unwrap_or_else(|found| panic!("{}\n{text}", render(&found, &sources, Style::Plain)));
        let mut recording = Recording::new(run.schema().clone());
        for _ in 0..4 {
            match run.advance(&mut recording) {
                Ok(_) => {}
                Err(Stop::Experiment(said)) => {
                    assert_ne!(said.code, "E740", "{}\n{text}", said.message);
                    render(&[*said], &sources, Style::Plain);
                    break;
                }
                Err(stop) => panic!("{stop}\n{text}"),
            }
        }
        for quantity in &recording.schema.quantities {
            let finite =
                |frame| recording.row(frame)[quantity.start..quantity.end()].iter().all(|it| it.is_finite());
            let named = format!("`{}`", quantity.name);
            let is_told = quantity.owner == Owner::Measure
                && recording.notices.iter().any(|notice| notice.message.contains(&named));
            assert!(is_told || (0..recording.frames()).all(finite), "{}\n{text}", quantity.name);
        }
    }
}

const NAMES: [&str; 2] = ["workflow_orbit.lab", "workflow_thermostat.lab"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_pieces(which in 0..2_usize, tears in parts(PIECES)) {
        check(&torn(&Gallery.text(NAMES[which]).unwrap(), &tears));
    }

    #[test]
    fn other_words(which in 0..2_usize, tears in words(PIECES)) {
        check(&torn(&code(&Gallery.text(NAMES[which]).unwrap()), &tears));
    }

    #[test]
    fn other_lines(which in 0..2_usize, tears in lines(PIECES)) {
        check(&torn(&Gallery.text(NAMES[which]).unwrap(), &tears));
    }
}
