//! The terminal: all text is printed here, with the colours and the width that the reader's screen allows.
//!
//! Colours and the width of the window are for terminals; a pipe gets 80 plain columns, always the same
//! bytes.

use std::io::{self, IsTerminal, Write};

/// Capabilities of the screen behind standard output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// Columns to fill.
    pub(crate) width: usize,
    /// `true` if colours are allowed.
    pub(crate) colour: bool,
    /// `true` if only ASCII is allowed.
    pub(crate) ascii: bool,
}

/// Lines longer than this are hard to read, however wide the window.
const MAX_WIDTH: usize = 120;
/// Tables need this much; a narrower window wraps them.
const MIN_WIDTH: usize = 64;
const PIPE_WIDTH: usize = 80;

/// Foreground colours for curves, from the sixteen that every theme keeps readable on its own background.
/// Their order alternates light and dark, so neighbours differ for colour-blind eyes too; every curve also
/// has a label.
const HUES: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

impl Screen {
    /// The screen behind standard output.
    pub(crate) fn of_stdout(ascii: bool) -> Self {
        let stdout = io::stdout();
        let size = if stdout.is_terminal() { terminal_size::terminal_size_of(&stdout) } else { None };
        let width = size.map_or(PIPE_WIDTH, |(terminal_size::Width(columns), _)| usize::from(columns));
        let colour = stdout.is_terminal() && !is_set("NO_COLOR");
        Self { width: width.clamp(MIN_WIDTH, MAX_WIDTH), colour, ascii }
    }

    /// Writes text to standard output.
    pub(crate) fn print(self, text: &str) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(self.spell(text).as_bytes())?;
        stdout.flush()
    }

    /// Text in the letters that the screen knows: to be called before anything is counted or aligned.
    pub(crate) fn spell(self, text: &str) -> String {
        if self.ascii { super::format::to_ascii(text) } else { text.to_owned() }
    }

    /// Text for headings.
    pub(crate) fn bold(self, text: &str) -> String {
        self.painted("1", text)
    }

    /// Text that explains.
    pub(crate) fn dim(self, text: &str) -> String {
        self.painted("2", text)
    }

    /// Text in the colour of curve number `hue`.
    pub(crate) fn hue(self, hue: usize, text: &str) -> String {
        self.painted(HUES[hue % HUES.len()], text)
    }

    fn painted(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Prints an error message on standard error; a failure to print is ignored.
pub(crate) fn print_error(message: &str) {
    let _ = writeln!(io::stderr(), "error: {message}");
}

/// Prints text on standard error unchanged; a failure to print is ignored.
pub(crate) fn eprint(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns `true` if colours are allowed on standard error.
pub(crate) fn errors_in_colour() -> bool {
    io::stderr().is_terminal() && !is_set("NO_COLOR")
}

/// Returns `true` if standard input and standard output are a terminal.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns `true` if standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Replaces the present line of standard error; an empty text clears it.
pub(crate) fn set_status_line(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[K{text}");
    let _ = stderr.flush();
}
