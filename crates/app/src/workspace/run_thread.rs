//! A run on a thread of its own: fills a recording and sends its progress to the page.

use super::Limits;
use super::recordings::{Recordings, RunRecording, count};
use super::run_ticket::{RunGate, RunTicket};
use super::scene::scene;
use super::stream::RunStream;
use super::text::Text;
use super::text::problems::problem_without_place;
use super::time_limit::TimeLimit;
use crate::console::format::number;
use crate::console::stopwatch::Stopwatch;
use crate::runner::drive::{Counting, Tally};
use crate::runner::source::end;
use crate::runner::verdict::judge;
use crate::server::{Disconnected, Outbox};
use crate::wire::{Ending, Problem, Reply, Verdict};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::check::similar;
use gedanken_math::Cancel;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Frames per unit of time of a coarse run.
const COARSE_FRAME_RATE: f64 = 20.0;

/// The run that a page asks for.
pub(super) struct RunRequest {
    /// Number that the page gave it.
    pub(super) run: u32,
    /// Name of the simulation; `None` for the first.
    pub(super) simulation: Option<String>,
    /// `true` if fewer frames will do, as while a slider is dragged.
    pub(super) coarse: bool,
    /// `true` if contacts, and forces of joints, are recorded in any case.
    pub(super) forces: bool,
}

/// A run on its way to a thread.
pub(super) struct RunThread {
    pub(super) ticket: Arc<RunTicket>,
    pub(super) text: Arc<Text>,
    pub(super) request: RunRequest,
    pub(super) outbox: Outbox,
    pub(super) limits: Limits,
    pub(super) gate: Arc<RunGate>,
    pub(super) recordings: Arc<Recordings>,
}

/// Result of a run.
struct Outcome {
    ending: Ending,
    notices: Vec<String>,
    verdicts: Vec<Verdict>,
}

impl RunThread {
    /// Waits for a permit, runs to the end and tells the page how it ended.
    pub(super) fn work(self) {
        let watch = Stopwatch::start();
        let place = self.gate.enter(&self.ticket);
        let mut started = None;
        let result = match &place {
            None => Outcome::without_measures(Ending::Cancelled {}),
            // What a panic leaves behind is a recording whose frames are whole, and nothing else is looked
            // at.
            Some(_) => catch_unwind(AssertUnwindSafe(|| self.run(&watch, &mut started)))
                .unwrap_or_else(|payload| Outcome::failed(internal_error(&*payload, "the run"))),
        };
        if !self.ticket.is_abandoned() {
            // A page that has gone needs no last word.
            let _ = self.outbox.send(self.ended(result, started.as_deref(), &watch));
        }
    }

    fn send(&self, reply: Reply) -> Result<(), Disconnected> {
        if self.ticket.is_abandoned() { Err(Disconnected) } else { self.outbox.send(reply) }
    }

    fn ended(&self, result: Outcome, run_recording: Option<&RunRecording>, watch: &Stopwatch) -> Reply {
        let recording = run_recording.map(RunRecording::read);
        let recording = recording.as_deref();
        let start = || self.simulation().map_or(0.0, |it| it.initial_time);
        Reply::Ended {
            run: self.ticket.run,
            revision: self.ticket.revision,
            ending: result.ending,
            frames: recording.map_or(0, |it| count(it.frames())),
            time: recording.and_then(|it| it.times.last().copied()).unwrap_or_else(start),
            events: recording.map_or(0, |it| count(it.events.len())),
            notices: result.notices,
            verdicts: result.verdicts,
            hash: recording
                .and_then(|it| it.hashes.last())
                .map_or_else(String::new, |hash| format!("{hash:016x}")),
            took: watch.elapsed().as_secs_f64(),
        }
    }

    fn simulation(&self) -> Option<&Simulation> {
        self.text.experiment.as_ref()?.simulation(self.request.simulation.as_deref())
    }

    /// Runs to the end or to a failure. `started` gets the recording as soon as there is one.
    fn run(&self, watch: &Stopwatch, started: &mut Option<Arc<RunRecording>>) -> Outcome {
        let Some(experiment) = &self.text.experiment else {
            let help = Some("mend it first".to_owned());
            return Outcome::failed(problem_without_place(
                "something is wrong with the text".to_owned(),
                help,
            ));
        };
        let Some(own) = self.simulation() else { return Outcome::failed(self.no_simulation(experiment)) };
        let mut simulation = own.clone();
        if self.request.coarse {
            simulation.coarser(COARSE_FRAME_RATE);
        }
        let left = Duration::from_secs_f64(self.limits.seconds).saturating_sub(watch.elapsed());
        let limit = match TimeLimit::start(left, self.ticket.cancel.clone()) {
            Ok(limit) => limit,
            Err(why) => return Outcome::failed(problem_without_place(why, None)),
        };
        let options = Options { forces: self.request.forces, ..options(&self.ticket.cancel) };
        let mut engine = match Run::new(experiment, &simulation, options) {
            Ok(engine) => engine,
            Err(_) if self.ticket.cancel.is_asked() => {
                return Outcome::without_measures(self.cancelled(limit.finish(), None));
            }
            Err(found) => return self.refused(&found),
        };
        let numbers = (self.ticket.run, self.ticket.revision);
        let (scene, run_recording) = scene(numbers, experiment, &simulation, &engine, self.limits.pose_bytes);
        let run_recording = Arc::new(run_recording);
        *started = Some(Arc::clone(&run_recording));
        if !self.ticket.is_abandoned() {
            self.recordings.keep(Arc::clone(&run_recording));
        }
        let (run, revision) = numbers;
        let stride = scene.stride;
        // A page that has gone is noticed at the first frame.
        let _ = self.send(Reply::Started { run, revision, coarse: self.request.coarse, scene });
        let mut stream =
            RunStream::new(&run_recording, &self.outbox, &self.ticket, self.limits, stride, *watch);
        let mut counting = Counting::new(engine.schema(), &mut stream);
        let stop = loop {
            match engine.advance(&mut counting) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(stop) => break Some(stop),
            }
        };
        let tally = counting.tally;
        let (too_large, is_late) = (stream.finish(), limit.finish());
        let ending = match (too_large, stop) {
            (Some(why), _) => Ending::Bounded { why },
            (None, Some(Stop::Cancelled)) => self.cancelled(is_late, tally.time),
            (None, stop) => self.ending(stop),
        };
        Outcome {
            ending,
            notices: tally.notices.iter().map(|(notice, _)| notice.message.clone()).collect(),
            verdicts: verdicts(experiment, &simulation, &tally),
        }
    }

    /// Returns the ending of a run whose token was asked: by the page, or since its time was over.
    fn cancelled(&self, is_late: bool, time: Option<f64>) -> Ending {
        if !is_late {
            return Ending::Cancelled {};
        }
        let (until, seconds) = (RunStream::until(time), number(self.limits.seconds));
        Ending::Bounded {
            why: format!(
                "the run was stopped{until}, after {seconds} seconds: shorten the `duration`, take fewer objects, or use \
                 `gedanken run`, which has no time limit"
            ),
        }
    }

    fn ending(&self, stop: Option<Stop>) -> Ending {
        match stop {
            None => Ending::Complete {},
            Some(Stop::Experiment(found)) => {
                let problem = self.text.problems(std::slice::from_ref(&*found)).problems.into_iter().next();
                let problem = problem.unwrap_or_else(|| problem_without_place(found.message.clone(), None));
                Ending::Failed { problem: Box::new(problem) }
            }
            Some(other) => {
                Ending::Failed { problem: Box::new(problem_without_place(other.to_string(), None)) }
            }
        }
    }

    /// Makes the outcome of diagnostics that only appear when a run is built: the first is the reason, the
    /// others are notices.
    fn refused(&self, found: &[gedanken_lang::diagnostic::Diagnostic]) -> Outcome {
        let mut problems = self.text.problems(found).problems.into_iter();
        let first =
            problems.next().unwrap_or_else(|| problem_without_place("this cannot run".to_owned(), None));
        Outcome { notices: problems.map(|it| it.message).collect(), ..Outcome::failed(first) }
    }

    fn no_simulation(&self, experiment: &Experiment) -> Problem {
        let name = self.request.simulation.as_deref().unwrap_or_default();
        let names: Vec<&str> = experiment.simulations.iter().map(|it| it.name.as_str()).collect();
        let advice = match similar(name, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there is {}", names.join(", ")),
        };
        problem_without_place(format!("there is no simulation called `{name}`"), Some(advice))
    }
}

impl Outcome {
    fn failed(problem: Problem) -> Self {
        Self::without_measures(Ending::Failed { problem: Box::new(problem) })
    }

    /// The outcome of a run that has no frames.
    const fn without_measures(ending: Ending) -> Self {
        Self { ending, notices: Vec::new(), verdicts: Vec::new() }
    }
}

/// Returns the options of a run: as many threads as the machine has, which changes no result.
pub(super) fn options(cancel: &Cancel) -> Options {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    Options { threads, cancel: cancel.clone(), ..Options::default() }
}

/// Returns the verdicts on all measures of a simulation.
fn verdicts(experiment: &Experiment, simulation: &Simulation, tally: &Tally) -> Vec<Verdict> {
    let belonging: Vec<_> = experiment.measures.iter().filter(|it| it.belongs_to(simulation)).collect();
    let judged = judge(belonging.iter().copied(), end(simulation), tally);
    let verdict =
        |(measure, judged): (&&gedanken_experiment::Measure, crate::runner::verdict::Judged)| Verdict {
            name: judged.name.clone(),
            time: judged.time,
            value: judged.value().map(|it| it.to_string()),
            expected: measure.expected.as_ref().map(|it| it.value.to_string()),
            tolerance: judged.verdict.as_ref().map(|it| it.tolerance),
            miss: judged.verdict.as_ref().map(|it| it.miss).filter(|it| it.is_finite()),
            ok: judged.verdict.as_ref().map(|it| it.ok),
        };
    belonging.iter().zip(judged).map(verdict).collect()
}

/// Converts a panic to a problem for the user.
pub(super) fn internal_error(payload: &(dyn Any + Send), what: &str) -> Problem {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = format!("internal error: {what} crashed");
    let help =
        "this is a bug in Gedanken, not in your experiment; please report it and attach this file".to_owned();
    let mut problem = problem_without_place(message, Some(help));
    problem.notes.extend(said.map(str::to_owned));
    problem
}
