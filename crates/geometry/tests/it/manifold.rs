//! Manifolds: known resting places, and what must hold for all of them.

use crate::random_shapes::Random;
use gedanken_geometry::narrow::{self, Distance, Feature, FeatureKind, Manifold, Scratch, manifolds};
use gedanken_geometry::{Capsule, Compound, Cuboid, Cylinder, HalfSpace, Part, Shape, Solid, TriangleMesh};
use gedanken_math::{Pose, Quat, Vec3, rotation};
use std::sync::Arc;

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn all(a: &Shape, p: &Pose, b: &Shape, q: &Pose, margin: f64) -> Vec<Manifold> {
    let mut out = Vec::new();
    manifolds(a, p, b, q, margin, &mut Scratch::default(), &mut out).unwrap();
    out
}

fn corners(manifold: &Manifold) -> Vec<(f64, f64)> {
    let mut corners: Vec<_> = manifold.points().iter().map(|p| (p.point_b.x, p.point_b.y)).collect();
    corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
    corners
}

#[track_caller]
fn expect(manifold: &Manifold, wanted: &[(f64, f64)], depth: f64) {
    let found = corners(manifold);
    assert_eq!(found.len(), wanted.len(), "{found:?}");
    for (p, q) in found.iter().zip(wanted) {
        assert!((p.0 - q.0).abs() < 1e-14 && (p.1 - q.1).abs() < 1e-14, "{found:?} for {wanted:?}");
    }
    for point in manifold.points() {
        assert!((point.depth - depth).abs() < 1e-14, "{point:?}");
    }
}

#[test]
fn a_cube_rests_on_a_table_with_its_four_corners() {
    let (table, cube) = (cuboid(4.0, 4.0, 1.0), cuboid(1.0, 1.0, 1.0));
    let square = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
    for depth in [0.0, 0.125] {
        let found = all(&table, &Pose::IDENTITY, &cube, &Pose::at(Vec3::Z * (1.0 - depth)), 0.0);
        expect(&found[0], &square, depth);
        // The cube's own lower corners, 0 to 3, on the table's upper face.
        for point in found[0].points() {
            assert!(
                matches!(point.feature_b.kind(), FeatureKind::Vertex(0..4))
                    && point.feature_a == Feature::face(5),
                "{point:?}"
            );
        }
    }
    // Over the edge: two corners of the cube, two points where its edges cross the table's.
    let found = all(&table, &Pose::IDENTITY, &cube, &Pose::at(Vec3::new(2.0, 0.0, 0.9)), 0.0);
    expect(&found[0], &[(1.5, -0.5), (1.5, 0.5), (2.0, -0.5), (2.0, 0.5)], 0.1);
    // The other way round the same points.
    let found = all(&cube, &Pose::at(Vec3::Z * 0.875), &table, &Pose::IDENTITY, 0.0);
    assert_eq!(found[0].points().len(), 4);
    assert!((found[0].normal + Vec3::Z).length() < 1e-14);
}

#[test]
fn the_margin_lets_near_points_in() {
    let (table, cube) = (cuboid(4.0, 4.0, 1.0), cuboid(1.0, 1.0, 1.0));
    let above = Pose::at(Vec3::Z * 1.01);
    assert!(all(&table, &Pose::IDENTITY, &cube, &above, 0.005).is_empty());
    let found = all(&table, &Pose::IDENTITY, &cube, &above, 0.02);
    expect(&found[0], &[(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)], -0.01);
    // Tilted by 0.01 about y and resting on an edge: the far edge is 0.01 above, inside or outside the
    // margin.
    let tilted =
        Pose::new(rotation::about_axis(1, 0.01), Vec3::Z * (0.5 + 0.5 * (libm::sin(0.01) + libm::cos(0.01))));
    for (margin, count) in [(0.02, 4), (0.001, 2)] {
        let found = all(&table, &Pose::IDENTITY, &cube, &tilted, margin);
        assert_eq!(found[0].points().len(), count);
        assert!(found[0].points()[0].depth.abs() < 1e-14);
    }
}

#[test]
fn round_bodies_lie_along_lines_and_caps() {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let lying = rotation::about_axis(1, std::f64::consts::FRAC_PI_2);
    let rod = Shape::Capsule(Capsule::new(0.25, 1.0).unwrap());
    let found = all(&floor, &Pose::IDENTITY, &rod, &Pose::new(lying, Vec3::Z * 0.2), 0.0);
    expect(&found[0], &[(-1.0, 0.0), (1.0, 0.0)], 0.05);
    let table = cuboid(1.0, 4.0, 1.0);
    let found = all(&table, &Pose::IDENTITY, &rod, &Pose::new(lying, Vec3::Z * 0.7), 0.0);
    expect(&found[0], &[(-0.5, 0.0), (0.5, 0.0)], 0.05);
    // Two rods side by side, shifted: the length they share.
    let found =
        all(&rod, &Pose::new(lying, Vec3::ZERO), &rod, &Pose::new(lying, Vec3::new(0.5, 0.0, 0.45)), 0.0);
    expect(&found[0], &[(-0.5, 0.0), (1.0, 0.0)], 0.05);
    // A drum on its cap: four points of its rim, all at the same depth.
    let drum = Shape::Cylinder(Cylinder::new(0.5, 0.5).unwrap());
    for ground in [&floor, &cuboid(4.0, 4.0, 1.0)] {
        let height = if matches!(ground, Shape::HalfSpace(_)) { 0.4 } else { 0.9 };
        let found = all(ground, &Pose::IDENTITY, &drum, &Pose::at(Vec3::Z * height), 0.0);
        assert_eq!(found[0].points().len(), 4);
        for point in found[0].points() {
            assert!((point.depth - 0.1).abs() < 1e-14, "{point:?}");
            assert!((libm::hypot(point.point_b.x, point.point_b.y) - 0.5).abs() < 1e-14, "{point:?}");
        }
    }
    // Lying on its mantle.
    let found = all(&floor, &Pose::IDENTITY, &drum, &Pose::new(lying, Vec3::Z * 0.45), 0.0);
    expect(&found[0], &[(-0.5, 0.0), (0.5, 0.0)], 0.05);
}

#[test]
fn compounds_and_meshes_meet_part_by_part() {
    let part = |x: f64| Part { shape: cuboid(1.0, 1.0, 1.0), pose: Pose::at(Vec3::X * x), density: 1.0 };
    let pair = Shape::Compound(Arc::new(Compound::new(vec![part(-2.0), part(2.0)]).unwrap()));
    let v = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let square = TriangleMesh::new(
        vec![v(-4.0, -4.0), v(4.0, -4.0), v(4.0, 4.0), v(-4.0, 4.0)],
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let ground = Shape::Mesh(Arc::new(square.unwrap()));
    let at = Pose::at(Vec3::new(0.0, 0.0, 0.45));
    let found = all(&ground, &Pose::IDENTITY, &pair, &at, 0.0);
    let parts: Vec<_> = found.iter().map(|manifold| manifold.parts).collect();
    // Each cube lies across the diagonal of the square or on one side of it.
    assert!(parts.iter().all(|p| p[0] < 2 && p[1] < 2) && parts.len() >= 2, "{parts:?}");
    for manifold in &found {
        assert!((manifold.normal - Vec3::Z).length() < 1e-12, "{}", manifold.normal);
        for point in manifold.points() {
            assert!((point.depth - 0.05).abs() < 1e-12 && point.point_a.z.abs() < 1e-12, "{point:?}");
        }
    }
    let contact =
        narrow::contact(&pair, &at, &ground, &Pose::IDENTITY, &mut Scratch::default()).unwrap().unwrap();
    assert!(
        (contact.depth - 0.05).abs() < 1e-14 && (contact.normal + Vec3::Z).length() < 1e-14,
        "{contact:?}"
    );
}

/// For all pairs: one to four points, the deepest as deep as the contact, none deeper; each pair of points
/// apart by its depth along the normal, and near the surfaces.
#[test]
fn every_manifold_keeps_its_promises() {
    let (mut random, mut scratch, mut out, mut counts) = (Random(9), Scratch::default(), Vec::new(), [0; 5]);
    for round in 0..3600 {
        let (a, b) = (random.shape(round % 6), random.shape(round / 6 % 6));
        let mut q = random.pose(0.9);
        let p = random.pose(0.9);
        if round % 3 == 0 {
            q.rotation = p.rotation;
        }
        let margin = if round % 2 == 0 { 0.0 } else { 0.05 };
        let contact = narrow::contact(&a, &p, &b, &q, &mut scratch).unwrap();
        manifolds(&a, &p, &b, &q, margin, &mut scratch, &mut out).unwrap();
        let Some(manifold) = out.first() else {
            assert!(contact.is_none(), "round {round}");
            continue;
        };
        let points = manifold.points();
        counts[points.len()] += 1;
        if let Some(contact) = contact {
            assert!(
                (points[0].depth - contact.depth).abs() < 1e-9,
                "round {round}: {} {}",
                points[0].depth,
                contact.depth
            );
        }
        for (k, point) in points.iter().enumerate() {
            assert!(
                point.depth >= -margin && point.depth <= points[0].depth + 1e-9,
                "round {round}: {point:?}"
            );
            let off = point.point_a - point.point_b - manifold.normal * point.depth;
            assert!(off.length() < 1e-6, "round {round}: {off}");
            for (shape, pose, x) in [(&a, &p, point.point_a), (&b, &q, point.point_b)] {
                // On the polygon of the feature: for flat faces the surface, for lines a chord within the
                // slack.
                let distance = shape.signed_distance(pose.point_to_body(x)).abs();
                assert!(distance < 0.2, "round {round}: {distance} off the surface");
            }
            let id = |p: &narrow::ManifoldPoint| (p.feature_a, p.feature_b);
            assert!(
                points[..k].iter().all(|other| id(other) != id(point)),
                "round {round}: twice {:?}",
                id(point)
            );
        }
    }
    println!("{counts:?}");
    assert!(counts[1..].iter().all(|&count| count > 10), "{counts:?}");
}

/// For polytopes every point lies on a face of the body that was clipped, and on the plane of the other's
/// face: at least one of the two surfaces carries it to rounding, and no point is farther from its own
/// surface than the overlap allows.
#[test]
fn points_of_polytopes_lie_on_their_surfaces() {
    let (mut random, mut scratch, mut out, mut tested) = (Random(31), Scratch::default(), Vec::new(), 0);
    for round in 0..2000 {
        let kinds = [[1, 1], [1, 5], [5, 1], [5, 5]][round % 4];
        let (a, b) = (random.shape(kinds[0]), random.shape(kinds[1]));
        let (p, q) = (random.pose(0.9), random.pose(0.9));
        manifolds(&a, &p, &b, &q, 0.0, &mut scratch, &mut out).unwrap();
        for point in out.iter().flat_map(Manifold::points) {
            tested += 1;
            let of_a = a.signed_distance(p.point_to_body(point.point_a));
            let of_b = b.signed_distance(q.point_to_body(point.point_b));
            assert!(of_a.abs().min(of_b.abs()) < 1e-9, "round {round}: {of_a:e} and {of_b:e}");
            assert!(of_a < 1e-9 && of_b < 1e-9, "round {round}: outside, {of_a:e} and {of_b:e}");
        }
    }
    assert!(tested > 1000, "{tested}");
}

/// Bodies that just do not touch meet where they are closest, and nowhere else: every point of a narrow
/// margin is that near to both of them, however much their edges run alike.
#[test]
fn points_of_bodies_that_barely_touch_are_near_both() {
    let (mut random, mut scratch, mut out) = (Random(52), Scratch::default(), Vec::new());
    let (margin, mut worst, mut several) = (1.6e-9, 0.0f64, 0);
    for round in 0..7200 {
        let (a, b) = (random.shape(round % 6), random.shape(round / 6 % 6));
        let (p, mut q) = (random.pose(0.3), random.pose(2.0));
        if round / 36 % 2 == 0 {
            // Turned alike but for a little: edges and generators run beside each other.
            let lean = random.direction() * [0.0, 1e-9, 1e-6, 1e-3, 0.02, 0.05][round / 72 % 6];
            q.rotation = p.rotation * Quat::from_xyzw(lean.x, lean.y, lean.z, 1.0).normalize();
        }
        let Ok(Distance::Separated(far)) = narrow::distance(&a, &p, &b, &q, &mut scratch) else { continue };
        q.translation -= far.normal * (far.distance - 1e-10);
        manifolds(&a, &p, &b, &q, margin, &mut scratch, &mut out).unwrap();
        for point in out.iter().flat_map(Manifold::points) {
            let of_b = b.signed_distance(q.point_to_body(point.point_a));
            let of_a = a.signed_distance(p.point_to_body(point.point_b));
            // Two boxes keep corners that are a little beyond the other's face, so that flush ones do not
            // flicker.
            let allowed = if round % 36 == 7 { 1e-4 } else { 1.1 * margin };
            assert!(of_a.max(of_b) < allowed, "round {round}: {of_a:e} and {of_b:e} away, {point:?}");
            worst = worst.max(of_a.max(of_b) / allowed);
        }
        several += usize::from(out.iter().any(|manifold| manifold.points().len() > 1));
    }
    println!("{several} with several points, at most {worst} of what is allowed away");
    assert!(several > 100, "{several}");
}

/// From frame to frame: a body that slides and tilts a little keeps the numbers of its points.
#[test]
fn features_keep_their_numbers_from_frame_to_frame() {
    let (table, cube) = (cuboid(4.0, 4.0, 1.0), cuboid(1.0, 1.0, 1.0));
    let numbers = |pose: &Pose| {
        let found = all(&table, &Pose::IDENTITY, &cube, pose, 0.01);
        let mut numbers: Vec<_> =
            found[0].points().iter().map(|p| format!("{:?} {:?}", p.feature_a, p.feature_b)).collect();
        numbers.sort();
        numbers
    };
    let first = numbers(&Pose::at(Vec3::Z * 0.999));
    assert_eq!(first.len(), 4);
    for k in 1..50 {
        let t = f64::from(k) * 0.02;
        let tilt = rotation::from_rotation_vector(Vec3::new(
            1e-4 * libm::sin(t),
            1e-4 * libm::cos(3.0 * t),
            0.3 * t,
        ));
        let pose = Pose::new(tilt, Vec3::new(0.5 * t, -0.2 * t, 0.999));
        assert_eq!(numbers(&pose), first, "frame {k}");
    }
}
