//! Why a command did not do what it was asked, and the exit code that says so.

use super::console::terminal;
use std::io;
use std::process::ExitCode;

/// Whose fault it was.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The experiment's: exit code 1.
    Experiment(String),
    /// The command line's: exit code 2.
    Usage(String),
    /// The text could not be written.
    Output(io::Error),
    /// The text that was given has mistakes, which have all been told: exit code 1.
    Reported,
    /// What was asked for on the command line has mistakes, which have all been told: exit code 2.
    ReportedUsage,
}

impl Failure {
    /// Says it on standard error. A reader who has seen enough (`gedanken accuracy --list | head`) is no failure at all.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Reported => return ExitCode::FAILURE,
            Self::ReportedUsage => return ExitCode::from(2),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Output(error) => (format!("cannot write: {error}"), 1),
            Self::Experiment(message) => (message, 1),
            Self::Usage(message) => (message, 2),
        };
        terminal::print_error(&message);
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
