//! `gedanken fmt`: one way to lay out a text, so that nobody has to argue about it.

use crate::console::diagnostics;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::{self, is_no_room, plain};
use crate::files::whole_file;
use clap::Args;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, format};
use std::io;
use std::path::{Path, PathBuf};

/// Lay out libraries (.vfl) and experiments (.lab) in the one style
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files to change in place; `-` reads a library from standard input and writes to standard output
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Change nothing; list the files that would change, and fail if there are any
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken fmt ramp.lab lib/*.vfl
  gedanken fmt --check ramp.lab
  gedanken fmt - < library.vfl";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut fine = true;
    for file in &arguments.files {
        fine &= one(file, arguments.check)?;
    }
    if fine { Ok(()) } else { Err(Failure::Reported) }
}

/// Formats a file. Returns `true` if it could be formatted, and with `check` if it already was.
fn one(file: &Path, check: bool) -> Result<bool, Failure> {
    let piped = file.as_os_str() == "-";
    let name = if piped { "standard input".into() } else { file.to_string_lossy() };
    let read = if piped { disk::text(io::stdin().lock()) } else { disk::read(file) };
    let text = read.map_err(|why| Failure::Usage(format!("{name} cannot be read: {why}")))?;
    let laid_out = match format(&text, dialect(file)) {
        Ok(laid_out) => laid_out,
        Err(diagnostics) => {
            // The formatter's places are in the one text it was given.
            let mut sources = Sources::new();
            sources.add(name, text);
            diagnostics::report(&diagnostics, &sources);
            return Ok(false);
        }
    };
    if check {
        if laid_out != text {
            Screen::of_stdout(false).print(&format!("{name}\n"))?;
        }
        return Ok(laid_out == text);
    }
    if piped {
        Screen::of_stdout(false).print(&laid_out)?;
    } else if laid_out != text {
        whole_file::replace(file, laid_out.as_bytes()).map_err(|error| {
            let message = format!("{name} cannot be written: {}", plain(&error));
            if is_no_room(&error) { Failure::Experiment(message) } else { Failure::Usage(message) }
        })?;
    }
    Ok(true)
}

/// Returns the dialect of a file, by its ending.
pub(crate) fn dialect(file: &Path) -> Dialect {
    if file.extension().is_some_and(|extension| extension == "lab") {
        Dialect::Experiment
    } else {
        Dialect::Library
    }
}
