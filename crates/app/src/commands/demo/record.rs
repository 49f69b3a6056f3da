//! Runs a demonstration and keeps what there is to tell: error of energy, invariants, ledger, frames,
//! fingerprint.

use super::errors::Errors;
use super::notation::{self, Notation};
use super::scenes::{Demonstration, Stage};
use crate::clock::{Progress, Stopwatch};
use crate::failure::Failure;
use gedanken_dynamics::diagnostics::{angular_momentum, momentum, total_energy};
use gedanken_dynamics::integrate::DEFAULT_TOLERANCE;
use gedanken_dynamics::laws::Laws;
use gedanken_dynamics::scenes::Scene;
use gedanken_dynamics::{Integrator, Ledger, LawEntry, Space, State, StateError};
use gedanken_math::Vec3;
use gedanken_math::units::SECOND;
use std::time::Duration;

/// How a scene is to be run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) integrator: &'static Integrator,
    pub(crate) periods: f64,
    pub(crate) steps: u32,
}

impl Plan {
    /// The step and the end, in seconds.
    fn times(self, period: f64) -> (f64, f64) {
        (period / f64::from(self.steps), period * self.periods)
    }
}

/// What happened.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) scene: &'static Demonstration,
    pub(crate) integrator: &'static Integrator,
    pub(crate) plan: Plan,
    /// The step as a composition of rules.
    pub(crate) workflow: Notation,
    pub(crate) laws: Vec<String>,
    pub(crate) period: f64,
    /// Steps made.
    pub(crate) steps: u64,
    /// ΔE/|E₀| over time, in seconds: of every stretch of time, the sample that is farthest from zero.
    pub(crate) errors: Vec<(f64, f64)>,
    /// The largest |ΔE/E₀| after any step.
    pub(crate) largest_error: f64,
    /// How far the mean of ΔE/E₀ over the last period is from that over the first.
    pub(crate) drift: f64,
    pub(crate) frames: Vec<Frame>,
    /// After whole periods of a periodic motion: how far the farthest body is from its start.
    pub(crate) distance_from_start: Option<f64>,
    pub(crate) start: Invariants,
    pub(crate) end: Invariants,
    pub(crate) ledger: Vec<LawEntry>,
    pub(crate) kinetic_change: f64,
    pub(crate) unbooked: f64,
    pub(crate) numerical_error: f64,
    pub(crate) hash: u64,
}

/// What the picture shows, at one time.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) time: f64,
    pub(crate) points: Vec<Vec3>,
}

/// What ought to stay, in joules, kg·m/s and kg·m²/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invariants {
    pub(crate) time: f64,
    pub(crate) energy: f64,
    pub(crate) momentum: Vec3,
    /// `None` on a line, where nothing goes round.
    pub(crate) angular_momentum: Option<Vec3>,
}

impl Invariants {
    fn of<S: Space>(state: &State, laws: &Laws<S>) -> Result<Self, StateError> {
        Ok(Self {
            time: state.time().si(),
            energy: total_energy(state, laws)?.si(),
            momentum: S::to_space(momentum::<S>(state)?.si()),
            angular_momentum: angular_momentum(state).ok().map(|l| l.si()),
        })
    }
}

/// Runs a demonstration with a ledger.
pub(crate) fn record(scene: &'static Demonstration, plan: Plan) -> Result<Recording, Failure> {
    match (scene.stage)() {
        Stage::Line(stage) => record_in(scene, &stage, plan),
        Stage::Space(stage) => record_in(scene, &stage, plan),
    }
}

fn record_in<S: Space>(
    scene: &'static Demonstration,
    stage: &Scene<S>,
    plan: Plan,
) -> Result<Recording, Failure> {
    let integrator = plan.integrator;
    let (mechanics, mut state) = stage.mechanics(integrator)?;
    let workflow = notation::of(&integrator.flow(&mechanics, DEFAULT_TOLERANCE)?);
    let mechanics = mechanics.with_ledger()?;
    let mut stepper = integrator.prepare(&mechanics)?;
    let mut ledger = Ledger::open(&mechanics, &state)?;

    let (h, end) = plan.times(stage.period);
    let start = Invariants::of(&state, &stage.laws)?;
    let scale = if start.energy == 0.0 { 1.0 } else { start.energy.abs() };
    let mut errors = Errors::new(stage.period, end);
    let mut frames = vec![Frame { time: 0.0, points: (scene.observe)(&state)? }];
    let spacing = frame_spacing(stage.period, end, frames[0].points.len());
    let mut progress = Progress::new(format!("{} with {}", scene.name, integrator.name));
    let mut steps = 0;
    stepper.run_with(&mut state, h * SECOND, end * SECOND, |stepper, state| -> Result<(), Failure> {
        steps += 1;
        ledger.post(stepper.workflow(), stepper.scratch(), state)?;
        let time = state.time().si();
        errors.push(time, (total_energy(state, &stage.laws)?.si() - start.energy) / scale);
        let due = frames.len() as f64 * spacing - 1e-9 * spacing;
        if time >= due && time <= SHOWN_PERIODS * stage.period + spacing {
            frames.push(Frame { time, points: (scene.observe)(state)? });
        }
        progress.at(time / end);
        Ok(())
    })?;
    let returned = scene.periodic && plan.periods.fract() == 0.0 && (state.time().si() - end).abs() < 1e-9;
    let now = (scene.observe)(&state)?;
    let distances = frames[0].points.iter().zip(&now).map(|(a, b)| a.distance(*b));
    let distance_from_start = returned.then(|| distances.fold(0.0, f64::max));
    let (largest_error, drift) = (errors.largest, errors.drift());
    Ok(Recording {
        scene,
        integrator,
        plan,
        workflow,
        laws: stage.laws.terms().iter().map(|term| term.label.to_string()).collect(),
        period: stage.period,
        steps,
        errors: errors.points,
        largest_error,
        drift,
        frames,
        distance_from_start,
        start,
        end: Invariants::of(&state, &stage.laws)?,
        ledger: ledger.entries().to_vec(),
        kinetic_change: ledger.kinetic_change().si(),
        unbooked: ledger.unbooked().si(),
        numerical_error: ledger.numerical_error().si(),
        hash: state.hash(),
    })
}

/// Seconds of computing per step, without ledger and diagnostics: what the method itself costs here and now.
pub(crate) fn seconds_per_step(recording: &Recording) -> Result<f64, Failure> {
    match (recording.scene.stage)() {
        Stage::Line(stage) => time_steps(&stage, recording.plan),
        Stage::Space(stage) => time_steps(&stage, recording.plan),
    }
}

/// The best of a few passes: whatever else the computer does can only make one slower.
const PASSES: u32 = 5;
const LONGEST_PASS: Duration = Duration::from_millis(30);

fn time_steps<S: Space>(stage: &Scene<S>, plan: Plan) -> Result<f64, Failure> {
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let (mut stepper, mut state) = stage.prepare(plan.integrator)?;
        let (h, end) = plan.times(stage.period);
        let (watch, mut steps) = (Stopwatch::start(), 0_u32);
        // Looking at the watch costs as much as a short step, so it is not done every time.
        while state.time().si() < end && (!steps.is_multiple_of(16) || watch.elapsed() < LONGEST_PASS) {
            stepper.step(&mut state, h * SECOND)?;
            steps += 1;
        }
        best = best.min(watch.elapsed().as_secs_f64() / f64::from(steps.max(1)));
    }
    Ok(best)
}

/// Paths are shown for so many periods; frames after that would only blur them.
const SHOWN_PERIODS: f64 = 12.0;

/// Enough for smooth curves, few enough for any number of bodies.
fn frame_spacing(period: f64, end: f64, bodies: usize) -> f64 {
    let span = end.min(SHOWN_PERIODS * period);
    let most = (200_000.0 / bodies.max(1) as f64).max(2.0);
    (span / most).max(period / 400.0)
}
