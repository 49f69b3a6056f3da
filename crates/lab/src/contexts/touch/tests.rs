//! Normals and points of contact in closed form, for every kind of feature and shape.

use super::{Touch, touch, touches};
use crate::contexts::ids::{ActorId, Id};
use crate::contexts::trajectory::bounds::Placed;
use crate::contexts::trajectory::orientation::Twist;
use gedanken_geometry::narrow::{QueryError, Scratch};
use gedanken_geometry::{
    Capsule, Compound, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Part, Shape, Solid, Sphere,
    TriangleMesh,
};
use gedanken_math::rotation::{about_axis, from_rotation_vector};
use gedanken_math::{Pose, Quat, Vec3};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_4, PI};
use std::sync::Arc;

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn floor() -> Placed {
    Placed { shape: Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), pose: Pose::IDENTITY }
}

fn placed(shape: Shape, rotation: Quat, translation: Vec3) -> Placed {
    Placed { shape, pose: Pose::new(rotation, translation) }
}

fn id(index: usize) -> ActorId {
    ActorId::new(index)
}

fn meet(a: &Placed, b: &Placed) -> Touch {
    touch(id(0), a, id(1), b, &mut Scratch::default()).unwrap()
}

/// A body of any rotation, moved along z until its lowest point is `gap` above the plane z = 0.
fn lowered(shape: Shape, rotation: Quat, x: f64, y: f64, gap: f64) -> Placed {
    let lowest = shape.bounds(&Pose::new(rotation, Vec3::ZERO)).min.z;
    placed(shape, rotation, Vec3::new(x, y, gap - lowest))
}

fn close(found: Vec3, expected: Vec3, tolerance: f64) -> bool {
    (found - expected).length() <= tolerance
}

const GAPS: [f64; 5] = [-1e-12, -1e-15, 0.0, 1e-15, 1e-12];

#[test]
fn a_cube_lands_flat_on_its_centre() {
    for gap in GAPS {
        for turn in [0.0, 0.3, FRAC_PI_4, 1.234] {
            let cube = lowered(cuboid(1.0, 2.0, 3.0), about_axis(2, turn), 0.7, -0.4, gap);
            for ground in [floor(), placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z)] {
                let found = meet(&ground, &cube);
                assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 4), "gap {gap}, turn {turn}");
                assert!(close(found.point, Vec3::new(0.7, -0.4, 0.5 * gap), 1e-15));
                assert!((found.gap - gap).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn a_tilt_of_a_millionth_is_an_edge() {
    for gap in GAPS {
        for tilt in [1e-6, 1e-4, 1e-3, 0.1] {
            // About x: the edge along x at y = ∓½ stays low.
            let cube = lowered(cuboid(1.0, 1.0, 1.0), about_axis(0, tilt), 0.0, 0.0, gap);
            for ground in [floor(), placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z)] {
                let found = meet(&ground, &cube);
                let edge = cube.pose.point_to_world(Vec3::new(0.0, -0.5, -0.5));
                assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 2), "gap {gap}, tilt {tilt}");
                assert!(close(found.point, Vec3::new(edge.x, edge.y, 0.5 * gap), 1e-15));
            }
        }
    }
}

#[test]
fn a_tilt_about_both_axes_is_a_corner() {
    for gap in GAPS {
        for tilt in [1e-6, 1e-3] {
            let rotation = about_axis(0, tilt) * about_axis(1, 0.7 * tilt);
            let cube = lowered(cuboid(1.0, 1.0, 1.0), rotation, 0.0, 0.0, gap);
            for ground in [floor(), placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z)] {
                let found = meet(&ground, &cube);
                let corner = cube.pose.point_to_world(Vec3::new(0.5, -0.5, -0.5));
                assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 1), "gap {gap}, tilt {tilt}");
                assert!(close(found.point, Vec3::new(corner.x, corner.y, 0.5 * gap), 1e-15));
            }
        }
    }
}

#[test]
fn flat_up_to_the_rounding_of_an_integrator() {
    let cube = lowered(cuboid(1.0, 1.0, 1.0), about_axis(0, 1e-10), 0.0, 0.0, 0.0);
    assert_eq!(meet(&floor(), &cube).corners.len(), 4);
    let ground = placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z);
    assert_eq!(meet(&ground, &cube).corners.len(), 4);
}

#[test]
fn faces_meet_where_they_overlap() {
    // Turned by 45°: a regular octagon.
    let below = placed(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, -Vec3::Z * 0.5);
    let found = meet(&below, &lowered(cuboid(1.0, 1.0, 1.0), about_axis(2, FRAC_PI_4), 0.0, 0.0, 0.0));
    assert_eq!(found.corners.len(), 8);
    assert!(close(found.point, Vec3::ZERO, 1e-15));
    // Pushed aside: a rectangle between x = 0.3 and 0.5, y = -0.4 and 0.5.
    let found = meet(&below, &lowered(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, 0.8, 0.1, 0.0));
    assert_eq!(found.corners.len(), 4);
    assert!(close(found.point, Vec3::new(0.4, 0.05, 0.0), 1e-15));
    // A sliver of a millionth tells the normal as well.
    let found = meet(&below, &lowered(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, 1.0 - 1e-6, 0.0, 1e-12));
    assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 4));
    assert!(close(found.point, Vec3::new(0.5 - 0.5e-6, 0.0, 0.0), 1e-11));
    // Equal faces on each other share all corners.
    let found = meet(&below, &lowered(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, 0.0, 0.0, 0.0));
    assert_eq!((found.point, found.corners.len()), (Vec3::ZERO, 4));
    // A prism of six sides.
    let corners: Vec<Vec3> = (0..12)
        .map(|k| {
            let (sin, cos) = libm::sincos(f64::from(k % 6) * PI / 3.0 + 0.2);
            Vec3::new(cos, sin, if k < 6 { 0.0 } else { 2.0 })
        })
        .collect();
    let prism = Shape::Hull(Arc::new(ConvexHull::new(&corners).unwrap()));
    let found = meet(&floor(), &placed(prism, Quat::IDENTITY, Vec3::new(3.0, 4.0, 0.0)));
    assert_eq!(found.corners.len(), 6);
    assert!(close(found.point, Vec3::new(3.0, 4.0, 0.0), 1e-14));
}

#[test]
fn edges_that_cross_meet_in_a_point() {
    // Two bars on edge, one along x below, one along y above: 45° about their own axes.
    for gap in GAPS {
        let half = 0.5f64.sqrt();
        let below = placed(cuboid(5.0, 1.0, 1.0), about_axis(0, FRAC_PI_4), Vec3::new(0.6, 0.0, -half));
        let turn = about_axis(2, 0.3);
        let above =
            placed(cuboid(1.0, 5.0, 1.0), turn * about_axis(1, FRAC_PI_4), Vec3::new(0.2, 0.1, half + gap));
        let found = meet(&below, &above);
        assert!(close(found.normal, Vec3::Z, 1e-15), "gap {gap}: {}", found.normal);
        assert_eq!(found.corners.len(), 1);
        // The upper edge runs along (-sin 0.3, cos 0.3) through (0.2, 0.1) and crosses y = 0.
        let x = 0.2 + 0.1 * libm::tan(0.3);
        assert!(close(found.point, Vec3::new(x, 0.0, 0.0), 2e-12), "gap {gap}: {}", found.point);
    }
    // Alike: the middle of what they share, from x = -1 to 2.5.
    let below = placed(cuboid(5.0, 1.0, 1.0), about_axis(0, FRAC_PI_4), Vec3::new(0.0, 0.0, -0.5f64.sqrt()));
    let above = placed(cuboid(5.0, 1.0, 1.0), about_axis(0, FRAC_PI_4), Vec3::new(1.5, 0.0, 0.5f64.sqrt()));
    let found = meet(&below, &above);
    assert_eq!(found.corners.len(), 2);
    assert!(close(found.point, Vec3::new(0.75, 0.0, 0.0), 1e-14), "{}", found.point);
}

#[test]
fn round_bodies_in_closed_form() {
    let way = Vec3::new(0.36, 0.48, 0.8);
    let (small, large) = (
        placed(sphere(1.0), Quat::IDENTITY, Vec3::ONE),
        placed(sphere(2.0), Quat::IDENTITY, Vec3::ONE + way * 3.5),
    );
    let found = meet(&small, &large);
    assert!(close(found.normal, way, 1e-15) && close(found.point, Vec3::ONE + way * 1.25, 1e-15));
    assert!((found.gap - 0.5).abs() < 1e-15 && found.corners.len() == 1);

    let capsule = || Shape::Capsule(Capsule::new(0.5, 1.0).unwrap());
    let cylinder = || Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap());
    let cone = || Shape::Cone(Cone::new(0.5, 1.0).unwrap());
    let lying = about_axis(2, 0.4) * about_axis(1, 0.5 * PI);
    for ground in [floor(), placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z)] {
        for gap in GAPS {
            let cases = [
                (lowered(capsule(), lying, 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 2),
                (lowered(capsule(), Quat::IDENTITY, 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 1),
                (lowered(cylinder(), lying, 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 2),
                (lowered(cylinder(), about_axis(2, 0.4), 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 32),
                (lowered(cone(), about_axis(2, 0.4), 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 32),
                (lowered(sphere(0.3), Quat::IDENTITY, 1.0, 2.0, gap), Vec3::new(1.0, 2.0, 0.5 * gap), 1),
            ];
            for (body, expected, corners) in cases {
                let found = meet(&ground, &body);
                assert_eq!(found.corners.len(), corners, "{}, gap {gap}", body.shape.kind());
                assert!(close(found.point, expected, 1e-12), "{}: {}", body.shape.kind(), found.point);
                assert!(close(found.normal, Vec3::Z, 1e-14), "{}: {}", body.shape.kind(), found.normal);
            }
        }
    }
}

fn table() -> Shape {
    let part =
        |shape, x: f64, y: f64, z: f64| Part { shape, pose: Pose::at(Vec3::new(x, y, z)), density: 1.0 };
    let mut parts = vec![part(cuboid(2.0, 1.0, 0.1), 0.0, 0.0, 1.05)];
    for (x, y) in [(0.9, 0.4), (-0.9, 0.4), (-0.9, -0.4), (0.9, -0.4)] {
        parts.push(part(cuboid(0.2, 0.2, 1.0), x, y, 0.5));
    }
    Shape::Compound(Arc::new(Compound::new(parts).unwrap()))
}

/// A square floor of two triangles that meet in a diagonal.
fn carpet() -> Placed {
    let vertices = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let mesh = TriangleMesh::new(vertices.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    placed(Shape::Mesh(Arc::new(mesh)), Quat::IDENTITY, Vec3::ZERO)
}

#[test]
fn parts_that_touch_alike_are_one_region() {
    for ground in [floor(), placed(cuboid(9.0, 9.0, 2.0), Quat::IDENTITY, -Vec3::Z), carpet()] {
        for gap in GAPS {
            let found = meet(&ground, &lowered(table(), about_axis(2, 0.3), 0.4, 0.3, gap));
            // The outer corners of four legs.
            assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 4), "{}", ground.shape.kind());
            assert!(close(found.point, Vec3::new(0.4, 0.3, 0.5 * gap), 1e-14), "{}", found.point);
            // On its two left legs: theirs are the outer corners of an edge.
            let found = meet(&ground, &lowered(table(), about_axis(1, -0.02), 0.0, 0.0, gap));
            assert_eq!(found.corners.len(), 2);
            assert!(found.point.y.abs() < 1e-14 && found.point.x < -0.9);
        }
    }
}

#[test]
fn seams_of_a_mesh_do_not_show() {
    for (x, y) in [(0.0, 0.0), (0.3, 0.1), (0.5, -0.5), (0.0, 1.0)] {
        let found = meet(&carpet(), &lowered(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, x, y, 0.0));
        assert_eq!((found.normal, found.corners.len()), (Vec3::Z, 4), "at {x}, {y}");
        assert!(close(found.point, Vec3::new(x, y, 0.0), 1e-14));
        let all = touches(
            id(0),
            &carpet(),
            id(1),
            &lowered(cuboid(1.0, 1.0, 1.0), Quat::IDENTITY, x, y, 0.0),
            &mut Scratch::default(),
        );
        assert_eq!(all.unwrap().len(), 1);
        for aside in [0.0, 1e-9, 1e-5] {
            let ball = lowered(sphere(1.0), Quat::IDENTITY, 0.5 + aside, 0.5, 0.0);
            let found = touches(id(0), &carpet(), id(1), &ball, &mut Scratch::default()).unwrap();
            assert_eq!(found.len(), 1);
            assert!(
                close(found[0].normal, Vec3::Z, 1e-6)
                    && close(found[0].point, ball.pose.translation - Vec3::Z, 1e-6)
            );
        }
    }
}

#[test]
fn a_ball_in_a_groove_touches_twice() {
    // Two slabs whose upper faces rise to both sides at 45°.
    let slab = |turn: f64| {
        let rotation = about_axis(1, turn);
        Part {
            shape: cuboid(9.0, 9.0, 1.0),
            pose: Pose::new(rotation, rotation * (Vec3::Z * -0.5)),
            density: 1.0,
        }
    };
    let groove = Shape::Compound(Arc::new(Compound::new(vec![slab(FRAC_PI_4), slab(-FRAC_PI_4)]).unwrap()));
    let ball = placed(sphere(1.0), Quat::IDENTITY, Vec3::Z * 2f64.sqrt());
    let found =
        touches(id(0), &placed(groove, Quat::IDENTITY, Vec3::ZERO), id(1), &ball, &mut Scratch::default())
            .unwrap();
    let half = 0.5f64.sqrt();
    assert_eq!(found.len(), 2);
    assert!(close(found[0].normal, Vec3::new(half, 0.0, half), 1e-14));
    assert!(close(found[1].normal, Vec3::new(-half, 0.0, half), 1e-14));
    assert!(close(found[1].point, Vec3::new(half, 0.0, half), 1e-14));
}

#[test]
fn what_has_no_distance_is_an_error() {
    assert!(touch(id(0), &floor(), id(1), &floor(), &mut Scratch::default()).is_err());
    assert!(touch(id(0), &carpet(), id(1), &carpet(), &mut Scratch::default()).is_err());
}

/// The speed at which a gap closes is its own difference in time.
#[test]
fn closing_speeds_are_rates_of_gaps() {
    let ground = floor();
    let spin = Vec3::new(0.7, -0.4, 0.2);
    let velocity = Vec3::new(3.0, 1.0, -0.5);
    let start = lowered(cuboid(1.0, 2.0, 3.0), from_rotation_vector(Vec3::new(0.5, 0.4, 0.3)), 0.0, 0.0, 0.0);
    let gap = |t: f64| {
        let rotation = from_rotation_vector(spin * t) * start.pose.rotation;
        meet(&ground, &placed(start.shape.clone(), rotation, start.pose.translation + velocity * t)).gap
    };
    let rest = Twist { origin: Vec3::ZERO, velocity: Vec3::ZERO, spin: Vec3::ZERO };
    let body = Twist { origin: start.pose.translation, velocity, spin };
    let touch = meet(&ground, &start);
    let expected = (gap(-1e-5) - gap(1e-5)) / 2e-5;
    assert!((touch.closing_speed(&rest, &body) - expected).abs() < 1e-9);
    assert!((touch.clone().swapped().closing_speed(&body, &rest) - expected).abs() < 1e-9);
    assert_eq!((touch.normal_of(id(1)), touch.normal_of(id(0))), (Vec3::Z, -Vec3::Z));
    assert_eq!((touch.other(id(1)), touch.other(id(0))), (id(0), id(1)));
}

fn shape() -> impl Strategy<Value = Shape> {
    let size = || 0.2..2.0f64;
    prop_oneof![
        size().prop_map(sphere),
        (size(), size(), size()).prop_map(|(x, y, z)| cuboid(x, y, z)),
        (size(), size()).prop_map(|(r, h)| Shape::Capsule(Capsule::new(r, h).unwrap())),
        (size(), size()).prop_map(|(r, h)| Shape::Cylinder(Cylinder::new(r, h).unwrap())),
        (size(), size()).prop_map(|(r, h)| Shape::Cone(Cone::new(r, h).unwrap())),
        prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 6..20).prop_map(|points| {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from_array).collect();
            Shape::Hull(Arc::new(ConvexHull::new(&points).unwrap()))
        }),
        Just(table()),
    ]
}

fn body() -> impl Strategy<Value = Placed> {
    let vector = || prop::array::uniform3(-3.0..3.0f64).prop_map(Vec3::from_array);
    (shape(), vector(), vector()).prop_map(|(shape, phi, at)| placed(shape, from_rotation_vector(phi), at))
}

proptest! {
    /// Brought together along the normal, bodies of any kind touch at a point of both surfaces, and see it
    /// alike.
    #[test]
    fn the_point_is_on_both_surfaces(a in body(), b in body(), gap in prop::sample::select(&GAPS[..])) {
        // Far apart to begin with, and then moved along the normal, which keeps the closest points.
        let b = placed(b.shape, b.pose.rotation, b.pose.translation * (20.0 / b.pose.translation.length()));
        let first = meet(&a, &b);
        prop_assert!(first.gap > 1.0);
        let b = placed(b.shape, b.pose.rotation, b.pose.translation - first.normal * (first.gap - gap));
        // For some pairs of rims no query settles: that is told, and no answer.
        let found = touch(id(0), &a, id(1), &b, &mut Scratch::default());
        prop_assume!(!matches!(found, Err(QueryError::Unsettled { .. })));
        let found = found.unwrap();
        prop_assert!((found.normal.length() - 1.0).abs() < 1e-14);
        prop_assert!((found.gap - gap).abs() < 1e-11, "gap {}", found.gap);
        // Two corners that touch have many normals; a ball has one.
        if matches!(a.shape, Shape::Sphere(_) | Shape::Capsule(_)) || matches!(b.shape, Shape::Sphere(_) | Shape::Capsule(_)) {
            prop_assert!(close(found.normal, first.normal, 1e-7), "{} was {}", found.normal, first.normal);
        }
        for body in [&a, &b] {
            let off = body.shape.signed_distance(body.pose.point_to_body(found.point));
            prop_assert!(off.abs() < 1e-9, "off the {} by {off}", body.shape.kind());
        }
        let other = touch(id(1), &b, id(0), &a, &mut Scratch::default()).unwrap();
        prop_assert_eq!(other.swapped(), found);
    }

    /// A cube on a face of another in any frame: the middle of the overlap, the normal of the face.
    #[test]
    fn flat_contacts_in_any_frame(
        phi in prop::array::uniform3(-3.0..3.0f64),
        at in prop::array::uniform3(-100.0..100.0f64),
        (x, y, turn) in (-1.0..1.0f64, -1.0..1.0f64, -3.0..3.0f64),
        gap in prop::sample::select(&GAPS[..]),
    ) {
        let frame = Pose::new(from_rotation_vector(Vec3::from_array(phi)), Vec3::from_array(at));
        let slab = placed(cuboid(6.0, 6.0, 2.0), frame.rotation, frame.point_to_world(-Vec3::Z));
        let pose = frame * Pose::new(about_axis(2, turn), Vec3::new(x, y, 0.5 + gap));
        let found = meet(&slab, &Placed { shape: cuboid(1.0, 1.5, 1.0), pose });
        prop_assert!(close(found.normal, frame.vector_to_world(Vec3::Z), 1e-15), "{}", found.normal);
        prop_assert!(close(found.point, frame.point_to_world(Vec3::new(x, y, 0.0)), 1e-12), "{}", found.point);
        prop_assert_eq!(found.corners.len(), 4);
    }
}
