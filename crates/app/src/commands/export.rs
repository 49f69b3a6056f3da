//! `gedanken export`: a recording in another format.

use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::runner::format::Format;
use crate::runner::outputs::Outputs;
use crate::runner::places::Writing;
use crate::runner::source::{Choice, Source};
use clap::Args;
use std::path::PathBuf;

/// Write a recording, or what happens in an experiment, as CSV, Arrow, JSON or text
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An experiment (.lab), which is run first, or a recording (.arrow)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Files to write: .csv for the frames as a table, .arrow for everything, .json for the events, .txt for
    /// the equations that were derived from a Lagrangian; of these only .arrow and .txt carry the equations
    #[arg(value_name = "OUT", required = true)]
    out: Vec<PathBuf>,

    /// Add a row to the table for the state after each event
    #[arg(long)]
    event_rows: bool,

    #[command(flatten)]
    choice: Choice,
}

const EXAMPLES: &str = "\
Examples:
  gedanken export drop.arrow drop.csv
  gedanken export drop.arrow drop.csv events.json --event-rows
  gedanken export double_pendulum.lab motion.csv equations.txt
  gedanken export drop.lab moon.arrow --set 'g=[0, 0, -1.62]'";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = |path: &PathBuf| {
        let format = Format::of(path, &[Format::Csv, Format::Arrow, Format::Json, Format::Text]);
        format.map(|format| (path.clone(), format)).map_err(Failure::Usage)
    };
    let files: Vec<(PathBuf, Format)> = arguments.out.iter().map(format).collect::<Result<_, _>>()?;
    let Source { recording, ended, inputs } = arguments.choice.open(&arguments.file)?;
    let mut outputs =
        Outputs::open(&files, arguments.event_rows, &recording.schema, &inputs, Writing::AtOnce)?;
    let replayed = recording.replay(&mut outputs);
    let written = outputs.close();
    let screen = Screen::of_stdout(false);
    if !written.whole.is_empty() {
        screen.print(&format!("{} written\n", written.whole.join(", ")))?;
    }
    if let Some(error) = replayed.err().or(written.failure) {
        return Err(Failure::Experiment(error.to_string()));
    }
    ended
}
