//! Whole scenes: which geoms meet, in which order, by which parameters.

use super::data::{array, index, list, number, numbers, pose, shape};
use gedanken_math::Pose;
use gedanken_multibody::contacts::{CandidatePairs, Contact, FindScratch, find};
use gedanken_multibody::model::{
    Body, BodyId, ContactDimension, ContactPair, Description, Geom, GeomId, Impedance, Joint, JointKind,
    Reference, Softness, Surface,
};
use serde_json::Value;

/// Largest difference of a number.
const SAME: f64 = 1e-9;

fn dimension(value: &Value) -> ContactDimension {
    ContactDimension::from_condim(index(value)).expect("1, 3, 4 or 6")
}

fn softness(solref: &Value, solimp: &Value) -> Softness {
    Softness {
        reference: Reference::from_solref(array(solref)),
        impedance: Impedance::from_solimp(array(solimp)),
    }
}

fn geom(value: &Value) -> (Geom, Pose) {
    let made = shape(value[1].as_str().expect("a type"), &numbers(&value[2]));
    let mut geom = Geom::new("", BodyId::new(index(&value[0])), made);
    geom.contact_type = index(&value[3]) as u32;
    geom.contact_affinity = index(&value[4]) as u32;
    geom.surface = Surface {
        dimension: dimension(&value[5]),
        friction: array(&value[6]),
        softness: softness(&value[7], &value[8]),
        margin: number(&value[9]),
        gap: number(&value[10]),
        priority: number(&value[11]) as i32,
        mixing_weight: number(&value[12]),
    };
    (geom, pose(&value[13]))
}

fn pair(value: &Value) -> ContactPair {
    let friction_reference: [f64; 2] = array(&value[4]);
    ContactPair {
        name: String::new(),
        geoms: [0, 1].map(|k| GeomId::new(index(&value[0][k]))),
        dimension: dimension(&value[1]),
        friction: array(&value[2]),
        softness: softness(&value[3], &value[5]),
        friction_reference: (friction_reference != [0.0; 2])
            .then(|| Reference::from_solref(friction_reference)),
        margin: number(&value[6]),
        gap: number(&value[7]),
    }
}

/// The description of a stored scene, and the poses of its geoms.
pub(crate) fn scene(value: &Value) -> (Description, Vec<Pose>) {
    let mut description = Description::new("stored");
    for (number, parent) in list(&value["parents"]).iter().enumerate().skip(1) {
        let mut body = Body::new("", BodyId::new(index(parent)));
        body.is_prescribed = value["mocap"][number] == Value::Bool(true);
        description.bodies.push(body);
        if value["joints"][number] == Value::Bool(true) {
            description.joints.push(Joint::new("", BodyId::new(number), JointKind::Ball));
        }
    }
    let (geoms, poses) = list(&value["geoms"]).iter().map(geom).unzip();
    description.geoms = geoms;
    description.pairs = list(&value["pairs"]).iter().map(pair).collect();
    description.excluded = list(&value["excluded"])
        .iter()
        .map(|bodies| [0, 1].map(|k| BodyId::new(index(&bodies[k]))))
        .collect();
    description.settings.disabled.parent_filter = value["parent_filter"] == Value::Bool(false);
    (description, poses)
}

/// Says how a contact differs from the stored one.
pub(crate) fn difference(found: &Contact, expected: &Value) -> Option<String> {
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < SAME);
    let geoms = [0, 1].map(|k| index(&expected[0][k]));
    let reference = found.friction_reference.map_or([0.0; 2], Reference::to_solref);
    let checks = [
        ("geoms", found.geoms.map(GeomId::index) == geoms),
        ("distance", (found.distance - number(&expected[1])).abs() < SAME),
        ("dimension", found.dimension.components() == index(&expected[2])),
        ("friction", near(&found.friction, &numbers(&expected[3]))),
        ("solref", near(&found.softness.reference.to_solref(), &numbers(&expected[4]))),
        ("solreffriction", near(&reference, &numbers(&expected[5]))),
        ("solimp", near(&found.softness.impedance.to_solimp(), &numbers(&expected[6]))),
        ("includemargin", (found.include_margin - number(&expected[7])).abs() < SAME),
        ("gap", found.in_gap == (index(&expected[8]) == 1)),
    ];
    checks.iter().find(|(_, same)| !same).map(|(what, _)| format!("{what}: {found:?} instead of {expected}"))
}

#[test]
fn contacts_of_scenes_are_those_of_mujoco() {
    let data: Value = serde_json::from_str(include_str!("../oracle/scenes.json")).expect("stored data");
    let mut scratch = FindScratch::default();
    let (mut found, mut total) = (Vec::new(), 0);
    for (number, stored) in list(&data["scenes"]).iter().enumerate() {
        let (description, poses) = scene(stored);
        find(&CandidatePairs::new(&description), &poses, &mut scratch, &mut found);
        let expected = list(&stored["contacts"]);
        for (contact, expected) in found.iter().zip(expected) {
            assert_eq!(difference(contact, expected), None, "scene {number}");
        }
        assert_eq!(found.len(), expected.len(), "scene {number}");
        total += found.len();
    }
    assert!(total > 200, "only {total} contacts");
}
