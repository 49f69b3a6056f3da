//! REBOUND (@rein2012) as its users install it, in a process of its own, driven by `drive_rebound.py`.

use super::script::Script;
use crate::plummer::Body;

/// A running simulation. It ends when dropped.
pub struct Rebound {
    script: Script,
    bodies: usize,
    version: String,
}

impl Rebound {
    /// Starts with these bodies: leapfrog, direct summation, one thread, G = 1.
    pub fn start(bodies: &[Body], softening: f64, step: f64) -> Result<Self, String> {
        let mut script = Script::start("REBOUND", "drive_rebound.py")?;
        // Shortest decimals that read back as the same bits.
        script.say(&format!("{} {softening:?} {step:?}", bodies.len()))?;
        for Body { mass: m, position: [x, y, z], velocity: [u, v, w] } in bodies {
            script.say(&format!("{m:?} {x:?} {y:?} {z:?} {u:?} {v:?} {w:?}"))?;
        }
        let version = script.hear()?;
        Ok(Self { script, bodies: bodies.len(), version })
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("REBOUND {}", self.version)
    }

    /// Takes some steps and says how many seconds they took.
    pub fn steps(&mut self, steps: usize) -> Result<f64, String> {
        self.script.say(&format!("steps {steps}"))?;
        let answer = self.script.hear()?;
        answer.parse().map_err(|_| format!("REBOUND answered {answer:?} instead of seconds"))
    }

    /// The bodies, as of now.
    pub fn bodies(&mut self) -> Result<Vec<Body>, String> {
        self.script.say("state")?;
        (0..self.bodies).map(|_| parse(&self.script.hear()?)).collect()
    }
}

fn parse(line: &str) -> Result<Body, String> {
    let numbers: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[mass, x, y, z, u, v, w]) => Ok(Body { mass, position: [x, y, z], velocity: [u, v, w] }),
        _ => Err(format!("REBOUND answered {line:?} instead of a body")),
    }
}
