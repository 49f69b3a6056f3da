//! Runs a simulation whose motion follows from a Lagrangian.
//!
//! ```text
//! Lagrangian ──derived──► EquationsOfMotion ──lagrange, hamilton──► Motion: paths ──stops──► states ──rows──► moments
//! ```
//!
//! Equations are derived once and compiled through the language's intermediate form. A `Motion` is what a run
//! asks of them: `lagrange` answers with Lagrange's equations, whose code is `model` and whose methods are
//! `step`, and `hamilton` with Hamilton's, where H has no Lagrangian. `stops` is what happens where a formula
//! must not become negative. `given` says which names a Lagrangian adds to those of the file, `rows` computes
//! them, `readings` is what measures read; `state` is all that a run needs to go on.
//!
//! Whatever the method, nothing drifts away from a constraint: after each step coordinates and rates are
//! brought back onto it, the shortest way as the mass matrix measures it, by what is a rounding or an error
//! of the step.

mod compiled;
mod hamilton;
mod lagrange;
mod model;
mod motion;
mod readings;
mod rows;
mod state;
mod step;
mod stops;

pub(crate) use gedanken_experiment::lagrangian::method::Method;

use crate::run::clock::StepClock;
use crate::run::divergence::EVALUATIONS_PER_STEP;
use crate::run::events::{Events, Happened};
use crate::run::measures::Meter;
use crate::run::mechanism::Mechanism;
use crate::run::options::{Options, Stop};
use crate::run::values::Values;
use crate::run::words::{Hash, Words, WordsReader};
use gedanken_experiment::{Experiment, Lagrangian, LagrangianSettings, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::{EventKind, Schema, hash_row};
use gedanken_symbolic::lagrange::EquationsOfMotion;
use hamilton::Canonical;
use lagrange::Lagrange;
use model::Model;
use motion::{Lack, Motion, Trouble};
use rows::Rows;
use state::State;
use step::Stepper;
use stops::{Happening, Met, Mover};

/// Reason why the equations of a system do not become native code, if they do not.
pub(crate) fn not_compiled(lagrangian: &Lagrangian) -> Option<String> {
    let options = Options { native: false, ..Options::default() };
    motion(lagrangian, Stepper { method: Method::default(), tolerance: 1.0 }, &options).err()
}

/// The equations of a system as code, with a method that follows them. An error says what cannot be compiled.
fn motion(lagrangian: &Lagrangian, stepper: Stepper, options: &Options) -> Result<Box<dyn Motion>, String> {
    Ok(match &lagrangian.derived().equations {
        EquationsOfMotion::Lagrange(it) => {
            Box::new(Lagrange { model: Model::new(lagrangian, it, options)?, stepper })
        }
        EquationsOfMotion::Hamilton(it) => Box::new(Canonical::new(lagrangian, it, stepper, options)?),
    })
}

/// Largest miss of a constraint that is allowed at the time a simulation begins, relative to the size of
/// coordinates and rates.
const OFF: f64 = 1e-9;

/// A simulation of a Lagrangian under way.
pub(crate) struct LagrangianMechanism<'e> {
    simulation: &'e Simulation,
    lagrangian: &'e Lagrangian,
    motion: Box<dyn Motion>,
    rows: Rows,
    state: State,
    /// Events in one frame beyond which the run is stopped.
    most_events: u64,
    /// Number of steps of the integrator so far.
    steps: u64,
}

impl<'e> LagrangianMechanism<'e> {
    /// Derives and compiles the equations, and puts the system into its initial state.
    ///
    /// # Errors
    /// Constraints that do not hold at the time the simulation begins.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
    ) -> Result<Self, Vec<Diagnostic>> {
        let system = |it: &LagrangianSettings| experiment.lagrangians.get(it.system?);
        let Some((settings, lagrangian)) = simulation.lagrangian().and_then(|it| Some((it, system(it)?)))
        else {
            let message = format!("the simulation `{}` follows no Lagrangian", simulation.name);
            return Err(vec![Diagnostic::new(Code::E725, simulation.span, message)]);
        };
        // Nothing is wrong with a system whose derivation was cancelled.
        lagrangian.derive_until(&options.cancel).map_err(|_| Vec::new())?;
        let uncompiled = |why: String| vec![Diagnostic::new(Code::E765, lagrangian.span, why)];
        let method = settings.integrator.as_deref().and_then(Method::by_name).unwrap_or_default();
        let stepper = Stepper { method, tolerance: settings.tolerance };
        let motion = motion(lagrangian, stepper, &options).map_err(uncompiled)?;
        let mut rows = Rows::new(experiment, simulation, lagrangian, meter, &options).map_err(uncompiled)?;
        rows.readings = readings::readings(experiment, lagrangian, &rows, meter);
        let state = State {
            time: simulation.initial_time,
            q: lagrangian.coordinates.clone(),
            v: lagrangian.rates.clone(),
            p: lagrangian.momenta.clone(),
            resting: vec![false; lagrangian.stops.len()],
        };
        let mut run = Self {
            simulation,
            lagrangian,
            motion,
            rows,
            state,
            most_events: options.most_collisions,
            steps: 0,
        };
        run.settle().map_err(|trouble| vec![*trouble])?;
        Ok(run)
    }

    /// Brings the initial state onto everything that is held at the time the simulation begins.
    fn settle(&mut self) -> Result<(), Box<Diagnostic>> {
        let Self { motion, state, .. } = self;
        let held = motion.held(state);
        let constraints = &self.lagrangian.system.constraints;
        for (place, constraint) in constraints.iter().enumerate() {
            let Ok(held) = &held else { break };
            let off = held.values[place].abs().max(held.speeds[place].abs());
            let size = state.q.iter().chain(&state.v).fold(1.0f64, |most, it| most.max(it.abs()));
            if off > OFF * size {
                let time = Value::Real(self.simulation.initial_time);
                let message = format!(
                    "the constraint `{}` is missed by {} at t = {time}, where the simulation begins",
                    constraint.name,
                    Value::Real(off)
                );
                let diagnostic =
                    Diagnostic::new(Code::E766, self.lagrangian.place(&constraint.name), message)
                        .label("does not hold")
                        .help("choose coordinates and rates that fit this time, or another `initial time`");
                return Err(Box::new(diagnostic));
            }
        }
        let onto = motion.settle(state);
        let mover = Mover::new(&*self.motion, self.lagrangian.restitution);
        let settled = onto.map_err(Trouble::Lack).and_then(|()| mover.settle(&mut self.state));
        settled.map_err(|trouble| Box::new(self.explain(&trouble)))
    }

    /// Tells what happened at a stop.
    fn tell(&self, met: &Met, events: &mut Events<'_>) -> Result<(), Stop> {
        let mut row = |state: &State| {
            let moment = self.rows.moment(&*self.motion, state).map_err(|lack| self.stop(&lack.into()))?;
            events.row(&moment, &[])
        };
        let (before, after) = (row(&met.before)?, row(&met.after)?);
        let kind = match met.what {
            Happening::Bounce => EventKind::Collision,
            Happening::Rest => EventKind::Contact,
            Happening::Leave => EventKind::FreeFall,
        };
        let mut given = Vec::new();
        if met.what != Happening::Leave {
            given.push(("approach_speed".to_owned(), vec![-met.approach]));
            given.push(("restitution".to_owned(), vec![self.lagrangian.restitution]));
        }
        let (time, context, objects) = (met.before.time, Some(met.stop), Vec::new());
        events.event(Happened { time, kind, context, objects, given, before, after })
    }

    fn stop(&self, trouble: &Trouble) -> Stop {
        Stop::Experiment(Box::new(self.explain(trouble)))
    }

    /// Diagnostic of a step that could not be made.
    fn explain(&self, trouble: &Trouble) -> Diagnostic {
        let name = &self.lagrangian.name;
        let (why, help) = match trouble {
            Trouble::Lack(Lack::Formula) => (
                "a formula of it has no finite value".to_owned(),
                "look for a division by zero, or a root or logarithm of a negative number",
            ),
            Trouble::Lack(Lack::Singular) if self.lagrangian.equations.hamilton().is_some() => (
                "a push would not change its rates there, since the second slope of H by its momenta vanishes"
                    .to_owned(),
                "let it leave a stop as fast as it came, with `restitution = 1`, or take a shorter `time step`",
            ),
            Trouble::Lack(Lack::Singular) => (
                "its mass matrix is singular there, or its constraints contradict each other".to_owned(),
                "start so that the motion does not pass through this point, or choose other coordinates",
            ),
            Trouble::Lack(Lack::Unsettled) => (
                "the equations of an implicit step, or of a constraint, do not settle".to_owned(),
                "take a shorter `time step`",
            ),
            Trouble::Stuck(why) => (
                why.clone(),
                "a shorter `time step`, a larger `tolerance` or a shorter `duration` would help",
            ),
        };
        let shown = self.lagrangian.system.coordinates.iter().zip(&self.state.q);
        let shown: Vec<String> =
            shown.take(6).map(|(it, value)| format!("{} = {}", it.name, Value::Real(*value))).collect();
        Diagnostic::new(
            Code::E809,
            self.lagrangian.span,
            format!("the motion of `{name}` cannot be followed: {why}"),
        )
        .note(format!("after t = {}, where {}", Value::Real(self.state.time), shown.join(", ")))
        .help(help)
    }

    fn endless(&self, time: f64, stop: usize) -> Box<Diagnostic> {
        let stop = &self.lagrangian.stops[stop];
        let message = format!("`{}` is met more than {} times within a frame", stop.name, self.most_events);
        Box::new(
            Diagnostic::new(Code::E809, stop.span, message)
                .label("met without end")
                .note(format!("at t = {}", Value::Real(time)))
                .help("lower the `restitution`, or look for two stops that leave no room"),
        )
    }
}

impl Mechanism for LagrangianMechanism<'_> {
    fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    fn begin(&mut self, _: f64, _: &mut Events<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        let mut state = State { time: clock.start, ..self.state.clone() };
        while state.time < clock.end {
            let mover = Mover::new(&*self.motion, self.lagrangian.restitution);
            let (reached, met) = mover.step(&state, clock.end).map_err(|trouble| self.stop(&trouble))?;
            self.steps += mover.steps.get();
            state = reached;
            if let Some(met) = met {
                self.tell(&met, events)?;
                if events.since_frame() > self.most_events {
                    return Err(self.endless(state.time, met.stop).into());
                }
            }
        }
        self.state = state;
        Ok(())
    }

    fn evaluations(&self) -> u64 {
        self.steps * EVALUATIONS_PER_STEP
    }

    fn laws_moving(&self, _: Option<usize>) -> Vec<String> {
        vec![self.lagrangian.name.clone()]
    }

    fn set_time(&mut self, time: f64) {
        self.state.time = time;
    }

    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop> {
        let moment = self.rows.moment(&*self.motion, &self.state);
        Ok(Box::new(moment.map_err(|lack| self.stop(&lack.into()))?))
    }

    fn hash(&self, _: &[f64]) -> u64 {
        hash_row(&self.state.reals())
    }

    fn scalars(&self) -> usize {
        self.state.reals().len()
    }

    fn save(&self, to: &mut Words) {
        self.state.reals().into_iter().for_each(|real| to.real(real));
    }

    fn load(&mut self, _: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        let reals: Vec<f64> = from.rest().iter().map(|&bits| f64::from_bits(bits)).collect();
        match self.state.take_up(&reals) {
            true => Ok(()),
            false => Err(Stop::Keyframe("it is damaged, or of another system".to_owned())),
        }
    }

    /// Names, and the Lagrangian or the Hamiltonian itself.
    fn fingerprint(&self, hash: &mut Hash) {
        let lagrangian = self.lagrangian;
        hash.text(&lagrangian.name);
        lagrangian.system.coordinates.iter().for_each(|it| hash.text(&it.name));
        hash.text(&lagrangian.pool.text(match &lagrangian.equations {
            EquationsOfMotion::Lagrange(it) => it.lagrangian,
            EquationsOfMotion::Hamilton(it) => it.hamiltonian,
        }));
        lagrangian.system.constraints.iter().for_each(|it| hash.text(&it.name));
    }
}
