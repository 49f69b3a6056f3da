//! Springs and dampers of joints, and gravity compensation.

use crate::compile::Model;
use crate::model::{BodyId, JointKind};
use crate::state::State;
use crate::tree::jacobian;
use crate::tree::kinematics::{Kinematics, quaternion, rotation_vector};
use gedanken_math::{Pose, Vec3};

/// Writes forces of springs, dampers and gravity compensation; the latter also to `compensation`.
pub fn passive(
    model: &Model,
    kinematics: &Kinematics,
    state: &State,
    compensation: &mut [f64],
    out: &mut [f64],
) {
    out.fill(0.0);
    compensation.fill(0.0);
    let disabled = &model.description.settings.disabled;
    if !disabled.springs {
        springs(model, state, out);
    }
    if !disabled.dampers {
        for (freedom, force) in out.iter_mut().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            *force -= joint.damping * state.velocities[freedom];
        }
    }
    if !(disabled.springs && disabled.dampers) {
        compensate_gravity(model, kinematics, compensation);
        for (freedom, force) in out.iter_mut().enumerate() {
            let joint = &model.description.joints[model.topology.joint_of[freedom].index()];
            if !joint.compensates_by_actuators {
                *force += compensation[freedom];
            }
        }
    }
}

fn springs(model: &Model, state: &State, out: &mut [f64]) {
    for (number, joint) in model.description.joints.iter().enumerate() {
        if joint.stiffness == 0.0 {
            continue;
        }
        let at = model.topology.coordinate_of[number];
        let freedom = model.topology.freedom_of[number];
        let pull = |out: &mut [f64], first: usize, stretch: Vec3| {
            for k in 0..3 {
                out[first + k] = -joint.stiffness * stretch[k];
            }
        };
        let pose = model.description.bodies[joint.body.index()].pose;
        match joint.kind {
            JointKind::Free => {
                let place = Vec3::from_slice(&state.coordinates[at..at + 3]);
                pull(out, freedom, place - pose.translation);
                pull(out, freedom + 3, turned(pose, &state.coordinates, at + 3));
            }
            JointKind::Ball => pull(out, freedom, turned(Pose::IDENTITY, &state.coordinates, at)),
            JointKind::Slide | JointKind::Hinge => {
                out[freedom] = -joint.stiffness * (state.coordinates[at] - joint.rest);
            }
        }
    }
}

/// Rotation vector from the rest to the present orientation, in the body's frame.
fn turned(rest: Pose, coordinates: &[f64], at: usize) -> Vec3 {
    rotation_vector(rest.rotation.conjugate() * quaternion(coordinates, at))
}

/// Adds the forces that hold bodies up.
fn compensate_gravity(model: &Model, kinematics: &Kinematics, out: &mut [f64]) {
    let settings = &model.description.settings;
    if settings.disabled.gravity {
        return;
    }
    for (index, body) in model.description.bodies.iter().enumerate() {
        if body.gravity_compensation == 0.0 {
            continue;
        }
        let force = settings.gravity * (-body.mass * body.gravity_compensation);
        let centre = kinematics.centres[index];
        for freedom in model.topology.chain(BodyId::new(index)) {
            let column = jacobian::column(kinematics, &model.topology, freedom, centre);
            out[freedom] += column.linear.dot(force);
        }
    }
}
