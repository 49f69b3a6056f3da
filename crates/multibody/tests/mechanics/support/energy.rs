//! Energies from poses alone. A rigid body is its mass at the centre, and along each principal axis a rod
//! with ∫ s² dm = ½ (I₁ + I₂ + I₃) − Iₖ: its kinetic energy needs rates of points and axes, no angular velocity.

use super::slopes::{slope, square};
use gedanken_math::Vec3;
use gedanken_math::rotation::{axes, from_rotation_vector};
use gedanken_multibody::compile::Model;
use gedanken_multibody::integrate::move_along;
use gedanken_multibody::model::JointKind;
use gedanken_multibody::state::State;
use gedanken_multibody::tree::kinematics::Kinematics;

/// Centres of mass and principal axes of all bodies, as numbers.
fn marks(model: &Model, state: &State) -> Vec<f64> {
    let mut kinematics = Kinematics::default();
    kinematics.place(&model.description, &model.topology, state);
    let mut marks = Vec::new();
    for (index, body) in model.description.bodies.iter().enumerate() {
        let frame = axes(kinematics.poses[index].rotation * body.inertia_pose.rotation);
        for vector in [kinematics.centres[index], frame[0], frame[1], frame[2]] {
            marks.extend(vector.to_array());
        }
    }
    marks
}

/// State moved by an increment of the tangent space.
pub(crate) fn moved(model: &Model, state: &State, increment: &[f64], factor: f64) -> State {
    let mut moved = state.clone();
    move_along(model, &mut moved.coordinates, increment, factor);
    moved
}

/// Kinetic energy without armature where the state has been moved by `place` and moves on at `rate`, both in
/// the tangent space of `state`.
pub(crate) fn kinetic(model: &Model, state: &State, place: &[f64], rate: &[f64]) -> f64 {
    let rates = slope(1e-3, |t| {
        let increment: Vec<f64> = place.iter().zip(rate).map(|(x, v)| x + t * v).collect();
        marks(model, &moved(model, state, &increment, 1.0))
    });
    let mut energy = 0.0;
    for (index, body) in model.description.bodies.iter().enumerate() {
        let square_of = |k: usize| Vec3::from_slice(&rates[12 * index + 3 * k..][..3]).length_squared();
        energy += 0.5 * body.mass * square_of(0);
        let half: f64 = 0.5 * body.inertia.to_array().iter().sum::<f64>();
        for k in 0..3 {
            energy += 0.5 * (half - body.inertia[k]) * square_of(k + 1);
        }
    }
    energy
}

/// Potential energy of weight.
pub(crate) fn weight(model: &Model, state: &State) -> f64 {
    let marks = marks(model, state);
    let gravity = model.description.settings.gravity;
    let of = |(index, mass): (usize, f64)| -mass * gravity.dot(Vec3::from_slice(&marks[12 * index..][..3]));
    model.description.bodies.iter().map(|body| body.mass).enumerate().map(of).sum()
}

/// Potential energy of the springs of joints.
pub(crate) fn springs(model: &Model, state: &State) -> f64 {
    let mut energy = 0.0;
    for (number, joint) in model.description.joints.iter().enumerate() {
        let q = &state.coordinates[model.topology.coordinate_of[number]..];
        let pose = model.description.bodies[joint.body.index()].pose;
        // The cosine of half the angle is the scalar product of two quaternions.
        let angle = |dot: f64| 2.0 * libm::acos(dot.abs().min(1.0));
        let stretch = match joint.kind {
            JointKind::Hinge | JointKind::Slide => square(q[0] - joint.rest),
            JointKind::Ball => square(angle(q[0])),
            JointKind::Free => {
                let r = pose.rotation;
                let dot = r.w * q[3] + r.x * q[4] + r.y * q[5] + r.z * q[6];
                (Vec3::from_slice(q) - pose.translation).length_squared() + square(angle(dot))
            }
        };
        energy += 0.5 * joint.stiffness * stretch;
    }
    energy
}

/// Energy of a state whose velocities are those in it: kinetic with armature, weight and springs.
pub(crate) fn total(model: &Model, state: &State) -> f64 {
    let none = vec![0.0; model.freedoms()];
    let armature: f64 = (0..model.freedoms())
        .map(|freedom| {
            let joint = model.topology.joint_of[freedom].index();
            0.5 * model.description.joints[joint].armature * square(state.velocities[freedom])
        })
        .sum();
    kinetic(model, state, &none, &state.velocities) + armature + weight(model, state) + springs(model, state)
}

/// Rotation vector from one frame to another, both as three axes: exact for small angles to second order, made
/// exact by a few corrections.
pub(crate) fn turn(from: [Vec3; 3], to: [Vec3; 3]) -> Vec3 {
    let mut found = Vec3::ZERO;
    for _ in 0..60 {
        let turned = from.map(|axis| gedanken_math::rotation::to_world(from_rotation_vector(found), axis));
        let rest = (0..3).fold(Vec3::ZERO, |sum, k| sum + turned[k].cross(to[k])) * 0.5;
        found += rest;
    }
    found
}
