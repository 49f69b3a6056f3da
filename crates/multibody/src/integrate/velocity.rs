//! The change of velocity over a step, implicit in some of the forces.

use crate::compile::Model;
use crate::dynamics::Dynamics;
use crate::forces::actuation::{force, transmission};
use crate::model::{BodyId, Integrator, JointKind};
use crate::state::State;
use crate::surroundings::VelocitySlope;
use crate::tree::bias::BiasSlopes;
use crate::tree::jacobian;
use crate::tree::mass_matrix::{TreeFactor, TreeMatrix};
use gedanken_math::linalg;

/// Buffers of implicit steps.
#[derive(Debug, Clone, Default)]
pub struct VelocityStep {
    matrix: TreeMatrix,
    factor: TreeFactor,
    slopes: BiasSlopes,
    dense: Vec<f64>,
    right: Vec<f64>,
    elimination: linalg::SolveScratch,
}

impl VelocityStep {
    /// Writes (v' − v) / h of a step.
    pub fn rate(
        &mut self,
        model: &Model,
        state: &State,
        dynamics: &Dynamics,
        integrator: Integrator,
        h: f64,
        out: &mut [f64],
    ) {
        out.copy_from_slice(dynamics.acceleration());
        let disabled = &model.description.settings.disabled;
        match integrator {
            Integrator::SemiImplicit | Integrator::RungeKutta => {}
            Integrator::Euler => {
                if Self::damps(model) {
                    self.take_matrix(dynamics);
                    self.add_damping(model, h);
                    self.solve_symmetric(model, dynamics, out);
                }
            }
            Integrator::ImplicitFast => {
                self.take_matrix(dynamics);
                if !disabled.dampers {
                    self.add_damping(model, h);
                }
                self.add_actuators(model, state, dynamics, h);
                self.add_laws(model, dynamics, h);
                self.solve_symmetric(model, dynamics, out);
                self.solve_full(model, state, dynamics, (h, &[]), is_lone_free_body, out);
            }
            Integrator::Implicit => {
                self.take_matrix(dynamics);
                if !disabled.dampers {
                    self.add_damping(model, h);
                }
                self.add_actuators(model, state, dynamics, h);
                self.solve_full(model, state, dynamics, (h, &dynamics.law_slopes), |_, _| true, out);
            }
        }
    }

    /// Returns `true` if Euler's step is implicit in the damping of some joint.
    pub(crate) fn damps(model: &Model) -> bool {
        let disabled = &model.description.settings.disabled;
        let is_off = disabled.dampers || disabled.euler_damping;
        !is_off && model.description.joints.iter().any(|it| it.damping > 0.0)
    }

    /// Copies M into the buffer, without allocating.
    fn take_matrix(&mut self, dynamics: &Dynamics) {
        self.matrix.starts.clone_from(&dynamics.matrix.starts);
        self.matrix.entries.clone_from(&dynamics.matrix.entries);
    }

    fn add_damping(&mut self, model: &Model, h: f64) {
        for (freedom, &start) in self.matrix.starts.iter().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            self.matrix.entries[start] += h * joint.damping;
        }
    }

    /// Adds −h times the slopes of actuators with velocity.
    fn add_actuators(&mut self, model: &Model, state: &State, dynamics: &Dynamics, h: f64) {
        if model.description.settings.disabled.actuation {
            return;
        }
        for (number, actuator) in model.description.actuators.iter().enumerate() {
            let it = transmission(model, actuator, state);
            let (_, slope) = force(model, number, &it, state);
            // At its bounds the force of a joint does not change with velocity.
            let range = model.description.joints[actuator.joint.index()].actuator_force_range;
            let total = dynamics.actuation[it.first];
            let is_clamped = range.is_some_and(|[low, high]| total <= low || total >= high);
            if slope == 0.0 || is_clamped {
                continue;
            }
            // Freedoms of one joint carry one another, the later by the earlier.
            for row in 0..it.count {
                for column in 0..=row {
                    let entry = self.matrix.starts[it.first + row] + row - column;
                    self.matrix.entries[entry] -= h * slope * it.moment[row] * it.moment[column];
                }
            }
        }
    }

    /// Adds −h times the symmetric part of the slopes of laws with the velocity of the body that they act on.
    fn add_laws(&mut self, model: &Model, dynamics: &Dynamics, h: f64) {
        let (topology, kinematics) = (&model.topology, &dynamics.kinematics);
        for slope in dynamics.law_slopes.iter().filter(|it| it.on == it.of) {
            let centre = kinematics.centres[slope.on.index()];
            let column = |freedom: usize| jacobian::column(kinematics, topology, freedom, centre);
            for freedom in topology.chain(slope.on) {
                let own = column(freedom);
                let force = slope.times(own);
                let carriers = core::iter::successors(Some(freedom), |&it| topology.parent_freedom[it]);
                for (at, carrier) in carriers.enumerate() {
                    let other = column(carrier);
                    let symmetric = 0.5 * (other.dot(force) + own.dot(slope.times(other)));
                    self.matrix.entries[self.matrix.starts[freedom] + at] -= h * symmetric;
                }
            }
        }
    }

    /// Adds −h times the slopes of laws to the matrix of one tree; those with the velocity of another tree are
    /// left out.
    fn add_laws_to_tree(
        &mut self,
        model: &Model,
        dynamics: &Dynamics,
        (h, slopes): (f64, &[VelocitySlope]),
        freedoms: &core::ops::Range<usize>,
    ) {
        let (topology, kinematics) = (&model.topology, &dynamics.kinematics);
        let column = |freedom: usize, body: BodyId| {
            jacobian::column(kinematics, topology, freedom, kinematics.centres[body.index()])
        };
        for slope in slopes {
            for moved in topology.chain(slope.of).filter(|it| freedoms.contains(it)) {
                let force = slope.times(column(moved, slope.of));
                for pushed in topology.chain(slope.on).filter(|it| freedoms.contains(it)) {
                    let entry = (pushed - freedoms.start) * freedoms.len() + moved - freedoms.start;
                    self.dense[entry] -= h * column(pushed, slope.on).dot(force);
                }
            }
        }
    }

    fn solve_symmetric(&mut self, model: &Model, dynamics: &Dynamics, out: &mut [f64]) {
        // A matrix that actuators make indefinite has no factor; the explicit acceleration stands.
        if self.factor.factor(&model.topology, &self.matrix) {
            for (freedom, value) in out.iter_mut().enumerate() {
                *value = dynamics.smooth_forces[freedom] + dynamics.solver.constraint_forces[freedom];
            }
            self.factor.solve(&model.topology, out);
        }
    }

    /// Solves trees that `takes` chooses with the slopes of bias forces and of laws added.
    fn solve_full(
        &mut self,
        model: &Model,
        state: &State,
        dynamics: &Dynamics,
        (h, law_slopes): (f64, &[VelocitySlope]),
        takes: fn(&Model, usize) -> bool,
        out: &mut [f64],
    ) {
        for tree in 0..model.topology.trees.len() {
            if !takes(model, tree) {
                continue;
            }
            let freedoms = model.topology.trees[tree].clone();
            let (first, count) = (freedoms.start, freedoms.len());
            self.slopes.of_tree(
                &model.description,
                &model.topology,
                &dynamics.kinematics,
                &state.velocities,
                freedoms.clone(),
                &mut self.dense,
            );
            self.dense.iter_mut().for_each(|slope| *slope *= h);
            for freedom in freedoms.clone() {
                let chain = core::iter::successors(Some(freedom), |&it| model.topology.parent_freedom[it]);
                for (at, carrier) in chain.enumerate() {
                    let entry = self.matrix.entries[self.matrix.starts[freedom] + at];
                    let (row, column) = (freedom - first, carrier - first);
                    self.dense[row * count + column] += entry;
                    if row != column {
                        self.dense[column * count + row] += entry;
                    }
                }
            }
            self.add_laws_to_tree(model, dynamics, (h, law_slopes), &freedoms);
            self.right.clear();
            self.right.extend(
                freedoms.clone().map(|it| dynamics.smooth_forces[it] + dynamics.solver.constraint_forces[it]),
            );
            if linalg::solve_with(&mut self.dense, &mut self.right, &mut self.elimination) {
                out[freedoms].copy_from_slice(&self.right);
            }
        }
    }
}

/// Returns `true` if a tree is one free body.
fn is_lone_free_body(model: &Model, tree: usize) -> bool {
    let freedoms = &model.topology.trees[tree];
    let joint = model.topology.joint_of[freedoms.start].index();
    freedoms.len() == 6 && model.description.joints[joint].kind == JointKind::Free
}
