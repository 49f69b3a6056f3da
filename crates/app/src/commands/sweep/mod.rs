//! `gedanken sweep`: runs an experiment for every point of a grid of parameters, on all cores, and sums up
//! what came out.
//!
//! Points are handed out one by one, whoever is free takes the next, and rows are written in the order of the
//! points. So the table does not depend on the number of threads.

mod collect;
mod point;
mod remembered;
mod summary;
mod table;

use crate::console::diagnostics;
use crate::console::format::{count, plural};
use crate::console::interrupt::Interrupt;
use crate::console::progress::SweepProgress;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::whole_file::await_readers;
use crate::runner::source::{Choice, Kind, Text, kind};
use clap::Args;
use collect::Collected;
use gedanken_experiment::Override;
use gedanken_lab::sweep::{Axis, Grid};
use gedanken_lab::{Options, SharedCode};
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Sources;
use point::{Points, Row, Worker};
use remembered::Remembered;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use summary::Summary;
use table::Tables;

/// Run an experiment for many values of its parameters
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The experiment (.lab)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Vary a value, named as in --set: NAME=FROM:TO, NAME=FROM:TO:STEP (else the step is 1) or
    /// NAME=VALUE,VALUE; can be repeated: all combinations are run, and the last one varies fastest
    #[arg(long, value_name = "NAME=VALUES", required = true, value_parser = Axis::read)]
    over: Vec<Axis>,

    /// Collect these, separated by commas: names of measures, each at its time; OBJECT.ATTRIBUTE or any
    /// formula, at the end of the run (default: all measures)
    #[arg(long, value_name = "NAME,…")]
    collect: Vec<String>,

    /// Write a row for each run to this file: .csv for a table, .json for a list; can be repeated. An
    /// existing file is replaced when the sweep ends
    #[arg(long, value_name = "OUT")]
    record: Vec<PathBuf>,

    #[command(flatten)]
    choice: Choice,

    /// Print the rows and the summary as JSON
    #[arg(long)]
    json: bool,

    /// Show no progress and no summary
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken sweep drop.lab --over restitution=0:1:0.05 --collect ball.v --record drop.csv
  gedanken sweep dice.lab --over seed=1:10000 --collect face
  gedanken sweep dice.lab --over mass=1,2,5 --over seed=1:100 --collect face,die.v
  gedanken sweep dice.lab --over seed=1:100 --collect 'norm(die.v)' --until 3

A quantity with a few values, such as the face of a die, is counted, and the
counts are compared with equal ones; of all others mean, deviation and
quartiles are printed. Rows are the same with any number of threads.

A run that fails has a row that says why, and the sweep goes on; the exit code
is then 1. Ctrl-C ends a sweep and keeps the rows so far: 130. That a measure
misses its expected value is no failure here.";

/// Interval between flushes of the rows.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Rows that may wait to be written.
const MAX_WAITING: usize = 1024;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if kind(&arguments.file)? == Kind::Recording {
        let name = arguments.file.display();
        return Err(Failure::Usage(format!("{name} is a recording: name the experiment to run")));
    }
    let choice = &arguments.choice;
    let grid = Grid::new(arguments.over.clone()).map_err(|why| Failure::Usage(format!("--over: {why}")))?;
    refuse_both(&grid, &choice.set)?;
    let formats = table::formats(&arguments.record)?;
    let text = choice.read(&arguments.file)?;
    let interrupt = Interrupt::of_process()?;
    let options = choice.options(interrupt.token())?;
    let files = Remembered::new(interrupt.token());
    check_names(&files, &text, choice, &grid)?;
    let collected = Collected::new(&arguments.collect, &text, choice)?;

    // Each run has one thread, and every thread has runs.
    let threads = options.threads;
    let points = Points {
        text: &text,
        files: &files,
        choice,
        grid: &grid,
        collected: &collected,
        options: Options { threads: 0, shared: Some(SharedCode::default()), ..options },
    };
    let _pipes = await_readers(arguments.record.iter().map(PathBuf::as_path));
    // From here on a signal ends the sweep in order: files that are open must be finished.
    let _watch = interrupt.watch();
    let inputs = text.inputs(None);
    let mut tables = Tables::open(&formats, arguments.json, &inputs, &grid, &collected)?;
    let mut summary = Summary::new(&text, &collected.simulation, &grid, &collected);
    let mut progress = SweepProgress::new(grid.count(), arguments.quiet);
    let swept = sweep(&points, threads, &mut |row| {
        if let Some(row) = row {
            tables.row(row)?;
            summary.add(row);
            progress.at(summary.runs(), summary.failed());
            return Ok(());
        }
        tables.flush()
    });
    let wall = progress.elapsed();
    drop(progress);

    let is_interrupted = interrupt.token().is_asked() && summary.runs() < grid.count();
    let (written, failure) = tables.close();
    let failure = swept.err().or(failure);
    summary.end(wall, written);
    tell(arguments, &summary)?;
    match failure {
        // Whoever read the rows has enough of them.
        Some(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error.into()),
        Some(error) => return Err(Failure::Experiment(error.to_string())),
        None => {}
    }
    if is_interrupted {
        let (done, all) = (count(summary.runs()), plural(grid.count(), "run"));
        terminal::eprint(&format!("the sweep ended early (interrupted); {done} of {all} are kept\n"));
        return Err(interrupt.failure());
    }
    summary.failure().map_or(Ok(()), |why| Err(Failure::Experiment(why)))
}

/// Refuses a parameter that has a fixed value too.
fn refuse_both(grid: &Grid, set: &[Override]) -> Result<(), Failure> {
    let is_set =
        |axis: &&Axis| set.iter().any(|it| it.object == axis.owner && it.attribute == axis.attribute);
    match grid.axes().iter().find(is_set) {
        Some(axis) => {
            let name = axis.name();
            Err(Failure::Usage(format!("`{name}` is in --set and in --over: leave one of them out")))
        }
        None => Ok(()),
    }
}

/// Reads the first point: parameters that do not exist, or are no numbers, are mistakes of the command line and
/// not of a run.
fn check_names(files: &Remembered, text: &Text, choice: &Choice, grid: &Grid) -> Result<(), Failure> {
    let mut sources = Sources::new();
    let settings: Vec<Override> = choice.set.iter().cloned().chain(grid.settings(0)).collect();
    let read = gedanken_lab::read(files, &mut sources, &text.name, text.text().to_owned(), &settings);
    let found = read.err().unwrap_or_default();
    let mut wrong: Vec<_> =
        found.into_iter().filter(|it| [Code::E717, Code::E718].contains(&it.code)).collect();
    for diagnostic in wrong.iter_mut().filter(|it| it.code == Code::E718) {
        let way_out = "only numbers can be varied: give the number a name of its own, as an attribute of the world, \
                       use it in the value, and vary that name";
        diagnostic.help = Some(way_out.to_owned());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    diagnostics::report(&wrong, &sources);
    Err(Failure::Reported)
}

/// Runs all points on so many threads and hands the rows over in their order; `None` now and then, for rows to
/// be flushed. An interruption hands over what was finished.
///
/// # Errors
/// The first error of `take`, which ends the sweep.
fn sweep(
    points: &Points<'_>,
    threads: usize,
    take: &mut dyn FnMut(Option<&Row>) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = sync_channel(MAX_WAITING);
    // The scope is that of the pool, in which the runs may go wide, but this thread stays out of it and writes.
    rayon::in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move |_| work(points, next, &sender));
        }
        drop(sender);
        let taken = in_order(&receiver, take);
        if taken.is_err() {
            // Whoever still runs works for nobody.
            points.options.cancel.ask();
        }
        drop(receiver);
        taken
    })
}

/// Runs one point after another, until there are no more or nobody wants them.
fn work(points: &Points<'_>, next: &AtomicU64, sender: &SyncSender<Row>) {
    let mut worker = Worker::default();
    while !points.options.cancel.is_asked() {
        // Nothing else is shared, so that the order of the counter against other memory does not matter.
        let point = next.fetch_add(1, Ordering::Relaxed);
        if point >= points.grid.count() {
            return;
        }
        let Some(row) = points.run(point, &mut worker) else { return };
        if sender.send(row).is_err() {
            return;
        }
    }
}

/// Takes rows in the order of their points. What was finished beyond a gap comes last.
fn in_order(
    receiver: &Receiver<Row>,
    take: &mut dyn FnMut(Option<&Row>) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting: BTreeMap<u64, Row> = BTreeMap::new();
    let mut next = 0;
    let mut watch = crate::console::stopwatch::Stopwatch::start();
    loop {
        match receiver.recv_timeout(FLUSH_INTERVAL) {
            Ok(row) => {
                waiting.insert(row.point, row);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(row) = waiting.remove(&next) {
            take(Some(&row))?;
            next += 1;
        }
        if watch.elapsed() >= FLUSH_INTERVAL {
            take(None)?;
            watch = crate::console::stopwatch::Stopwatch::start();
        }
    }
    waiting.values().try_for_each(|row| take(Some(row)))
}

fn tell(arguments: &Arguments, summary: &Summary<'_>) -> Result<(), Failure> {
    let screen = Screen::of_stdout(false);
    let text = match (arguments.quiet, arguments.json) {
        (true, _) => return Ok(()),
        // The rows have been printed.
        (_, true) => format!("{}\n", table::end_of_document(&summary.as_json())),
        _ => summary.render(screen),
    };
    Ok(screen.print(&text)?)
}
