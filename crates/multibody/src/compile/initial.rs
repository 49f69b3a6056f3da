//! Inverse inertias in the initial pose: for each body and freedom, the acceleration that a unit force would
//! give, averaged over directions. They scale the softness of constraints.

use super::check::ModelError;
use super::{InitialPose, Model};
use crate::model::{BodyId, JointKind};
use crate::tree::jacobian;
use crate::tree::kinematics::Kinematics;
use crate::tree::mass_matrix::{TreeFactor, TreeMatrix};

/// Below this an inverse inertia counts as none.
const NEGLIGIBLE: f64 = 1e-15;

pub(super) fn measure(model: &Model) -> Result<InitialPose, ModelError> {
    let (description, topology) = (&model.description, &model.topology);
    let mut kinematics = Kinematics::default();
    kinematics.place(description, topology, &model.initial_state());
    let mut matrix = TreeMatrix::new(topology);
    matrix.fill(description, topology, &kinematics, &mut Vec::new());
    let diagonal: Vec<f64> = matrix.starts.iter().map(|&start| matrix.entries[start]).collect();
    if let Some(freedom) = diagonal.iter().position(|entry| !(*entry > 1e-15)) {
        let joint = &description.joints[topology.joint_of[freedom].index()];
        return Err(ModelError::NoInertia { joint: joint.name.clone() });
    }
    let mut factor = TreeFactor::default();
    if !factor.factor(topology, &matrix) {
        return Err(ModelError::NotPositive);
    }
    let inverse = Inverse { model, kinematics: &kinematics, factor: &factor };
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
            freedom_inverse_weights[freedoms].fill(sum / count as f64);
        }
    }
    let bodies = 0..description.bodies.len();
    let body_inverse_weights = bodies.map(|index| inverse.of_body(BodyId::new(index))).collect();
    Ok(InitialPose { body_inverse_weights, freedom_inverse_weights, diagonal })
}

struct Inverse<'m> {
    model: &'m Model,
    kinematics: &'m Kinematics,
    factor: &'m TreeFactor,
}

impl Inverse<'_> {
    /// Diagonal entry of M⁻¹.
    fn of_freedom(&self, freedom: usize) -> f64 {
        let mut unit = vec![0.0; self.model.freedoms()];
        unit[freedom] = 1.0;
        self.factor.inverse_norm_squared(&self.model.topology, &mut unit)
    }

    /// Mean of the diagonal of J M⁻¹ Jᵀ at the centre of mass, for translation and for rotation.
    fn of_body(&self, body: BodyId) -> [f64; 2] {
        let topology = &self.model.topology;
        if topology.last_freedom[body.index()].is_none() {
            return [0.0, 0.0];
        }
        let rows = jacobian::dense(self.kinematics, topology, body, self.kinematics.centres[body.index()]);
        let diagonal = rows.map(|mut row| self.factor.inverse_norm_squared(topology, &mut row));
        let mut translation = (diagonal[0] + diagonal[1] + diagonal[2]) / 3.0;
        let mut rotation = (diagonal[3] + diagonal[4] + diagonal[5]) / 3.0;
        // A constraint on what cannot turn, or cannot move, would have no scale at all.
        if translation < NEGLIGIBLE && rotation > NEGLIGIBLE {
            translation = rotation;
        } else if rotation < NEGLIGIBLE && translation > NEGLIGIBLE {
            rotation = translation;
        }
        [translation, rotation]
    }
}
