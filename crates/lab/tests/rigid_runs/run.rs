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

/// The same at one side of an event.
pub(crate) fn at_event(
    recording: &Recording,
    event: &Event,
    side: Moment,
    object: &str,
    name: &str,
) -> Vec<f64> {
    let quantity = recording.schema.quantity(owner(recording, object), name).unwrap();
    let places = (quantity.start..quantity.end()).map(|it| recording.schema.event_place(&event.objects, it));
    places.map(|place| event.row(side)[place.unwrap()]).collect()
}

/// A dynamic ball of radius 0.5.
pub(crate) fn ball(name: &str, attributes: &str) -> String {
    object(name, "dynamic", "sphere", &format!("size = 0.5\n        {attributes}"))
}

/// An object with these attributes.
pub(crate) fn object(name: &str, physical: &str, shape: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = {physical}\n    geometrical type = {shape}\n    attributes = {{\n        {attributes}\n    }}\n}}\n"
    )
}

/// The half space below z = 0.
pub(crate) fn ground(attributes: &str) -> String {
    object("ground", "static", "half space", &format!("position = [0, 0, 0]\n        {attributes}"))
}

/// A simulation with these lines.
pub(crate) fn simulation(lines: &str) -> String {
    format!("simulation {{\n    name = s\n    mechanics = rigid\n    {lines}\n}}\n")
}

/// Whether all numbers are equal within a tolerance.
pub(crate) fn near(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance)
}
