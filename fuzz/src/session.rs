//! Any text as the inputs of a session, one after the other: each is answered within its steps, never a panic.

use gedanken_lang::diagnostic::{Style, render};
use gedanken_lang::session::{Files, Reply, Session, highlight, is_complete};
use gedanken_lang::vm::Limits;

/// A disk that holds one library, and takes everything.
struct OneFile;

impl Files for OneFile {
    fn read(&self, path: &str) -> Result<String, String> {
        match path {
            "a.vfl" => Ok("square(x) = x^2\n".to_owned()),
            _ => Err("there is no such file".to_owned()),
        }
    }

    fn write(&self, _path: &str, _text: &str) -> Result<(), String> {
        Ok(())
    }
}

/// The target. Inputs are parted by empty lines.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let limits = Limits { steps: 20_000, ..Limits::default() };
    let mut session = Session::new(OneFile, limits);
    for input in text.split("\n\n").take(20) {
        is_complete(input);
        highlight(input);
        for reply in session.submit(input) {
            if let Reply::Diagnostic(diagnostic) = reply {
                render(&[diagnostic], session.sources(), Style::Plain);
            }
        }
    }
}
