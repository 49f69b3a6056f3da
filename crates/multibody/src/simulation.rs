//! A mechanism under way: a model, its state, and one step after the other.

use crate::compile::Model;
use crate::contacts::Contact;
use crate::dynamics::{Dynamics, DynamicsError};
use crate::integrate::{RungeKutta, STAGES, VelocityStep, WEIGHTS, move_along};
use crate::ledger::Ledger;
use crate::model::Integrator;
use crate::solve::Solution;
use crate::state::State;
use crate::surroundings::{Nothing, Surroundings};
use thiserror::Error;

/// A mechanism under way.
#[derive(Debug, Clone)]
pub struct Simulation {
    model: Model,
    state: State,
    dynamics: Dynamics,
    velocity_step: VelocityStep,
    runge_kutta: RungeKutta,
    rate: Vec<f64>,
    stage: State,
    contacts: Vec<Contact>,
    solution: Solution,
    ledger: Ledger,
    /// The ledger with the step that is being made.
    pending: Ledger,
    mean: Vec<f64>,
}

/// Why a step cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StepError {
    /// A state without an acceleration.
    #[error("at {time} s {source}")]
    Dynamics {
        /// Time of the state.
        time: f64,
        /// What is wrong with it.
        source: DynamicsError,
    },
    /// A coordinate or velocity that is no number after the step.
    #[error("at {time} s the motion of joint `{joint}` is no longer finite")]
    NotFinite {
        /// Time before the step.
        time: f64,
        /// The joint.
        joint: String,
    },
}

impl Simulation {
    /// A mechanism in its initial state.
    #[must_use]
    pub fn new(model: Model) -> Self {
        let state = model.initial_state();
        let dynamics = Dynamics::new(&model);
        let rate = vec![0.0; model.freedoms()];
        let ledger = Ledger::new(&model);
        Self {
            stage: state.clone(),
            model,
            state,
            dynamics,
            velocity_step: VelocityStep::default(),
            runge_kutta: RungeKutta::default(),
            rate,
            contacts: Vec::new(),
            solution: Solution { converged: true, ..Solution::default() },
            pending: ledger.clone(),
            ledger,
            mean: Vec::new(),
        }
    }

    /// The mechanism.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its state, to be changed.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The state at which the last step began; before the first step the initial one.
    #[must_use]
    pub fn state_before(&self) -> &State {
        &self.stage
    }

    /// Work by cause until the last step began.
    #[must_use]
    pub fn ledger_before(&self) -> &Ledger {
        &self.pending
    }

    /// Contacts at the state at which the last step began.
    #[must_use]
    pub fn contacts_before(&self) -> &[Contact] {
        &self.contacts
    }

    /// How well the last step was solved: the worst of its stages.
    #[must_use]
    pub fn solution(&self) -> Solution {
        self.solution
    }

    /// Quantities of the last state that a step evaluated: that at which it began, of Runge and Kutta's the
    /// last stage. A step without rows makes neither M nor bias forces; [`complete`](Self::complete) adds them.
    #[must_use]
    pub fn dynamics(&self) -> &Dynamics {
        &self.dynamics
    }

    /// Work by cause since the start.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Work by cause, to be restored.
    pub fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    /// Computes everything at the present state.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn evaluate(&mut self) -> Result<(), StepError> {
        let time = self.state.time;
        self.dynamics
            .evaluate(&self.model, &self.state)
            .map_err(|source| StepError::Dynamics { time, source })
    }

    /// Adds what the last step did without to [`dynamics`](Self::dynamics): M, its factors and bias forces.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn complete(&mut self) -> Result<(), StepError> {
        let time = self.state.time;
        self.dynamics.complete(&self.model).map_err(|source| StepError::Dynamics { time, source })
    }

    /// Makes a step of the length that the settings say.
    ///
    /// # Errors
    /// A step that cannot be made; the state is as before.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_by(self.model.description.settings.time_step)
    }

    /// Makes a step of length `h`.
    ///
    /// # Errors
    /// A step that cannot be made; the state is as before.
    pub fn step_by(&mut self, h: f64) -> Result<(), StepError> {
        self.step_in(h, &mut Nothing)
    }

    /// Makes a step of length `h` in surroundings.
    ///
    /// # Errors
    /// A step that cannot be made; the state is as before.
    pub fn step_in(&mut self, h: f64, outside: &mut dyn Surroundings) -> Result<(), StepError> {
        let integrator = self.model.description.settings.integrator;
        let time = self.state.time;
        let Self {
            model,
            state,
            dynamics,
            velocity_step,
            rate,
            stage,
            ledger,
            pending,
            mean,
            contacts,
            solution,
            ..
        } = self;
        outside.prescribe(time, &mut state.prescribed);
        stage.clone_from(state);
        pending.take_over(ledger);
        let needs_matrix = matches!(integrator, Integrator::Implicit | Integrator::ImplicitFast);
        let is_damped = integrator == Integrator::Euler && VelocityStep::damps(model);
        let has_rate = if needs_matrix {
            dynamics.evaluate_in(model, state, outside).map(|()| false)
        } else {
            dynamics.evaluate_for_step(model, state, outside, is_damped.then_some(h), rate)
        }
        .map_err(|source| StepError::Dynamics { time, source })?;
        contacts.clone_from(&dynamics.contacts);
        *solution = dynamics.solution;
        if integrator == Integrator::RungeKutta {
            self.runge_kutta_step(h, outside)?;
        } else {
            if !has_rate {
                velocity_step.rate(model, state, dynamics, integrator, h, rate);
            }
            for (velocity, rate) in stage.velocities.iter_mut().zip(&*rate) {
                *velocity += h * rate;
            }
            move_along(model, &mut stage.coordinates, &stage.velocities, h);
            mean.clear();
            let both = state.velocities.iter().zip(&stage.velocities);
            mean.extend(both.map(|(before, after)| 0.5 * (before + after)));
            let power = dynamics.prescribed_power(model, 0.5 * h);
            pending.book(model, dynamics, &state.velocities, mean, power, h);
        }
        self.stage.time = self.state.time + h;
        outside.prescribe(self.stage.time, &mut self.stage.prescribed);
        self.stage.warm_start.copy_from_slice(self.dynamics.acceleration());
        self.refuse_not_finite()?;
        core::mem::swap(&mut self.state, &mut self.stage);
        core::mem::swap(&mut self.ledger, &mut self.pending);
        Ok(())
    }

    /// Four stages; the result is left in `stage`.
    fn runge_kutta_step(&mut self, h: f64, outside: &mut dyn Surroundings) -> Result<(), StepError> {
        let Self { model, state, dynamics, runge_kutta, rate, stage, pending, solution, .. } = self;
        let speeds = &state.velocities;
        runge_kutta.store(model, 0, speeds, dynamics.acceleration());
        let power = dynamics.prescribed_power(model, 0.0);
        pending.book(model, dynamics, speeds, speeds, power, h * WEIGHTS[0]);
        for (number, weight) in WEIGHTS.into_iter().enumerate().skip(1) {
            runge_kutta.lead_to(number, h);
            stage.coordinates.copy_from_slice(&state.coordinates);
            stage.velocities.copy_from_slice(&state.velocities);
            move_along(model, &mut stage.coordinates, &runge_kutta.increment, 1.0);
            for (velocity, change) in stage.velocities.iter_mut().zip(&runge_kutta.velocity_increment) {
                *velocity += change;
            }
            let time = state.time;
            stage.time = time + STAGES[number] * h;
            outside.prescribe(stage.time, &mut stage.prescribed);
            dynamics
                .evaluate_for_step(model, stage, outside, None, rate)
                .map_err(|source| StepError::Dynamics { time, source })?;
            runge_kutta.store(model, number, &stage.velocities, dynamics.acceleration());
            *solution = solution.or_worse(&dynamics.solution);
            let power = dynamics.prescribed_power(model, 0.0);
            pending.book(model, dynamics, &stage.velocities, &stage.velocities, power, h * weight);
        }
        runge_kutta.add_up(h);
        stage.coordinates.copy_from_slice(&state.coordinates);
        stage.velocities.copy_from_slice(&state.velocities);
        move_along(model, &mut stage.coordinates, &runge_kutta.increment, 1.0);
        for (velocity, change) in stage.velocities.iter_mut().zip(&runge_kutta.velocity_increment) {
            *velocity += change;
        }
        Ok(())
    }

    fn refuse_not_finite(&self) -> Result<(), StepError> {
        let topology = &self.model.topology;
        let joints = &self.model.description.joints;
        let error =
            |joint: usize| StepError::NotFinite { time: self.state.time, joint: joints[joint].name.clone() };
        if let Some(at) = self.stage.velocities.iter().position(|value| !value.is_finite()) {
            return Err(error(topology.joint_of[at].index()));
        }
        if let Some(at) = self.stage.coordinates.iter().position(|value| !value.is_finite()) {
            return Err(error(topology.coordinate_of.partition_point(|&first| first <= at) - 1));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, BodyId, Description, Joint, JointKind};
    use gedanken_math::{Pose, Vec3};

    /// A chain of ball joints, damped, bent and moving.
    fn chain(links: usize, damping: f64, integrator: Integrator) -> Simulation {
        let mut description = Description::new("chain");
        description.settings.integrator = integrator;
        for link in 0..links {
            let body = BodyId::new(description.bodies.len());
            let pose = Pose::at(Vec3::new(if link == 0 { 0.0 } else { 0.3 }, 0.0, 0.0));
            let mut made =
                Body { parent: BodyId::new(link), pose, mass: 0.5, ..Body::new("", BodyId::WORLD) };
            made.inertia = Vec3::new(0.001, 0.01, 0.02);
            made.inertia_pose = Pose::at(Vec3::new(0.15, 0.01, 0.0));
            description.bodies.push(made);
            description.joints.push(Joint { damping, ..Joint::new("", body, JointKind::Ball) });
        }
        let mut run = Simulation::new(Model::new(description).expect("a chain"));
        for (k, speed) in run.state_mut().velocities.iter_mut().enumerate() {
            *speed = (k % 5) as f64 - 1.8;
        }
        run
    }

    #[test]
    fn steps_without_rows_need_no_mass_matrix_and_are_the_same() {
        for integrator in [Integrator::SemiImplicit, Integrator::Euler, Integrator::RungeKutta] {
            for damping in [0.0, 0.05] {
                let mut run = chain(8, damping, integrator);
                let start = run.state().clone();
                for _ in 0..5 {
                    run.step().expect("a step");
                }
                // The same first step, from M and its factors.
                let mut whole = chain(8, damping, integrator);
                whole.evaluate().expect("a state");
                let h = whole.model.description.settings.time_step;
                let mut rate = vec![0.0; whole.model.freedoms()];
                let exact = whole.dynamics.acceleration().to_vec();
                whole.velocity_step.rate(&whole.model, &start, &whole.dynamics, integrator, h, &mut rate);
                let mut first = chain(8, damping, integrator);
                first.step().expect("a step");
                let size = exact.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
                for (a, b) in first.state().warm_start.iter().zip(&exact) {
                    let off = (a - b).abs();
                    assert!(integrator == Integrator::RungeKutta || off < 1e-11 * size, "{a} {b}");
                }
                if integrator != Integrator::RungeKutta {
                    for (k, rate) in rate.iter().enumerate() {
                        let made = (first.state().velocities[k] - start.velocities[k]) / h;
                        assert!((made - rate).abs() < 1e-9 * size, "{made} {rate}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_a_step_did_without_can_be_asked_for() {
        let mut run = chain(5, 0.0, Integrator::Euler);
        let mut whole = run.clone();
        run.step().expect("a step");
        run.complete().expect("a regular matrix");
        whole.evaluate().expect("a state");
        assert_eq!(run.dynamics().matrix.entries, whole.dynamics().matrix.entries);
        assert_eq!(run.dynamics().bias, whole.dynamics().bias);
        assert_eq!(run.dynamics().smooth_forces, whole.dynamics().smooth_forces);
    }
}
