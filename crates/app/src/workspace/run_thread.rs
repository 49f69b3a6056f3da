//! Runs: each on a thread of its own, which fills a recording and tells the page how it goes.

use super::Limits;
use super::recordings::{Kept, count};
use super::run_ticket::{Crew, Order};
use super::scene::scene;
use super::stream::{Halt, Teller};
use super::text::Text;
use super::text::problems::placeless;
use crate::console::stopwatch::Stopwatch;
use crate::runner::drive::{Counting, Tally};
use crate::runner::source::end;
use crate::runner::verdict::judge;
use crate::server::{Gone, Line};
use crate::wire::{Ending, Problem, Tell, Verdict};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::Run;
use gedanken_lab::{Options, Stop};
use gedanken_lang::check::similar;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Recordings that are kept.
const KEPT: usize = 2;

/// Frames per unit of time of a run for which fewer will do.
const COARSE: f64 = 20.0;

/// The runs of a desk.
#[derive(Debug, Default)]
pub(super) struct Runs {
    current: Option<Arc<Order>>,
    crew: Arc<Crew>,
    kept: Arc<Recordings>,
}

/// The recordings of the last runs.
#[derive(Debug, Default)]
struct Recordings(Mutex<VecDeque<Arc<Kept>>>);

impl Recordings {
    fn list(&self) -> MutexGuard<'_, VecDeque<Arc<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: Arc<Kept>) {
        let mut list = self.list();
        list.push_back(kept);
        while list.len() > KEPT {
            list.pop_front();
        }
    }
}

/// What is asked for.
pub(super) struct Wanted {
    pub(super) run: u32,
    pub(super) simulation: Option<String>,
    pub(super) coarse: bool,
}

impl Runs {
    /// Begins a run; the one that goes on ends, and says nothing more.
    ///
    /// # Errors
    /// If the machine has no thread left, in a sentence.
    pub(super) fn start(
        &mut self,
        text: Arc<Text>,
        wanted: Wanted,
        line: Line,
        limits: Limits,
    ) -> Result<(), String> {
        let order = Arc::new(Order::new(wanted.run, text.revision));
        if let Some(former) = self.current.replace(Arc::clone(&order)) {
            former.forget();
        }
        let (crew, kept) = (Arc::clone(&self.crew), Arc::clone(&self.kept));
        let job = Job { order, text, wanted, line, limits, crew, kept };
        let thread = thread::Builder::new().name(format!("run {}", job.wanted.run)).stack_size(super::STACK);
        let spawned = thread.spawn(move || job.work());
        spawned.map(|_| ()).map_err(|error| format!("the run cannot begin: {error}; close other programs"))
    }

    /// Ends a run, if it goes on.
    pub(super) fn cancel(&self, run: u32) {
        if let Some(order) = self.current.as_ref().filter(|it| it.run == run) {
            order.cancel();
        }
    }

    /// The recording of a run.
    ///
    /// # Errors
    /// If it is not there, in a sentence.
    pub(super) fn find(&self, run: u32) -> Result<Arc<Kept>, String> {
        let list = self.kept.list();
        let found = list.iter().rev().find(|it| it.run == run).cloned();
        found.ok_or_else(|| match list.front() {
            Some(oldest) if run < oldest.run => {
                format!("run {run} is no longer there: the last {KEPT} runs are kept; run it again")
            }
            _ => format!("run {run} has not started"),
        })
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        if let Some(order) = &self.current {
            order.forget();
        }
    }
}

/// A run on its way to a thread.
struct Job {
    order: Arc<Order>,
    text: Arc<Text>,
    wanted: Wanted,
    line: Line,
    limits: Limits,
    crew: Arc<Crew>,
    kept: Arc<Recordings>,
}

/// What there is to say at the end.
struct Outcome {
    ending: Ending,
    notices: Vec<String>,
    verdicts: Vec<Verdict>,
}

impl Job {
    fn work(self) {
        let watch = Stopwatch::start();
        let place = self.crew.enter(&self.order);
        let mut started = None;
        let result = match &place {
            None => Outcome { ending: Ending::Cancelled {}, notices: Vec::new(), verdicts: Vec::new() },
            // What a panic leaves behind is a recording whose frames are whole, and nothing else is looked
            // at.
            Some(_) => catch_unwind(AssertUnwindSafe(|| self.run(&watch, &mut started)))
                .unwrap_or_else(|payload| Outcome::failed(our_bug(&*payload, "the run"))),
        };
        if !self.order.is_forgotten() {
            // A page that has gone needs no last word.
            let _ = self.line.tell(self.ended(result, started.as_deref(), &watch));
        }
    }

    fn tell(&self, tell: Tell) -> Result<(), Gone> {
        if self.order.is_forgotten() { Err(Gone) } else { self.line.tell(tell) }
    }

    fn ended(&self, result: Outcome, kept: Option<&Kept>, watch: &Stopwatch) -> Tell {
        let recording = kept.map(Kept::look);
        let recording = recording.as_deref();
        let start = || self.simulation().map_or(0.0, |it| it.initial_time);
        Tell::Ended {
            run: self.order.run,
            revision: self.order.revision,
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
        self.text.experiment.as_ref()?.simulation(self.wanted.simulation.as_deref())
    }

    /// Runs to the end, or as far as it comes. `started` gets the recording as soon as there is one.
    fn run(&self, watch: &Stopwatch, started: &mut Option<Arc<Kept>>) -> Outcome {
        let Some(experiment) = &self.text.experiment else {
            let help = Some("mend it first".to_owned());
            return Outcome::failed(placeless("something is wrong with the text".to_owned(), help));
        };
        let Some(own) = self.simulation() else { return Outcome::failed(self.no_simulation(experiment)) };
        let mut simulation = own.clone();
        if self.wanted.coarse {
            simulation.coarser(COARSE);
        }
        let mut engine = match Run::new(experiment, &simulation, options()) {
            Ok(engine) => engine,
            Err(found) => return self.refused(&found),
        };
        let numbers = (self.order.run, self.order.revision);
        let (scene, kept) = scene(numbers, experiment, &simulation, &engine, self.limits.pose_bytes);
        let kept = Arc::new(kept);
        *started = Some(Arc::clone(&kept));
        if !self.order.is_forgotten() {
            self.kept.keep(Arc::clone(&kept));
        }
        let (run, revision) = numbers;
        let stride = scene.stride;
        // A page that has gone is noticed at the first frame.
        let _ = self.tell(Tell::Started { run, revision, coarse: self.wanted.coarse, scene });
        let mut teller = Teller::new(&kept, &self.line, &self.order, self.limits, stride, *watch);
        let mut counting = Counting::new(engine.schema(), &mut teller);
        let stop = loop {
            match engine.advance(&mut counting) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(stop) => break Some(stop),
            }
        };
        let tally = counting.tally;
        let halt = teller.rest();
        Outcome {
            ending: self.ending(halt, stop),
            notices: tally.notices.iter().map(|(notice, _)| notice.message.clone()).collect(),
            verdicts: verdicts(experiment, &simulation, &tally),
        }
    }

    fn ending(&self, halt: Option<Halt>, stop: Option<Stop>) -> Ending {
        match (halt, stop) {
            (Some(Halt::NotWanted), _) => Ending::Cancelled {},
            (Some(Halt::Bounded(why)), _) => Ending::Bounded { why },
            (None, None) => Ending::Complete {},
            (None, Some(Stop::Experiment(found))) => {
                let problem = self.text.problems(std::slice::from_ref(&*found)).into_iter().next();
                let problem = problem.unwrap_or_else(|| placeless(found.message.clone(), None));
                Ending::Failed { problem: Box::new(problem) }
            }
            (None, Some(other)) => Ending::Failed { problem: Box::new(placeless(other.to_string(), None)) },
        }
    }

    /// What only shows when objects take part: the first as the reason, the others as they stand.
    fn refused(&self, found: &[gedanken_lang::diagnostic::Diagnostic]) -> Outcome {
        let mut problems = self.text.problems(found).into_iter();
        let first = problems.next().unwrap_or_else(|| placeless("this cannot run".to_owned(), None));
        Outcome { notices: problems.map(|it| it.message).collect(), ..Outcome::failed(first) }
    }

    fn no_simulation(&self, experiment: &Experiment) -> Problem {
        let name = self.wanted.simulation.as_deref().unwrap_or_default();
        let names: Vec<&str> = experiment.simulations.iter().map(|it| it.name.as_str()).collect();
        let advice = match similar(name, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there is {}", names.join(", ")),
        };
        placeless(format!("there is no simulation called `{name}`"), Some(advice))
    }
}

impl Outcome {
    fn failed(problem: Problem) -> Self {
        let problem = Box::new(problem);
        Self { ending: Ending::Failed { problem }, notices: Vec::new(), verdicts: Vec::new() }
    }
}

/// As fast as the machine can; nothing of it changes a result.
pub(super) fn options() -> Options {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    Options { threads, ..Options::default() }
}

/// Every measure of a simulation at its time.
fn verdicts(experiment: &Experiment, simulation: &Simulation, tally: &Tally) -> Vec<Verdict> {
    let belonging: Vec<_> = experiment.measures.iter().filter(|it| it.belongs_to(simulation)).collect();
    let judged = judge(belonging.iter().copied(), end(simulation), tally);
    let verdict =
        |(measure, judged): (&&gedanken_experiment::Measure, crate::runner::verdict::Judged)| Verdict {
            name: judged.name.clone(),
            time: judged.time,
            value: judged.value().map(|it| it.to_string()),
            expected: measure.expected.as_ref().map(|it| it.value.to_string()),
            ok: judged.verdict.as_ref().map(|it| it.ok),
        };
    belonging.iter().zip(judged).map(verdict).collect()
}

/// A panic, said plainly.
pub(super) fn our_bug(payload: &(dyn Any + Send), what: &str) -> Problem {
    let said = payload.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = format!("{what} ended by a mistake of the lab, not of yours");
    let help = "keep this experiment, and tell the authors: they will want to run it".to_owned();
    let mut problem = placeless(message, Some(help));
    problem.notes.extend(said.map(str::to_owned));
    problem
}
