//! Keyframes: states with a name, filled up with the state in which the model is written.

use super::model::Compiled;
use crate::mjcf::report::Report;
use crate::mjcf::spec::orientation::quaternion_of;
use crate::mjcf::spec::sections::{KeySpec, ModelSpec};
use gedanken_lang::diagnostic::Code;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::{JointKind, Keyframe};

/// Makes the keyframes.
pub(crate) fn keyframes(model: &ModelSpec, compiled: &mut Compiled, report: &mut Report) {
    let written = written_state(compiled);
    for spec in &model.keyframes {
        compiled.description.keyframes.push(keyframe(spec, &written, compiled, report));
    }
    while compiled.description.keyframes.len() < model.least_keyframes {
        compiled.description.keyframes.push(written.clone());
    }
}

/// The state in which the model is written.
fn written_state(compiled: &Compiled) -> Keyframe {
    let description = &compiled.description;
    let mut coordinates = Vec::new();
    for joint in &description.joints {
        match joint.kind {
            JointKind::Free => {
                let pose = description.bodies[joint.body.index()].pose;
                coordinates.extend(pose.translation.to_array());
                coordinates.extend(wxyz(pose.rotation));
            }
            JointKind::Ball => coordinates.extend([1.0, 0.0, 0.0, 0.0]),
            JointKind::Slide | JointKind::Hinge => coordinates.push(joint.reference),
        }
    }
    let prescribed = description.bodies.iter().filter(|body| body.is_prescribed).map(|body| body.pose);
    Keyframe {
        name: String::new(),
        time: 0.0,
        coordinates,
        velocities: vec![0.0; description.joints.iter().map(|joint| joint.kind.freedoms()).sum()],
        controls: vec![0.0; description.actuators.len()],
        prescribed_poses: prescribed.collect(),
    }
}

/// A quaternion in MuJoCo's order.
fn wxyz(q: Quat) -> [f64; 4] {
    [q.w, q.x, q.y, q.z]
}

fn keyframe(spec: &KeySpec, written: &Keyframe, compiled: &Compiled, report: &mut Report) -> Keyframe {
    let mut key = Keyframe { name: spec.name.clone(), time: spec.time, ..written.clone() };
    // A list of another length belongs to another model; what was left out of this one makes it one.
    let mut list = |name: &'static str, length: usize| {
        let (numbers, span) = spec.lists.get(name).filter(|(numbers, _)| !numbers.is_empty())?;
        if numbers.len() == length {
            return Some(numbers.clone());
        }
        let plural = if length == 1 { "number" } else { "numbers" };
        report.error(Code::E007, *span, format!("`{name}` takes {length} {plural}, not {}", numbers.len()));
        None
    };
    if let Some(numbers) = list("qpos", key.coordinates.len()) {
        key.coordinates = numbers;
        normalize(&mut key.coordinates, compiled);
    }
    key.velocities = list("qvel", key.velocities.len()).unwrap_or(key.velocities);
    if let Some(numbers) = list("ctrl", compiled.is_actuator_kept.len()) {
        let kept = numbers.iter().zip(&compiled.is_actuator_kept).filter(|(_, is_kept)| **is_kept);
        key.controls = kept.map(|(control, _)| *control).collect();
    }
    let count = key.prescribed_poses.len();
    let positions = list("mpos", 3 * count);
    let rotations = list("mquat", 4 * count);
    for (k, pose) in key.prescribed_poses.iter_mut().enumerate() {
        let position = positions.as_ref().and_then(|it| it.get(3 * k..3 * k + 3));
        let rotation = rotations.as_ref().and_then(|it| it.get(4 * k..4 * k + 4));
        *pose = Pose::new(
            rotation.and_then(|q| quaternion_of([q[0], q[1], q[2], q[3]])).unwrap_or(pose.rotation),
            position.map_or(pose.translation, |p| Vec3::new(p[0], p[1], p[2])),
        );
    }
    key
}

/// Makes the quaternions of free and ball joints unit ones.
fn normalize(coordinates: &mut [f64], compiled: &Compiled) {
    let mut at = 0;
    for joint in &compiled.description.joints {
        let start = match joint.kind {
            JointKind::Free => Some(at + 3),
            JointKind::Ball => Some(at),
            JointKind::Slide | JointKind::Hinge => None,
        };
        if let Some(start) = start {
            let q =
                [coordinates[start], coordinates[start + 1], coordinates[start + 2], coordinates[start + 3]];
            let unit = quaternion_of(q).unwrap_or(Quat::IDENTITY);
            coordinates[start..start + 4].copy_from_slice(&wxyz(unit));
        }
        at += joint.kind.coordinates();
    }
}
