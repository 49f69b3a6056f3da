//! `gedanken accuracy`: every method against cases with closed answers.

mod list;

use crate::console::format::plural;
use crate::console::table::{Align, Table};
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use clap::Args;
use gedanken_accuracy::{CASES, Cell, Choice, Progress, Verdict, methods};
use gedanken_lang::check::similar;
use serde_json::{Value, json};

/// Measure every method against cases whose answers are known in closed form
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Numbers of the cases to run (default: all)
    #[arg(value_name = "CASE")]
    cases: Vec<u32>,

    /// Measure only this method: `contexts`, `rigid`, `lagrangian`, a contact solver, or an integrator
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,

    /// Shorten long cases: seconds instead of minutes
    #[arg(long)]
    quick: bool,

    /// Show failed cells only
    #[arg(long)]
    failed: bool,

    /// List the cases and the integrators (order, properties, cost, source) and run nothing
    #[arg(long, conflicts_with_all = ["cases", "solver", "quick", "failed"])]
    list: bool,

    /// Print data
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken accuracy                           everything; takes minutes
  gedanken accuracy --quick --failed          what fails, in seconds
  gedanken accuracy 1 2 --solver jacobi       two cases with one contact solver
  gedanken accuracy 22                        all integrators on Kepler's problem
  gedanken accuracy --list                    the cases and the integrators
  gedanken accuracy --json > accuracy.json    for other programs

The exit code is 1 if a method misses an accuracy that it claims.";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.list {
        let screen = Screen::of_stdout(false);
        let text = if arguments.json { list::data() } else { list::text(screen) };
        return Ok(screen.print(&text)?);
    }
    check(arguments)?;
    let choice =
        Choice { cases: arguments.cases.clone(), method: arguments.solver.clone(), quick: arguments.quick };
    let watched = terminal::stderr_is_terminal();
    let mut progress = |at: Progress<'_>| {
        if watched {
            let Progress { done, cases, case, method } = at;
            terminal::set_status_line(&format!(
                "{}/{cases}  {}. {}, {}",
                done + 1,
                case.number,
                case.name,
                method.name()
            ));
        }
    };
    let cells = gedanken_accuracy::run(&choice, &mut progress);
    if watched {
        terminal::set_status_line("");
    }
    let screen = Screen::of_stdout(false);
    let shown: Vec<&Cell> = cells.iter().filter(|cell| !arguments.failed || cell.failed()).collect();
    if arguments.json {
        screen.print(&format!("{:#}\n", data(&cells, &shown)))?;
    } else {
        screen.print(&text(screen, &cells, &shown, arguments))?;
    }
    if cells.iter().any(Cell::failed) { Err(Failure::Reported) } else { Ok(()) }
}

/// Refuses unknown cases and methods.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(wrong) =
        arguments.cases.iter().find(|wanted| !CASES.iter().any(|case| case.number == **wanted))
    {
        return Err(Failure::Usage(format!(
            "there is no case {wrong}\nhelp: cases are numbered from 1 to {}",
            CASES.len()
        )));
    }
    let methods = methods();
    match &arguments.solver {
        Some(name) if !methods.contains(&name.as_str()) => {
            let help = match similar(name, methods.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", methods.join(", ")),
            };
            Err(Failure::Usage(format!("there is no method `{name}`\nhelp: {help}")))
        }
        _ => Ok(()),
    }
}

/// `118 of 121 cells pass, 12 miss what they do not claim, 40 are reported`.
fn summary(cells: &[Cell]) -> String {
    let count = |verdict: Verdict| cells.iter().filter(|cell| cell.verdict == verdict).count() as u64;
    let (passed, failed) = (count(Verdict::Pass), count(Verdict::Fail));
    let mut text = format!("{passed} of {} pass", plural(passed + failed, "cell"));
    for (verdict, what) in
        [(Verdict::Miss, "miss what they do not claim"), (Verdict::Reported, "are reported only")]
    {
        if count(verdict) > 0 {
            text += &format!(", {} more {what}", count(verdict));
        }
    }
    text
}

fn text(screen: Screen, cells: &[Cell], shown: &[&Cell], arguments: &Arguments) -> String {
    let mut text = String::new();
    let chosen = |number: u32| arguments.cases.is_empty() || arguments.cases.contains(&number);
    for case in CASES.iter().filter(|case| chosen(case.number)) {
        let own: Vec<&&Cell> = shown.iter().filter(|cell| cell.case == case.number).collect();
        if own.is_empty() && (arguments.failed || arguments.solver.is_some()) {
            continue;
        }
        let heading = screen.bold(&format!("{}. {}", case.number, case.name));
        text.push_str(&format!("{heading}   {}\n", screen.dim(case.answer)));
        if !own.is_empty() {
            text.push_str(&table(&own).render(screen));
        }
        for cell in own.iter().filter(|cell| cell.failed() && !cell.measured.is_finite()) {
            text.push_str(&format!("  {}: {}\n", cell.method.name(), cell.note));
        }
        if !case.absent.is_empty() && !arguments.failed {
            text.push_str(&format!("  {}\n", screen.dim(&format!("not here: {}", case.absent))));
        }
        text.push('\n');
    }
    text + &summary(cells) + "\n"
}

fn table(cells: &[&&Cell]) -> Table {
    let mut table = Table::new([
        ("quantity", Align::Left),
        ("method", Align::Left),
        ("measured", Align::Right),
        ("exact", Align::Right),
        ("error", Align::Right),
        ("tolerance", Align::Right),
        ("", Align::Left),
    ]);
    for cell in cells {
        let [_, quantity, method, measured, exact, error, tolerance, verdict] = gedanken_accuracy::row(cell);
        let quantity = if cell.short { format!("{quantity} (short)") } else { quantity };
        table.row([quantity, method, measured, exact, error, tolerance, verdict]);
    }
    table
}

fn data(cells: &[Cell], shown: &[&Cell]) -> Value {
    let one = |cell: &&Cell| {
        json!({
            "case": cell.case,
            "name": cell.name,
            "quantity": cell.quantity,
            "method": cell.method.name(),
            "measured": cell.measured,
            "exact": cell.exact,
            "error": cell.exact.map(|_| cell.error),
            "error_is": if cell.absolute { "absolute" } else { "relative" },
            "tolerance": cell.tolerance,
            "verdict": match cell.verdict {
                Verdict::Pass => "pass",
                Verdict::Fail => "fail",
                Verdict::Miss => "miss",
                Verdict::Reported => "reported",
            },
            "short": cell.short,
            "note": cell.note,
        })
    };
    let absent = CASES.iter().filter(|case| !case.absent.is_empty());
    let absent: Vec<Value> =
        absent.map(|case| json!({ "case": case.number, "name": case.name, "why": case.absent })).collect();
    json!({
        "cells": shown.iter().map(one).collect::<Vec<Value>>(),
        "absent": absent,
        "summary": summary(cells),
    })
}
