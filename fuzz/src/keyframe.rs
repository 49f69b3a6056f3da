//! Any bytes as the state of a simulation: taken or refused, never a panic. What is taken can be advanced.
//!
//! The first byte of an input chooses the mechanics, the second the number of the frame.

use super::experiment::NoFiles;
use gedanken_experiment::Experiment;
use gedanken_lab::{Options, Run, read};
use gedanken_lang::source::Sources;
use gedanken_recording::Recording;
use std::sync::LazyLock;

const TEXTS: [&str; 4] = [
    include_str!("../../crates/recording/tests/stored/contexts.lab"),
    include_str!("../../crates/recording/tests/stored/workflow.lab"),
    include_str!("../../crates/recording/tests/stored/rigid.lab"),
    include_str!("../../crates/recording/tests/stored/lagrangian.lab"),
];

static EXPERIMENTS: LazyLock<Vec<Experiment>> = LazyLock::new(|| {
    let read = |text: &&str| read(&NoFiles, &mut Sources::new(), "text.lab", (*text).to_owned(), &[]);
    TEXTS.iter().map(|text| read(text).expect("the stored experiments have no mistakes")).collect()
});

/// The target.
pub fn run(bytes: &[u8]) {
    let Some((&[mechanics, frame], state)) = bytes.split_first_chunk::<2>() else { return };
    let experiment = &EXPERIMENTS[usize::from(mechanics) % EXPERIMENTS.len()];
    let simulation = experiment.simulation(None).expect("each has one");
    let options = Options { native: false, threads: 1, ..Options::default() };
    let mut run = Run::new(experiment, simulation, options).expect("the stored experiments run");
    if run.resume(u64::from(frame), state).is_ok() {
        let mut recording = Recording::new(run.schema().clone());
        let _ = run.advance(&mut recording);
    }
}
