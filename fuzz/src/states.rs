//! Any text as states of `inspect`: taken, or refused with reasons. What is taken can be stepped from.

use super::experiment::NoFiles;
use gedanken_experiment::Experiment;
use gedanken_lab::inspection::{Inspector, read_states};
use gedanken_lab::{Options, read};
use gedanken_lang::source::Sources;
use std::sync::LazyLock;

const TEXT: &str = include_str!("states.lab");

static EXPERIMENT: LazyLock<Experiment> = LazyLock::new(|| {
    read(&NoFiles, &mut Sources::new(), "states.lab", TEXT.to_owned(), &[]).expect("it has no mistakes")
});

/// States of an input from which steps are taken.
const STEPS: usize = 3;

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let states = match read_states(text) {
        Ok(states) => states,
        Err(reasons) => return assert!(!reasons.is_empty(), "{text}"),
    };
    let simulation = EXPERIMENT.simulation(None).expect("there is one");
    let options = Options { native: false, threads: 1, ..Options::default() };
    let mut inspector = Inspector::new(&EXPERIMENT, simulation, &options).expect("it can begin");
    if !inspector.misfits(&states).is_empty() {
        return;
    }
    for state in states.iter().take(STEPS) {
        if let Ok(step) = inspector.step(state, simulation.steps().1) {
            // What is told of a step is a state again.
            let told = read_states(&step.to_json()).expect("what is printed can be read");
            assert!(inspector.misfits(&told).is_empty(), "{text}");
        }
    }
}
