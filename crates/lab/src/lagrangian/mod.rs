//! Runs a simulation whose motion follows from a Lagrangian.
//!
//! ```text
//! Lagrangian ──derived──► EquationsOfMotion ──lagrange, hamilton──► Motion: paths ──stops──► states ──rows──► Sink
//! ```
//!
//! Equations are derived once and compiled through the language's intermediate form. A `Motion` is what a run
//! asks of them: `lagrange` answers with Lagrange's equations, whose code is `model` and whose methods are
//! `step`, and `hamilton` with Hamilton's, where H has no Lagrangian. `stops` is what happens where a formula
//! must not become negative. `given` says which names a Lagrangian adds to those of the file, `rows` computes
//! them, `measures` what is made of them; `keyframe` is all that a run needs to go on.
//!
//! Whatever the method, nothing drifts away from a constraint: after each step coordinates and rates are
//! brought back onto it, the shortest way as the mass matrix measures it, by what is a rounding or an error
//! of the step.

mod compiled;
mod hamilton;
mod keyframe;
mod lagrange;
mod measures;
mod model;
mod motion;
mod rows;
mod state;
mod step;
mod stops;

pub(crate) use gedanken_experiment::lagrangian::method::Method;

use crate::run::{Options, Stop};
use gedanken_experiment::{Experiment, Lagrangian, Mechanics, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::{Event, EventKind, Frame, Schema, Sink, hash_row};
use gedanken_symbolic::lagrange::EquationsOfMotion;
use hamilton::Canonical;
use keyframe::Keyframe;
use lagrange::Lagrange;
use measures::Measures;
use model::Model;
use motion::{Lack, Motion, Trouble};
use rows::Rows;
use state::State;
use step::Stepper;
use stops::{Happening, Met, Mover};

/// Why the equations of a system do not become native code, if they do not.
pub(crate) fn not_compiled(lagrangian: &Lagrangian) -> Option<String> {
    motion(lagrangian, Stepper { method: Method::default(), tolerance: 1.0 }, false).err()
}

/// The equations of a system as code, with a method that follows them. An error says what cannot be compiled.
fn motion(lagrangian: &Lagrangian, stepper: Stepper, native: bool) -> Result<Box<dyn Motion>, String> {
    Ok(match &lagrangian.derived().equations {
        EquationsOfMotion::Lagrange(it) => {
            Box::new(Lagrange { model: Model::new(lagrangian, it, native)?, stepper })
        }
        EquationsOfMotion::Hamilton(it) => Box::new(Canonical::new(lagrangian, it, stepper, native)?),
    })
}

/// By how much a constraint may be missed at the time a simulation begins, relative to the size of
/// coordinates and rates.
const OFF: f64 = 1e-9;

/// A simulation of a Lagrangian under way.
pub struct LagrangianRun<'e> {
    simulation: &'e Simulation,
    lagrangian: &'e Lagrangian,
    motion: Box<dyn Motion>,
    rows: Rows,
    measures: Measures,
    state: State,
    /// The last completed frame, and how many steps have been taken since.
    frame: Option<u64>,
    step: u64,
    events: u64,
    /// Events in one frame beyond which the run is stopped.
    most_events: u64,
}

impl<'e> LagrangianRun<'e> {
    /// Derives and compiles the equations, and puts the system into its initial state.
    ///
    /// # Errors
    /// What cannot be: constraints that do not hold at the time the simulation begins.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let system = simulation.lagrangian.filter(|_| simulation.mechanics == Mechanics::Lagrangian);
        let Some(lagrangian) = system.and_then(|index| experiment.lagrangians.get(index)) else {
            let message = format!("the simulation `{}` follows no Lagrangian", simulation.name);
            return Err(vec![Diagnostic::new(Code::E725, simulation.span, message)]);
        };
        let uncompiled = |why: String| vec![Diagnostic::new(Code::E765, lagrangian.span, why)];
        let method = simulation.integrator.as_deref().and_then(Method::by_name).unwrap_or_default();
        let stepper = Stepper { method, tolerance: simulation.tolerance };
        let motion = motion(lagrangian, stepper, options.native).map_err(uncompiled)?;
        let mut measures = Measures::new(experiment, simulation, options.native);
        let rows = Rows::new(experiment, simulation, lagrangian, measures.meter(), options.native)
            .map_err(uncompiled)?;
        measures.look_up(experiment, lagrangian, &rows);
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
            measures,
            state,
            frame: None,
            step: 0,
            events: 0,
            most_events: options.most_collisions,
        };
        run.begin().map_err(|trouble| vec![*trouble])?;
        Ok(run)
    }

    /// Brings the initial state onto everything that is held at the time the simulation begins.
    fn begin(&mut self) -> Result<(), Box<Diagnostic>> {
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
        let mover = Mover { motion: &*self.motion, restitution: self.lagrangian.restitution };
        let settled = onto.map_err(Trouble::Lack).and_then(|()| mover.settle(&mut self.state));
        settled.map_err(|trouble| Box::new(self.explain(&trouble)))
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    /// How many frames there will be after frame 0.
    pub fn frames(&self) -> u64 {
        self.simulation.frames()
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// Coordinates as they are.
    pub fn coordinates(&self) -> &[f64] {
        &self.state.q
    }

    /// Their rates as they are.
    pub fn rates(&self) -> &[f64] {
        &self.state.v
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does
    /// nothing, when there are no more.
    ///
    /// # Errors
    /// See [`Stop`]. The state is as it was before the step that failed.
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        let next = match self.frame {
            None => 0,
            Some(last) if last >= self.frames() => return Ok(false),
            Some(last) => {
                self.steps(last, sink)?;
                last + 1
            }
        };
        let time = self.simulation.frame_time(next);
        self.state.time = time;
        let moment = self.rows.moment(&*self.motion, &self.state).map_err(|lack| self.stop(&lack.into()))?;
        let (mut row, mut notices) = (Vec::with_capacity(self.rows.schema.width()), Vec::new());
        self.rows.whole(&moment, &mut row);
        self.measures.append(&moment, &mut row, &mut notices);
        notices.iter().try_for_each(|notice| sink.notice(notice))?;
        let reals = self.state.reals();
        let hash = hash_row(&reals);
        let keyframe = Keyframe { frame: next, events: self.events, reals }.to_bytes(self.sign());
        sink.frame(Frame { index: next, time, row: &row, hash, keyframe: Some(&keyframe) })?;
        (self.frame, self.step) = (Some(next), 0);
        Ok(true)
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`. The next
    /// call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        let found = Keyframe::from_bytes(keyframe, self.sign()).map_err(Stop::Keyframe)?;
        if found.frame != frame {
            return Err(Stop::Keyframe(format!("it belongs to frame {}, not to {frame}", found.frame)));
        }
        if !self.state.take_up(&found.reals) {
            return Err(Stop::Keyframe("it is damaged, or of another system".to_owned()));
        }
        (self.frame, self.step, self.events) = (Some(frame), 0, found.events);
        Ok(())
    }

    /// What its keyframes are known by.
    fn sign(&self) -> u64 {
        keyframe::fingerprint(&self.simulation.name, self.lagrangian)
    }

    /// The steps from frame `last` to the next one, those that are left.
    fn steps(&mut self, last: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (steps, length) = self.simulation.steps();
        let before = self.events;
        while self.step < steps {
            sink.goes_on()?;
            // From the frame's own time, so that nothing adds up.
            let at = |step: u64| match step == steps {
                true => self.simulation.frame_time(last + 1),
                false => self.simulation.frame_time(last) + step as f64 * length,
            };
            let (start, end) = (at(self.step), at(self.step + 1));
            let mut state = State { time: start, ..self.state.clone() };
            while state.time < end {
                let mover = Mover { motion: &*self.motion, restitution: self.lagrangian.restitution };
                let (reached, met) = mover.step(&state, end).map_err(|trouble| self.stop(&trouble))?;
                state = reached;
                if let Some(met) = met {
                    self.tell(&met, sink)?;
                    if self.events - before > self.most_events {
                        return Err(self.endless(state.time, met.stop).into());
                    }
                }
            }
            self.state = state;
            self.step += 1;
        }
        Ok(())
    }

    /// Tells the sink what happened at a stop.
    fn tell(&mut self, met: &Met, sink: &mut dyn Sink) -> Result<(), Stop> {
        let mut rows = Vec::with_capacity(2);
        let mut notices = Vec::new();
        for state in [&met.before, &met.after] {
            let moment = self.rows.moment(&*self.motion, state).map_err(|lack| self.stop(&lack.into()))?;
            let mut row = Vec::new();
            self.rows.part(&moment, &mut row);
            self.measures.append(&moment, &mut row, &mut notices);
            rows.push(row);
        }
        notices.iter().try_for_each(|notice| sink.notice(notice))?;
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
        let after = rows.pop().unwrap_or_default();
        let before = rows.pop().unwrap_or_default();
        let (index, time, context) = (self.events, met.before.time, Some(met.stop));
        self.events += 1;
        sink.take_event(Event { index, time, kind, context, objects: Vec::new(), given, before, after })?;
        Ok(())
    }

    fn stop(&self, trouble: &Trouble) -> Stop {
        Stop::Experiment(Box::new(self.explain(trouble)))
    }

    /// Why a step could not be made.
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

impl std::fmt::Debug for LagrangianRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let simulation = &self.simulation.name;
        f.debug_struct("LagrangianRun").field("simulation", simulation).field("frame", &self.frame).finish()
    }
}
