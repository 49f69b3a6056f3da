//! Hulls of known solids, of spheres, and of stored points whose area and volume Qhull knows; and what hulls
//! are asked.

use crate::hull_checks::{check_to_rounding, grid};
use gedanken_geometry::{Convex, ConvexHull, Ray, ShapeError, Solid};
use gedanken_math::{Pose, Quat, Vec3};
use proptest::prelude::*;

const PHI: f64 = 1.618_033_988_749_895;

/// All even permutations of (±a, ±b, ±c).
fn cyclic([a, b, c]: [f64; 3]) -> Vec<Vec3> {
    let mut points = Vec::new();
    for signs in 0..8 {
        let sign = |k: i32| if signs >> k & 1 == 0 { 1.0 } else { -1.0 };
        let p = Vec3::new(a * sign(0), b * sign(1), c * sign(2));
        points.extend([p, Vec3::new(p.y, p.z, p.x), Vec3::new(p.z, p.x, p.y)]);
    }
    points
}

/// Name, points, (vertices, edges, faces), area, volume.
type Solids = Vec<(&'static str, Vec<Vec3>, (usize, usize, usize), f64, f64)>;

fn solids() -> Solids {
    let (r3, r5) = (3.0_f64.sqrt(), 5.0_f64.sqrt());
    let tetrahedron = vec![
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
    ];
    // Edges: √8, 2, √2, 2/φ, 2.
    let dodecahedron = [cyclic([1.0, 1.0, 1.0]), cyclic([0.0, 1.0 / PHI, PHI])].concat();
    let e = 2.0 / PHI;
    let e12 = 3.0 * (25.0 + 10.0 * r5).sqrt() * e * e;
    vec![
        ("tetrahedron", tetrahedron, (4, 6, 4), r3 * 8.0, 8.0 / 3.0),
        ("cube", cyclic([1.0, 1.0, 1.0]), (8, 12, 6), 24.0, 8.0),
        ("octahedron", cyclic([1.0, 0.0, 0.0]), (6, 12, 8), 4.0 * r3, 4.0 / 3.0),
        ("dodecahedron", dodecahedron, (20, 30, 12), e12, (15.0 + 7.0 * r5) / 4.0 * e * e * e),
        ("icosahedron", cyclic([0.0, 1.0, PHI]), (12, 30, 20), 20.0 * r3, 10.0 / 3.0 * (3.0 + r5)),
    ]
}

#[test]
fn the_platonic_solids() {
    let turn = Quat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize();
    for pose in [Pose::IDENTITY, Pose::new(turn, Vec3::ZERO), Pose::new(turn, Vec3::new(1e6, -1e6, 1e6))] {
        for (name, points, counts, area, volume) in solids() {
            let points: Vec<Vec3> = points.iter().map(|p| pose.point_to_world(*p)).collect();
            let hull = ConvexHull::new(&points).unwrap();
            check_to_rounding(&hull, &points, 4.0);
            assert_eq!((hull.vertices().len(), hull.edges().len(), hull.face_count()), counts, "{name}");
            // The points are wrong by 4 roundings of the largest coordinate, which moves faces by as much;
            // sums of up to 36 triangles add a few ε of the whole.
            let moved = 4.0 * f64::EPSILON * (2.0 + pose.translation.length());
            let slack = 40.0 * f64::EPSILON;
            assert!(
                (hull.volume() - volume).abs() <= area * moved + volume * slack,
                "{name}: {}",
                hull.volume()
            );
            // Areas change by the length of the rim: less than the area times 4 for solids of this size.
            assert!(
                (hull.area() - area).abs() <= 4.0 * area * moved + area * slack,
                "{name}: {}",
                hull.area()
            );
            assert!((hull.centre() - pose.translation).length() <= 4.0 * moved + slack, "{name}");
            let mass = hull.mass_properties(2.0).unwrap();
            assert!((mass.volume - hull.volume()).abs() <= 1e-13 * volume, "{name}: {}", mass.volume);
            assert!((mass.centre - hull.centre()).length() <= 4.0 * moved + slack, "{name}");
        }
    }
}

/// Points on the unit sphere, evenly: spirals of golden angles.
fn spiral(n: u32) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |i: u32| {
        let z = 1.0 - f64::from(2 * i + 1) / f64::from(n);
        let (sin, cos) = libm::sincos(golden * f64::from(i));
        Vec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
    };
    (0..n).map(point).collect()
}

#[test]
fn spheres_converge_at_first_order_in_the_number_of_points() {
    // Facets of size h ~ n^-½ cut off caps of height ~ h²: volume and area are short by C/n.
    let sphere = 4.0 * std::f64::consts::PI;
    let missing = |n: u32| {
        let hull = ConvexHull::new(&spiral(n)).unwrap();
        [sphere / 3.0 - hull.volume(), sphere - hull.area()]
    };
    let (few, many) = (missing(1000), missing(16_000));
    for k in 0..2 {
        assert!(many[k] > 0.0, "a hull is inside the sphere");
        let order = libm::log2(few[k] / many[k]) / 4.0;
        assert!((order - 1.0).abs() < 0.02, "order {order}");
    }
}

/// Area, volume, number of vertices and points of a stored set.
fn stored(text: &str) -> (f64, f64, usize, Vec<Vec3>) {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut value = |name: &str| lines.next().unwrap().strip_prefix(name).unwrap().trim().to_owned();
    let (area, volume, vertices) = (value("area"), value("volume"), value("vertices"));
    let point = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        Vec3::from_slice(&numbers)
    };
    let points = lines.map(point).collect();
    (area.parse().unwrap(), volume.parse().unwrap(), vertices.parse().unwrap(), points)
}

#[test]
fn qhull_agrees() {
    for (name, text) in [
        ("ball", include_str!("../data/hull_ball.txt")),
        ("cube", include_str!("../data/hull_cube.txt")),
        ("far", include_str!("../data/hull_far.txt")),
        ("gauss", include_str!("../data/hull_gauss.txt")),
        ("grid", include_str!("../data/hull_grid.txt")),
        ("needle", include_str!("../data/hull_needle.txt")),
        ("plate", include_str!("../data/hull_plate.txt")),
        ("sphere", include_str!("../data/hull_sphere.txt")),
    ] {
        let (area, volume, vertices, points) = stored(text);
        let hull = ConvexHull::new(&points).unwrap();
        check_to_rounding(&hull, &points, 4.0);
        // Qhull computes in the given coordinates, largest m: areas of size l² from differences wrong by ε m,
        // volumes by the area times ε m; a hundred facets.
        let m = points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        let wrong = 100.0 * f64::EPSILON * m.max(1.0);
        assert!((hull.area() - area).abs() <= wrong * area.max(1.0), "{name}: {} is not {area}", hull.area());
        assert!((hull.volume() - volume).abs() <= wrong * area, "{name}: {} is not {volume}", hull.volume());
        assert_eq!(hull.vertices().len(), vertices, "{name}");
    }
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// The closest point by its definition: the surface there is nearer than every sample of it, and the hull
    /// lies behind the plane across the way to it.
    #[test]
    fn projections_are_closest(points in prop::collection::vec(vector(1.0), 4..50), p in vector(2.0)) {
        let hull = ConvexHull::new(&points).unwrap();
        let found = hull.project(p);
        let rounding = 64.0 * f64::EPSILON;
        prop_assert!((found.normal.length() - 1.0).abs() <= rounding);
        prop_assert!(((p - found.point).length() - found.signed_distance.abs()).abs() <= rounding);
        prop_assert!((p - found.point - found.normal * found.signed_distance).length() <= rounding);
        // A supporting plane at the point: nothing of the hull is beyond, and the point is of the hull.
        let beyond = hull.support(found.normal).dot(found.normal) - found.point.dot(found.normal);
        // The normal is a difference over a distance: its error grows as that shrinks.
        let slack = rounding * (1.0 + 1.0 / found.signed_distance.abs());
        prop_assert!(beyond <= slack, "{beyond:e} beyond");
        let highest = hull.faces().map(|f| f.normal.dot(found.point) - f.offset).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(highest.abs() <= rounding, "{highest:e} off the surface");
        if found.signed_distance < 0.0 {
            for face in hull.faces() {
                prop_assert!(face.offset - face.normal.dot(p) >= -found.signed_distance - rounding);
            }
        }
        prop_assert_eq!(hull.signed_distance(p).to_bits(), found.signed_distance.to_bits());
        for eps in [0.0, 0.1, 1.0] {
            prop_assert_eq!(hull.contains(p, eps), found.signed_distance <= eps);
        }
    }

    /// A ray aimed at a point inside hits, on the surface, coming from outside; one aimed beyond the farthest
    /// point misses.
    #[test]
    fn rays_hit_what_they_are_aimed_at(
        points in prop::collection::vec(vector(1.0), 4..50), from in vector(4.0), weights in prop::collection::vec(0.0..1.0_f64, 50),
    ) {
        let hull = ConvexHull::new(&points).unwrap();
        let sum: f64 = weights.iter().take(points.len()).sum();
        prop_assume!(sum > 0.1);
        let inside = points.iter().zip(&weights).fold(Vec3::ZERO, |s, (p, w)| s + *p * (*w / sum));
        prop_assume!((inside - from).length() > 1e-3);
        let ray = Ray::new(from, inside - from);
        let hit = hull.cast_ray(&ray).unwrap();
        if hull.contains(from, 0.0) {
            prop_assert_eq!(hit.t, 0.0);
        } else {
            prop_assert!(hit.t <= 1.0 + 1e-12 && hit.normal.dot(ray.direction) < 0.0);
            // t is right to roundings of the height over the slope.
            let slope = hit.normal.dot(ray.direction).abs() / ray.direction.length();
            prop_assert!(hull.signed_distance(ray.at(hit.t)).abs() <= 64.0 * f64::EPSILON * (1.0 + 1.0 / slope));
            prop_assert!(hull.cast_ray(&Ray::new(from, from - inside)).is_none());
        }
        let away = hull.project(from);
        if away.signed_distance > 0.01 {
            // Along the supporting plane, a little outside of it.
            let along = away.normal.any_orthonormal_vector();
            prop_assert!(hull.cast_ray(&Ray::new(away.point + away.normal * 1e-9, along)).is_none());
        }
    }

    #[test]
    fn boxes_are_tight(
        points in prop::collection::vec(vector(1.0), 4..120), at in vector(10.0), q in prop::array::uniform4(0.1..1.0_f64),
    ) {
        let hull = ConvexHull::new(&points).unwrap();
        let pose = Pose::new(Quat::from_array(q).normalize(), at);
        let bounds = hull.bounds(&pose);
        let world: Vec<Vec3> = points.iter().map(|p| pose.point_to_world(*p)).collect();
        let (low, high) = world.iter().fold((world[0], world[0]), |(l, h), p| (l.min(*p), h.max(*p)));
        prop_assert!((bounds.min - low).abs().max_element() <= 1e-14 * 11.0);
        prop_assert!((bounds.max - high).abs().max_element() <= 1e-14 * 11.0);
    }
}

#[test]
fn neighbours_are_edges() {
    let hull = ConvexHull::new(&spiral(300)).unwrap();
    let mut pairs: Vec<[u32; 2]> = (0..hull.vertices().len())
        .flat_map(|v| hull.neighbours(v).iter().map(move |&n| [(v as u32).min(n), (v as u32).max(n)]))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs, hull.edges());
    let cube = ConvexHull::new(&grid(2)).unwrap();
    assert!((0..8).all(|v| cube.neighbours(v).len() == 3));
    assert_eq!(cube.face(cube.face_along(Vec3::new(0.1, -3.0, 0.2))).normal, Vec3::NEG_Y);
}

#[test]
fn ties_go_to_the_smallest_vertex_and_nonsense_does_not_panic() {
    let cube = ConvexHull::new(&grid(2)).unwrap();
    assert_eq!(cube.support_vertex(Vec3::X), 4);
    assert_eq!(cube.support_vertex(Vec3::ZERO), 0);
    let large = ConvexHull::new(&spiral(100)).unwrap();
    let nothing = Vec3::NAN;
    for hull in [&cube, &large] {
        assert!(hull.support_vertex(nothing) < hull.vertices().len());
        assert!(hull.cast_ray(&Ray::new(nothing, Vec3::X)).is_none());
        assert!(hull.cast_ray(&Ray::new(Vec3::splat(9.0), Vec3::ZERO)).is_none());
        assert!(!hull.contains(nothing, 1.0));
        assert!(hull.project(nothing).signed_distance.is_nan());
    }
    let tiny: Vec<Vec3> = grid(2).iter().map(|p| *p * 1e-200).collect();
    assert!(matches!(ConvexHull::new(&tiny), Err(ShapeError::BadSize { field: "volume", .. })));
}
