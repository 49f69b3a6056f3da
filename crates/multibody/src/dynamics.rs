//! Everything at one state, from poses to the acceleration.
//!
//! ```text
//! place ─► contacts ─► M, Lᵀ D L ─► velocities ─► bias, passive, actuator forces ─► a_smooth
//!       ─► rows J, a_ref, D ─► minimum of the cost ─► a
//! ```
//!
//! A step at a state without rows needs no M: the articulated-body algorithm gives its acceleration in time
//! linear in the number of bodies, and [`Dynamics::complete`] makes the rest for those who ask.

use crate::compile::Model;
use crate::constraints;
use crate::constraints::rows::Rows;
use crate::contacts::{self, Contact, FindScratch};
use crate::forces::laws::LawForces;
use crate::forces::{actuation, passive};
use crate::model::Integrator;
use crate::solve::{Problem, Solution, Solver};
use crate::state::State;
use crate::surroundings::{Nothing, OutsideRow, Surroundings, VelocitySlope};
use crate::tree::articulated::ArticulatedBodies;
use crate::tree::bias::NewtonEuler;
use crate::tree::kinematics::Kinematics;
use crate::tree::mass_matrix::{TreeFactor, TreeMatrix};
use crate::tree::spatial::{Motion, SpatialInertia};
use gedanken_math::Vec3;

/// Quantities of one state. All buffers are kept, so that a step allocates nothing after the first ones.
#[derive(Debug, Clone, Default)]
pub struct Dynamics {
    /// Poses, axes and velocities.
    pub kinematics: Kinematics,
    /// M. A step without rows leaves it, its factors and the bias forces to [`complete`](Self::complete).
    pub matrix: TreeMatrix,
    /// Factors of M.
    pub factor: TreeFactor,
    /// Contacts.
    pub contacts: Vec<Contact>,
    /// Rows of constraints.
    pub rows: Rows,
    /// Bias forces c(q, v).
    pub bias: Vec<f64>,
    /// Springs, dampers and gravity compensation.
    pub passive: Vec<f64>,
    /// Actuators.
    pub actuation: Vec<f64>,
    /// Laws of the surroundings.
    pub laws: LawForces,
    /// Sum of all forces but those of constraints.
    pub smooth_forces: Vec<f64>,
    /// Acceleration without constraints.
    pub smooth: Vec<f64>,
    /// The search for the acceleration, and its result.
    pub solver: Solver,
    /// How the search ended.
    pub solution: Solution,
    /// How laws change with velocities, for integrators that are implicit in them.
    pub(crate) law_slopes: Vec<VelocitySlope>,
    /// Conditions of the surroundings.
    outside_rows: Vec<OutsideRow>,
    search: FindScratch,
    compensation: Vec<f64>,
    /// Velocities of the state.
    speeds: Vec<f64>,
    /// h times the damping of joints.
    damping: Vec<f64>,
    /// Factors of M + h B.
    damped_factor: TreeFactor,
    pairs: Vec<[f64; 2]>,
    composite: Vec<SpatialInertia>,
    newton_euler: NewtonEuler,
    /// Forces that the acceleration needs, where prescribed bodies carry something.
    needed: Vec<f64>,
    articulated: ArticulatedBodies,
    /// Whether M, its factors and the bias forces are those of the present poses.
    has_matrix: bool,
}

/// Why a state has no acceleration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DynamicsError {
    /// M is not positive definite, or has entries that are no numbers.
    #[error("the mass matrix is not positive definite at this pose")]
    NotPositive,
    /// A law or a condition of the surroundings that has no value.
    #[error("{0}")]
    Surroundings(String),
}

impl Dynamics {
    /// Buffers for a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut it = Self { matrix: TreeMatrix::new(&model.topology), ..Self::default() };
        let freedoms = model.freedoms();
        for list in [
            &mut it.bias,
            &mut it.passive,
            &mut it.actuation,
            &mut it.smooth_forces,
            &mut it.smooth,
            &mut it.compensation,
            &mut it.speeds,
            &mut it.damping,
        ] {
            list.resize(freedoms, 0.0);
        }
        it
    }

    /// Computes what a step needs: the acceleration, and the change of velocity per time of a step of length
    /// `h` that is implicit in the damping of joints, if one is asked for. Returns `true` if that was written
    /// to `damped`.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub(crate) fn evaluate_for_step(
        &mut self,
        model: &Model,
        state: &State,
        outside: &mut dyn Surroundings,
        h: Option<f64>,
        damped: &mut [f64],
    ) -> Result<bool, DynamicsError> {
        // The exact diagonal of J M⁻¹ Jᵀ needs M before there are rows.
        if model.description.settings.exact_diagonal {
            return self.evaluate_in(model, state, outside).map(|()| false);
        }
        self.place(model, state);
        self.find_contacts(model);
        self.given_forces(model, state);
        self.ask(model, state, outside)?;
        self.constrain(model, state);
        if !self.rows.is_empty() {
            self.bias(model);
            self.smooth_acceleration(model, h)?;
            self.solve(model, state);
            if h.is_some() {
                for (freedom, value) in damped.iter_mut().enumerate() {
                    *value = self.smooth_forces[freedom] + self.solver.constraint_forces[freedom];
                }
                self.damped_factor.solve(&model.topology, damped);
            }
            return Ok(h.is_some());
        }
        for (total, (passive, actuation)) in
            self.smooth_forces.iter_mut().zip(self.passive.iter().zip(&self.actuation))
        {
            *total = passive + actuation;
        }
        self.add_laws();
        self.accelerate_freely(model, None, None)?;
        let Some(h) = h else { return Ok(false) };
        self.accelerate_freely(model, Some(h), Some(damped))?;
        Ok(true)
    }

    /// Acceleration without rows by the articulated-body algorithm, to `out` or as the result. With `h` the
    /// damping of joints acts as at the end of a step of that length.
    fn accelerate_freely(
        &mut self,
        model: &Model,
        h: Option<f64>,
        out: Option<&mut [f64]>,
    ) -> Result<(), DynamicsError> {
        if let Some(h) = h {
            self.set_damping(model, h);
        }
        let is_positive = self.articulated.accelerations(
            &model.description,
            &model.topology,
            &self.kinematics,
            Self::gravity(model),
            &self.speeds,
            &self.smooth_forces,
            h.is_some().then_some(&*self.damping),
            out.unwrap_or(&mut self.smooth),
        );
        if !is_positive {
            return Err(DynamicsError::NotPositive);
        }
        if h.is_none() {
            self.solution = self.solver.take_smooth(&self.smooth);
        }
        Ok(())
    }

    /// Makes M, its factors and the bias forces of the present poses, if the last step did without them.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn complete(&mut self, model: &Model) -> Result<(), DynamicsError> {
        if self.has_matrix {
            return Ok(());
        }
        self.bias(model);
        self.add_forces();
        self.fill_matrix(model, None)
    }

    /// Computes everything at a state, contacts included.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn evaluate(&mut self, model: &Model, state: &State) -> Result<(), DynamicsError> {
        self.evaluate_in(model, state, &mut Nothing)
    }

    /// Computes everything at a state, contacts and surroundings included.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite, or surroundings without a value.
    pub fn evaluate_in(
        &mut self,
        model: &Model,
        state: &State,
        outside: &mut dyn Surroundings,
    ) -> Result<(), DynamicsError> {
        self.place(model, state);
        self.find_contacts(model);
        self.given_forces(model, state);
        self.ask(model, state, outside)?;
        self.bias(model);
        self.smooth_acceleration(model, None)?;
        self.constrain(model, state);
        self.solve(model, state);
        Ok(())
    }

    /// Finds the contacts of the poses.
    pub fn find_contacts(&mut self, model: &Model) {
        self.contacts.clear();
        let disabled = &model.description.settings.disabled;
        if !disabled.contacts && !disabled.constraints {
            contacts::find(&model.pairs, &self.kinematics.geom_poses, &mut self.search, &mut self.contacts);
        }
    }

    /// Gravity as it acts.
    fn gravity(model: &Model) -> Vec3 {
        let settings = &model.description.settings;
        if settings.disabled.gravity { Vec3::ZERO } else { settings.gravity }
    }

    /// Poses of a state.
    pub fn place(&mut self, model: &Model, state: &State) {
        self.kinematics.place(&model.description, &model.topology, state);
        self.has_matrix = false;
    }

    /// Velocities and forces without constraints, and M with its factors; [`place`](Self::place) comes first.
    ///
    /// # Errors
    /// A mass matrix that is not positive definite.
    pub fn smooth(&mut self, model: &Model, state: &State) -> Result<(), DynamicsError> {
        self.given_forces(model, state);
        self.bias(model);
        self.smooth_acceleration(model, None)
    }

    /// M with its factors, and the acceleration without constraints; with `h` the factors of M + h B too, B
    /// the damping of joints.
    fn smooth_acceleration(&mut self, model: &Model, h: Option<f64>) -> Result<(), DynamicsError> {
        self.fill_matrix(model, h)?;
        self.add_forces();
        self.smooth.copy_from_slice(&self.smooth_forces);
        self.factor.solve(&model.topology, &mut self.smooth);
        Ok(())
    }

    /// Adds up all forces but those of constraints.
    fn add_forces(&mut self) {
        for freedom in 0..self.smooth_forces.len() {
            self.smooth_forces[freedom] =
                self.passive[freedom] - self.bias[freedom] + self.actuation[freedom];
        }
        self.add_laws();
    }

    /// Adds the forces of laws.
    fn add_laws(&mut self) {
        for (total, law) in self.smooth_forces.iter_mut().zip(&self.laws.total) {
            *total += law;
        }
    }

    /// Asks the surroundings for forces and conditions, at the present poses and velocities.
    fn ask(
        &mut self,
        model: &Model,
        state: &State,
        outside: &mut dyn Surroundings,
    ) -> Result<(), DynamicsError> {
        self.outside_rows.clear();
        let forces = self.laws.ask(model, &self.kinematics, state.time, outside);
        self.law_slopes.clear();
        let integrator = model.description.settings.integrator;
        if matches!(integrator, Integrator::Implicit | Integrator::ImplicitFast) && forces.is_ok() {
            outside.slopes(&mut self.law_slopes);
        }
        let rows =
            forces.and_then(|()| outside.constrain(state.time, &self.kinematics, &mut self.outside_rows));
        rows.map_err(DynamicsError::Surroundings)
    }

    /// Power that prescribed bodies give to the trees that they carry, at their velocities after a time `later`.
    pub(crate) fn prescribed_power(&mut self, model: &Model, later: f64) -> f64 {
        if self.kinematics.prescribed.is_empty() {
            return 0.0;
        }
        let (description, topology) = (&model.description, &model.topology);
        self.needed.resize(model.freedoms(), 0.0);
        self.newton_euler.forces(
            description,
            topology,
            &self.kinematics,
            Self::gravity(model),
            &self.speeds,
            Some(&self.solver.acceleration),
            &mut self.needed,
        );
        self.newton_euler.prescribed_power(description, topology, |root| {
            let rate =
                topology.driver[root.index()].map_or(Motion::ZERO, |it| self.kinematics.prescribed[it]);
            self.kinematics.velocities[root.index()] + rate * later
        })
    }

    /// M and its factors.
    fn fill_matrix(&mut self, model: &Model, h: Option<f64>) -> Result<(), DynamicsError> {
        let (description, topology) = (&model.description, &model.topology);
        self.matrix.fill(description, topology, &self.kinematics, &mut self.composite);
        self.has_matrix = match h {
            Some(h) => {
                self.set_damping(model, h);
                let Self { factor, matrix, damping, damped_factor, pairs, .. } = self;
                factor.factor_both(topology, matrix, damping, damped_factor, pairs)
            }
            None => self.factor.factor(topology, &self.matrix),
        };
        if self.has_matrix { Ok(()) } else { Err(DynamicsError::NotPositive) }
    }

    /// h B of all freedoms.
    fn set_damping(&mut self, model: &Model, h: f64) {
        let joints = &model.description.joints;
        for (value, joint) in self.damping.iter_mut().zip(&model.topology.joint_of) {
            *value = h * joints[joint.index()].damping;
        }
    }

    /// Velocities, passive and actuator forces.
    fn given_forces(&mut self, model: &Model, state: &State) {
        self.speeds.copy_from_slice(&state.velocities);
        self.kinematics.set_velocities(&model.description, &model.topology, state);
        passive::passive(model, &self.kinematics, state, &mut self.compensation, &mut self.passive);
        actuation::actuate(model, state, &self.compensation, &mut self.actuation);
    }

    /// Bias forces.
    fn bias(&mut self, model: &Model) {
        self.newton_euler.forces(
            &model.description,
            &model.topology,
            &self.kinematics,
            Self::gravity(model),
            &self.speeds,
            None,
            &mut self.bias,
        );
    }

    /// Rows of constraints with the contacts that stand in `self.contacts`; [`smooth`](Self::smooth) comes
    /// first.
    pub fn constrain(&mut self, model: &Model, state: &State) {
        let Self { kinematics, factor, contacts, outside_rows, rows, .. } = self;
        constraints::assemble(model, state, kinematics, factor, contacts, outside_rows, rows);
    }

    /// The acceleration: the minimum of the cost. [`constrain`](Self::constrain) comes first.
    pub fn solve(&mut self, model: &Model, state: &State) {
        let settings = &model.description.settings;
        let problem = Problem {
            topology: &model.topology,
            matrix: &self.matrix,
            factor: &self.factor,
            rows: &self.rows,
            smooth_forces: &self.smooth_forces,
            smooth: &self.smooth,
            inertia: model.initial.inertia,
            settings: settings.solver,
        };
        let warm_start = (!settings.disabled.warm_start).then_some(&*state.warm_start);
        self.solution = self.solver.solve(&problem, warm_start);
    }

    /// Forces that an acceleration needs, without constraints: M a + c − passive forces.
    pub fn inverse(&mut self, model: &Model, state: &State, acceleration: &[f64], out: &mut [f64]) {
        self.newton_euler.forces(
            &model.description,
            &model.topology,
            &self.kinematics,
            Self::gravity(model),
            &state.velocities,
            Some(acceleration),
            out,
        );
        for (freedom, force) in out.iter_mut().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            *force += joint.armature * acceleration[freedom] - self.passive[freedom];
        }
    }

    /// The acceleration.
    #[must_use]
    pub fn acceleration(&self) -> &[f64] {
        &self.solver.acceleration
    }
}
