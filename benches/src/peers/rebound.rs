//! REBOUND (@rein2012) as its users install it, in a process of its own, driven by `drive_rebound.py`.

use super::python;
use crate::plummer::Body;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peers/drive_rebound.py");

/// A running simulation. It ends when dropped.
pub struct Rebound {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    bodies: usize,
    version: String,
}

impl Rebound {
    /// Starts with these bodies: leapfrog, direct summation, one thread, G = 1.
    pub fn start(bodies: &[Body], softening: f64, step: f64) -> Result<Self, String> {
        let mut process = Command::new(python::interpreter()?)
            .arg(SCRIPT)
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("REBOUND: {error}"))?;
        let output = BufReader::new(process.stdout.take().expect("piped")).lines();
        let input = process.stdin.take();
        let mut peer = Self { process, input, output, bodies: bodies.len(), version: String::new() };
        // Shortest decimals that read back as the same bits.
        peer.say(&format!("{} {softening:?} {step:?}", bodies.len()))?;
        for Body { mass: m, position: [x, y, z], velocity: [u, v, w] } in bodies {
            peer.say(&format!("{m:?} {x:?} {y:?} {z:?} {u:?} {v:?} {w:?}"))?;
        }
        peer.version = peer.hear()?;
        Ok(peer)
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("REBOUND {}", self.version)
    }

    /// Takes some steps and says how many seconds they took.
    pub fn steps(&mut self, steps: usize) -> Result<f64, String> {
        self.say(&format!("steps {steps}"))?;
        let answer = self.hear()?;
        answer.parse().map_err(|_| format!("REBOUND answered {answer:?} instead of seconds"))
    }

    /// The bodies, as of now.
    pub fn bodies(&mut self) -> Result<Vec<Body>, String> {
        self.say("state")?;
        (0..self.bodies).map(|_| parse(&self.hear()?)).collect()
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().expect("open until dropped");
        writeln!(input, "{line}").map_err(|error| format!("REBOUND does not listen: {error}"))
    }

    fn hear(&mut self) -> Result<String, String> {
        match self.output.next() {
            Some(line) => line.map_err(|error| format!("REBOUND: {error}")),
            None => Err("REBOUND ended before it was asked to".into()),
        }
    }
}

impl Drop for Rebound {
    fn drop(&mut self) {
        // The script ends with its input; waiting leaves no process behind.
        self.input = None;
        self.process.wait().ok();
    }
}

fn parse(line: &str) -> Result<Body, String> {
    let numbers: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[mass, x, y, z, u, v, w]) => Ok(Body { mass, position: [x, y, z], velocity: [u, v, w] }),
        _ => Err(format!("REBOUND answered {line:?} instead of a body")),
    }
}
