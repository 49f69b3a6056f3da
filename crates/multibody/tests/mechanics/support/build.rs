//! Random trees and states, and small mechanisms that many tests use.

use super::dice::Dice;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::integrate::move_along;
use gedanken_multibody::model::{
    Body, BodyId, Description, Impedance, Joint, JointKind, Reference, Softness,
};
use gedanken_multibody::state::State;

/// Sets of joints that a body that is not a root can have.
const SETS: [&[JointKind]; 10] = [
    &[],
    &[JointKind::Ball],
    &[JointKind::Hinge],
    &[JointKind::Slide],
    &[JointKind::Hinge, JointKind::Hinge],
    &[JointKind::Slide, JointKind::Hinge, JointKind::Slide],
    &[JointKind::Slide, JointKind::Ball],
    &[JointKind::Ball, JointKind::Slide],
    &[JointKind::Hinge, JointKind::Slide, JointKind::Hinge],
    &[JointKind::Hinge, JointKind::Ball],
];

/// A random forest of up to ten bodies, at most six deep, with all kinds of joints.
pub(crate) fn tree(dice: &mut Dice) -> Description {
    let mut description = Description::new("random");
    // The way from the world to the last body: a new body hangs on one of them, so that the order is depth
    // first.
    let mut path = vec![BodyId::WORLD];
    let count = 2 + dice.below(9);
    for index in 1..=count {
        path.truncate(1 + dice.below(path.len().min(6)).max(path.len().min(6).saturating_sub(2)));
        let parent = path[path.len() - 1];
        let mut body = random_body(dice, index, parent);
        body.pose = dice.pose(0.4);
        description.bodies.push(body);
        let id = BodyId::new(index);
        path.push(id);
        let free: &[JointKind] = &[JointKind::Free];
        let set =
            if parent == BodyId::WORLD && dice.chance(0.4) { free } else { SETS[dice.below(SETS.len())] };
        for &kind in set {
            let number = description.joints.len();
            let mut joint = Joint::new(format!("joint {number}"), id, kind);
            joint.anchor = dice.vector(0.3);
            joint.axis = dice.direction();
            joint.reference = dice.between(-0.5, 0.5);
            joint.rest = dice.between(-0.5, 0.5);
            if dice.chance(0.4) {
                joint.armature = dice.between(0.01, 0.5);
            }
            description.joints.push(joint);
        }
    }
    if description.joints.is_empty() {
        description.joints.push(Joint::new("joint 0", BodyId::new(count), JointKind::Ball));
    }
    description
}

/// A body with a random mass and a random box's moments of inertia.
fn random_body(dice: &mut Dice, index: usize, parent: BodyId) -> Body {
    let mut body = Body::new(format!("body {index}"), parent);
    body.mass = dice.between(0.3, 2.0);
    let [x, y, z] = [0; 3].map(|_| dice.between(0.05, 0.4));
    body.inertia = Vec3::new(y * y + z * z, x * x + z * z, x * x + y * y) * (body.mass / 3.0);
    body.inertia_pose = dice.pose(0.2);
    body
}

/// A model of a description that is right.
pub(crate) fn model(description: Description) -> Model {
    Model::new(description).expect("a model without mistakes")
}

/// A random state.
pub(crate) fn state(model: &Model, dice: &mut Dice) -> State {
    let mut state = model.initial_state();
    for (number, joint) in model.description.joints.iter().enumerate() {
        let at = model.topology.coordinate_of[number];
        let turn = |coordinates: &mut [f64], at: usize, q: Quat| {
            coordinates[at..at + 4].copy_from_slice(&[q.w, q.x, q.y, q.z]);
        };
        match joint.kind {
            JointKind::Free => {
                let place = dice.vector(0.5);
                state.coordinates[at..at + 3].copy_from_slice(&place.to_array());
                turn(&mut state.coordinates, at + 3, dice.rotation());
            }
            JointKind::Ball => turn(&mut state.coordinates, at, dice.rotation()),
            JointKind::Slide | JointKind::Hinge => state.coordinates[at] = dice.between(-1.0, 1.0),
        }
    }
    state.velocities = dice.numbers(model.freedoms(), 1.5);
    state
}

/// A random state whose rotations stay far from half a turn, where springs would jump.
pub(crate) fn near_state(model: &Model, dice: &mut Dice) -> State {
    let mut state = model.initial_state();
    let increment = dice.numbers(model.freedoms(), 0.6);
    move_along(model, &mut state.coordinates, &increment, 1.0);
    state.velocities = dice.numbers(model.freedoms(), 1.5);
    state
}

/// A body of this mass and these principal moments at the origin of its parent.
pub(crate) fn body(name: &str, parent: BodyId, mass: f64, inertia: Vec3) -> Body {
    Body { mass, inertia, ..Body::new(name, parent) }
}

/// A hinge about an axis.
pub(crate) fn hinge(name: &str, body: BodyId, axis: Vec3) -> Joint {
    Joint { axis, ..Joint::new(name, body, JointKind::Hinge) }
}

/// A slide along an axis.
pub(crate) fn slide(name: &str, body: BodyId, axis: Vec3) -> Joint {
    Joint { axis, ..Joint::new(name, body, JointKind::Slide) }
}

/// A pose without rotation.
pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Quat::IDENTITY, Vec3::new(x, y, z))
}

/// Constant impedance `d` with time constant and damping ratio.
pub(crate) fn constant_softness(d: f64, time_constant: f64, damping_ratio: f64) -> Softness {
    Softness {
        reference: Reference::Oscillator { time_constant, damping_ratio },
        impedance: Impedance { start: d, end: d, ..Impedance::MUJOCO },
    }
}
