//! `gedanken run`: runs an experiment, writes what happens while it happens, and sums it up.

mod resume;
mod summary;

use crate::console::interrupt::Interrupt;
use crate::console::progress::Progress;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::whole_file::await_readers;
use crate::runner::drive::{Counting, Ending, drive};
use crate::runner::flusher::Flusher;
use crate::runner::format::Format;
use crate::runner::outputs::{Outputs, Written};
use crate::runner::places::Writing;
use crate::runner::source::{Choice, Kind, chosen, end, kind};
use crate::runner::verdict::{Judged, judge};
use clap::Args;
use gedanken_lang::value::Value;
use std::path::PathBuf;
use summary::Summary;

/// Run an experiment
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The experiment (.lab), or a model of MuJoCo (.xml)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    choice: Choice,

    /// Write every frame to this file: .csv for a table, .arrow for a recording that `trace`, `plot`,
    /// `export` and `--resume` can open; can be repeated. An existing file is replaced when the run ends
    #[arg(long, value_name = "OUT")]
    record: Vec<PathBuf>,

    /// Add a row to tables for the state after each event
    #[arg(long, requires = "record")]
    event_rows: bool,

    /// Write the events to this file (.json)
    #[arg(long, value_name = "OUT.json")]
    events: Option<PathBuf>,

    /// Resume a recording of this experiment; its earlier frames become part of the new recordings
    #[arg(long, value_name = "REC.arrow")]
    resume: Option<PathBuf>,

    /// Resume from this frame, or from the nearest earlier keyframe (default: the last)
    #[arg(long, value_name = "N", requires = "resume")]
    frame: Option<usize>,

    /// Print only the fingerprint of the final state: 16 hexadecimal digits. A run that is cut has none; its
    /// fingerprint so far goes to standard error
    #[arg(long)]
    hash: bool,

    /// Print the summary as JSON
    #[arg(long, conflicts_with = "hash")]
    json: bool,

    /// Show no progress and no summary
    #[arg(short, long, conflicts_with_all = ["json", "hash"])]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken run drop.lab
  gedanken run drop.lab --set restitution=0.5 --set 'ball.v=[2, 0, 0]' --until 3
  gedanken run drop.lab --record drop.arrow --record drop.csv --events bounces.json
  gedanken run drop.lab --resume drop.arrow --until 60 --record longer.arrow
  gedanken run drop.lab --hash

Ctrl-C ends a run and keeps what was recorded. The exit code is 1 if a law
fails, a file cannot be written, or a measure misses its expected value; it is
130 after Ctrl-C and 143 after SIGTERM.";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if kind(&arguments.file)? == Kind::Recording {
        let name = arguments.file.display();
        let why = format!("{name} is a recording: name its experiment, and continue it with --resume {name}");
        return Err(Failure::Usage(why));
    }
    let files = arguments.files()?;
    let choice = &arguments.choice;
    let text = choice.read(&arguments.file)?;
    // Measures without a time hold at the end that the experiment states, whatever --until says.
    let own_end = end(chosen(&text.experiment, choice.simulation.as_deref(), &text.name)?);
    let simulation = choice.simulation(&text)?;
    let interrupt = Interrupt::of_process()?;
    let mut engine = text.engine(&simulation, choice.options(interrupt.token())?)?;
    let schema = choice.schema(&text, &engine);
    let earlier =
        arguments.resume.as_deref().map(|path| resume::read(path, arguments.frame, &schema)).transpose()?;
    let _pipes = await_readers(files.iter().map(|(path, _)| path.as_path()));
    // From here on a signal ends the run in order: files that are open must be finished.
    let _watch = interrupt.watch();
    let inputs = text.inputs(arguments.resume.as_deref());
    let outputs = Outputs::open(&files, arguments.event_rows, &schema, &inputs, Writing::DuringRun)?;
    let mut flusher = Flusher::start(outputs, interrupt.token())?;
    let mut progress =
        Progress::new(engine.frames() + 1, simulation.initial_time, end(&simulation), arguments.quiet);
    let mut counting = Counting::new(&schema, &mut flusher).telling(arguments.quiet);
    let resumed = earlier.map_or(Ok(()), |earlier| earlier.go_on(&mut engine, &mut counting));
    let ending = match resumed {
        Ok(()) => drive(&mut engine, &mut counting, &mut progress),
        Err(stop) => Ending::Failed(stop),
    };
    let tally = counting.tally;
    let wall = progress.elapsed();
    drop(progress);

    let Written { whole, cut, failure } = flusher.stop().close();
    let ending = ending.with_files(failure);
    let belonging = text.experiment.measures.iter().filter(|it| it.belongs_to(&simulation));
    let summary = Summary {
        file: &text.name,
        simulation: &simulation,
        wall,
        measures: judge(belonging, own_end, &tally),
        tally: &tally,
        ending: ending.name(),
        written: &whole,
        cut: &cut,
    };
    // The summary comes first: it is worth reading after a failure, too.
    arguments.tell(&summary)?;
    let failure = match ending {
        Ending::Complete => return missed(&summary.measures),
        Ending::Interrupted => interrupt.failure(),
        Ending::Failed(stop) => text.failure(stop),
    };
    arguments.tell_cut(&summary);
    Err(failure)
}

impl Arguments {
    /// Returns the outputs and their formats.
    fn files(&self) -> Result<Vec<(PathBuf, Format)>, Failure> {
        let with = |path: &PathBuf, among: &[Format]| {
            Format::of(path, among).map(|format| (path.clone(), format)).map_err(Failure::Usage)
        };
        let tables = self.record.iter().map(|path| with(path, &[Format::Csv, Format::Arrow]));
        let events = self.events.iter().map(|path| with(path, &[Format::Json]));
        tables.chain(events).collect()
    }

    fn tell(&self, summary: &Summary<'_>) -> Result<(), Failure> {
        let screen = Screen::of_stdout(false);
        let text = match summary.tally.hash {
            _ if self.quiet => return Ok(()),
            // The state in the middle of a run is not its result.
            Some(hash) if self.hash && summary.ending == "complete" => format!("{hash:016x}\n"),
            _ if self.hash => return Ok(()),
            _ if self.json => format!("{:#}\n", summary.as_json()),
            _ => summary.render(screen),
        };
        Ok(screen.print(&text)?)
    }

    /// Says on standard error where a run was cut, and what there is of it.
    fn tell_cut(&self, summary: &Summary<'_>) {
        if self.quiet {
            return;
        }
        let Summary { tally, simulation, ending, .. } = summary;
        let at = tally.time.map_or("nothing was computed".to_owned(), |time| {
            let (time, end) = (Value::Real(time), Value::Real(end(simulation)));
            format!("everything until t = {time} of {end} is kept")
        });
        let hash = tally.hash.filter(|_| self.hash);
        let hash = hash.map_or(String::new(), |hash| format!("; its fingerprint there is {hash:016x}"));
        terminal::eprint(&format!("the run ended early ({ending}); {at}{hash}\n"));
    }
}

/// Fails if a measure misses its expected value.
fn missed(measures: &[Judged]) -> Result<(), Failure> {
    let missed: Vec<String> = measures
        .iter()
        .filter(|it| it.is_missed())
        .filter_map(|it| it.verdict.as_ref())
        .map(|it| it.to_string())
        .collect();
    if missed.is_empty() { Ok(()) } else { Err(Failure::Experiment(missed.join("\n"))) }
}
