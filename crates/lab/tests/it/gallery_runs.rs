//! The experiments of the gallery come out as theory says: every simulation is run, and every measure with an
//! expected value is compared with it.

use crate::support;
use gedanken_experiment::Files;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::measures::verdict;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::{Style, render};
use gedanken_lang::source::Sources;
use gedanken_recording::{Owner, Recording};
use std::fmt::Write;
use support::{Gallery, experiment};

/// The names of all experiments, sorted.
fn gallery() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".lab"));
    names.sort();
    names
}

fn read(name: &str) -> (Sources, Experiment) {
    let (sources, result) = experiment(&Gallery, &Gallery.text(name).unwrap(), &[]);
    match result {
        Ok(found) => (sources, found),
        Err(found) => panic!("{name}\n{}", render(&found, &sources, Style::Plain)),
    }
}

/// Runs a simulation to its end.
fn run(sources: &Sources, experiment: &Experiment, simulation: &Simulation) -> Recording {
    let made = Run::new(experiment, simulation, Options::default());
    let mut run = made.unwrap_or_else(|found| panic!("{}", render(&found, sources, Style::Plain)));
    let mut recording = Recording::new(run.schema().clone());
    loop {
        match run.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return recording,
            Err(Stop::Experiment(found)) => panic!("{}", render(&[*found], sources, Style::Plain)),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn every_measure_is_as_expected() {
    let mut missed = String::new();
    let mut count = 0;
    for name in gallery() {
        let (sources, experiment) = read(&name);
        for simulation in &experiment.simulations {
            let recording = run(&sources, &experiment, simulation);
            for measure in experiment.measures.iter().filter(|it| it.belongs_to(simulation)) {
                let quantity = recording.schema.quantity(Owner::Measure, &measure.name).unwrap();
                let last = recording.frames() - 1;
                let frame = measure.at.map_or(last, |at| recording.at(at).unwrap());
                let scalars = &recording.row(frame)[quantity.start..quantity.start + quantity.width()];
                let Some(verdict) = verdict(measure, scalars) else { continue };
                count += 1;
                if !verdict.ok {
                    writeln!(missed, "{name}, {}: {verdict}", simulation.name).unwrap();
                }
            }
        }
    }
    assert!(missed.is_empty(), "\n{missed}");
    assert!(count > 80, "only {count} measures were compared");
}

#[test]
fn every_experiment_has_a_title_and_an_expected_value() {
    let names = gallery();
    assert!(names.len() >= 20);
    for name in names {
        let text = Gallery.text(&name).unwrap();
        let title = text.lines().next().unwrap();
        assert!(title.starts_with("// ") && title.ends_with('.'), "{name} begins with a sentence: {title}");
        let (_, experiment) = read(&name);
        assert!(experiment.measures.iter().any(|it| it.expected.is_some()), "{name} expects nothing");
    }
}
