//! `gedanken check`: every mistake that can be found in a file without running it, and all damage of a
//! recording.

mod recording;

use super::fmt::dialect;
use crate::console::diagnostics;
use crate::console::format::plural;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk;
use crate::files::disk::Disk;
use crate::files::recording_file;
use crate::runner::source::chosen;
use clap::Args;
use gedanken_experiment::{Experiment, Override, Simulation};
use gedanken_lang::diagnostic::{Diagnostic, to_json};
use gedanken_lang::load::check_text;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::Dialect;
use gedanken_lang::value::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Look for mistakes in experiments (.lab) and libraries (.vfl), and for damage in recordings (.arrow)
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files to check, with all they import
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change a value before the check: NAME=VALUE of the world, OWNER.NAME=VALUE of an object or a
    /// Lagrangian
    #[arg(long, value_name = "NAME=VALUE", value_parser = Override::read)]
    set: Vec<Override>,

    /// Report on this simulation instead of the first one of the experiment
    #[arg(long, value_name = "NAME")]
    simulation: Option<String>,

    /// Print the diagnostics as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken check ramp.lab
  gedanken check ramp.lab --set friction=0.1 --set 'ball.v=[0, 0, 1]'
  gedanken check lib/*.vfl --json
  gedanken check drop.arrow";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !(arguments.set.is_empty() && arguments.simulation.is_none()
        || arguments.files.iter().any(|file| is_experiment(file)))
    {
        let why = "--set and --simulation only apply to experiments, and none of the files ends in .lab";
        return Err(Failure::Usage(why.to_owned()));
    }
    let is_recording = |file: &&PathBuf| recording_file::is_recording(file);
    let (recordings, texts): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.files.iter().partition(is_recording);
    if arguments.json && !recordings.is_empty() && !texts.is_empty() {
        let why = "--json prints either diagnostics of texts or the state of recordings; check them apart";
        return Err(Failure::Usage(why.to_owned()));
    }
    let of_texts = if texts.is_empty() { Ok(()) } else { check_texts(arguments, &texts) };
    let of_recordings = match recordings.is_empty() {
        true => Ok(()),
        false => recording::check(&recordings, arguments.json),
    };
    of_texts.and(of_recordings)
}

fn is_experiment(file: &Path) -> bool {
    dialect(file) == Dialect::Experiment || file.extension().is_some_and(|it| it == "xml")
}

fn check_texts(arguments: &Arguments, files: &[&PathBuf]) -> Result<(), Failure> {
    let mut sources = Sources::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut told = HashSet::new();
    let mut summaries = String::new();
    // The others are checked all the same.
    let mut unreadable: Vec<String> = Vec::new();
    for &file in files {
        let name = file.to_string_lossy();
        let text = match disk::read(file) {
            Ok(text) => text,
            Err(why) => {
                unreadable.push(format!("{name} cannot be read: {why}"));
                continue;
            }
        };
        let found = if is_experiment(file) {
            match gedanken_lab::read(&Disk, &mut sources, &name, text, &arguments.set) {
                Ok(experiment) => {
                    let simulation = chosen(&experiment, arguments.simulation.as_deref(), &name)?;
                    summaries += &summary(&name, &experiment, simulation);
                    experiment.warnings
                }
                Err(found) => found,
            }
        } else {
            check_text(&Disk, &mut sources, &name, text, Dialect::Library)
        };
        // Files that import the same library would tell its mistakes twice.
        for found in found {
            let range = found.primary.span.range();
            let name = sources.name(found.primary.span.source).to_owned();
            if told.insert((found.code, name, range.start, range.end, found.message.clone())) {
                diagnostics.push(found);
            }
        }
    }
    let screen = Screen::of_stdout(false);
    if arguments.json {
        screen.print(&(to_json(&diagnostics, &sources) + "\n"))?;
    } else {
        diagnostics::report(&diagnostics, &sources);
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() as u64;
        let warnings = diagnostics.len() as u64 - errors;
        if errors + warnings > 0 {
            terminal::eprint(&format!("\n{}, {}\n", plural(errors, "error"), plural(warnings, "warning")));
        }
        screen.print(&summaries)?;
    }
    if !unreadable.is_empty() {
        return Err(Failure::Usage(unreadable.join("\n")));
    }
    if diagnostics::failed(&diagnostics) { Err(Failure::Reported) } else { Ok(()) }
}

/// A few lines on an experiment without mistakes.
fn summary(file: &str, experiment: &Experiment, simulation: &Simulation) -> String {
    let Simulation { name, initial_time, duration, objects, .. } = simulation;
    let end = Value::Real(initial_time + duration);
    let start = Value::Real(*initial_time);
    let taking_part = plural(objects.len() as u64, "object");
    let measures = experiment.measures.iter().filter(|it| it.belongs_to(simulation)).count() as u64;
    let measured = if measures == 0 { String::new() } else { format!(", {}", plural(measures, "measure")) };
    format!(
        "{file}: {}\n  simulation {name}: {taking_part}{measured}, from t = {start} to {end}\n",
        gedanken_lab::report(experiment)
    )
}
