//! `gedanken repl`: a session with the language.
//!
//! On a terminal there is an editor with history, completion and colours; from a pipe the same inputs give
//! the same answers, values on standard output and everything else on standard error, without prompts.

mod completion;
mod editor;
mod history;
mod piped;

use crate::console::diagnostics;
use crate::console::interrupt;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::Disk;
use clap::Args;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::session::{Reply, Session};
use gedanken_lang::vm::Limits;
use gedanken_math::Cancel;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Try the language: define functions, evaluate expressions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Library to import first
    #[arg(value_name = "FILE")]
    file: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  gedanken repl                  type `help` there for more
  gedanken repl quick_sort.vfl   with the functions of a file
  echo '1 + 1' | gedanken repl   from a pipe: values only; fails if a line does";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let asked = Arc::new(AtomicBool::new(false));
    let cancel = Cancel::from_flag(Arc::clone(&asked));
    let mut session = Session::new(Disk, Limits::until(&cancel));
    let conversation = terminal::is_interactive();
    interrupt::exit_fine(conversation)?;
    if let Some(file) = &arguments.file {
        let replies = session.preload(file);
        let Answered { failed, .. } = answer(&session, &replies, conversation)?;
        if failed && !conversation {
            return Err(Failure::Reported);
        }
    }
    if conversation {
        // While an input is edited, Ctrl-C is a key like any other; while one is evaluated, it ends the
        // evaluation. Without a person it ends the process, as it does by default.
        signal_hook::flag::register(signal_hook::consts::SIGINT, asked)?;
        editor::converse(&mut session, &cancel)
    } else {
        piped::listen(&mut session, io::stdin().lock())
    }
}

/// Result of an input.
struct Answered {
    /// `true` if there was an error.
    failed: bool,
    /// `true` if the session is to end.
    quit: bool,
}

/// Shows replies: values and what was asked for on standard output, diagnostics on standard error. A person
/// is also told what was done.
fn answer(session: &Session<Disk>, replies: &[Reply], conversation: bool) -> io::Result<Answered> {
    let screen = Screen::of_stdout(false);
    let mut answered = Answered { failed: false, quit: false };
    for reply in replies {
        let done = match reply {
            Reply::Value(value) => {
                screen.print(&format!("{value}\n"))?;
                continue;
            }
            Reply::Help(text) | Reply::Ir(text) => {
                screen.print(&format!("{}\n", text.trim_end()))?;
                continue;
            }
            Reply::Type(ty) => {
                screen.print(&format!("{ty}\n"))?;
                continue;
            }
            Reply::List(names) => {
                screen.print(&names.iter().map(|name| format!("{name}\n")).collect::<String>())?;
                continue;
            }
            Reply::Diagnostic(diagnostic) => {
                answered.failed |= diagnostic.is_error();
                report_one(diagnostic, session);
                continue;
            }
            Reply::Quit => {
                answered.quit = true;
                continue;
            }
            Reply::Defined(name) => format!("{name} is defined"),
            Reply::Redefined(name) => format!("{name} is defined anew"),
            Reply::Imported { path, names } => format!("from {path}: {}", names.join(", ")),
            Reply::Exported { path, definitions } => {
                format!(
                    "{} written to {path}",
                    crate::console::format::plural(*definitions as u64, "definition")
                )
            }
        };
        if conversation {
            screen.print(&format!("{}\n", screen.dim(&done)))?;
        }
    }
    Ok(answered)
}

fn report_one(diagnostic: &Diagnostic, session: &Session<Disk>) {
    diagnostics::report(std::slice::from_ref(diagnostic), session.sources());
}
