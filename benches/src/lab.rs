//! Whole experiments, from text to a recording in memory, as the lab runs them.

use crate::clock::seconds;
use crate::ours::{self, Diagnostic, Files, Options, Recording, Sources, Stop, read_experiment};

/// The folder of the experiments that come with the project; bench texts import nothing from elsewhere.
pub const EXPERIMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments");

/// A finished run.
pub struct Run {
    /// What it took, without reading the text and compiling its laws.
    pub seconds: f64,
    /// All of it.
    pub recording: Recording,
}

/// Runs the first simulation of a text on one thread. Imports are sought beside `path`.
pub fn run(path: &str, text: String) -> Result<Run, String> {
    let mut sources = Sources::new();
    let experiment = read_experiment(&Disk, &mut sources, path, text, &[]).map_err(|all| words(&all))?;
    let simulation = experiment.simulation(None).ok_or("there is no simulation")?;
    let options = Options { threads: 1, ..Options::default() };
    let mut engine = ours::Run::new(&experiment, simulation, options).map_err(|all| words(&all))?;
    let mut recording = Recording::new(engine.schema().clone());
    let mut outcome = Ok(true);
    let seconds = seconds(|| {
        while let Ok(true) = outcome {
            outcome = engine.advance(&mut recording);
        }
    });
    match outcome {
        Ok(_) => Ok(Run { seconds, recording }),
        Err(Stop::Experiment(told)) => Err(words(&[*told])),
        Err(other) => Err(other.to_string()),
    }
}

/// Files on disk.
pub struct Disk;

impl Files for Disk {
    fn text(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| error.to_string())
    }
}

/// Diagnostics in a line.
pub fn words(diagnostics: &[Diagnostic]) -> String {
    let words: Vec<String> =
        diagnostics.iter().map(|it| format!("{} ({})", it.message, it.notes.join(", "))).collect();
    words.join("; ")
}
