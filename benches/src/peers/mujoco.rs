//! MuJoCo as its users install it, in a process of its own, driven by `drive_mujoco.py`.

use super::script::Script;

/// A running simulation. It ends when dropped.
pub struct Mujoco {
    script: Script,
    version: String,
    /// Number of velocities.
    pub freedoms: usize,
}

impl Mujoco {
    /// Starts with a model in MJCF.
    pub fn start(model: &str) -> Result<Self, String> {
        let mut script = Script::start("MuJoCo", "drive_mujoco.py")?;
        script.say(&model.lines().count().to_string())?;
        for line in model.lines() {
            script.say(line)?;
        }
        let answer = script.hear()?;
        let (version, freedoms) = answer.split_once(' ').ok_or("MuJoCo says no version")?;
        let freedoms = freedoms.parse().map_err(|_| format!("MuJoCo has {freedoms:?} velocities"))?;
        Ok(Self { script, version: version.into(), freedoms })
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("MuJoCo {}", self.version)
    }

    /// Makes some steps from the initial state, and stays there: time, q, v and the warm start.
    pub fn go_to(&mut self, steps: usize) -> Result<Vec<f64>, String> {
        self.ask(&format!("start {steps}"))
    }

    /// The worst certificate of some steps with a tolerance.
    pub fn certificate(&mut self, tolerance: f64, steps: usize) -> Result<f64, String> {
        Ok(self.ask(&format!("certificate {tolerance:e} {steps}"))?[0])
    }

    /// Seconds of each chunk of some steps with a tolerance.
    pub fn steps(&mut self, tolerance: f64, steps: usize, chunk: usize) -> Result<Vec<f64>, String> {
        self.ask(&format!("steps {tolerance:e} {steps} {chunk}"))
    }

    /// Coordinates after some steps.
    pub fn end(&mut self, steps: usize) -> Result<Vec<f64>, String> {
        self.ask(&format!("end {steps}"))
    }

    fn ask(&mut self, command: &str) -> Result<Vec<f64>, String> {
        self.script.say(command)?;
        let answer = self.script.hear()?;
        let numbers: Option<Vec<f64>> = answer.split(' ').map(|word| word.parse().ok()).collect();
        numbers.ok_or_else(|| format!("MuJoCo answered {answer:?} to {command}"))
    }
}
