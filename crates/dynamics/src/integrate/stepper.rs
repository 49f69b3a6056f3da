//! Steppers: an integrator prepared for a mechanical system, with its memory, choosing the length of its
//! steps.

use super::dormand_prince::Dense;
use super::{Control, Integrator, adaptive};
use crate::attributes::{ErrorEstimate, Position, Stride, Velocity};
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Fault};
use crate::core::state::{State, StateError};
use crate::core::workflow::{Scratch, Workflow};
use crate::mechanics::Mechanics;
use crate::space::Space;
use gedanken_math::units::{Quantity, Time};
use std::marker::PhantomData;

/// An integrator at work.
#[derive(Debug)]
pub struct Stepper<S: Space> {
    integrator: &'static Integrator,
    workflow: Workflow,
    scratch: Scratch,
    /// Evaluates the forces only: what a reversible control needs before the first step.
    primer: Option<(Workflow, Scratch)>,
    last: f64,
    space: PhantomData<S>,
}

/// Located event.
#[derive(Debug, Clone)]
pub struct Located {
    /// The state at the event.
    pub state: State,
    /// Number of tests of the sign of the event function.
    pub tests: u32,
}

impl<S: Space> Stepper<S> {
    pub(super) fn new(
        integrator: &'static Integrator,
        mechanics: &Mechanics<S>,
        tolerance: f64,
    ) -> Result<Self, BuildError> {
        if tolerance.is_nan() || tolerance <= 0.0 {
            return Err(BuildError::Unfit(format!(
                "a tolerance of {tolerance} is not possible: it must be positive"
            )));
        }
        let model = mechanics.model();
        let equipped = integrator.equip::<S>(model.clone());
        if let Some(missing) = equipped.schema().iter().find(|info| model.column(&info.name).is_none()) {
            return Err(BuildError::Unfit(format!(
                "'{}' keeps '{}' from step to step: equip the model with `Integrator::equip`",
                integrator.name, missing.name
            )));
        }
        let workflow = integrator.flow(mechanics, tolerance)?.build(model)?;
        let scratch = workflow.scratch();
        let primer = match integrator.control {
            Control::Reversible => {
                let workflow = mechanics.evaluation().build(model)?;
                let scratch = workflow.scratch();
                Some((workflow, scratch))
            }
            Control::Fixed | Control::Embedded => None,
        };
        Ok(Self { integrator, workflow, scratch, primer, last: 0.0, space: PhantomData })
    }

    /// The integrator.
    #[must_use]
    pub fn integrator(&self) -> &'static Integrator {
        self.integrator
    }

    /// The workflow of one step.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// The memory of the last step: what a ledger posts from.
    #[must_use]
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Makes one step and returns its length: `h` itself with fixed steps, `h`/ρ under reversible control
    /// (`h` is the step at the first accelerations), at most `h` when an error estimate decides.
    pub fn step(&mut self, state: &mut State, h: Quantity<Time>) -> Result<Quantity<Time>, Fault> {
        let taken = match self.integrator.control {
            Control::Fixed => self.workflow.step(state, &mut self.scratch, h).map(|_| h.si()),
            Control::Reversible => self.step_reversibly(state, h.si()),
            Control::Embedded => self.step_within_tolerance(state, h.si()),
        }?;
        self.last = taken;
        Ok(Quantity::new(taken))
    }

    /// Steps with `h` until `end` is reached exactly. Under reversible control, which must choose its own
    /// steps, it stops at the first one past the end.
    pub fn run(&mut self, state: &mut State, h: Quantity<Time>, end: Quantity<Time>) -> Result<(), Fault> {
        self.run_with(state, h, end, |_, _| Ok(()))
    }

    /// Like [`Stepper::run`], and calls `after` with every new state. An error from it ends the run.
    pub fn run_with<E: From<Fault>>(
        &mut self,
        state: &mut State,
        h: Quantity<Time>,
        end: Quantity<Time>,
        mut after: impl FnMut(&Self, &State) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = state.time();
        let mut steps: f64 = 0.0;
        loop {
            let rest = end - state.time();
            // The last step is cut, unless cutting would leave a sliver of rounding.
            if rest.si() <= 1e-12 * (h.si() + end.si().abs()) {
                return Ok(());
            }
            match self.integrator.control {
                Control::Fixed => {
                    // Frame times are counted, not accumulated: after n steps it is start + n h.
                    steps += 1.0;
                    let next = start + h * steps;
                    let whole = (end - next).si() > -1e-9 * h.si();
                    self.step(state, if whole { h } else { rest })?;
                    state.time = if whole { next.si() } else { end.si() };
                }
                Control::Reversible => {
                    self.step(state, h)?;
                }
                Control::Embedded => {
                    self.step(state, if rest < h { rest } else { h })?;
                }
            }
            after(self, state)?;
        }
    }

    /// The motion within the last step, for methods that have dense output.
    #[must_use]
    pub fn dense(&self) -> Option<Dense<'_, S>> {
        let embedded = self.integrator.control == Control::Embedded && self.last > 0.0;
        embedded.then(|| Dense::new(&self.workflow, &self.scratch, self.last))
    }

    /// Steps until `event` changes from negative to positive, and returns the state there; `None` if `end`
    /// comes first. `state` is left at the end of the step in which the event fell.
    ///
    /// The crossing is found on the dense output and then confirmed by a step of exactly that length, so the
    /// state is a state of the method itself.
    pub fn locate(
        &mut self,
        state: &mut State,
        h: Quantity<Time>,
        end: Quantity<Time>,
        event: impl Fn(&State) -> f64,
    ) -> Result<Option<Located>, Fault> {
        let mut value = event(state);
        while state.time() < end {
            let before = state.clone();
            let rest = end - state.time();
            self.step(state, if rest < h { rest } else { h })?;
            let next = event(state);
            if value < 0.0 && next >= 0.0 {
                return self.bisect(&before, state, &event).map(Some);
            }
            value = next;
        }
        Ok(None)
    }

    /// Bisection on the dense output (or, without one, on shorter steps) down to the resolution of the time.
    fn bisect(
        &mut self,
        before: &State,
        after: &State,
        event: &impl Fn(&State) -> f64,
    ) -> Result<Located, Fault> {
        let h = self.last;
        let (mut low, mut high) = (0.0, 1.0);
        let mut found = after.clone();
        let mut tests = 0;
        while (high - low) * h > 4.0 * f64::EPSILON * after.time.abs().max(h) {
            let middle = 0.5 * (low + high);
            let probe = self.between(before, middle, h)?;
            tests += 1;
            if event(&probe) < 0.0 {
                low = middle;
            } else {
                high = middle;
                found = probe;
            }
        }
        Ok(Located { state: found, tests })
    }

    /// The state at the fraction θ of the last step.
    fn between(&mut self, before: &State, theta: f64, h: f64) -> Result<State, Fault> {
        let mut probe = before.clone();
        if let Some(dense) = self.dense() {
            for row in 0..before.model().components().len() {
                let id = ComponentId::from_row(row);
                let (r, v) = dense.at(id, theta).expect("the method has dense output for every row");
                probe.overwrite::<Position<S>>(row, r);
                probe.overwrite::<Velocity<S>>(row, v);
            }
            probe.time = before.time + theta * h;
        } else {
            self.workflow.step(&mut probe, &mut self.scratch, Quantity::new(theta * h))?;
        }
        Ok(probe)
    }

    fn step_reversibly(&mut self, state: &mut State, h: f64) -> Result<f64, Fault> {
        let (primer, memory) = self.primer.as_mut().expect("a reversible control has a primer");
        if !self.workflow.has_primed(state) {
            primer.evaluate(state, memory)?;
        }
        let density = adaptive::density::<S>(state).map_err(unexpected)?;
        if density.is_nan() || density <= 0.0 {
            let integrator = self.integrator.name;
            return Err(Fault::StepTooSmall { integrator, time: state.time, step: h / density });
        }
        self.workflow.step(state, &mut self.scratch, Quantity::new(h / density))?;
        adaptive::settle::<S>(state, density).map_err(unexpected)?;
        Ok(h / density)
    }

    /// Tries steps until the error estimate accepts one. The next try is h·0.9·e^(-1/5), within a factor of
    /// 0.2 to 5 of the last (@hairer1993, II.4).
    fn step_within_tolerance(&mut self, state: &mut State, limit: f64) -> Result<f64, Fault> {
        let stride = state.get::<Stride>(ComponentId::WORLD).map_err(unexpected)?.si();
        let mut h = if stride > 0.0 { stride.min(limit) } else { limit };
        loop {
            let smallest = 16.0 * f64::EPSILON * state.time.abs().max(f64::MIN_POSITIVE);
            if h <= smallest {
                return Err(Fault::StepTooSmall {
                    integrator: self.integrator.name,
                    time: state.time,
                    step: h,
                });
            }
            match self.workflow.step(state, &mut self.scratch, Quantity::new(h)) {
                Ok(_) => {
                    let estimate = self.workflow.transient::<ErrorEstimate>(&self.scratch);
                    let error = estimate.map_or(0.0, |e| e[ComponentId::WORLD.row()].si());
                    // A step that was cut short by the limit says nothing about longer ones.
                    let next = (h * factor(error)).max(stride.min(h * 5.0));
                    state.keep::<Stride>(ComponentId::WORLD, Quantity::new(next)).map_err(unexpected)?;
                    return Ok(h);
                }
                Err(Fault::Vetoed { measure, .. }) if measure.is_finite() => h *= factor(measure).min(0.9),
                // The error estimate itself overflowed: far too long a step.
                Err(Fault::Vetoed { .. } | Fault::NotFinite { .. }) => h *= 0.1,
                Err(fault) => return Err(fault),
            }
        }
    }
}

fn factor(error: f64) -> f64 {
    if error == 0.0 { 5.0 } else { (0.9 * libm::pow(error, -0.2)).clamp(0.2, 5.0) }
}

/// The attributes were checked when the stepper was made.
fn unexpected(error: StateError) -> Fault {
    Fault::Failed { rule: "step control".into(), time: f64::NAN, message: error.to_string() }
}
