//! Energy and momentum of a mechanism.

use crate::compile::Model;
use crate::model::JointKind;
use crate::state::State;
use crate::tree::kinematics::{Kinematics, quaternion, rotation_vector};
use gedanken_math::{Pose, Vec3};

/// Energy and momentum of a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// Kinetic energy, that of armatures included.
    pub kinetic: f64,
    /// Potential energy of gravity, from the origin.
    pub gravity: f64,
    /// Energy of springs.
    pub springs: f64,
    /// Momentum of all bodies.
    pub momentum: Vec3,
    /// Angular momentum of all bodies about the origin.
    pub angular_momentum: Vec3,
}

impl Energies {
    /// Energy and momentum of a state whose poses and velocities are known.
    #[must_use]
    pub fn of(model: &Model, state: &State, kinematics: &Kinematics) -> Self {
        let settings = &model.description.settings;
        let mut it = Self::default();
        for (index, body) in model.description.bodies.iter().enumerate() {
            // What stands still, or is told how to move, has no energy to give.
            if model.topology.last_freedom[index].is_none() {
                continue;
            }
            let velocity = kinematics.velocities[index];
            let momentum = kinematics.inertias[index].times(velocity);
            it.kinetic += 0.5 * velocity.dot(momentum);
            it.momentum += momentum.force;
            it.angular_momentum += momentum.torque + kinematics.references[index].cross(momentum.force);
            if !settings.disabled.gravity {
                it.gravity -= body.mass * settings.gravity.dot(kinematics.centres[index]);
            }
        }
        for (freedom, speed) in state.velocities.iter().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            it.kinetic += 0.5 * joint.armature * speed * speed;
        }
        if !settings.disabled.springs {
            it.springs = springs(model, state);
        }
        it
    }

    /// Potential energy.
    #[must_use]
    pub fn potential(&self) -> f64 {
        self.gravity + self.springs
    }
}

fn springs(model: &Model, state: &State) -> f64 {
    let mut energy = 0.0;
    for (number, joint) in model.description.joints.iter().enumerate() {
        let at = model.topology.coordinate_of[number];
        let turn = |rest: Pose, at: usize| {
            let away = rest.rotation.conjugate() * quaternion(&state.coordinates, at);
            rotation_vector(away).length_squared()
        };
        let pose = model.description.bodies[joint.body.index()].pose;
        let stretch = match joint.kind {
            JointKind::Free => {
                let place = Vec3::from_slice(&state.coordinates[at..at + 3]);
                (place - pose.translation).length_squared() + turn(pose, at + 3)
            }
            JointKind::Ball => turn(Pose::IDENTITY, at),
            JointKind::Slide | JointKind::Hinge => {
                let away = state.coordinates[at] - joint.rest;
                away * away
            }
        };
        energy += 0.5 * joint.stiffness * stretch;
    }
    energy
}
