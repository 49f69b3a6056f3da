//! Bounding boxes against independent answers: projections onto convex sets, extreme points, sampled
//! translations; and radii of shapes against their extreme points.

use gedanken_geometry::bounds::{Aabb, radius_about, radius_about_origin};
use gedanken_geometry::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Shape, Solid, Sphere};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use proptest::prelude::*;
use std::sync::Arc;

/// Rounding of coordinates up to 20 in some dozens of operations.
const TINY: f64 = 1e-13;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn any_box() -> impl Strategy<Value = Aabb> {
    let half =
        prop::array::uniform3(prop_oneof![3 => 0.0..1.5f64, 1 => Just(0.0)]).prop_map(Vec3::from_array);
    (vector(2.0), half).prop_map(|(c, h)| Aabb::around(c, h))
}

fn holds(bound: &Aabb, p: Vec3) -> bool {
    bound.contains(&Aabb::new(p, p))
}

/// Closest point of a box, from its definition.
fn closest(bound: &Aabb, p: Vec3) -> Vec3 {
    p.clamp(bound.min, bound.max)
}

/// Farthest point of a box in a direction, from its definition.
fn extreme(bound: &Aabb, u: Vec3) -> Vec3 {
    let h = bound.half_extents();
    bound.centre() + Vec3::new(h.x.copysign(u.x), h.y.copysign(u.y), h.z.copysign(u.z))
}

/// Distance of the closest points, by alternating projections: for boxes along the axes one round is enough.
fn distance(a: &Aabb, b: &Aabb) -> f64 {
    let x = closest(a, b.centre());
    let y = closest(b, x);
    (closest(a, y) - y).length()
}

fn directions() -> impl Iterator<Item = Vec3> {
    (-2..=2)
        .flat_map(|x| {
            (-2..=2).flat_map(move |y| (-2..=2).map(move |z| Vec3::new(x.into(), y.into(), z.into())))
        })
        .filter(|u| *u != Vec3::ZERO)
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn intersections_are_those_of_the_sets(a in any_box(), b in any_box()) {
        let answer = a.intersects(&b);
        prop_assert_eq!(answer, b.intersects(&a));
        let apart = distance(&a, &b);
        prop_assert!(if answer { apart <= TINY } else { apart > 0.0 }, "{apart} {a:?} {b:?}");
    }

    #[test]
    fn containment_is_that_of_the_extreme_points(a in any_box(), b in any_box(), shrink in 0.05..1.0f64) {
        let small = Aabb::around(b.centre(), b.half_extents() * shrink);
        for inner in [b, small] {
            let points: Vec<Vec3> = directions().map(|u| extreme(&inner, u)).collect();
            if a.contains(&inner) {
                prop_assert!(points.iter().all(|&p| holds(&a.fattened(TINY), p)));
                prop_assert!(a.intersects(&inner));
            } else {
                prop_assert!(!points.iter().all(|&p| holds(&a.fattened(-1e-12), p)));
            }
        }
        prop_assert!(a.contains(&a));
    }

    #[test]
    fn points_are_inside_if_they_are_their_own_closest(a in any_box(), p in vector(3.0)) {
        let away = (closest(&a, p) - p).length();
        let inside = holds(&a, p);
        prop_assert!((inside && away <= TINY) || (!inside && away > 0.0));
    }

    #[test]
    fn unions_and_sweeps_hold_their_parts(a in any_box(), b in any_box(), d in vector(3.0), s in 0.0..1.0f64) {
        let union = a.union(&b);
        prop_assert!(union.fattened(TINY).contains(&a) && union.fattened(TINY).contains(&b));
        let swept = a.swept(d);
        let still = |by: Vec3| Aabb::new(a.min + by, a.max + by);
        prop_assert!(swept.fattened(TINY).contains(&still(d * s)) && swept.fattened(TINY).contains(&still(d)));
        prop_assert!(a.fattened(0.1).contains(&a));
    }
}

proptest! {
    #[test]
    fn every_extreme_point_is_inside(turn in vector(3.0), place in vector(10.0), looks in prop::collection::vec(vector(1.0), 30)) {
        let pose = Pose::new(from_rotation_vector(turn), place);
        for shape in shapes() {
            let convex = shape.convex().unwrap();
            let bound = shape.bounds(&pose).fattened(TINY);
            for &u in looks.iter().filter(|u| u.length() > 0.1) {
                let p = convex.support(u);
                prop_assert!(holds(&bound, pose.point_to_world(p)), "{}", shape.kind());
                prop_assert!(p.length() <= radius_about_origin(&shape) * (1.0 + TINY));
                prop_assert!((p - place).length() <= radius_about(&shape, place));
            }
        }
    }
}

#[test]
fn exact_touching_counts() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    assert!(unit.intersects(&Aabb::new(Vec3::ONE, Vec3::splat(2.0))));
    assert!(!unit.intersects(&Aabb::new(Vec3::splat(1.0f64.next_up()), Vec3::splat(2.0))));
}

#[test]
fn infinite_boxes_meet_what_they_should() {
    let below = Aabb::new(Vec3::NEG_INFINITY, Vec3::new(f64::INFINITY, f64::INFINITY, 0.0));
    let cube = |z: f64| Aabb::around(Vec3::Z * z, Vec3::ONE);
    assert!(cube(1.0).intersects(&below) && !cube(1.0 + 1e-9).intersects(&below));
    assert!(below.contains(&cube(-1.0)) && !below.contains(&cube(0.0)));
    assert!(!cube(0.0).contains(&below) && Aabb::INFINITE.contains(&below));
    let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    assert_eq!(ground.bounds(&Pose::IDENTITY), Aabb::INFINITE);
    assert_eq!(radius_about_origin(&ground), f64::INFINITY);
    assert_eq!(radius_about(&ground, Vec3::X), f64::INFINITY);
}
