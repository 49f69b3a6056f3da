//! Texts run to their end, and what was recorded of them: for tests of every mechanics.

use crate::support::{Memory, experiment, model};
use gedanken_experiment::Experiment;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::{Style, render};
use gedanken_recording::{Owner, Recording};

/// Runs the first simulation to its end, or to where it stops.
pub(crate) fn run_with(experiment: &Experiment, options: Options) -> (Recording, Result<(), Stop>) {
    let mut run = Run::new(experiment, &experiment.simulations[0], options).unwrap();
    let mut recording = Recording::new(run.schema().clone());
    loop {
        match run.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return (recording, Ok(())),
            Err(stop) => return (recording, Err(stop)),
        }
    }
}

/// A run without faults.
pub(crate) fn run(text: &str) -> Recording {
    let (recording, ended) = run_with(&model(text), Options::default());
    ended.unwrap();
    recording
}

/// Messages about a text with mistakes.
pub(crate) fn wrong(text: &str) -> String {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    render(&result.unwrap_err(), &sources, Style::Plain)
}

/// Owner of a quantity: an object, the world (""), or a measure.
pub(crate) fn owner(recording: &Recording, object: &str) -> Owner {
    match object {
        "" => Owner::World,
        "measure" => Owner::Measure,
        name => Owner::Object(recording.schema.object(name).unwrap()),
    }
}

/// A quantity in a frame: of an object, of the world (""), or a measure.
pub(crate) fn value(recording: &Recording, frame: usize, object: &str, name: &str) -> Vec<f64> {
    let quantity = recording.schema.quantity(owner(recording, object), name);
    let quantity = quantity.unwrap_or_else(|| panic!("{object} has no {name}"));
    recording.row(frame)[quantity.start..quantity.end()].to_vec()
}
