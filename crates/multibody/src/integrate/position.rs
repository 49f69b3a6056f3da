//! Coordinates moved along a velocity: sums, and exact rotations for quaternions.

use crate::compile::Model;
use crate::model::JointKind;
use crate::tree::kinematics::quaternion;
use gedanken_math::Vec3;
use gedanken_math::rotation::from_rotation_vector;

/// Moves coordinates by `factor` times a velocity.
pub fn move_along(model: &Model, coordinates: &mut [f64], velocities: &[f64], factor: f64) {
    for (number, joint) in model.description.joints.iter().enumerate() {
        let at = model.topology.coordinate_of[number];
        let freedom = model.topology.freedom_of[number];
        match joint.kind {
            JointKind::Free => {
                for k in 0..3 {
                    coordinates[at + k] += factor * velocities[freedom + k];
                }
                turn(coordinates, at + 3, velocities, freedom + 3, factor);
            }
            JointKind::Ball => turn(coordinates, at, velocities, freedom, factor),
            JointKind::Slide | JointKind::Hinge => coordinates[at] += factor * velocities[freedom],
        }
    }
}

/// Turns the quaternion at `at` by `factor` times the angular velocity at `freedom`.
fn turn(coordinates: &mut [f64], at: usize, velocities: &[f64], freedom: usize, factor: f64) {
    let spin = Vec3::from_slice(&velocities[freedom..freedom + 3]);
    let turned = quaternion(coordinates, at) * from_rotation_vector(spin * factor);
    let turned = turned * (1.0 / turned.length());
    coordinates[at..at + 4].copy_from_slice(&[turned.w, turned.x, turned.y, turned.z]);
}
