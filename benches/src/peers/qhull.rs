//! Qhull (@barber1996) as SciPy's users have it, in a process of its own, driven by `drive_qhull.py`.

use super::python;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peers/drive_qhull.py");

/// A process that holds some points. It ends when dropped.
pub struct Qhull {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    version: String,
}

/// What a hull took and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// How long it took.
    pub seconds: f64,
    /// The area of its surface.
    pub area: f64,
    /// Its volume.
    pub volume: f64,
    /// How many vertices it has.
    pub vertices: usize,
}

impl Qhull {
    /// Starts with these points.
    pub fn start(points: &[[f64; 3]]) -> Result<Self, String> {
        let mut process = Command::new(python::interpreter()?)
            .arg(SCRIPT)
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("Qhull: {error}"))?;
        let output = BufReader::new(process.stdout.take().expect("piped")).lines();
        let input = process.stdin.take();
        let mut peer = Self { process, input, output, version: String::new() };
        peer.say(&points.len().to_string())?;
        // Shortest decimals that read back as the same bits.
        for [x, y, z] in points {
            peer.say(&format!("{x:?} {y:?} {z:?}"))?;
        }
        peer.version = peer.hear()?;
        Ok(peer)
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("Qhull of SciPy {}", self.version)
    }

    /// Makes the hull once.
    pub fn hull(&mut self) -> Result<Answer, String> {
        self.say("hull")?;
        let answer = self.hear()?;
        let numbers: Vec<f64> = answer.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [seconds, area, volume, vertices] => {
                Ok(Answer { seconds, area, volume, vertices: vertices as usize })
            }
            _ => Err(format!("Qhull answered {answer:?} instead of four numbers")),
        }
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().expect("open until dropped");
        writeln!(input, "{line}").map_err(|error| format!("Qhull does not listen: {error}"))
    }

    fn hear(&mut self) -> Result<String, String> {
        match self.output.next() {
            Some(line) => line.map_err(|error| format!("Qhull: {error}")),
            None => Err("Qhull ended before it was asked to".into()),
        }
    }
}

impl Drop for Qhull {
    fn drop(&mut self) {
        // The script ends with its input; waiting leaves no process behind.
        self.input = None;
        self.process.wait().ok();
    }
}
