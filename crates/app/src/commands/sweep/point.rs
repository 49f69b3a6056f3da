//! One run of a sweep, and its row.

use super::collect::Collected;
use super::remembered::Remembered;
use crate::failure::Failure;
use crate::runner::source::{Choice, Text};
use gedanken_experiment::Override;
use gedanken_lab::sweep::Grid;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use gedanken_recording::formula::Formula;
use gedanken_recording::{Event, Frame, Notice, Recording, Schema, Sink};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All that the runs share.
pub(super) struct Points<'s> {
    pub(super) text: &'s Text,
    pub(super) files: &'s Remembered,
    pub(super) choice: &'s Choice,
    pub(super) grid: &'s Grid,
    pub(super) collected: &'s Collected,
    pub(super) options: Options,
}

/// What came of a run.
#[derive(Debug)]
pub(super) struct Row {
    /// Number of the point in the grid, counted from 0.
    pub(super) point: u64,
    /// Values of the parameters.
    pub(super) parameters: Vec<f64>,
    /// Scalars of all that is collected; NaN where there is no value.
    pub(super) values: Vec<f64>,
    /// Time of the last frame; `None` if the run never began.
    pub(super) time: Option<f64>,
    /// Hash of the last frame.
    pub(super) hash: Option<u64>,
    /// Number of events.
    pub(super) events: u64,
    /// Remarks of the run, each once.
    pub(super) notices: Vec<String>,
    /// Why it failed, if it did.
    pub(super) failure: Option<String>,
}

/// What a thread keeps from one run to the next: formulas are read again only if a run has other columns.
#[derive(Debug, Default)]
pub(super) struct Worker {
    formulas: Option<(Schema, Vec<Formula>)>,
}

/// Why a run has no whole row.
enum Unfinished {
    /// The sweep was interrupted.
    Cancelled,
    /// It failed, for this reason.
    Failed(String),
}

impl From<Failure> for Unfinished {
    fn from(failure: Failure) -> Self {
        Self::Failed(match failure {
            Failure::Usage(why) | Failure::Experiment(why) => why,
            other => format!("{other:?}"),
        })
    }
}

impl Points<'_> {
    /// Runs a point; `None` if the sweep was interrupted meanwhile.
    pub(super) fn run(&self, point: u64, worker: &mut Worker) -> Option<Row> {
        let mut row = Row {
            point,
            parameters: self.grid.values(point),
            values: vec![f64::NAN; self.collected.width()],
            time: None,
            hash: None,
            events: 0,
            notices: Vec::new(),
            failure: None,
        };
        let ran = catch_unwind(AssertUnwindSafe(|| self.attempt(&mut row, worker)));
        match ran {
            Ok(Ok(())) => {}
            Ok(Err(Unfinished::Cancelled)) => return None,
            Ok(Err(Unfinished::Failed(why))) => row.failure = Some(why),
            Err(_) => {
                // What it kept may be torn.
                *worker = Worker::default();
                row.failure =
                    Some("internal error: the run crashed; please report it with this file".to_owned());
            }
        }
        Some(row)
    }

    fn attempt(&self, row: &mut Row, worker: &mut Worker) -> Result<(), Unfinished> {
        let Self { text, files, choice, grid, collected, options } = self;
        let mut sources = Sources::new();
        let settings: Vec<Override> = choice.set.iter().cloned().chain(grid.settings(row.point)).collect();
        let read = gedanken_lab::read(*files, &mut sources, &text.name, text.text().to_owned(), &settings);
        let experiment = read.map_err(|found| self.unless_cancelled(&found))?;
        let simulation = choice.simulation_of(&experiment, &text.name)?;
        let engine = Run::new(&experiment, &simulation, options.clone());
        let mut engine = engine.map_err(|found| self.unless_cancelled(&found))?;

        let at: Vec<Option<f64>> = collected.items.iter().map(|item| item.time(&experiment)).collect();
        let mut kept = Kept::new(engine.schema().clone(), at.iter().any(Option::is_some));
        let ended = loop {
            match engine.advance(&mut kept) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(stop) => break Err(stop),
            }
        };
        let Kept { recording, events, notices, .. } = kept;
        (row.events, row.notices) = (events, notices);
        (row.time, row.hash) = (recording.times.last().copied(), recording.hashes.last().copied());
        ended.map_err(|stop| match stop {
            Stop::Cancelled => Unfinished::Cancelled,
            Stop::Experiment(diagnostic) => Unfinished::Failed(told(&diagnostic)),
            other => Unfinished::Failed(other.to_string()),
        })?;
        row.values = worker.values(collected, &recording, &at)?;
        Ok(())
    }

    /// The first error; nothing, if the sweep was interrupted: what was found then means nothing.
    fn unless_cancelled(&self, found: &[Diagnostic]) -> Unfinished {
        match found.iter().find(|it| it.is_error()) {
            Some(error) if !self.options.cancel.is_asked() => Unfinished::Failed(told(error)),
            _ => Unfinished::Cancelled,
        }
    }
}

/// A diagnostic in one line.
fn told(diagnostic: &Diagnostic) -> String {
    format!("{}: {}", diagnostic.code, diagnostic.message)
}

impl Worker {
    /// Scalars of all that is collected.
    fn values(
        &mut self,
        collected: &Collected,
        recording: &Recording,
        at: &[Option<f64>],
    ) -> Result<Vec<f64>, Unfinished> {
        let schema = &recording.schema;
        let same = |known: &Schema| {
            known.quantities == schema.quantities
                && known.objects == schema.objects
                && known.constants.len() == schema.constants.len()
                && known
                    .constants
                    .iter()
                    .zip(&schema.constants)
                    .all(|(a, b)| (a.owner, &a.name, &a.ty) == (b.owner, &b.name, &b.ty))
        };
        if !self.formulas.as_ref().is_some_and(|(known, _)| same(known)) {
            let lacks = || Unfinished::Failed("this run does not have what is collected".to_owned());
            self.formulas = Some((schema.clone(), collected.formulas(schema).ok_or_else(lacks)?));
        }
        let formulas = self.formulas.iter_mut().flat_map(|(_, formulas)| formulas);
        let items = collected.items.iter().zip(formulas).zip(at);
        Ok(items.flat_map(|((item, formula), at)| item.scalars(formula, recording, *at)).collect())
    }
}

/// A sink that keeps the last frame, or all of them, and counts events.
struct Kept {
    recording: Recording,
    /// `true` if something is collected at a time of its own.
    is_whole: bool,
    events: u64,
    notices: Vec<String>,
}

impl Kept {
    fn new(schema: Schema, is_whole: bool) -> Self {
        Self { recording: Recording::new(schema), is_whole, events: 0, notices: Vec::new() }
    }
}

impl Sink for Kept {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        if !self.is_whole {
            self.recording.truncate(0);
        }
        self.recording.frame(frame)
    }

    /// Nobody resumes it.
    fn wants_keyframes(&self) -> bool {
        false
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.events += 1;
        if self.is_whole { self.recording.event(event) } else { Ok(()) }
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        if !self.notices.contains(&notice.message) {
            self.notices.push(notice.message.clone());
        }
        Ok(())
    }
}
