//! The binary `gedanken`: the command line of the laboratory.
//!
//! One file per command under `commands`; everything that knows about terminals, clocks and the environment is in
//! `terminal` and `clock`. Exit codes: 0 fine, 1 the experiment is at fault, 2 wrong usage.

mod clock;
mod commands;
mod failure;
mod files;
mod page;
mod plot;
mod report;
mod table;
mod terminal;
mod words;

use clap::{Parser, Subcommand};
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
    Demo(commands::demo::Arguments),
    Repl(commands::repl::Arguments),
    Eval(commands::eval::Arguments),
    Check(commands::check::Arguments),
    Fmt(commands::fmt::Arguments),
    Explain(commands::explain::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  gedanken                          the guided tour
  gedanken demo kepler              a planet on its ellipse
  gedanken demo kepler --compare    the same with several integrators, side by side
  gedanken repl                     try the language in which laws are written
  gedanken eval 'norm([3, 4])'      one expression

Without a command, gedanken shows the guided tour.";

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| Command::Demo(Default::default()));
    let done = match command {
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Repl(arguments) => commands::repl::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Fmt(arguments) => commands::fmt::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
