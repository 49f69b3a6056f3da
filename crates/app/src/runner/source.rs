//! The source of a recording: a file, or an experiment that is run in memory.

use super::drive::{Counting, Ending, drive};
use super::places::Inputs;
use crate::console::diagnostics;
use crate::console::format::{count, number};
use crate::console::interrupt::Interrupt;
use crate::console::progress::Progress;
use crate::console::terminal;
use crate::failure::Failure;
use crate::files::disk;
use crate::files::disk::Disk;
use crate::files::recording_file::{self, Part};
use clap::Args;
use gedanken_experiment::mjcf::MjcfOptions;
use gedanken_experiment::{Experiment, Override, Simulation, gallery};
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::check::similar;
use gedanken_lang::source::Sources;
use gedanken_lang::value::Value;
use gedanken_math::Cancel;
use gedanken_recording::{Recording, Schema};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Options of a run: the simulation, changed values, end and threads.
#[derive(Debug, Default, Args)]
pub(crate) struct Choice {
    /// Run this simulation of the experiment instead of the first one
    #[arg(long, value_name = "NAME")]
    pub(crate) simulation: Option<String>,

    /// Change a value before the run: NAME=VALUE of the world, OWNER.NAME=VALUE of an object or a Lagrangian;
    /// can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = Override::read)]
    pub(crate) set: Vec<Override>,

    /// End the run at this time, whatever the `duration` of the experiment; of a recording, take the frames
    /// until then
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,

    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,

    /// Evaluate the laws by the interpreter instead of native code; the result does not depend on it
    #[arg(long)]
    pub(crate) interpret: bool,

    /// Leave out what is not supported in a model (.xml), with a warning for each item
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// A recording and the end of its run. The recording can be shown even if a law failed later.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) recording: Recording,
    /// Result of the command, returned after the recording has been shown.
    pub(crate) ended: Result<(), Failure>,
    /// Files that were read.
    pub(crate) inputs: Inputs,
}

/// An experiment without errors.
#[derive(Debug)]
pub(crate) struct Text {
    /// Path as the user wrote it.
    pub(crate) name: String,
    text: String,
    pub(crate) sources: Sources,
    pub(crate) experiment: Experiment,
    /// Files it imports, path and text.
    imports: Vec<(String, String)>,
    /// All files that were read: the experiment, its imports, its shapes.
    read: Vec<PathBuf>,
}

impl Choice {
    /// Reads a recording, or runs an experiment in memory.
    pub(crate) fn open(&self, file: &Path) -> Result<Source, Failure> {
        match kind(file)? {
            Kind::Experiment | Kind::Model => self.run(file),
            Kind::Recording => {
                self.refuse_for_recordings(file)?;
                let part = self.until.map_or(Part::Whole, Part::Until);
                let inputs = Inputs { texts: Vec::new(), recording: Some(file.to_owned()) };
                Ok(Source { recording: recording_file::read(file, part)?, ended: Ok(()), inputs })
            }
        }
    }

    fn run(&self, file: &Path) -> Result<Source, Failure> {
        let text = self.read(file)?;
        let simulation = self.simulation(&text)?;
        let interrupt = Interrupt::of_process()?;
        let mut engine = text.engine(&simulation, self.options(interrupt.token())?)?;
        let mut recording = Recording::new(self.schema(&text, &engine));
        let scalars = (engine.frames() as f64 + 1.0) * recording.schema.width() as f64;
        if scalars > MAX_SCALARS {
            let (frames, size) = (count(engine.frames()), number(scalars * 8.0 / f64::from(1 << 30)));
            let why = format!("{}: {frames} frames would take {size} GiB of memory", text.name);
            return Err(Failure::Usage(format!(
                "{why}; choose an earlier time with --until, or `record` less"
            )));
        }
        let mut progress = Progress::new(engine.frames(), simulation.initial_time, end(&simulation), false);
        let watch = interrupt.watch();
        let mut counting = Counting::new(engine.schema(), &mut recording).telling(false);
        let ending = drive(&mut engine, &mut counting, &mut progress);
        drop(progress);
        // What follows keeps nothing that a signal could tear.
        drop(watch);
        let at = Value::Real(recording.times.last().copied().unwrap_or(simulation.initial_time));
        let ended = match ending {
            Ending::Complete => Ok(()),
            Ending::Interrupted => {
                let end = Value::Real(end(&simulation));
                terminal::eprint(&format!("interrupted at t = {at} of {end}\n"));
                Err(interrupt.failure())
            }
            Ending::Failed(stop) => {
                let failure = text.failure(stop);
                terminal::eprint(&format!("the run failed at t = {at}; this is what happened until then\n"));
                Err(failure)
            }
        };
        Ok(Source { recording, ended, inputs: text.inputs(None) })
    }

    /// Reads an experiment with the changed values; diagnostics are printed.
    pub(crate) fn read(&self, file: &Path) -> Result<Text, Failure> {
        let name = file.to_string_lossy().into_owned();
        let text = disk::read(file).map_err(|why| unreadable(&name, &why))?;
        let mut sources = Sources::new();
        let reading = Reading::default();
        let models = MjcfOptions { lenient: self.lenient, ..MjcfOptions::default() };
        let read = gedanken_lab::read_with(&reading, &mut sources, &name, text.clone(), &self.set, models);
        let experiment = read.map_err(|found| {
            diagnostics::report(&found, &sources);
            Failure::Reported
        })?;
        diagnostics::report(&experiment.warnings, &sources);
        let Reading { texts, paths } = reading;
        let read = std::iter::once(file.to_owned()).chain(paths.into_inner()).collect();
        Ok(Text { name, text, sources, experiment, imports: texts.into_inner(), read })
    }

    /// Returns the chosen simulation with the chosen duration.
    pub(crate) fn simulation(&self, text: &Text) -> Result<Simulation, Failure> {
        self.simulation_of(&text.experiment, &text.name)
    }

    /// Returns the chosen simulation of the experiment in `file` with the chosen duration.
    pub(crate) fn simulation_of(&self, experiment: &Experiment, file: &str) -> Result<Simulation, Failure> {
        let mut simulation = chosen(experiment, self.simulation.as_deref(), file).cloned()?;
        let Some(until) = self.until else { return Ok(simulation) };
        let start = simulation.initial_time;
        if !(until.is_finite() && until > start) {
            let start = Value::Real(start);
            return Err(Failure::Usage(format!(
                "--until {until}: the time must be after the start, t = {start}"
            )));
        }
        simulation.duration = until - start;
        let frames = simulation.duration * simulation.frame_rate;
        if frames > MAX_FRAMES {
            let why = format!(
                "--until {until}: the run would have more than {MAX_FRAMES:e} frames; choose an earlier time"
            );
            return Err(Failure::Usage(why));
        }
        Ok(simulation)
    }

    /// Returns the options of the engine.
    pub(crate) fn options(&self, cancel: Cancel) -> Result<Options, Failure> {
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(available, usize::from);
        if self.threads.is_some() {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build_global().map_err(|error| Failure::Usage(format!("{threads} threads: {error}")))?;
        }
        Ok(Options { native: !self.interpret, threads, cancel, ..Options::default() })
    }

    /// Returns the schema of the recording, with the text, imports and parameters that it comes from.
    pub(crate) fn schema(&self, text: &Text, engine: &Run<'_>) -> Schema {
        let written = |it: &Override| match &it.object {
            Some(object) => format!("{object}.{}={}", it.attribute, it.text),
            None => format!("{}={}", it.attribute, it.text),
        };
        Schema {
            text: text.text.clone(),
            path: text.name.clone(),
            imports: text.imports.clone(),
            parameters: self.set.iter().map(written).collect(),
            ..engine.schema().clone()
        }
    }

    /// Refuses options of a run for a recording, which is complete.
    fn refuse_for_recordings(&self, file: &Path) -> Result<(), Failure> {
        let Self { simulation, set, until: _, threads, interpret, lenient } = self;
        let given = [
            (simulation.is_some(), "--simulation"),
            (!set.is_empty(), "--set"),
            (threads.is_some(), "--threads"),
            (*interpret, "--interpret"),
            (*lenient, "--lenient"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => {
                let name = file.display();
                Err(Failure::Usage(format!(
                    "{option} cannot be used with a recording ({name}); it only applies when an experiment is run"
                )))
            }
            None => Ok(()),
        }
    }
}

/// Maximum number of scalars of a run in memory: 4 GiB.
const MAX_SCALARS: f64 = (1u64 << 29) as f64;

/// Maximum number of frames, as in experiments: more would fill any disk.
const MAX_FRAMES: f64 = 1e8;

impl Text {
    /// Returns the text as it was read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the files that a run of it reads.
    pub(crate) fn inputs(&self, recording: Option<&Path>) -> Inputs {
        Inputs { texts: self.read.clone(), recording: recording.map(Path::to_owned) }
    }

    /// Builds the engine at its initial state; diagnostics are printed.
    pub(crate) fn engine<'e>(
        &'e self,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Run<'e>, Failure> {
        Run::new(&self.experiment, simulation, options).map_err(|found| {
            diagnostics::report(&found, &self.sources);
            Failure::Reported
        })
    }

    /// Converts the stop of a run to a failure of the command; diagnostics of the text are printed here.
    pub(crate) fn failure(&self, stop: Stop) -> Failure {
        match stop {
            Stop::Experiment(diagnostic) => {
                diagnostics::report(std::slice::from_ref(&*diagnostic), &self.sources);
                Failure::Reported
            }
            // Files say their names themselves.
            Stop::Sink(error) => Failure::Experiment(error.to_string()),
            other => Failure::Experiment(other.to_string()),
        }
    }
}

/// Returns the end time of a simulation.
pub(crate) fn end(simulation: &Simulation) -> f64 {
    simulation.initial_time + simulation.duration
}

/// Content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Experiment,
    /// A model of MuJoCo.
    Model,
    Recording,
}

/// Returns the content of a file by its ending.
pub(crate) fn kind(file: &Path) -> Result<Kind, Failure> {
    let name = file.to_string_lossy();
    if recording_file::is_recording(file) {
        return Ok(Kind::Recording);
    }
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("lab") => Ok(Kind::Experiment),
        Some("xml") => Ok(Kind::Model),
        _ if !file.exists() => Err(unreadable(&name, "there is no such file")),
        Some("csv") => Err(Failure::Usage(format!(
            "{name} is a table (.csv), which cannot be opened again; record the run as .arrow instead"
        ))),
        _ => Err(Failure::Usage(format!(
            "{name} is neither an experiment (.lab), a model (.xml) nor a recording (.arrow)"
        ))),
    }
}

/// Makes the failure for a file that cannot be read; for the name of an example, with help to copy it.
pub(crate) fn unreadable(name: &str, why: &str) -> Failure {
    let example = Path::new(name).file_name().and_then(|name| gallery::experiment(name.to_str()?));
    let help = match example.and_then(|file| file.title()) {
        Some(title) if !Path::new(name).exists() => {
            format!("\nhelp: {title} is an example; `gedanken examples {title} --copy` writes it here")
        }
        _ => String::new(),
    };
    Failure::Usage(format!("{name} cannot be read: {why}{help}"))
}

/// Returns the chosen simulation.
pub(crate) fn chosen<'e>(
    experiment: &'e Experiment,
    asked: Option<&str>,
    file: &str,
) -> Result<&'e Simulation, Failure> {
    experiment.simulation(asked).ok_or_else(|| {
        let name = asked.unwrap_or_default();
        let names: Vec<&str> = experiment.simulations.iter().map(|it| it.name.as_str()).collect();
        let advice = match similar(name, names.iter().copied()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("there is {}", names.join(", ")),
        };
        Failure::Usage(format!("{file} has no simulation {name}: {advice}"))
    })
}

/// Files on disk, with a list of every text that was read: a recording holds all of them.
#[derive(Debug, Default)]
struct Reading {
    texts: RefCell<Vec<(String, String)>>,
    /// Paths of texts and shapes.
    paths: RefCell<Vec<PathBuf>>,
}

impl gedanken_experiment::Files for Reading {
    fn text(&self, path: &str) -> Result<String, String> {
        let text = gedanken_experiment::Files::text(&Disk, path)?;
        self.paths.borrow_mut().push(path.into());
        let mut texts = self.texts.borrow_mut();
        if !texts.iter().any(|(known, _)| known == path) {
            texts.push((path.to_owned(), text.clone()));
        }
        Ok(text)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.paths.borrow_mut().push(path.into());
        gedanken_experiment::Files::bytes(&Disk, path)
    }
}
