//! Runs of texts, for all tests here.

use crate::support::{Memory, experiment, model};
use gedanken_lab::Run;
use gedanken_lab::engine::{Options, Stop};
use gedanken_lab::experiment::Experiment;
use gedanken_lab::recording::{Event, Moment, Owner, Recording};
use gedanken_lang::diagnostic::{Style, render};

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

/// A block, and a simulation of it with these lines.
pub(crate) fn simulated(block: &str, lines: &str) -> String {
    format!("{block}\nsimulation {{\n    name = s\n    mechanics = lagrangian\n{lines}\n}}\n")
}

/// What is wrong with a text.
pub(crate) fn wrong(text: &str) -> String {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    render(&result.unwrap_err(), &sources, Style::Plain)
}

fn owner(recording: &Recording, object: &str) -> Owner {
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

/// A real of the world in all frames.
pub(crate) fn series(recording: &Recording, name: &str) -> Vec<f64> {
    (0..recording.frames()).map(|frame| value(recording, frame, "", name)[0]).collect()
}

/// A real of the world in the last frame.
pub(crate) fn last(recording: &Recording, name: &str) -> f64 {
    value(recording, recording.frames() - 1, "", name)[0]
}

/// A real of the world at one side of an event.
pub(crate) fn at_event(recording: &Recording, event: &Event, side: Moment, name: &str) -> f64 {
    let quantity = recording.schema.quantity(Owner::World, name).unwrap();
    let place = recording.schema.event_place(&event.objects, quantity.start).unwrap();
    match side {
        Moment::Before => event.before[place],
        Moment::After => event.after[place],
    }
}
