//! Contact steps of a thrown die of a metre, `kinetic = seed`, against SciPy's SLSQP on the same states.
//!
//! Both sides take all contact steps of the throw that `crates/rigid/tests/oracle` stores, and both passes of
//! each: without friction for the normal forces, then with it. Ours is a whole step of a simulation: broad and
//! narrow phase, both passes, ledger, events. It is put into each state outside of the clock, which takes the
//! contacts of the step before from it; the mean of a run, which has them, is in the remark.
//!
//! SLSQP is told the problem in four ways, for its speed depends on that more than on anything else. The target
//! belongs to the program that the document of the dice describes. The document computes the objective and its
//! gradients with NumPy, passes constraints as a function of their values, has rotations by SciPy's `Rotation`,
//! SI units and names no option. So the target is on the way with the exact gradient of the cost, heights by
//! value, and SciPy's own `ftol`. Without that gradient SLSQP is slower. With exact derivatives of the heights
//! as well, and scaled by someone who knows its first Hessian, it is several times faster, and no target is set.
//!
//! A time is the sum of the best times of every step, on both sides, after equally many repetitions. An answer
//! counts only if our cost is at most theirs in every state, within 1e-9 J.

use super::Outcome;
use crate::clock::{PartTimes, seconds};
use crate::ours::rigid::variational::{GivenForce, VariationalSettings};
use crate::ours::rigid::{Body, Material, Settings, Simulation, World};
use crate::ours::{ComponentId, Cuboid, HalfSpace, Pose, Quantity, Shape, UniformGravity, Vec3, to_world};
use crate::peers::slsqp::{ContactStep, Cube, Slsqp, Way};
use crate::table::Row;
use std::error::Error;

const REPETITIONS: usize = 10;
/// Target: times the rate of SLSQP.
const TIMES: f64 = 80.0;
/// What a step should take, s.
const AIM: f64 = 20e-6;
/// By how much our cost may be above theirs, J.
const ROUNDING: f64 = 1e-9;
/// Bound on the residuals of our steps, and on the distance to the stored ends of the steps over the side.
const EXACT: f64 = 1e-8;

const WAYS: [(Way, &str, Option<f64>); 4] = [
    (Way::Differences, "derivatives by differences", None),
    (Way::Gradient, "exact gradient of the cost", Some(TIMES)),
    (Way::Units, "all gradients exact", None),
    (Way::Scaled, "all gradients exact, scaled", None),
];

pub fn run() -> Outcome {
    let mut peer = Slsqp::start()?;
    let checked = Checked::new(&peer).map_err(|error| error.to_string())?;
    let mut die = Die::new(&peer.cube, Vec::new()).map_err(|error| error.to_string())?;
    let in_a_run = mean_of_a_run(&peer).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for (way, told, target) in WAYS {
        let (mut ours, mut theirs) = (PartTimes::default(), PartTimes::default());
        for _ in 0..REPETITIONS {
            theirs.push(peer.times(way)?);
            let spent: Result<Vec<f64>, _> = peer.steps.iter().map(|state| die.step_from(state)).collect();
            ours.push(spent.map_err(|error| error.to_string())?);
        }
        let (ours, theirs) = (ours.totals(), theirs.totals());
        let costs = peer.costs(way)?;
        let above = (checked.costs.iter().zip(&costs)).map(|(ours, theirs)| ours - theirs);
        let above = above.fold(f64::NEG_INFINITY, f64::max);
        let below = (costs.iter().zip(&checked.costs)).map(|(theirs, ours)| theirs - ours);
        let count = peer.steps.len() as f64;
        rows.push(Row {
            case: "die, contact steps".into(),
            peer: format!("SLSQP of SciPy {}, {told}", peer.version()),
            unit: "steps/s",
            amount: count,
            target,
            sound: above <= ROUNDING && checked.worst <= EXACT && costs.len() == peer.steps.len(),
            remark: format!(
                "{} contact steps, {:.1} µs each, median {:.1} µs (aim {:.0}), {in_a_run:.1} µs in a run; SLSQP, {told}: \
                 {:.0} µs, its cost above ours by {:.1e} J at most, ours above its by {:.1e} J; our worst residual {:.1e}",
                peer.steps.len(),
                ours.best() / count * 1e6,
                ours.median() / count * 1e6,
                AIM * 1e6,
                theirs.best() / count * 1e6,
                below.fold(0.0, f64::max),
                above.max(0.0),
                checked.worst,
            ),
            ours,
            theirs,
        });
    }
    Ok(rows)
}

/// Our die, ready to be put anywhere.
struct Die {
    run: Simulation,
    id: ComponentId,
    time_step: f64,
}

impl Die {
    /// The die above its table; with forces of the first pass, if any are given.
    fn new(cube: &Cube, given_forces: Vec<GivenForce>) -> Result<Self, Box<dyn Error>> {
        let ground = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Y, 0.0)?), Pose::IDENTITY);
        let above = Pose::at(Vec3::Y * (9.0 * cube.side));
        let die = Body::dynamic(Shape::Cuboid(Cuboid::new(Vec3::splat(cube.side))?), above);
        let bodies =
            [("die", die.with_mass(cube.mass).with_material("all")), ("ground", ground.with_material("all"))];
        let gravity = UniformGravity::new(Quantity::new(Vec3::Y * -cube.gravity));
        let world = World::new(bodies, [Material::new("all", 0.0, cube.friction)?])?.with_laws(gravity);
        let settings = Settings {
            variational: VariationalSettings::SEED,
            given_forces,
            ..Settings::of_solver("variational")?
        };
        let id = world.id("die")?;
        Ok(Self { run: Simulation::new(world, settings)?, id, time_step: cube.time_step })
    }

    fn put(&mut self, state: &ContactStep) -> Result<(), Box<dyn Error>> {
        let spin = to_world(state.orientation, state.spin);
        let pose = Pose::new(state.orientation, state.centre);
        Ok(self.run.put(self.id, pose, state.velocity, spin)?)
    }

    /// One step from where it is; seconds.
    fn step(&mut self) -> Result<f64, Box<dyn Error>> {
        let mut outcome = Ok(());
        let spent = seconds(|| outcome = self.run.step(self.time_step));
        outcome?;
        Ok(spent)
    }

    /// One step from a state; seconds of the step alone.
    fn step_from(&mut self, state: &ContactStep) -> Result<f64, Box<dyn Error>> {
        self.put(state)?;
        self.step()
    }

    fn touches(&self) -> bool {
        self.run.inspection().is_some_and(|it| it.multipliers.iter().any(|point| point.first_pass > 0.0))
    }
}

/// Our costs in all states, and how exact our steps are.
struct Checked {
    costs: Vec<f64>,
    /// The largest residual, or distance from the stored end over the side.
    worst: f64,
}

impl Checked {
    /// Costs are comparable only with the same forces of the first pass, so the stored ones are given.
    fn new(peer: &Slsqp) -> Result<Self, Box<dyn Error>> {
        let Cube { side, .. } = peer.cube;
        let mut plain = Die::new(&peer.cube, Vec::new())?;
        let mut checked = Self { costs: Vec::new(), worst: 0.0 };
        for state in &peer.steps {
            let given = (0..8).map(|point| GivenForce { rows: [1, 2], point, force: force_at(state, point) });
            let mut die = Die::new(&peer.cube, given.collect())?;
            for (die, has_own_forces) in [(&mut die, false), (&mut plain, true)] {
                die.step_from(state)?;
                let off = (die.run.pose(die.id).translation - state.centre_after).length() / side;
                let residuals = die.run.report().variational;
                checked.worst = checked.worst.max(off).max(residuals.stationarity).max(residuals.feasibility);
                if !has_own_forces {
                    let told = die.run.inspection().ok_or("a variational step tells its cost")?;
                    checked.costs.push(told.cost.total());
                }
            }
        }
        Ok(checked)
    }
}

/// The force at our corner of this number, whose bits are x, y, z from the lowest.
fn force_at(state: &ContactStep, point: u32) -> f64 {
    state.lambda[(4 * (point & 1) + 2 * (point >> 1 & 1) + (point >> 2 & 1)) as usize]
}

/// Mean time, µs, of the contact steps of a run that begins with the first of them; the best of some runs.
fn mean_of_a_run(peer: &Slsqp) -> Result<f64, Box<dyn Error>> {
    let mut die = Die::new(&peer.cube, Vec::new())?;
    let mut best = f64::INFINITY;
    for _ in 0..REPETITIONS {
        die.put(peer.steps.first().ok_or("there are no contact steps")?)?;
        let (mut spent, mut count) = (0.0, 0);
        for _ in 0..peer.steps.len() {
            let one = die.step()?;
            if die.touches() {
                (spent, count) = (spent + one, count + 1);
            }
        }
        best = f64::min(best, spent / f64::from(count.max(1)));
    }
    Ok(best * 1e6)
}
