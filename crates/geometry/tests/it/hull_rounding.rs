//! Hulls of points that are coplanar only to rounding: turned, moved, jittered, flat and long ones.

use crate::hull_checks::{below, check_surface, check_to_rounding, grid};
use gedanken_geometry::{Convex, ConvexHull, hull};
use gedanken_math::{Quat, Vec3};
use proptest::prelude::*;

/// Points may be 2 δ above a merged face, and loops deviate from convex by as much, by the rule of merging;
/// the tests measure from the first vertex of the loop, which may itself be 2 δ below.
const MERGED: f64 = 4.0;

fn turn() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("a direction", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| Quat::from_array(q).normalize())
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_turned_box_keeps_six_faces(q in turn(), half in prop::array::uniform3(0.01..10.0_f64), at in vector(100.0)) {
        let points: Vec<Vec3> = grid(2).iter().map(|p| q * ((p * 2.0 - 1.0) * Vec3::from_array(half)) + at).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, MERGED);
        prop_assert_eq!((hull.vertices().len(), hull.edges().len(), hull.face_count()), (8, 12, 6));
    }

    #[test]
    fn a_turned_grid_in_single_precision_is_a_box_to_a_millionth(q in turn(), n in 3_u32..6) {
        let single = |p: Vec3| Vec3::from_array(p.to_array().map(|x| f64::from(x as f32)));
        let points: Vec<Vec3> = grid(n).iter().map(|p| single(q * *p)).collect();
        let merged = ConvexHull::from_polytope(hull::convex_within(&points, 1e-6).unwrap()).unwrap();
        check_surface(&merged);
        prop_assert_eq!((merged.vertices().len(), merged.edges().len(), merged.face_count()), (8, 12, 6));
    }

    #[test]
    fn a_turned_grid_is_a_box(q in turn(), n in 3_u32..9, at in vector(1.0), far in 0..3_usize) {
        let offset = at * [0.0, 1e3, 1e6][far];
        let points: Vec<Vec3> = grid(n).iter().map(|p| q * *p + offset).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, MERGED);
        prop_assert_eq!((hull.vertices().len(), hull.edges().len(), hull.face_count()), (8, 12, 6));
        let side = f64::from(n - 1);
        // Each face may be off by 4 δ: the volume by 6 areas times as much.
        let slack = 6.0 * side * side * MERGED * hull::rounding(&points) + 1e-13 * side * side * side;
        prop_assert!((hull.volume() - side * side * side).abs() <= slack);
    }

    #[test]
    fn a_turned_prism_keeps_its_faces(q in turn(), n in 3_u32..40, at in vector(10.0)) {
        let point = |i: u32| {
            let angle = std::f64::consts::TAU * f64::from(i / 2) / f64::from(n);
            Vec3::new(libm::cos(angle), libm::sin(angle), f64::from(i % 2))
        };
        let points: Vec<Vec3> = (0..2 * n).map(|i| q * point(i) + at).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, MERGED);
        prop_assert_eq!(hull.face_count(), n as usize + 2);
    }

    #[test]
    fn jittered_grids_are_sound(
        n in 2_u32..7, size in -17..-6_i32, seed in prop::collection::vec(vector(1.0), 216), q in turn(),
    ) {
        // From far below rounding, where all is merged, to far above, where nothing is; between, anything may
        // happen but an open surface or a point outside.
        let jitter = libm::pow(10.0, f64::from(size));
        let points: Vec<Vec3> = grid(n).iter().zip(&seed).map(|(p, s)| q * *p + *s * jitter).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, MERGED);
        let exact = hull::exact(&points).unwrap();
        for face in 0..exact.surface.faces() {
            let [a, b, c] = [0, 1, 2].map(|k| exact.vertices[exact.surface.vertices(face)[k] as usize]);
            prop_assert!(points.iter().all(|&p| below(a, b, c, p) >= 0.0));
        }
    }

    #[test]
    fn plates_and_needles_are_sound(
        q in turn(), thin in -15..0_i32, long in -15..0_i32, seed in prop::collection::vec(vector(1.0), 8..60),
    ) {
        let squeeze = Vec3::new(1.0, libm::pow(10.0, f64::from(long)), libm::pow(10.0, f64::from(thin)));
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
        let points: Vec<Vec3> = seed.into_iter().chain(axes).map(|p| q * (p * squeeze)).collect();
        match ConvexHull::new(&points) {
            Ok(hull) => check_to_rounding(&hull, &points, MERGED),
            // An octahedron of half-width t is 2t/√3 thick; what is refused lies within ± 16 ε = 3.6e-15 of a
            // plane.
            Err(error) => prop_assert!(thin.min(long) <= -15, "{error} at {squeeze}"),
        }
    }

    #[test]
    fn an_offset_of_a_million_loses_no_point(seed in prop::collection::vec(vector(1.0), 4..80), at in vector(1.0)) {
        let points: Vec<Vec3> = seed.iter().map(|p| *p + at.signum() * 1e6).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, MERGED);
    }
}

#[test]
fn a_hundred_thousand_points_on_a_sphere() {
    // Spirals of golden angles; every point is a vertex, though points are rounded and hence not quite on the
    // sphere: a neighbourhood of size h = √(4π/n) bulges by h²/8 = 1.6e-5, far above rounding.
    let n = 100_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..n)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(n);
            let (sin, cos) = libm::sincos(golden * f64::from(i));
            Vec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
        })
        .collect();
    for offset in [0.0, 1e6] {
        let points: Vec<Vec3> = points.iter().map(|p| *p + offset).collect();
        let hull = ConvexHull::new(&points).unwrap();
        check_surface(&hull);
        assert_eq!(hull.vertices().len(), points.len());
        // A closed surface is convex if it is so across every edge; the exact predicate says so.
        let hull = hull::exact(&points).unwrap();
        let at = |i: u32| hull.vertices[i as usize];
        for h in 0..hull.surface.len() {
            let [a, b, c] = [0, 1, 2].map(|k| at(hull.surface.vertices(hull.surface.face(h))[k]));
            let across = hull.surface.vertices(hull.surface.face(hull.surface.twin(h)));
            assert!(across.iter().all(|&p| below(a, b, c, at(p)) >= 0.0));
        }
    }
}

#[test]
fn many_points_on_few_planes() {
    // A cut cube with ten thousand points on its faces, turned: seven faces.
    let q = Quat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
    let points: Vec<Vec3> = grid(40)
        .into_iter()
        .filter(|p| p.min_element() == 0.0 || p.max_element() == 39.0 || p.element_sum() == 100.0)
        .filter(|p| p.element_sum() <= 100.0)
        .map(|p| q * p + Vec3::new(1.0, 2.0, 3.0))
        .collect();
    let hull = ConvexHull::new(&points).unwrap();
    check_to_rounding(&hull, &points, MERGED);
    assert_eq!((hull.vertices().len(), hull.face_count()), (10, 7));
}

#[test]
fn volumes_of_plates_and_needles() {
    let q = Quat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
    for (long, thin) in [(1.0, 1e-4), (1e-4, 1e-4), (1.0, 1e-8), (1e-3, 1e-8), (1e-8, 1e-8)] {
        let half = Vec3::new(1.0, long, thin);
        let points: Vec<Vec3> = grid(2).iter().map(|p| q * ((p * 2.0 - 1.0) * half)).collect();
        let hull = ConvexHull::new(&points).unwrap();
        // The points themselves are wrong by 6 ε, which moves every face by as much.
        let noise = 6.0 * f64::EPSILON * (1.0 / long + 1.0 / thin + 1.0);
        let volume = 8.0 * long * thin;
        assert!((hull.volume() / volume - 1.0).abs() <= noise, "{} is not {volume}", hull.volume());
        let area = 8.0 * (long + thin + long * thin);
        assert!((hull.area() / area - 1.0).abs() <= noise, "{} is not {area}", hull.area());
        assert!(hull.centre().length() <= noise, "{}", hull.centre());
        assert_eq!((hull.vertices().len(), hull.face_count()), (8, 6));
    }
}
