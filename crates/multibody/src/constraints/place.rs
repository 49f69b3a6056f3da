//! A mechanism in a state, as rows of constraints look at it.

use crate::compile::Model;
use crate::model::BodyId;
use crate::state::State;
use crate::surroundings::OutsideRow;
use crate::tree::jacobian;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;

/// A mechanism in a state.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    pub(crate) kinematics: &'a Kinematics,
    pub(crate) outside: &'a [OutsideRow],
}

impl Place<'_> {
    /// Acceleration that v and prescribed motions alone give a point of a body.
    pub(crate) fn drift(&self, body: BodyId, point: Vec3) -> Motion {
        jacobian::rate_times_speed(self.kinematics, &self.model.topology, &self.state.velocities, body, point)
    }

    /// Sum of the inverse inertias of two bodies in translation.
    pub(crate) fn translation_weight(&self, bodies: [BodyId; 2]) -> f64 {
        let weights = &self.model.initial.body_inverse_weights;
        weights[bodies[0].index()][0] + weights[bodies[1].index()][0]
    }

    /// Sum of the inverse inertias of two bodies in rotation.
    pub(crate) fn rotation_weight(&self, bodies: [BodyId; 2]) -> f64 {
        let weights = &self.model.initial.body_inverse_weights;
        weights[bodies[0].index()][1] + weights[bodies[1].index()][1]
    }
}
