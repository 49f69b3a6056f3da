//! Bounding volumes and radii of shapes: every extreme point is inside.

use gedanken_geometry::bounds::{Ball, Bound, BoundKind, radius_about, radius_about_origin};
use gedanken_geometry::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Shape, ShapeError, Solid, Sphere,
};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use proptest::prelude::*;
use std::sync::Arc;

fn shapes() -> Vec<Shape> {
    let points: Vec<Vec3> = (0..40)
        .map(|k| {
            let t = f64::from(k);
            Vec3::new(libm::sin(t), libm::cos(2.0 * t), libm::sin(3.0 * t + 1.0)) + Vec3::new(0.5, 0.0, 0.3)
        })
        .collect();
    vec![
        Shape::Sphere(Sphere::new(0.7).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap()),
        Shape::Capsule(Capsule::new(0.3, 1.2).unwrap()),
        Shape::Cylinder(Cylinder::new(0.4, 0.9).unwrap()),
        Shape::Cone(Cone::new(0.8, 1.5).unwrap()),
        Shape::Hull(Arc::new(ConvexHull::new(&points).unwrap())),
    ]
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

/// Coordinates are below 20; dozens of roundings.
const TINY: f64 = 1e-13;

proptest! {
    #[test]
    fn every_extreme_point_is_inside(turn in vector(3.0), place in vector(10.0), looks in prop::collection::vec(vector(1.0), 30)) {
        let pose = Pose::new(from_rotation_vector(turn), place);
        for shape in shapes() {
            let convex = shape.convex().unwrap();
            for kind in [BoundKind::Aabb, BoundKind::Ball, BoundKind::Obb] {
                let bound = Bound::from_shape(kind, &shape, &pose).unwrap();
                prop_assert_eq!(bound.kind(), kind);
                for &u in looks.iter().filter(|u| u.length() > 0.1) {
                    let p = convex.support(u);
                    prop_assert!(bound.fattened(TINY).contains_point(pose.point_to_world(p)), "{} {:?}", shape.kind(), kind);
                    prop_assert!(p.length() <= radius_about_origin(&shape) * (1.0 + TINY));
                    prop_assert!((p - place).length() <= radius_about(&shape, place));
                }
            }
        }
    }
}

#[test]
fn balls_of_round_shapes_and_boxes_are_smallest() {
    let ball = |shape: &Shape| match Bound::from_shape(BoundKind::Ball, shape, &Pose::IDENTITY).unwrap() {
        Bound::Ball(ball) => ball,
        other => panic!("asked for a ball, got {other:?}"),
    };
    let all = shapes();
    let close =
        |found: Ball, radius: f64| (found.radius - radius).abs() <= TINY && found.centre.length() <= TINY;
    assert!(close(ball(&all[0]), 0.7));
    assert!(close(ball(&all[1]), 0.5 * (1.0f64 + 4.0 + 0.25).sqrt()));
    assert!(close(ball(&all[2]), 1.5));
}

#[test]
fn what_has_no_volume_says_so() {
    let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    for kind in [BoundKind::Ball, BoundKind::Obb] {
        assert!(matches!(Bound::from_shape(kind, &ground, &Pose::IDENTITY), Err(ShapeError::Without { .. })));
    }
    assert!(matches!(Bound::from_shape(BoundKind::Aabb, &ground, &Pose::IDENTITY), Ok(Bound::Aabb(_))));
    assert_eq!(radius_about_origin(&ground), f64::INFINITY);
    assert_eq!(radius_about(&ground, Vec3::X), f64::INFINITY);
    let nowhere = Pose::at(Vec3::NAN);
    let ball = &shapes()[0];
    assert!(matches!(Bound::from_shape(BoundKind::Aabb, ball, &nowhere), Err(ShapeError::NotFinite { .. })));
}
