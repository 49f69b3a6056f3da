//! `gedanken derive`: from energies to equations of motion, and from any law to its formula and its
//! derivatives.

mod equilibria;
mod law;
mod page;
mod statement;

use crate::console::diagnostics;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::runner::source::{Choice, Text};
use clap::{Args, ValueEnum};
use gedanken_experiment::{Lagrangian, Override};
use gedanken_lab::derivation::{Values, derive, equilibria};
use gedanken_lang::check::similar;
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::System;
use page::Page;
use std::path::PathBuf;

/// Derive the equations of motion from a Lagrangian, step by step, and what they conserve
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An experiment with a `lagrangian` block, or with `--law` any experiment
    #[arg(value_name = "FILE", required_unless_present = "lagrangian", conflicts_with = "lagrangian")]
    file: Option<PathBuf>,

    /// Show the intermediate steps: momenta, their rates, derivatives of L, mass matrix, Hamilton's
    /// equations, normal modes
    #[arg(long)]
    steps: bool,

    /// Show the normal modes about each equilibrium: matrices M, C, G and K, frequencies, periods, damping,
    /// shapes
    #[arg(long, conflicts_with = "law")]
    modes: bool,

    /// Notation of the formulas
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Unicode)]
    format: Format,

    /// Derive from this `lagrangian` block of the file instead of the first one
    #[arg(long, value_name = "NAME", requires = "file")]
    system: Option<String>,

    /// Derive from this Lagrangian instead of a file; names that are not coordinates or rates are constants
    #[arg(long, value_name = "EXPR", requires = "coordinates", allow_hyphen_values = true)]
    lagrangian: Option<String>,

    /// Coordinates of --lagrangian, separated by commas; `q_dot` is the rate of `q`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "lagrangian")]
    coordinates: Vec<String>,

    /// Show a law of the experiment as a formula, simplified
    #[arg(long, value_name = "NAME", requires = "file", conflicts_with_all = ["system", "steps"])]
    law: Option<String>,

    /// With --law: differentiate it with respect to this name
    #[arg(long, value_name = "NAME", requires = "law")]
    by: Option<String>,

    /// Change a value of the experiment, NAME=VALUE of the world; with --lagrangian, the value of a constant:
    /// with all of them, modes become numbers
    #[arg(long, value_name = "NAME=VALUE", value_parser = Override::read)]
    set: Vec<Override>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Notation of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As laws are written
    Vfl,
    /// For papers
    Latex,
    /// For pages
    Mathml,
    /// For this terminal
    Unicode,
    /// Everything, for other programs
    Json,
}

const EXAMPLES: &str = "\
Examples:
  gedanken derive double_pendulum.lab
  gedanken derive double_pendulum.lab --steps --format latex
  gedanken derive bead_on_hoop.lab --modes             equilibria, and how it moves near them
  gedanken derive --lagrangian 'm/2*x_dot^2 - k/2*x^2' --coordinates x
  gedanken derive --lagrangian 'm/2*x_dot^2 - k/2*x^2' --coordinates x --modes --set m=2 --set k=50
  gedanken derive drop.lab --law position --by t      any law of any experiment";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = if arguments.json { Format::Json } else { arguments.format };
    let screen = Screen::of_stdout(false);
    let show = Show { steps: arguments.steps, modes: arguments.modes, format, screen };
    let text = match (&arguments.file, &arguments.lagrangian) {
        (Some(file), _) => {
            let choice = Choice { set: arguments.set.clone(), ..Choice::default() };
            let text = choice.read(file)?;
            match &arguments.law {
                Some(name) => law::show(&text, name, arguments.by.as_deref(), format)?,
                None => {
                    let block = chosen(&text, arguments.system.as_deref())?;
                    let mut pool = block.pool.clone();
                    let values = equilibria::of_block(block);
                    show.page(&block.name, &mut pool, &block.system, Some(&values))?
                }
            }
        }
        (None, Some(lagrangian)) => {
            let (mut pool, system) = statement::read(lagrangian, &arguments.coordinates)?;
            let values = equilibria::of_options(&pool, &system, &arguments.set)?;
            show.page("", &mut pool, &system, values.as_ref())?
        }
        (None, None) => {
            return Err(Failure::Usage("name an experiment (.lab), or give --lagrangian".to_owned()));
        }
    };
    screen.print(&text)?;
    Ok(())
}

/// Parts of a derivation to show, and their notation.
#[derive(Clone, Copy, Debug)]
struct Show {
    steps: bool,
    modes: bool,
    format: Format,
    screen: Screen,
}

impl Show {
    fn page(
        self,
        name: &str,
        pool: &mut Pool,
        system: &System,
        values: Option<&Values>,
    ) -> Result<String, Failure> {
        let derivation = derive(pool, system).map_err(|refusal| Failure::Experiment(refusal.to_string()))?;
        let rests = derivation.equations.as_ref().map(|equations| equilibria(pool, equations, values));
        Ok(Page { name, derivation: &derivation, rests: rests.as_ref(), system, show: self }.text(pool))
    }
}

/// The block that was asked for.
fn chosen<'t>(text: &'t Text, name: Option<&str>) -> Result<&'t Lagrangian, Failure> {
    let all = &text.experiment.lagrangians;
    let names = || all.iter().map(|it| it.name.as_str());
    match name {
        Some(name) => all.iter().find(|it| it.name == name).ok_or_else(|| {
            let help = match similar(name, names()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            Failure::Usage(format!("{} has no lagrangian `{name}`\nhelp: {help}", text.name))
        }),
        None => {
            let first = text.experiment.simulations.iter().find_map(|it| it.lagrangian_block());
            first.map(|index| &all[index]).or(all.first()).ok_or_else(|| {
                Failure::Usage(format!(
                    "{} states no energies: it has no `lagrangian` block\nhelp: a law of it is shown by --law NAME; the blocks are in docs/lagrangian.md",
                    text.name
                ))
            })
        }
    }
}

/// Mistakes in a formula of the command line, told where they stand.
fn refused(
    found: &[gedanken_lang::diagnostic::Diagnostic],
    sources: &gedanken_lang::source::Sources,
) -> Failure {
    diagnostics::report(found, sources);
    Failure::ReportedUsage
}
