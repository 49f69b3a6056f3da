//! Hulls against exact brute force: every point is on or below every facet by the exact determinant, the
//! surface is closed, Euler's formula holds, vertices are exactly the extreme points, and order and
//! repetition of the points change no bit.

use crate::hull_checks::{below, check_exactly, grid};
use gedanken_geometry::{Convex, ConvexHull, ShapeError, Solid, hull};
use gedanken_math::{Quat, Vec3};
use proptest::prelude::*;
use proptest::sample::Index;

/// Equal in every bit.
fn assert_same(a: &ConvexHull, b: &ConvexHull) {
    let bits = |hull: &ConvexHull| -> Vec<[u64; 3]> {
        hull.vertices().iter().map(|v| v.to_array().map(f64::to_bits)).collect()
    };
    assert_eq!(bits(a), bits(b));
    assert!(a.faces().eq(b.faces()));
    assert_eq!(a.volume().to_bits(), b.volume().to_bits());
}

fn grid_point(size: i32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(0..size).prop_map(|p| Vec3::from_array(p.map(f64::from)))
}

fn cube_point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn of_random_points(points in prop::collection::vec(cube_point(), 4..60)) {
        let hull = ConvexHull::new(&points).unwrap();
        check_exactly(&hull, &points);
    }

    #[test]
    fn of_points_on_a_small_grid(size in 2..6, seed in prop::collection::vec(grid_point(30), 4..80), at in 0..3_usize) {
        // Few places: nearly everything is coplanar, collinear or repeated.
        let offset = Vec3::splat([0.0, 1e6, -1048576.0][at]);
        let points: Vec<Vec3> = seed.iter().map(|p| (p % f64::from(size)) + offset).collect();
        match ConvexHull::new(&points) {
            Ok(hull) => check_exactly(&hull, &points),
            Err(ShapeError::AllEqual(_)) => prop_assert!(points.iter().all(|p| *p == points[0])),
            Err(ShapeError::AllCollinear(_)) => {
                let far = points.iter().map(|p| *p - points[0]).find(|d| *d != Vec3::ZERO).unwrap();
                prop_assert!(points.iter().all(|p| (*p - points[0]).cross(far) == Vec3::ZERO));
            }
            Err(ShapeError::AllCoplanar(_)) => {
                for a in &points {
                    prop_assert!(points.iter().all(|p| below(points[0], points[1], *a, *p) == 0.0));
                }
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn of_shuffled_and_repeated_points(
        grid in prop::collection::vec(grid_point(4), 8..40),
        free in prop::collection::vec(cube_point(), 0..12),
        order in prop::collection::vec(any::<Index>(), 60),
        again in prop::collection::vec(any::<Index>(), 10),
    ) {
        let points: Vec<Vec3> = grid.into_iter().chain(free).collect();
        let mut shuffled = points.clone();
        shuffled.extend(again.iter().map(|i| *i.get(&points)));
        for (i, j) in order.iter().enumerate() {
            let n = shuffled.len();
            shuffled.swap(i % n, j.index(n));
        }
        match (ConvexHull::new(&points), ConvexHull::new(&shuffled)) {
            (Ok(a), Ok(b)) => assert_same(&a, &b),
            (a, b) => prop_assert_eq!(a.is_err(), b.is_err()),
        }
    }

    #[test]
    fn supports_are_farthest(
        points in prop::collection::vec(cube_point(), 4..120), direction in cube_point(),
    ) {
        let hull = ConvexHull::new(&points).unwrap();
        let most = points.iter().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
        // Both sums have three products of numbers up to 2, one after a difference: 2 · 3 · 2 · 3 roundings
        // of ε/2 at most.
        let rounding = 18.0 * f64::EPSILON;
        prop_assert!(hull.support(direction).dot(direction) >= most - rounding);
    }

    #[test]
    fn containment_agrees_with_the_determinant(
        points in prop::collection::vec(cube_point(), 4..30), p in cube_point(),
    ) {
        let hull = ConvexHull::new(&points).unwrap();
        let at = |i: u32| hull.vertices()[i as usize];
        let outside = hull.triangles().iter().any(|&[a, b, c]| below(at(a), at(b), at(c), p) < 0.0);
        prop_assert_eq!(hull.contains(p, 0.0), !outside);
    }
}

#[test]
fn of_a_solid_grid() {
    let points = grid(10);
    let hull = ConvexHull::new(&points).unwrap();
    check_exactly(&hull, &points);
    assert_eq!((hull.vertices().len(), hull.face_count(), hull.edges().len()), (8, 6, 12));
    assert_eq!((hull.volume(), hull.area()), (729.0, 486.0));
}

#[test]
fn refusals_say_why() {
    let [o, x, y, z] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let refused = |points: &[Vec3]| ConvexHull::new(points).unwrap_err();
    assert_eq!(refused(&[]), ShapeError::NoPoints);
    assert_eq!(refused(&[o, x, y]), ShapeError::TooFewPoints(3));
    assert_eq!(refused(&[y; 5]), ShapeError::AllEqual(5));
    assert_eq!(refused(&[o, x, x * 2.0, x * 0.3, x * -7.0]), ShapeError::AllCollinear(5));
    assert_eq!(refused(&[o, x, y, x + y]), ShapeError::AllCoplanar(4));
    let bad = ShapeError::NotFinite { shape: "convex hull", field: "point", index: 2 };
    assert_eq!(refused(&[o, x, Vec3::new(0.0, f64::NAN, 0.0), z]), bad);
    assert_eq!(refused(&[o, x, Vec3::new(0.0, f64::INFINITY, 0.0)]), bad);
    // Rotated, a line and a plane are such only to rounding, and refused all the same.
    let turn = Quat::from_xyzw(0.1, 0.2, 0.3, 0.5).normalize();
    let plane: Vec<Vec3> =
        (0..400).map(|i| turn * Vec3::new((i % 20) as f64, (i / 20) as f64, 1.0)).collect();
    assert_eq!(refused(&plane), ShapeError::AllCoplanar(400));
    let line: Vec<Vec3> = (0..40).map(|i| turn * Vec3::new(i as f64, 1.0, 2.0)).collect();
    assert_eq!(refused(&line), ShapeError::AllCollinear(40));
}

#[test]
fn of_the_largest_and_smallest_numbers() {
    for scale in [1e-300, 1e-150, 1e150, 1e300] {
        let points: Vec<Vec3> = grid(3).into_iter().map(|p| p * scale).collect();
        let exact = hull::exact(&points).unwrap();
        assert_eq!((exact.vertices.len(), exact.surface.faces()), (8, 6), "{scale:e}");
    }
}
