//! Yes or no from balls about the centres: where the balls touch exactly when the bodies do, the answer must
//! still be the one that the distance gives.
//!
//! Cubes meet face to face where their inner balls touch, octahedra corner to corner where their outer balls
//! touch: so gaps of a few roundings to either side are where a ball could answer wrong. Long and lopsided
//! hulls, whose balls say little or nothing, must agree with the distance as well.

use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_geometry::shape::Convex;
use gedanken_geometry::{ConvexHull, Shape};
use gedanken_math::{Pose, Quat, Vec3};
use proptest::prelude::*;
use std::sync::Arc;

fn cube(centre: Vec3) -> ConvexHull {
    let corner = |k: u32| Vec3::from_array([0, 1, 2].map(|axis| f64::from((k >> axis & 1) * 2) - 1.0));
    ConvexHull::new(&(0..8).map(|k| centre + corner(k)).collect::<Vec<_>>()).unwrap()
}

fn octahedron(centre: Vec3) -> ConvexHull {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let corners: Vec<Vec3> = axes.iter().flat_map(|&axis| [centre + axis, centre - axis]).collect();
    ConvexHull::new(&corners).unwrap()
}

/// Both answers for two hulls, which must be one.
fn touch(a: &ConvexHull, pose_a: &Pose, b: &ConvexHull, pose_b: &Pose) -> bool {
    let (a, b) = (Shape::Hull(Arc::new(a.clone())), Shape::Hull(Arc::new(b.clone())));
    let scratch = &mut Scratch::default();
    let yes = narrow::intersects(&a, pose_a, &b, pose_b, scratch).unwrap();
    let found = narrow::distance(&a, pose_a, &b, pose_b, scratch).unwrap();
    assert_eq!(yes, matches!(found, Distance::Overlapping(_)), "{found:?} at {pose_a:?}, {pose_b:?}");
    yes
}

#[test]
fn bodies_that_touch_where_their_balls_do() {
    for offset in [0.0, 3.0, 1e6] {
        // Powers of two and integers: centres and corners are exact, and so is the gap up to the rounding of
        // 2 + gap.
        let centre = Vec3::new(offset, -offset, 0.0);
        for hull in [cube(centre), octahedron(centre)] {
            for exponent in (-53..=-2).rev() {
                for sign in [-1.0, 1.0] {
                    let gap = sign * libm::exp2(f64::from(exponent));
                    let pose = Pose::new(Quat::IDENTITY, Vec3::X * (2.0 + gap));
                    let yes = touch(&hull, &Pose::IDENTITY, &hull, &pose);
                    // Rounding of coordinates is 16 ε of the extent, at most 2 (offset + 3), to the walk.
                    if gap.abs() > 64.0 * f64::EPSILON * (offset + 3.0) {
                        assert_eq!(yes, gap < 0.0, "gap {gap:e} at offset {offset}");
                    }
                }
            }
            assert!(touch(&hull, &Pose::IDENTITY, &hull, &Pose::new(Quat::IDENTITY, Vec3::X * 2.0)));
        }
    }
}

fn vector(half: f64) -> impl Strategy<Value = Vec3> {
    [-half..half, -half..half, -half..half].prop_map(Vec3::from_array)
}

fn hull() -> impl Strategy<Value = ConvexHull> {
    let stretch = [-2.0..0.5, -2.0..0.5, -2.0..0.5].prop_map(|e| Vec3::from_array(e.map(libm::exp10)));
    let offset = (vector(1.0), prop::sample::select(vec![0.0, 1.0, 1e3]));
    (prop::collection::vec(vector(1.0), 5..40), stretch, offset).prop_filter_map(
        "the points span a volume",
        |(points, stretch, (offset, far))| {
            let points: Vec<Vec3> = points.iter().map(|&p| p * stretch + offset * far).collect();
            ConvexHull::new(&points).ok()
        },
    )
}

fn rotation() -> impl Strategy<Value = Quat> {
    (vector(1.0), 0.01..1.0).prop_map(|(v, w)| Quat::from_xyzw(v.x, v.y, v.z, w).normalize())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_hull_holds_the_inner_ball_and_the_outer_ball_the_hull(hull in hull(), direction in rotation()) {
        let (inner, outer, centre) = (hull.inner_radius(), hull.outer_radius(), hull.centre());
        let rounding = 1e-13 * (centre.length() + outer);
        prop_assert!(inner > 0.0 && inner < outer);
        let n = direction * Vec3::X;
        let reach = n.dot(hull.support(n) - centre);
        prop_assert!(inner <= reach + rounding && reach <= outer + rounding);
        let nearest = hull.faces().map(|f| f.offset - f.normal.dot(centre)).fold(f64::INFINITY, f64::min);
        let farthest = hull.vertices().iter().map(|&v| (v - centre).length()).fold(0.0, f64::max);
        prop_assert!((nearest - inner).abs() <= rounding && (farthest - outer).abs() <= rounding);
    }

    #[test]
    fn yes_or_no_agrees_with_the_distance(
        a in hull(), b in hull(), p in rotation(), q in rotation(), n in rotation(), part in 0.0..1.3f64,
    ) {
        // Centres from where the inner balls are well inside each other to where the outer ones are well
        // apart.
        let pose_a = Pose::new(p, Vec3::new(0.5, -1.0, 2.0));
        let distance = part * (a.outer_radius() + b.outer_radius());
        let centre = pose_a.point_to_world(a.centre()) + n * Vec3::X * distance;
        let pose_b = Pose::new(q, centre - q * b.centre());
        let yes = touch(&a, &pose_a, &b, &pose_b);
        prop_assert!(yes || distance > (a.inner_radius() + b.inner_radius()) * (1.0 - 1e-9) - 1e-9);
        prop_assert!(!yes || part < 1.0 + 1e-9);
    }
}
