//! Inverse inertias in the initial pose: for each body and freedom, the acceleration that a unit force would
//! give, averaged over directions. They scale the softness of constraints.

use super::check::ModelError;
use super::{InitialPose, Model};
use crate::model::{Actuator, BodyId, Joint, JointKind};
use crate::tree::jacobian;
use crate::tree::kinematics::Kinematics;
use crate::tree::mass_matrix::{TreeFactor, TreeMatrix};
use gedanken_math::Pose;

/// Frames that differ by less count as the same.
const SAME_FRAME: f64 = 1e-6;

pub(super) fn measure(model: &Model) -> Result<InitialPose, ModelError> {
    let (description, topology) = (&model.description, &model.topology);
    let mut kinematics = Kinematics::default();
    kinematics.place(description, topology, &model.initial_state());
    let mut matrix = TreeMatrix::new(topology);
    matrix.fill(description, topology, &kinematics, &mut Vec::new());
    let diagonal: Vec<f64> = matrix.starts.iter().map(|&start| matrix.entries[start]).collect();
    if let Some(freedom) = diagonal.iter().position(|entry| entry.is_nan() || *entry <= 1e-15) {
        let joint = &description.joints[topology.joint_of[freedom].index()];
        return Err(ModelError::NoInertia { joint: joint.name.clone() });
    }
    let mut factor = TreeFactor::default();
    if !factor.factor(topology, &matrix) {
        return Err(ModelError::NotPositive);
    }
    let mut is_parent = vec![false; description.bodies.len()];
    description.bodies.iter().for_each(|body| is_parent[body.parent.index()] = true);
    let inverse = Inverse { model, kinematics: &kinematics, factor: &factor, is_parent };
    let mut freedom_inverse_weights = vec![0.0; topology.freedoms];
    for (number, joint) in description.joints.iter().enumerate() {
        let first = topology.freedom_of[number];
        let groups: &[(usize, usize)] = match joint.kind {
            JointKind::Free => &[(0, 3), (3, 3)],
            JointKind::Ball => &[(0, 3)],
            JointKind::Slide | JointKind::Hinge => &[(0, 1)],
        };
        for &(from, count) in groups {
            let freedoms = first + from..first + from + count;
            let sum: f64 = freedoms.clone().map(|freedom| inverse.of_freedom(freedom)).sum();
            let plain = inverse.of_sliding_mass(joint.body);
            freedom_inverse_weights[freedoms].fill(plain.unwrap_or(sum / count as f64));
        }
    }
    let bodies = 0..description.bodies.len();
    let body_inverse_weights = bodies.map(|index| inverse.of_body(BodyId::new(index))).collect();
    let actuator_inverses = description.actuators.iter().map(|it| inverse.of_actuator(it)).collect();
    let inertia = matrix.trace();
    Ok(InitialPose { body_inverse_weights, freedom_inverse_weights, actuator_inverses, inertia })
}

struct Inverse<'m> {
    model: &'m Model,
    kinematics: &'m Kinematics,
    factor: &'m TreeFactor,
    /// By body, whether it carries others.
    is_parent: Vec<bool>,
}

impl Inverse<'_> {
    /// Diagonal entry of M⁻¹.
    fn of_freedom(&self, freedom: usize) -> f64 {
        let mut unit = vec![0.0; self.model.freedoms()];
        unit[freedom] = 1.0;
        self.factor.inverse_norm_squared(&self.model.topology, &mut unit)
    }

    /// gᵀ M⁻¹ g of the gear of an actuator.
    fn of_actuator(&self, actuator: &Actuator) -> f64 {
        let topology = &self.model.topology;
        let joint = actuator.joint.index();
        let first = topology.freedom_of[joint];
        let mut row = vec![0.0; self.model.freedoms()];
        let count = self.model.description.joints[joint].kind.freedoms();
        row[first..first + count].copy_from_slice(&actuator.gear[..count]);
        self.factor.inverse_norm_squared(topology, &mut row)
    }

    /// Mean of the diagonal of J M⁻¹ Jᵀ at the centre of mass, for translation and for rotation.
    fn of_body(&self, body: BodyId) -> [f64; 2] {
        let topology = &self.model.topology;
        if topology.last_freedom[body.index()].is_none() {
            return [0.0, 0.0];
        }
        if let Some(inverse_mass) = self.of_sliding_mass(body) {
            return [inverse_mass, 0.0];
        }
        let rows = jacobian::dense(self.kinematics, topology, body, self.kinematics.centres[body.index()]);
        let diagonal = rows.map(|mut row| self.factor.inverse_norm_squared(topology, &mut row));
        let translation = (diagonal[0] + diagonal[1] + diagonal[2]) / 3.0;
        let rotation = (diagonal[3] + diagonal[4] + diagonal[5]) / 3.0;
        [translation, rotation]
    }

    /// Inverse mass of a body that only slides along its own axes, carries nothing and stands on the ground.
    /// MuJoCo takes it as it is, without armature and without the axes along which the body cannot move.
    fn of_sliding_mass(&self, body: BodyId) -> Option<f64> {
        let description = &self.model.description;
        let it = &description.bodies[body.index()];
        let joints = &description.joints[self.model.topology.joints_of[body.index()].clone()];
        let parent = &description.bodies[it.parent.index()];
        let parent_stands = self.model.topology.joints_of[it.parent.index()].is_empty();
        let is_grounded = it.parent == BodyId::WORLD || (parent.parent == BodyId::WORLD && parent_stands);
        let carries = self.is_parent[body.index()];
        let slides = |joint: &Joint| {
            let along = joint.axis.to_array().into_iter().filter(|part| part.abs() > 1e-14).count();
            joint.kind == JointKind::Slide && along == 1 && joint.anchor.abs().max_element() < SAME_FRAME
        };
        let fits = is_grounded && !carries && is_identity(&it.inertia_pose) && !joints.is_empty();
        (fits && joints.iter().all(slides)).then(|| 1.0 / it.mass.max(1e-15))
    }
}

fn is_identity(pose: &Pose) -> bool {
    let q = pose.rotation;
    let turned = [q.x, q.y, q.z, q.w.abs() - 1.0].into_iter().any(|part| part.abs() >= SAME_FRAME);
    !turned && pose.translation.abs().max_element() < SAME_FRAME
}
