//! Pairs of shapes: points, normals, tangents, distances, number and order.

use super::data::{array, list, number, numbers, pose, reach, shape};
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::contacts::narrow::{Scratch, ShapeContact, frame, shape_contacts};
use gedanken_multibody::model::GeomShape;
use serde_json::Value;

/// Largest difference of a number that MuJoCo finds in closed form.
const SAME: f64 = 1e-9;
/// Largest difference of a distance that MuJoCo finds by iteration, up to 1e-6 of its own measure.
const NEAR: f64 = 5e-5;

/// Pairs that MuJoCo has closed forms for.
const CLOSED_FORMS: [&str; 12] = [
    "plane-sphere",
    "plane-capsule",
    "plane-ellipsoid",
    "plane-cylinder",
    "plane-box",
    "sphere-sphere",
    "sphere-capsule",
    "sphere-cylinder",
    "sphere-box",
    "capsule-capsule",
    "capsule-box",
    "box-box",
];

/// A stored case.
pub(crate) struct Case {
    pub(crate) shapes: [GeomShape; 2],
    pub(crate) poses: [Pose; 2],
    pub(crate) margin: f64,
    /// Distance, position, normal, and a tangent if it does not follow from the normal.
    pub(crate) expected: Vec<Vec<f64>>,
}

impl Case {
    pub(crate) fn contacts(&self, scratch: &mut Scratch) -> Vec<ShapeContact> {
        let mut found = Vec::new();
        let [a, b] = &self.shapes;
        let [p, q] = &self.poses;
        shape_contacts((a, p), (b, q), self.margin, scratch, &mut found);
        found
    }

    /// Whether a contact is so near the margin that rounding decides.
    fn is_decided_by_rounding(&self, found: &[ShapeContact]) -> bool {
        let at_margin = |distance: f64| (distance - self.margin).abs() < 1e-12;
        found.iter().any(|c| at_margin(c.distance)) || self.expected.iter().any(|c| at_margin(c[0]))
    }
}

/// All cases of a pair.
pub(crate) fn cases(pair: &Value) -> Vec<Case> {
    let kinds = list(&pair["shapes"]);
    let mut cases = Vec::new();
    for model in list(&pair["models"]) {
        let made =
            |side: usize, name: &str| shape(kinds[side].as_str().expect("a type"), &numbers(&model[name]));
        let shapes = [made(0, "a"), made(1, "b")];
        for case in list(&model["cases"]) {
            cases.push(Case {
                shapes: shapes.clone(),
                poses: [pose(&case[0]), pose(&case[1])],
                margin: number(&case[2]),
                expected: list(&case[3]).iter().map(numbers).collect(),
            });
        }
    }
    cases
}

/// The stored pairs by name.
pub(crate) fn stored() -> Vec<(String, Vec<Case>)> {
    let data: Value = serde_json::from_str(include_str!("../oracle/shapes.json")).expect("stored data");
    let name = |pair: &Value| {
        let [a, b] = [0, 1].map(|k| pair["shapes"][k].as_str().expect("a type"));
        format!("{a}-{b}")
    };
    list(&data["pairs"]).iter().map(|pair| (name(pair), cases(pair))).collect()
}

/// Whether a contact is the expected one in all numbers.
fn is_same(found: &ShapeContact, expected: &[f64]) -> bool {
    let [normal, tangent, _] = frame(found.normal, found.tangent);
    let at = |k: usize| Vec3::new(expected[k], expected[k + 1], expected[k + 2]);
    let expected_tangent = if expected.len() > 7 { at(7) } else { frame(at(4), Vec3::ZERO)[1] };
    // MuJoCo leaves a capsule that stands on a tilted plane without a frame: its tangent is not across.
    let has_frame = expected_tangent.dot(at(4)).abs() < 1e-6;
    (found.distance - expected[0]).abs() < SAME
        && (found.position - at(1)).length() < SAME
        && (normal - at(4)).length() < SAME
        && (!has_frame || (tangent - expected_tangent).length() < SAME)
}

#[test]
fn closed_forms_are_those_of_mujoco() {
    let mut scratch = Scratch::default();
    for (name, cases) in stored() {
        if !CLOSED_FORMS.contains(&name.as_str()) {
            continue;
        }
        assert!(cases.len() >= 90, "{name} has {} cases", cases.len());
        let mut compared = 0;
        for (number, case) in cases.iter().enumerate() {
            let found = case.contacts(&mut scratch);
            if case.is_decided_by_rounding(&found) {
                continue;
            }
            compared += 1;
            let same = found.len() == case.expected.len()
                && found.iter().zip(&case.expected).all(|(found, expected)| is_same(found, expected));
            assert!(same, "{name} {number}: {found:?} instead of {:?}", case.expected);
        }
        assert!(compared * 10 > cases.len() * 8, "{name}: only {compared} of {} cases", cases.len());
    }
}

#[test]
fn iterated_contacts_are_at_least_as_good_as_those_of_mujoco() {
    let mut scratch = Scratch::default();
    for (name, cases) in stored() {
        if CLOSED_FORMS.contains(&name.as_str()) || name.starts_with("plane") {
            continue;
        }
        let mut near = 0;
        for (number, case) in cases.iter().enumerate() {
            let found = case.contacts(&mut scratch);
            let deepest = found.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
            let theirs = case.expected.iter().map(|c| c[0]).fold(f64::INFINITY, f64::min);
            let Some(first) = found.first() else {
                assert!(theirs > case.margin - NEAR, "{name} {number}: no contact at {theirs}");
                near += 1;
                continue;
            };
            near += usize::from((deepest - theirs).abs() < NEAR);
            // The overlap along any direction bounds the depth from above, and ours attains it.
            let overlap = |n: Vec3| {
                reach(&case.shapes[0], &case.poses[0], n) + reach(&case.shapes[1], &case.poses[1], -n)
            };
            assert!((deepest + overlap(first.normal)).abs() < 1e-9, "{name} {number}: {found:?}");
            if let Some(expected) = case.expected.first() {
                let [_, _, _, _, x, y, z] = array(&Value::from(expected[..7].to_vec()));
                let their_overlap = overlap(Vec3::new(x, y, z).normalize());
                assert!(-deepest <= their_overlap + 1e-9, "{name} {number}: {deepest} {their_overlap}");
            }
        }
        // MuJoCo's iteration ends early where round shapes have one centre.
        assert!(near * 10 >= 6 * cases.len(), "{name}: {near} of {}", cases.len());
    }
}

#[test]
fn hulls_lie_on_planes_as_in_mujoco() {
    let mut scratch = Scratch::default();
    let pairs = stored();
    let (_, cases) = pairs.iter().find(|(name, _)| name == "plane-mesh").expect("stored data");
    let (mut same_count, mut same_points) = (0, 0);
    for case in cases {
        let found = case.contacts(&mut scratch);
        let theirs = case.expected.iter().map(|c| c[0]).fold(f64::INFINITY, f64::min);
        let ours = found.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
        assert!((ours - theirs).abs() < SAME || ours == theirs, "{found:?} {:?}", case.expected);
        same_count += usize::from(found.len() == case.expected.len());
        // The order of equally deep corners is that of the mesh file in MuJoCo, of coordinates here.
        let all = found.iter().all(|found| case.expected.iter().any(|expected| is_same(found, expected)));
        same_points += usize::from(all);
    }
    assert!(same_count * 100 >= 95 * cases.len(), "{same_count} of {}", cases.len());
    assert!(same_points * 100 >= 85 * cases.len(), "{same_points} of {}", cases.len());
}
