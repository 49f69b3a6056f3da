//! What must hold of all contacts, whatever the shapes and wherever they are.

use super::data::reach;
use gedanken_geometry::narrow::{self, Distance};
use gedanken_geometry::{Capsule, ConvexHull, Cuboid, Cylinder, Shape, Sphere};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::contacts::narrow::{Scratch, ShapeContact, frame, shape_contacts};
use gedanken_multibody::contacts::{CandidatePairs, Contact, FindScratch, find, mix};
use gedanken_multibody::model::{
    Body, BodyId, Description, Geom, GeomShape, Joint, JointKind, Mixing, Reference, Softness, Surface,
};
use proptest::prelude::*;
use std::sync::Arc;

fn vector(most: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-most..most).prop_map(Vec3::from_array)
}

/// Any pose near the origin.
fn any_pose() -> impl Strategy<Value = Pose> {
    (vector(3.0), vector(0.5)).prop_map(|(turn, place)| Pose::new(from_rotation_vector(turn), place))
}

/// Poses in which axes, faces and centres coincide.
fn aligned_pose() -> impl Strategy<Value = Pose> {
    let quarter = std::f64::consts::FRAC_PI_2;
    let turns = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X * 2.0, Vec3::Y * 0.5];
    let places = prop::array::uniform3(-2..=2i32).prop_map(|p| Vec3::from_array(p.map(f64::from)) * 0.25);
    (prop::sample::select(turns.to_vec()), places)
        .prop_map(move |(turn, place)| Pose::new(from_rotation_vector(turn * quarter), place))
}

fn size() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.25), 0.05..0.5f64]
}

fn sizes() -> impl Strategy<Value = Vec3> {
    (size(), size(), size()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Any shape of the kinds with these ranks.
fn any_shape(ranks: &[usize]) -> impl Strategy<Value = GeomShape> + use<> {
    let hull = prop::collection::vec(vector(0.4), 6..14)
        .prop_filter_map("points that span a volume", |points| {
            ConvexHull::new(&points).ok().map(|hull| GeomShape::Hull(Arc::new(hull)))
        });
    let all = [
        Just(GeomShape::Plane).boxed(),
        size().prop_map(|radius| GeomShape::Sphere { radius }).boxed(),
        (size(), size()).prop_map(|(radius, half_length)| GeomShape::Capsule { radius, half_length }).boxed(),
        sizes().prop_map(|semi_axes| GeomShape::Ellipsoid { semi_axes }).boxed(),
        (size(), size())
            .prop_map(|(radius, half_length)| GeomShape::Cylinder { radius, half_length })
            .boxed(),
        sizes().prop_map(|half_sides| GeomShape::Box { half_sides }).boxed(),
        hull.boxed(),
    ];
    prop::strategy::Union::new(ranks.iter().map(|&rank| all[rank].clone()))
}

const ALL: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];
const BOUNDED: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// Contacts with the shapes in their order.
fn contacts(a: &GeomShape, p: &Pose, b: &GeomShape, q: &Pose, margin: f64) -> Vec<ShapeContact> {
    let mut out = Vec::new();
    let (first, second) = if a.rank() <= b.rank() { ((a, p), (b, q)) } else { ((b, q), (a, p)) };
    shape_contacts(first, second, margin, &mut Scratch::default(), &mut out);
    out
}

fn deepest(contacts: &[ShapeContact]) -> f64 {
    contacts.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min)
}

fn is_sound(contact: &ShapeContact, margin: f64) -> bool {
    let [n, t, b] = frame(contact.normal, contact.tangent);
    contact.position.is_finite()
        && (contact.normal.length() - 1.0).abs() < 1e-9
        && contact.distance <= margin + 1e-12
        && (n.cross(t) - b).length() < 1e-9
        && (t.length() - 1.0).abs() < 1e-9
        && n.dot(t).abs() < 1e-8
}

/// The shape as the geometry crate has it.
fn known(shape: &GeomShape) -> Option<Shape> {
    Some(match *shape {
        GeomShape::Sphere { radius } => Shape::Sphere(Sphere::new(radius).ok()?),
        GeomShape::Capsule { radius, half_length } => Shape::Capsule(Capsule::new(radius, half_length).ok()?),
        GeomShape::Cylinder { radius, half_length } => {
            Shape::Cylinder(Cylinder::new(radius, half_length).ok()?)
        }
        GeomShape::Box { half_sides } => Shape::Cuboid(Cuboid::new(half_sides * 2.0).ok()?),
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn contacts_are_sound(
        a in any_shape(&ALL), b in any_shape(&ALL), p in any_pose(), q in any_pose(), margin in 0.0..0.3f64,
    ) {
        for contact in contacts(&a, &p, &b, &q, margin) {
            prop_assert!(is_sound(&contact, margin), "{contact:?}");
        }
    }

    #[test]
    fn contacts_of_aligned_shapes_are_sound(
        a in any_shape(&ALL), b in any_shape(&ALL), p in aligned_pose(), q in aligned_pose(),
        margin in prop_oneof![Just(0.0), Just(0.25), Just(-0.05)],
    ) {
        for contact in contacts(&a, &p, &b, &q, margin) {
            prop_assert!(is_sound(&contact, margin), "{contact:?}");
        }
    }

    #[test]
    fn contacts_move_with_their_shapes(
        a in any_shape(&ALL), b in any_shape(&ALL), p in any_pose(), q in any_pose(), by in any_pose(),
    ) {
        let here = contacts(&a, &p, &b, &q, 0.1);
        let there = contacts(&a, &(by * p), &b, &(by * q), 0.1);
        // A contact at the margin may come or go by rounding.
        let clear = |found: &[ShapeContact]| found.iter().all(|c| (c.distance - 0.1).abs() > 1e-9);
        prop_assume!(clear(&here) && clear(&there));
        prop_assert!(here.is_empty() == there.is_empty());
        prop_assert!(here.is_empty() || (deepest(&here) - deepest(&there)).abs() < 1e-8);
        if a.rank().max(b.rank()) <= 5 && a.rank() != 3 && b.rank() != 3 && a.rank() != 4 && b.rank() != 4 {
            prop_assert_eq!(here.len(), there.len());
            for (here, there) in here.iter().zip(&there) {
                prop_assert!((by.point_to_world(here.position) - there.position).length() < 1e-8);
                prop_assert!((by.vector_to_world(here.normal) - there.normal).length() < 1e-7);
            }
        }
    }

    #[test]
    fn equal_kinds_meet_alike_from_either_side(
        (a, b) in (1..7usize).prop_flat_map(|rank| (any_shape(&[rank]), any_shape(&[rank]))),
        p in any_pose(), q in any_pose(),
    ) {
        let one = contacts(&a, &p, &b, &q, 0.05);
        let other = contacts(&b, &q, &a, &p, 0.05);
        let at_margin = (deepest(&one).min(deepest(&other)) - 0.05).abs() < 1e-9;
        prop_assert!(one.is_empty() == other.is_empty() || at_margin);
        if let (Some(first), Some(second)) = (one.first(), other.first()) {
            prop_assert!((deepest(&one) - deepest(&other)).abs() < 1e-8);
            // Where the bodies can be parted equally well along two directions, either is right.
            let overlap = |n: Vec3| reach(&a, &p, n) + reach(&b, &q, -n);
            let equally_good = (overlap(first.normal) - overlap(-second.normal)).abs() < 1e-8;
            prop_assert!((first.normal + second.normal).length() < 1e-5 || equally_good);
        }
    }

    #[test]
    fn no_direction_parts_iterated_shapes_sooner(
        a in any_shape(&[3, 4, 6]), b in any_shape(&BOUNDED), p in any_pose(), q in any_pose(),
        directions in prop::collection::vec(vector(1.0), 64),
    ) {
        if a.rank() == 4 && b.rank() == 1 {
            return Ok(());
        }
        let found = contacts(&a, &p, &b, &q, 0.1);
        let overlap = |n: Vec3| reach(&a, &p, n) + reach(&b, &q, -n);
        let least = directions
            .iter()
            .filter_map(|d| d.try_normalize())
            .map(overlap)
            .fold(f64::INFINITY, f64::min);
        if found.is_empty() {
            // Directions that all overlap by far leave no room for a gap.
            prop_assert!(least < 0.5, "{least}");
        } else {
            prop_assert!(-deepest(&found) <= least + 1e-9);
        }
    }

    #[test]
    fn distances_are_those_of_the_geometry_crate(
        a in any_shape(&[1, 2, 4, 5]), b in any_shape(&[1, 2, 4, 5]), p in any_pose(), q in any_pose(),
    ) {
        let (Some(x), Some(y)) = (known(&a), known(&b)) else { return Ok(()) };
        let truth = narrow::distance(&x, &p, &y, &q, &mut narrow::Scratch::default());
        let found = deepest(&contacts(&a, &p, &b, &q, 0.3));
        let boxes = a.rank() == 5 && b.rank() == 5;
        match truth {
            // Boxes apart are measured along the axis that parts them most, face against face.
            Ok(Distance::Separated(_)) if boxes => {}
            Ok(Distance::Separated(gap)) if gap.distance < 0.3 - 1e-9 => {
                prop_assert!((found - gap.distance).abs() < 1e-8, "{found} {}", gap.distance);
            }
            Ok(Distance::Separated(gap)) if gap.distance > 0.3 + 1e-9 => {
                prop_assert!(found == f64::INFINITY);
            }
            Ok(Distance::Overlapping(overlap)) => {
                // A capsule whose axis runs through a box is judged by the nearest edge, as in MuJoCo.
                let pierced = a.rank() + b.rank() == 7 && a.rank().min(b.rank()) == 2;
                prop_assert!(pierced || found <= 1e-9, "{found} {}", overlap.depth);
            }
            _ => {}
        }
    }
}

/// Any body of numbers at all: sizes and places from nothing to overflow.
fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1e-300),
        Just(1e-15),
        Just(1e-8),
        Just(1.0),
        Just(1e8),
        Just(1e155),
        Just(1e300),
        Just(f64::MAX),
        -1.0..1.0f64,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn finite_numbers_give_finite_contacts(
        s in prop::array::uniform6(wild()), turn in vector(4.0), place in prop::array::uniform3(wild()),
        kinds in (0..6usize, 0..6usize), margin in wild(),
    ) {
        let make = |kind: usize, s: &[f64]| match kind {
            0 => GeomShape::Plane,
            1 => GeomShape::Sphere { radius: s[0].abs() },
            2 => GeomShape::Capsule { radius: s[0].abs(), half_length: s[1].abs() },
            3 => GeomShape::Ellipsoid { semi_axes: Vec3::new(s[0], s[1], s[2]).abs() },
            4 => GeomShape::Cylinder { radius: s[0].abs(), half_length: s[1].abs() },
            _ => GeomShape::Box { half_sides: Vec3::new(s[0], s[1], s[2]).abs() },
        };
        let (a, b) = (make(kinds.0, &s[..3]), make(kinds.1, &s[3..]));
        let there = Pose::new(from_rotation_vector(turn), Vec3::from_array(place));
        for contact in contacts(&a, &Pose::IDENTITY, &b, &there, margin) {
            prop_assert!(contact.position.is_finite() && contact.normal.is_finite());
            prop_assert!(contact.distance.is_finite() && contact.tangent.is_finite());
            prop_assert!(frame(contact.normal, contact.tangent).iter().all(|v| v.is_finite()));
        }
    }
}

/// A description with one movable body per geom, but for the first `fixed` ones.
fn loose(shapes: &[GeomShape], fixed: usize) -> Description {
    let mut description = Description::new("loose");
    for (number, shape) in shapes.iter().enumerate() {
        let mut body = BodyId::WORLD;
        if number >= fixed && !matches!(shape, GeomShape::Plane) {
            body = BodyId::new(description.bodies.len());
            description.bodies.push(Body::new("", BodyId::WORLD));
            description.joints.push(Joint::new("", body, JointKind::Free));
        }
        let mut geom = Geom::new("", body, shape.clone());
        geom.surface.margin = 0.01 * number as f64;
        description.geoms.push(geom);
    }
    description
}

/// Contacts of all pairs, one after the other, without a broad phase.
fn one_by_one(description: &Description, pairs: &CandidatePairs, poses: &[Pose]) -> Vec<Contact> {
    let mut all = Vec::new();
    for i in 0..poses.len() {
        for j in i + 1..poses.len() {
            if pairs.can_meet(i, j) {
                let only = |k: usize| k == i || k == j;
                let mut alone = description.clone();
                for (k, geom) in alone.geoms.iter_mut().enumerate() {
                    if !only(k) {
                        (geom.contact_type, geom.contact_affinity) = (0, 0);
                    }
                }
                let mut found = Vec::new();
                find(&CandidatePairs::new(&alone), poses, &mut FindScratch::default(), &mut found);
                let body = |k: usize| description.geoms[k].body;
                let mut bodies = [body(i), body(j)];
                bodies.sort_unstable();
                all.extend(found.into_iter().map(|contact| (bodies, contact)));
            }
        }
    }
    all.sort_by_key(|(bodies, contact)| (*bodies, contact.geoms));
    all.into_iter().map(|(_, contact)| contact).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_broad_phase_loses_and_moves_nothing(
        shapes in prop::collection::vec(any_shape(&ALL), 2..9),
        poses in prop::collection::vec(any_pose(), 9), fixed in 0..3usize,
    ) {
        let description = loose(&shapes, fixed);
        let poses = &poses[..shapes.len()];
        let pairs = CandidatePairs::new(&description);
        let mut found = Vec::new();
        find(&pairs, poses, &mut FindScratch::default(), &mut found);
        let expected = one_by_one(&description, &pairs, poses);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn poses_that_are_missing_or_not_finite_have_no_contacts() {
    let shapes = vec![GeomShape::Sphere { radius: 1.0 }; 4];
    let pairs = CandidatePairs::new(&loose(&shapes, 0));
    let lost = Pose::at(Vec3::new(f64::NAN, 0.0, 0.0));
    let mut found = Vec::new();
    let poses = [Pose::IDENTITY, lost, Pose::at(Vec3::X)];
    find(&pairs, &poses, &mut FindScratch::default(), &mut found);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].geoms.map(|geom| geom.index()), [0, 2]);
}

#[test]
fn genesis_takes_means_and_the_larger_friction() {
    let reference = Reference::Oscillator { time_constant: 0.04, damping_ratio: 0.5 };
    let soft = Softness { reference, ..Softness::MUJOCO };
    let first =
        Surface { softness: soft, priority: 3, mixing_weight: 9.0, friction: [0.0; 3], ..Surface::default() };
    let second = Surface { friction: [0.005, 0.0, 0.0], ..Surface::default() };
    let mixed = mix(&first, &second, Mixing::Genesis);
    let mean = Reference::Oscillator { time_constant: 0.03, damping_ratio: 0.75 };
    assert_eq!(mixed.softness.reference, mean);
    assert_eq!(mixed.friction[..2], [0.01, 0.01]);
}
