//! SymPy's Lagrange equations, in a process of its own, driven by `drive_sympy.py`.

use super::script::Script;

/// A process that holds a Lagrangian. It ends when dropped.
pub struct SymPy {
    script: Script,
    version: String,
}

impl SymPy {
    /// Starts with the system of this name, as the script knows it.
    pub fn start(system: &str) -> Result<Self, String> {
        let mut script = Script::start("SymPy", "drive_sympy.py")?;
        script.say(system)?;
        let version = script.hear()?;
        Ok(Self { script, version })
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("SymPy {}, not simplified", self.version)
    }

    /// Derives the equations once; seconds.
    pub fn derive(&mut self) -> Result<f64, String> {
        self.script.say("derive")?;
        let answer = self.script.hear()?;
        answer.parse().map_err(|_| format!("SymPy answered {answer:?} instead of seconds"))
    }

    /// The accelerations in the state that the script describes.
    pub fn accelerations(&mut self) -> Result<Vec<f64>, String> {
        self.script.say("check")?;
        let answer = self.script.hear()?;
        let numbers: Result<Vec<f64>, _> = answer.split(' ').map(str::parse).collect();
        numbers.map_err(|_| format!("SymPy answered {answer:?} instead of accelerations"))
    }
}
