//! `gedanken check`: every mistake that can be found in a file without running it.

use super::fmt::dialect;
use crate::failure::Failure;
use crate::files::{self, Disk};
use crate::report;
use crate::terminal::{self, Screen};
use crate::words::plural;
use clap::Args;
use gedanken_lang::diagnostic::{Diagnostic, to_json};
use gedanken_lang::session::check_text;
use gedanken_lang::source::Sources;
use std::path::PathBuf;

/// Look for mistakes in libraries (.vfl) and experiments (.lab) without running them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files to check, with all they import
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print what was found as data
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken check ramp.lab
  gedanken check lib/*.vfl --json";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut sources = Sources::new();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for file in &arguments.files {
        let name = file.to_string_lossy();
        let text =
            files::read(file).map_err(|why| Failure::Usage(format!("{name} cannot be read: {why}")))?;
        // Files that import the same library would tell its mistakes twice.
        for found in check_text(&Disk, &mut sources, &name, text, dialect(file)) {
            if !diagnostics.iter().any(|known| same(known, &found, &sources)) {
                diagnostics.push(found);
            }
        }
    }
    if arguments.json {
        Screen::of_stdout(false).print(&(to_json(&diagnostics, &sources) + "\n"))?;
    } else {
        report::report(&diagnostics, &sources);
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() as u64;
        let warnings = diagnostics.len() as u64 - errors;
        if errors + warnings > 0 {
            terminal::tell(&format!("\n{}, {}\n", plural(errors, "error"), plural(warnings, "warning")));
        }
    }
    if report::failed(&diagnostics) { Err(Failure::Told) } else { Ok(()) }
}

/// Whether two diagnostics say the same of the same place, in texts that were read twice.
fn same(a: &Diagnostic, b: &Diagnostic, sources: &Sources) -> bool {
    let place = |it: &Diagnostic| (sources.name(it.primary.span.source).to_owned(), it.primary.span.range());
    a.code == b.code && a.message == b.message && place(a) == place(b)
}
