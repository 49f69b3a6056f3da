//! A peer behind a Python script: lines go in, lines come out, and the process ends with its input.

use super::python;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running script of this folder. It ends when dropped.
pub struct Script {
    peer: &'static str,
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Script {
    /// Starts `file` for the peer of this name, on one thread.
    pub fn start(peer: &'static str, file: &str) -> Result<Self, String> {
        let mut process = Command::new(python::interpreter()?)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/peers").join(file))
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{peer}: {error}"))?;
        let output = BufReader::new(process.stdout.take().expect("piped")).lines();
        let input = process.stdin.take();
        Ok(Self { peer, process, input, output })
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().expect("open until dropped");
        writeln!(input, "{line}").map_err(|error| format!("{} does not listen: {error}", self.peer))
    }

    /// Waits for a line.
    pub fn hear(&mut self) -> Result<String, String> {
        match self.output.next() {
            Some(line) => line.map_err(|error| format!("{}: {error}", self.peer)),
            None => Err(format!("{} ended before it was asked to", self.peer)),
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // The script ends with its input; waiting leaves no process behind.
        self.input = None;
        self.process.wait().ok();
    }
}
