//! Failures of commands, and their exit codes.

use super::console::terminal;
use super::files::disk::plain;
use std::io;
use std::process::ExitCode;

/// Reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The experiment failed: exit code 1.
    Experiment(String),
    /// The command line is wrong: exit code 2.
    Usage(String),
    /// Output could not be written: exit code 1.
    Output(io::Error),
    /// The given text has errors, which have been printed: exit code 1.
    Reported,
    /// The command line has errors, which have been printed: exit code 2.
    ReportedUsage,
    /// A signal ended the work, which has been printed: this exit code.
    Interrupted(u8),
}

impl Failure {
    /// Prints the message and returns the exit code. A closed pipe (`gedanken trace drop.lab | head`) is no
    /// failure.
    pub(crate) fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Reported => return ExitCode::FAILURE,
            Self::ReportedUsage => return ExitCode::from(2),
            Self::Interrupted(code) => return ExitCode::from(code),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Output(error) => (format!("cannot write: {}", plain(&error)), 1),
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
