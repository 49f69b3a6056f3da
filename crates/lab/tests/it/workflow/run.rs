//! Runs of texts, for all tests here.

use crate::support::model;
use gedanken_experiment::Experiment;
use gedanken_lab::{Options, Run, Stop};
use gedanken_recording::{Owner, Recording};

/// One thread and native code.
pub(crate) fn usual() -> Options {
    Options::default()
}

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
    let (recording, ended) = run_with(&model(text), usual());
    ended.unwrap();
    recording
}

/// A quantity in a frame; the world's for an empty object.
pub(crate) fn value(recording: &Recording, frame: usize, object: &str, name: &str) -> Vec<f64> {
    let schema = &recording.schema;
    let owner = match schema.objects.iter().position(|it| it == object) {
        Some(place) => Owner::Object(place),
        None => Owner::World,
    };
    let quantity = schema.quantities.iter().find(|it| it.owner == owner && it.name == name).unwrap();
    recording.row(frame)[quantity.start..][..quantity.width()].to_vec()
}

/// A ball with these attributes besides position and size.
pub(crate) fn ball(name: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{\n        position = [0, 0, 5]\n        size = 1\n        {attributes}\n    }}\n}}\n"
    )
}

/// A simulation of this workflow with these lines besides.
pub(crate) fn simulation(workflow: &str, lines: &str) -> String {
    format!(
        "simulation {{\n    name = s\n    mechanics = workflow\n    workflow = {workflow}\n    {lines}\n}}\n"
    )
}
