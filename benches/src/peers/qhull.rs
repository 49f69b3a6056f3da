//! Qhull (@barber1996) as SciPy's users have it, in a process of its own, driven by `drive_qhull.py`.

use super::script::Script;

/// A process that holds some points. It ends when dropped.
pub struct Qhull {
    script: Script,
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
        let mut script = Script::start("Qhull", "drive_qhull.py")?;
        script.say(&points.len().to_string())?;
        // Shortest decimals that read back as the same bits.
        for [x, y, z] in points {
            script.say(&format!("{x:?} {y:?} {z:?}"))?;
        }
        let version = script.hear()?;
        Ok(Self { script, version })
    }

    /// Name and version.
    pub fn name(&self) -> String {
        format!("Qhull of SciPy {}", self.version)
    }

    /// Makes the hull once.
    pub fn hull(&mut self) -> Result<Answer, String> {
        self.script.say("hull")?;
        let answer = self.script.hear()?;
        let numbers: Vec<f64> = answer.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [seconds, area, volume, vertices] => {
                Ok(Answer { seconds, area, volume, vertices: vertices as usize })
            }
            _ => Err(format!("Qhull answered {answer:?} instead of four numbers")),
        }
    }
}
