//! SciPy's SLSQP on the contact steps of a thrown cube, in a process of its own, driven by `drive_slsqp.py`.
//! Steps and the minimisation as Python are those of `crates/rigid/tests/oracle`.

use super::script::Script;
use crate::ours::{Quat, Vec3};

const ORACLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/rigid/tests/oracle");

/// A process that holds the steps. It ends when dropped.
pub struct Slsqp {
    script: Script,
    version: String,
    /// The cube of all steps.
    pub cube: Cube,
    /// The contact steps in the order of time.
    pub steps: Vec<ContactStep>,
}

/// The cube, and the length of a step. Up is y, and the ground is y = 0.
#[derive(Clone, Copy, Debug)]
pub struct Cube {
    /// kg.
    pub mass: f64,
    /// m.
    pub side: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// m/s².
    pub gravity: f64,
    /// s.
    pub time_step: f64,
}

/// A state from which a step with contact begins.
#[derive(Clone, Debug)]
pub struct ContactStep {
    /// Centre, m.
    pub centre: Vec3,
    /// Body to world.
    pub orientation: Quat,
    /// m/s.
    pub velocity: Vec3,
    /// rad/s, in the frame of the body.
    pub spin: Vec3,
    /// Normal forces of the pass without friction, N; corner k has the bits x, y, z from the highest.
    pub lambda: [f64; 8],
    /// Centre after the step, by a second method that does not stop at a tolerance of the cost.
    pub centre_after: Vec3,
}

/// How SLSQP is told the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Cost and heights as functions in SI units, their derivatives by differences; SciPy's default `ftol`.
    Differences,
    /// The same with the exact gradient of the cost. Heights are still given by their values alone.
    Gradient,
    /// Exact gradients of cost and heights, SI units.
    Units,
    /// Exact gradients of cost and heights, variables and cost scaled so that the first Hessian is right.
    Scaled,
}

impl Way {
    fn word(self) -> &'static str {
        match self {
            Self::Differences => "differences",
            Self::Gradient => "gradient",
            Self::Units => "units",
            Self::Scaled => "scaled",
        }
    }
}

impl Slsqp {
    /// Starts with the stored steps of the cube of a metre.
    pub fn start() -> Result<Self, String> {
        let mut script = Script::start("SLSQP", "drive_slsqp.py")?;
        script.say(ORACLE)?;
        let head = script.hear()?;
        let (version, rest) = head.split_once(' ').ok_or_else(|| unexpected(&head))?;
        let [count, mass, side, friction, gravity, time_step] = numbers(rest)?[..] else {
            return Err(unexpected(&head));
        };
        let cube = Cube { mass, side, friction, gravity, time_step };
        let steps =
            (0..count as usize).map(|_| ContactStep::read(&script.hear()?)).collect::<Result<_, _>>()?;
        Ok(Self { version: version.to_owned(), script, cube, steps })
    }

    /// Version of SciPy.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Takes all contact steps once, both passes; seconds of each.
    pub fn times(&mut self, way: Way) -> Result<Vec<f64>, String> {
        self.script.say(&format!("time {}", way.word()))?;
        numbers(&self.script.hear()?)
    }

    /// Costs of all contact steps, J, what lies below the ground charged at the normal forces.
    pub fn costs(&mut self, way: Way) -> Result<Vec<f64>, String> {
        self.script.say(&format!("cost {}", way.word()))?;
        numbers(&self.script.hear()?)
    }
}

impl ContactStep {
    fn read(line: &str) -> Result<Self, String> {
        let all = numbers(line)?;
        let [cx, cy, cz, w, x, y, z, vx, vy, vz, ox, oy, oz, ref forces @ .., ax, ay, az] = all[..] else {
            return Err(unexpected(line));
        };
        Ok(Self {
            centre: Vec3::new(cx, cy, cz),
            orientation: Quat::from_xyzw(x, y, z, w),
            velocity: Vec3::new(vx, vy, vz),
            spin: Vec3::new(ox, oy, oz),
            lambda: forces.try_into().map_err(|_| unexpected(line))?,
            centre_after: Vec3::new(ax, ay, az),
        })
    }
}

fn numbers(words: &str) -> Result<Vec<f64>, String> {
    words.split(' ').map(|word| word.parse().map_err(|_| unexpected(words))).collect()
}

fn unexpected(answer: &str) -> String {
    format!("SLSQP answered {answer:?}")
}
