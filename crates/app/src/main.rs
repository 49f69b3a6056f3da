//! The binary `gedanken`: the command line of the laboratory, and the server of its page.
//!
//! One module per command under `commands`. Terminals, clocks and the environment are read in `console` only.
//! The page talks to `server`; each page has a `workspace`. All files are written by `files`. Exit codes: 0
//! success, 1 the experiment failed, 2 wrong usage, 130 interrupted (Ctrl-C), 143 ended by SIGTERM; `lab` and
//! `repl` end with 0 then.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests write their files as they like"))]

mod commands;
mod console;
mod failure;
mod files;
mod plot;
mod runner;
#[cfg(test)]
mod sample_recording;
mod server;
mod wire;
mod workspace;

use clap::{Parser, Subcommand};
use console::interrupt;
use std::io;
use std::process::ExitCode;

/// A laboratory of classical mechanics in which you write the laws.
#[derive(Debug, Parser)]
#[command(name = "gedanken", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lab(commands::lab::Arguments),
    Run(commands::run::Arguments),
    Sweep(commands::sweep::Arguments),
    Check(commands::check::Arguments),
    Trace(commands::trace::Arguments),
    Plot(commands::plot::Arguments),
    Export(commands::export::Arguments),
    New(commands::new::Arguments),
    Examples(commands::examples::Arguments),
    Derive(commands::derive::Arguments),
    Inspect(commands::inspect::Arguments),
    Repl(commands::repl::Arguments),
    Eval(commands::eval::Arguments),
    Fmt(commands::fmt::Arguments),
    Explain(commands::explain::Arguments),
    Accuracy(commands::accuracy::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  gedanken                               the lab, in a browser
  gedanken lab drop.lab                  the same with an experiment of yours
  gedanken new drop                      writes drop.lab, a ball that bounces: yours to change
  gedanken run drop.lab                  what happens to it
  gedanken sweep toss.lab --over n=1:99  the same for many values of n
  gedanken trace drop.lab --event 0      everything before and after the first event
  gedanken plot drop.lab ball.position   where it is over time
  gedanken examples                      more experiments
  gedanken derive double_pendulum.lab    from energies to equations of motion
  gedanken inspect dice.lab states.json  cost, forces and residuals of single steps
  gedanken repl                          try the language in which laws are written
  gedanken accuracy --quick              every method against closed answers

Without a command, gedanken opens the lab.

Exit codes: 0 fine, 1 the experiment, its text or a file failed, 2 wrong usage,
130 after Ctrl-C, 143 after SIGTERM; `lab` and `repl` end with 0 then.";

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| Command::Lab(Default::default()));
    match prepare(&command).map_err(failure::Failure::Output).and_then(|()| run(command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Says what signals do; `lab` and `repl` say it themselves.
fn prepare(command: &Command) -> io::Result<()> {
    interrupt::survive_file_limit()?;
    match command {
        Command::Lab(_) | Command::Repl(_) => Ok(()),
        _ => interrupt::exit_by_convention(),
    }
}

fn run(command: Command) -> Result<(), failure::Failure> {
    match command {
        Command::Lab(arguments) => commands::lab::run(&arguments),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Sweep(arguments) => commands::sweep::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Trace(arguments) => commands::trace::run(&arguments),
        Command::Plot(arguments) => commands::plot::run(&arguments),
        Command::Export(arguments) => commands::export::run(&arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Examples(arguments) => commands::examples::run(&arguments),
        Command::Derive(arguments) => commands::derive::run(&arguments),
        Command::Inspect(arguments) => commands::inspect::run(&arguments),
        Command::Repl(arguments) => commands::repl::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Fmt(arguments) => commands::fmt::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Accuracy(arguments) => commands::accuracy::run(&arguments),
    }
}
