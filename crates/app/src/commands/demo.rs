//! `gedanken demo`: scenes with known answers, run and shown on a terminal.
//!
//! `scenes` says what there is to see, `record` runs it, and the others tell what happened: `report` with
//! pictures, `compare` with several integrators side by side, `list` the integrators there are, `json` as
//! data.

mod compare;
mod errors;
mod json;
mod list;
mod notation;
mod pictures;
mod record;
mod report;
mod scenes;

use crate::failure::Failure;
use crate::terminal::Screen;
use clap::Args;
use clap::builder::PossibleValuesParser;
use gedanken_dynamics::{INTEGRATORS, Integrator};
use record::{Plan, Recording};
use scenes::{DEMONSTRATIONS, Demonstration, TOUR};

/// Run a demonstration and show it on the terminal
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What to show; without it, a tour of kepler, chain and figure-eight
    #[arg(value_name = "SCENE", value_parser = PossibleValuesParser::new(DEMONSTRATIONS.map(|d| d.name)))]
    scene: Option<String>,

    /// The method of integration; `--list` describes them
    #[arg(short, long, value_name = "NAME", value_parser = integrator_names())]
    integrator: Option<String>,

    /// How long to run, in periods of the scene
    #[arg(short, long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    periods: Option<f64>,

    /// Steps in a period; the least number of them where the method chooses its own
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    steps: Option<u32>,

    /// Run several integrators on the same scene; name them as in `--compare=leapfrog,rk4`, or leave it to us
    #[arg(short, long, value_name = "NAMES", num_args = 0..=6, value_delimiter = ',', require_equals = true,
          value_parser = integrator_names(), hide_possible_values = true, conflicts_with = "integrator")]
    compare: Option<Vec<String>>,

    /// List the integrators: order, properties, cost, source
    #[arg(short, long, conflicts_with_all = ["scene", "integrator", "periods", "steps", "compare", "hash"])]
    list: bool,

    /// Print the fingerprint of the final state only: 16 hexadecimal digits
    #[arg(long)]
    hash: bool,

    /// Print data instead of pictures
    #[arg(long, conflicts_with = "hash")]
    json: bool,

    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// How many threads to use; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  gedanken demo kepler --integrator rk4 --periods 50
  gedanken demo figure-eight --compare=leapfrog,yoshida8,dormand-prince
  gedanken demo cluster --threads 2 --hash";

/// More steps than this would take days.
const MOST_STEPS: f64 = 1e9;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let screen = Screen::of_stdout(arguments.ascii);
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|e| Failure::Usage(format!("{threads} threads: {e}")))?;
    }
    if arguments.list {
        let text = if arguments.json { json::integrators() } else { list::render(screen) };
        return Ok(screen.print(&text)?);
    }
    let demonstrations: Vec<&'static Demonstration> = match &arguments.scene {
        Some(name) => DEMONSTRATIONS.into_iter().filter(|d| d.name == name).collect(),
        None => TOUR.to_vec(),
    };
    let mut data = Vec::new();
    for (k, demonstration) in demonstrations.iter().enumerate() {
        let recordings = arguments.record(demonstration)?;
        if arguments.json {
            data.extend(recordings.iter().map(json::recording));
        } else if arguments.hash {
            let alone = demonstrations.len() == 1 && recordings.len() == 1;
            screen.print(&hashes(&recordings, alone))?;
        } else {
            let gap = if k == 0 { "\n" } else { "\n\n" };
            let text = if arguments.compare.is_some() {
                compare::render(screen, &recordings)?
            } else {
                recordings.iter().map(|recording| report::render(screen, recording)).collect()
            };
            screen.print(&format!("{gap}{text}"))?;
        }
    }
    if arguments.json {
        screen.print(&json::document(data))?;
    } else if !arguments.hash {
        screen.print(&closing_words(screen, arguments))?;
    }
    Ok(())
}

impl Arguments {
    /// Runs a scene with every integrator that was asked for.
    fn record(&self, demonstration: &'static Demonstration) -> Result<Vec<Recording>, Failure> {
        let chosen = |names: &[String]| names.iter().map(|name| by_name(name)).collect();
        let integrators: Vec<_> = match &self.compare {
            Some(names) if !names.is_empty() => chosen(names),
            Some(_) => demonstration.rivals.iter().map(|name| by_name(name)).collect(),
            None => vec![by_name(self.integrator.as_deref().unwrap_or(demonstration.integrator))],
        };
        let periods = self.periods.unwrap_or(demonstration.periods);
        let steps = self.steps.unwrap_or(demonstration.steps);
        if periods * f64::from(steps) > MOST_STEPS {
            return Err(Failure::Usage(format!(
                "{periods} periods of {steps} steps are more than {MOST_STEPS:e} steps: choose a smaller --periods or --steps"
            )));
        }
        let recorded = integrators.into_iter().map(|integrator| {
            let failed = |failure: Failure| {
                let hint = format!(
                    "
help: shorter steps may do: --steps N, where N was {steps}"
                );
                failure.during(&format!("{} with {}", demonstration.name, integrator.name)).with_hint(&hint)
            };
            record::record(demonstration, Plan { integrator, periods, steps }).map_err(failed)
        });
        recorded.collect()
    }
}

fn by_name(name: &str) -> &'static Integrator {
    Integrator::by_name(name).expect("only names from the registry are accepted")
}

fn integrator_names() -> PossibleValuesParser {
    PossibleValuesParser::new(INTEGRATORS.map(|i| i.name))
}

fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "it must be a number".to_owned())?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err("it must be positive and finite".to_owned())
    }
}

fn hashes(recordings: &[Recording], alone: bool) -> String {
    let line = |r: &Recording| {
        if alone {
            format!("{:016x}\n", r.hash)
        } else {
            format!("{:016x}  {} {}\n", r.hash, r.scene.name, r.integrator.name)
        }
    };
    recordings.iter().map(line).collect()
}

/// What to try next.
fn closing_words(screen: Screen, arguments: &Arguments) -> String {
    let scene = arguments.scene.as_deref().unwrap_or("kepler");
    let next = match (&arguments.scene, &arguments.compare) {
        (None, _) => vec!["tumbling", "cluster", "kepler --compare"],
        (Some(_), None) => vec!["SCENE --compare", "--list", "--help"],
        (Some(_), Some(_)) => vec!["SCENE --compare --steps 1000", "--list", "--help"],
    };
    let mut text = String::from("\n");
    for (k, command) in next.iter().enumerate() {
        let name = screen.dim(if k == 0 { "next: " } else { "      " });
        text.push_str(&format!("{name}gedanken demo {}\n", command.replace("SCENE", scene)));
    }
    text
}
