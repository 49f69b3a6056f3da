//! The numbers that MuJoCo's own compiler gives, stored with its version, for models that use most of what
//! there is: every way to write an orientation, frames, default classes, meshes, fitted shapes, hollow ones.

use gedanken_math::{Quat, Vec3};
use gedanken_multibody::model::{Description, EqualityKind, GeomShape, JointKind};
use serde_json::Value;

/// Flat numbers of a description under the name of an array of MuJoCo.
fn ours(name: &str, it: &Description) -> Vec<f64> {
    let vectors = |all: Vec<Vec3>| all.iter().flat_map(|v| v.to_array()).collect::<Vec<f64>>();
    let rotations = |all: Vec<Quat>| all.iter().flat_map(|q| [q.w, q.x, q.y, q.z]).collect::<Vec<f64>>();
    let (bodies, joints, geoms, actuators) = (&it.bodies, &it.joints, &it.geoms, &it.actuators);
    match name {
        "body_parentid" => bodies.iter().map(|b| b.parent.index() as f64).collect(),
        "body_pos" => vectors(bodies.iter().map(|b| b.pose.translation).collect()),
        "body_quat" => rotations(bodies.iter().map(|b| b.pose.rotation).collect()),
        "body_mass" => bodies.iter().map(|b| b.mass).collect(),
        "body_inertia" => vectors(bodies.iter().map(|b| b.inertia).collect()),
        "body_ipos" => vectors(bodies.iter().map(|b| b.inertia_pose.translation).collect()),
        "body_iquat" => rotations(bodies.iter().map(|b| b.inertia_pose.rotation).collect()),
        "jnt_type" => {
            let kinds = [JointKind::Free, JointKind::Ball, JointKind::Slide, JointKind::Hinge];
            joints
                .iter()
                .map(|j| kinds.iter().position(|kind| *kind == j.kind).map_or(f64::NAN, |k| k as f64))
                .collect()
        }
        "jnt_pos" => vectors(joints.iter().map(|j| j.anchor).collect()),
        "jnt_axis" => vectors(joints.iter().map(|j| j.axis).collect()),
        "jnt_limited" => joints.iter().map(|j| f64::from(u8::from(j.limits.is_some()))).collect(),
        "jnt_range" => joints.iter().flat_map(|j| j.limits.unwrap_or_default()).collect(),
        "jnt_margin" => joints.iter().map(|j| j.limit_margin).collect(),
        "armature" => joints.iter().map(|j| j.armature).collect(),
        "frictionloss" => joints.iter().map(|j| j.friction_loss).collect(),
        "jnt_solref" => joints.iter().flat_map(|j| j.limit_softness.reference.to_solref()).collect(),
        "jnt_solimp" => joints.iter().flat_map(|j| j.limit_softness.impedance.to_solimp()).collect(),
        "geom_type" => geoms.iter().map(|g| shape_number(&g.shape)).collect(),
        "geom_pos" => vectors(geoms.iter().map(|g| g.pose.translation).collect()),
        "geom_quat" => rotations(geoms.iter().map(|g| g.pose.rotation).collect()),
        "geom_friction" => geoms.iter().flat_map(|g| g.surface.friction).collect(),
        "geom_solref" => geoms.iter().flat_map(|g| g.surface.softness.reference.to_solref()).collect(),
        "geom_solimp" => geoms.iter().flat_map(|g| g.surface.softness.impedance.to_solimp()).collect(),
        "geom_condim" => geoms.iter().map(|g| g.surface.dimension.components() as f64).collect(),
        "geom_contype" => geoms.iter().map(|g| f64::from(g.contact_type)).collect(),
        "pair_geom1" => it.pairs.iter().map(|p| p.geoms[0].index() as f64).collect(),
        "pair_friction" => it.pairs.iter().flat_map(|p| p.friction).collect(),
        "exclude" => it.excluded.iter().flatten().map(|body| body.index() as f64).collect(),
        "eq_type" => it.equalities.iter().map(|e| equality_number(&e.kind)).collect(),
        "eq_solref" => it.equalities.iter().flat_map(|e| e.softness.reference.to_solref()).collect(),
        "actuator_gear" => actuators.iter().flat_map(|a| a.gear).collect(),
        "gain" => actuators.iter().flat_map(|a| a.gain).collect(),
        "bias01" => actuators.iter().flat_map(|a| [a.bias[0], a.bias[1]]).collect(),
        "actuator_ctrlrange" => actuators.iter().flat_map(|a| a.control_range.unwrap_or_default()).collect(),
        "key_qpos" => it.keyframes.iter().flat_map(|k| k.coordinates.clone()).collect(),
        "timestep" => vec![it.settings.time_step],
        _ => panic!("no such array: {name}"),
    }
}

fn shape_number(shape: &GeomShape) -> f64 {
    match shape {
        GeomShape::Plane => 0.0,
        GeomShape::Sphere { .. } => 2.0,
        GeomShape::Capsule { .. } => 3.0,
        GeomShape::Ellipsoid { .. } => 4.0,
        GeomShape::Cylinder { .. } => 5.0,
        GeomShape::Box { .. } => 6.0,
        GeomShape::Hull(_) => 7.0,
    }
}

fn equality_number(kind: &EqualityKind) -> f64 {
    match kind {
        EqualityKind::Connect { .. } => 0.0,
        EqualityKind::Weld { .. } => 1.0,
        _ => 2.0,
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(all) => all.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

/// Largest difference of two lists, relative to their largest number; quaternions up to their sign.
fn difference(name: &str, ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len(), "{name}");
    let scale = theirs.iter().fold(1e-300, |most: f64, it| most.max(it.abs()));
    let width = if name.ends_with("quat") { 4 } else { 1 };
    let mut worst: f64 = 0.0;
    for (a, b) in ours.chunks(width).zip(theirs.chunks(width)) {
        let apart = |sign: f64| a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((sign * x - y).abs()));
        worst = worst.max(if width == 4 { apart(1.0).min(apart(-1.0)) } else { apart(1.0) });
    }
    worst / scale
}

#[test]
fn models_have_the_numbers_of_mujoco() {
    for (text, stored) in [
        (include_str!("../../data/model_1.xml"), include_str!("../../data/model_1.json")),
        (include_str!("../../data/model_2.xml"), include_str!("../../data/model_2.json")),
        (include_str!("../../data/model_3.xml"), include_str!("../../data/model_3.json")),
        (include_str!("../../data/model_4.xml"), include_str!("../../data/model_4.json")),
    ] {
        let Value::Object(stored) = serde_json::from_str(stored).unwrap() else { panic!("an object") };
        let model = super::model(text);
        assert_eq!(stored["mujoco"], "4.0.0");
        for (name, value) in stored.iter().filter(|(name, _)| *name != "mujoco") {
            let mut found = ours(name, &model.description);
            if name == "geom_type" {
                // A mesh that is only seen is a box here.
                for (number, look) in found.iter_mut().zip(&model.looks) {
                    *number = if look.mesh.is_none() { *number } else { 7.0 };
                }
            }
            let worst = difference(name, &found, &numbers(value));
            assert!(worst <= 1e-12, "{}, {name}: {worst:e}", model.description.name);
        }
    }
}
