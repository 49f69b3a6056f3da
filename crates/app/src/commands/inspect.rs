//! `gedanken inspect`: a look inside of single steps, from states that a file gives.

use crate::console::diagnostics;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::{self, Disk};
use crate::runner::source::{Choice, Kind, kind, unreadable};
use clap::Args;
use gedanken_experiment::Override;
use gedanken_experiment::mjcf::MjcfOptions;
use gedanken_lab::Options;
use gedanken_lab::inspection::{GivenState, InspectedStep, Inspector, Misstated, read_states};
use gedanken_lab::multibody::inspection::{self as mechanism, GivenStates, read_model};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Take one step from each of many states, and print its cost, forces and residuals as JSON
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An experiment (.lab) with a simulation of rigid bodies, `solver = variational`; or a model (.xml)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// A list of states (.json); what a state does not name is as the experiment or the model has it
    #[arg(value_name = "STATES")]
    states: PathBuf,

    /// Length of the step, instead of the simulation's `time step`
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,

    /// Take steps of this simulation of the experiment instead of the first one
    #[arg(long, value_name = "NAME")]
    simulation: Option<String>,

    /// Change a value before the steps: NAME=VALUE of the world, OWNER.NAME=VALUE of an object; can be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = Override::read)]
    set: Vec<Override>,

    /// Leave out what is not supported in a model, with a warning for each item
    #[arg(long)]
    lenient: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken inspect dice.lab states.json
  gedanken inspect dice.lab states.json --step 0.001 > steps.json
  gedanken inspect humanoid.xml states.json > answers.json

states.json, for one state of a body called `die`:
  [{\"die\": {\"position\": [0, 0, 0.008], \"orientation\": [1, 0, 0, 0],
            \"velocity\": [0.3, 0, -0.1], \"angular_velocity\": [0, 2, 0]},
    \"lambda\": [{\"bodies\": [\"die\", \"table\"], \"point\": 0, \"force\": 0.01}]}]

Positions and velocities are those of a body's own frame, in the world; an
orientation is a quaternion [w, x, y, z]; what is left out is as the experiment
has it. `lambda`, which may be left out, gives normal forces of the first pass
of lagged friction, in N; points that it does not list have none.

For every state there is an object with `bodies` after the step, `cost` by
terms (J), `multipliers` of the contact points (N, m), `residuals`, `converged`
and `iterations`; or, if the step cannot be made, with its `error`. The
potential energy of the cost is that at the end of the step. For a corner of a
cuboid on a half space, `point` is a + 2 b + 4 c, where a, b, c are 1 on the
positive sides along x, y, z, else 0. What is printed can be read as states
again.

States of a model (.xml) have the keys `qpos`, `qvel` and `ctrl` of MuJoCo; what
is answered (mass matrix, forces, Jacobians, contacts, rows of constraints,
accelerations, motions) is described in docs/inspect.md.";

/// Number of mistakes in states that are printed.
const MAX_MISTAKES: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(step) = arguments.step.filter(|step| !(step.is_finite() && *step > 0.0)) {
        return Err(Failure::Usage(format!("--step {step}: a step is longer than 0")));
    }
    match kind(&arguments.file)? {
        Kind::Experiment => of_experiment(arguments),
        Kind::Model => of_model(arguments),
        Kind::Recording => {
            let name = arguments.file.display();
            Err(Failure::Usage(format!("{name} is a recording; inspect takes the experiment (.lab) itself")))
        }
    }
}

fn of_experiment(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { simulation, set, .. } = arguments;
    let choice = Choice { simulation: simulation.clone(), set: set.clone(), ..Choice::default() };
    let text = choice.read(&arguments.file)?;
    let simulation = choice.simulation(&text)?;
    let reported = |found: &[Diagnostic]| {
        diagnostics::report(found, &text.sources);
        Failure::Reported
    };
    let mut inspector = Inspector::new(&text.experiment, &simulation, &Options::default())
        .map_err(|found| reported(&found))?;
    let states = states(&arguments.states)?;
    refuse(&arguments.states, &inspector.misfits(&states))?;
    let step = arguments.step.unwrap_or_else(|| simulation.steps().1);
    let mut failed: Vec<(usize, Box<Diagnostic>)> = Vec::new();
    print(states.iter().enumerate().map(|(number, state)| {
        inspector.step(state, step).inspect_err(|why| failed.push((number, why.clone())))
    }))?;
    match failed.first() {
        None => Ok(()),
        Some((number, why)) => {
            terminal::eprint(&format!("{}: no step from state [{number}]\n", arguments.states.display()));
            Err(reported(std::slice::from_ref(why)))
        }
    }
}

/// Answers for states of a model of MuJoCo.
fn of_model(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.file.to_string_lossy().into_owned();
    for (given, key) in [
        (arguments.step.is_some(), "--step"),
        (arguments.simulation.is_some(), "--simulation"),
        (!arguments.set.is_empty(), "--set"),
    ] {
        if given {
            return Err(Failure::Usage(format!("{key} is for experiments (.lab); {name} is a model")));
        }
    }
    let text = disk::read(&arguments.file).map_err(|why| unreadable(&name, &why))?;
    let mut sources = Sources::new();
    let options = MjcfOptions { lenient: arguments.lenient, ..MjcfOptions::default() };
    let (model, warnings) = read_model(&Disk, &mut sources, &name, text, options).map_err(|found| {
        diagnostics::report(&found, &sources);
        Failure::Reported
    })?;
    diagnostics::report(&warnings, &sources);
    let wrong = |why: String| Failure::Experiment(format!("{}: {why}", arguments.states.display()));
    let states = disk::read_long(&arguments.states)
        .map_err(|why| Failure::Usage(format!("{} cannot be read: {why}", arguments.states.display())))?;
    let given = GivenStates::read(&states, &model).map_err(wrong)?;
    let answer = mechanism::Inspector::new(model).answer(&given).map_err(wrong)?;
    Ok(Screen::of_stdout(false).print(&format!("{answer}\n"))?)
}

fn states(file: &Path) -> Result<Vec<GivenState>, Failure> {
    let unreadable = |why| Failure::Usage(format!("{} cannot be read: {why}", file.display()));
    let text = disk::read(file).map_err(unreadable)?;
    read_states(&text).or_else(|found| refuse(file, &found).map(|()| Vec::new()))
}

/// Fails if there are mistakes, and prints them.
fn refuse(file: &Path, mistakes: &[Misstated]) -> Result<(), Failure> {
    if mistakes.is_empty() {
        return Ok(());
    }
    let shown = mistakes.iter().take(MAX_MISTAKES);
    let mut lines: Vec<String> = shown.map(|it| format!("{}: {it}", file.display())).collect();
    if let Some(more) = mistakes.len().checked_sub(MAX_MISTAKES).filter(|more| *more > 0) {
        lines.push(format!("and {more} more mistakes"));
    }
    Err(Failure::Experiment(lines.join("\n")))
}

/// Prints a list, each element as soon as it is there.
fn print(steps: impl Iterator<Item = Result<InspectedStep, Box<Diagnostic>>>) -> Result<(), Failure> {
    let screen = Screen::of_stdout(false);
    let mut before = "[";
    for step in steps {
        let line = match &step {
            Ok(step) => step.to_json(),
            Err(why) => json!({ "error": why.message }).to_string(),
        };
        screen.print(&format!("{before}\n{line}"))?;
        before = ",";
    }
    let empty = if before == "[" { "[" } else { "" };
    Ok(screen.print(&format!("{empty}\n]\n"))?)
}
