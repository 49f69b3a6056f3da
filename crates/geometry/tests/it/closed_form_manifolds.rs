//! Manifolds with closed forms (balls, boxes, half-spaces) against the general way: GJK, EPA, brute force.

use crate::random_shapes::{Polytope, Random, separating_axes, support_gap};
use gedanken_geometry::narrow::{self, Distance, Manifold, Scratch, manifolds};
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Solid, Sphere};
use gedanken_math::{Pose, Quat, Vec3, rotation};

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn random_cuboid(random: &mut Random) -> Shape {
    let mut side = || random.between(0.2, 2.0);
    cuboid(side(), side(), side())
}

fn all(a: &Shape, p: &Pose, b: &Shape, q: &Pose, margin: f64) -> Vec<Manifold> {
    let mut out = Vec::new();
    manifolds(a, p, b, q, margin, &mut Scratch::default(), &mut out).unwrap();
    out
}

/// The gap of two shapes, negative by their overlap, from the general queries.
fn gap(a: &Shape, p: &Pose, b: &Shape, q: &Pose, scratch: &mut Scratch) -> f64 {
    match narrow::distance(a, p, b, q, scratch).unwrap() {
        Distance::Separated(apart) => apart.distance,
        Distance::Overlapping(contact) => -contact.depth,
    }
}

/// The gaps along all fifteen axes, largest first: where the first two are alike, the answer is not unique.
fn runner_up(a: &Shape, p: &Pose, b: &Shape, q: &Pose) -> f64 {
    let (one, two) = (Polytope::of(a, p), Polytope::of(b, q));
    let mut gaps = Vec::new();
    let mut axes: Vec<Vec3> = one.edges.iter().chain(&two.edges).copied().collect();
    axes.extend(one.edges.iter().flat_map(|e| two.edges.iter().map(|f| e.cross(*f).normalize_or_zero())));
    for n in axes.into_iter().filter(|n| *n != Vec3::ZERO) {
        gaps.push(support_gap(a, p, b, q, n).max(support_gap(a, p, b, q, -n)));
    }
    gaps.sort_by(|x, y| y.total_cmp(x));
    gaps[0] - gaps[1]
}

/// Depths, normals and gaps of boxes agree with GJK and EPA, at any distance, deep inside and far from the
/// origin.
#[test]
fn boxes_agree_with_gjk_and_epa() {
    let (mut random, mut scratch) = (Random(101), Scratch::default());
    let (mut overlapping, mut apart, mut beyond) = (0, 0, 0);
    for round in 0..20_000 {
        let (a, b) = (random_cuboid(&mut random), random_cuboid(&mut random));
        let far = if round % 5 == 0 { Vec3::new(900.0, -400.0, 700.0) } else { Vec3::ZERO };
        let (mut p, mut q) = (random.pose(0.9), random.pose(0.9));
        if round % 7 == 0 {
            // Nearly alike: edges that are almost parallel.
            let tilt = random.vector(1e-3);
            q.rotation = (rotation::from_rotation_vector(tilt) * p.rotation).normalize();
        }
        (p.translation, q.translation) = (p.translation + far, q.translation + far);
        let margin = random.between(0.0, 0.3);
        let truth = gap(&a, &p, &b, &q, &mut scratch);
        if runner_up(&a, &p, &b, &q) < 2e-4 {
            continue;
        }
        let found = all(&a, &p, &b, &q, margin);
        let tolerance = 1e-9 * (1.0 + far.length() / 100.0);
        if truth > margin {
            assert!(found.is_empty(), "round {round}: {truth} is above {margin}");
            beyond += 1;
            continue;
        }
        assert_eq!(found.len(), 1, "round {round}: {truth} within {margin}");
        let deepest = found[0].points()[0].depth;
        // Four of many corners may leave out the deepest by 2e-5 of the smallest half-size, at most 2e-5
        // here.
        let left_out = if found[0].points().len() == 4 { 2e-5 } else { 0.0 };
        assert!(deepest <= -truth + tolerance, "round {round}: {deepest} for a gap of {truth}");
        assert!(deepest >= -truth - tolerance - left_out, "round {round}: {deepest} for a gap of {truth}");
        // The normal proves the gap: no plane across it is between the boxes by less.
        let proved = support_gap(&a, &p, &b, &q, found[0].normal);
        assert!((proved - truth).abs() < tolerance, "round {round}: the normal proves {proved} of {truth}");
        if truth > 0.0 { apart += 1 } else { overlapping += 1 }
    }
    assert!(overlapping > 5000 && apart > 500 && beyond > 500, "{overlapping} {apart} {beyond}");
}

/// Every point of a manifold of boxes: as deep as the way between its two ends along the normal, on the
/// surface of one box and not outside of the other by more than the depth allows, no two alike, no depth
/// above the first.
#[test]
fn points_of_boxes_are_where_they_say() {
    let (mut random, mut counts) = (Random(102), [0; 5]);
    for round in 0..8000 {
        let (a, b) = (random_cuboid(&mut random), random_cuboid(&mut random));
        let (p, mut q) = (random.pose(0.8), random.pose(0.8));
        if round % 2 == 0 {
            // Lying flat on each other, turned and tilted a little.
            let tilt = random.vector(0.05) + random.between(-1.5, 1.5) * Vec3::Z;
            q.rotation = (p.rotation * rotation::from_rotation_vector(tilt)).normalize();
        }
        let margin = 0.01;
        for manifold in all(&a, &p, &b, &q, margin) {
            let points = manifold.points();
            counts[points.len()] += 1;
            assert!((manifold.normal.length() - 1.0).abs() < 1e-14);
            for (k, point) in points.iter().enumerate() {
                let off = point.point_a - point.point_b - manifold.normal * point.depth;
                assert!(off.length() < 1e-12, "round {round}: {off}");
                assert!(point.depth >= -margin && point.depth <= points[0].depth, "round {round}");
                let of_a = a.signed_distance(p.point_to_body(point.point_a));
                let of_b = b.signed_distance(q.point_to_body(point.point_b));
                assert!(of_a.abs().min(of_b.abs()) < 1e-9, "round {round}: {of_a:e} {of_b:e}");
                let lies = margin.max(2.1e-4);
                assert!(of_a < lies && of_b < lies, "round {round}: outside by {of_a:e} {of_b:e}");
                let id = |k: usize| (points[k].feature_a, points[k].feature_b);
                assert!((0..k).all(|other| id(other) != id(k)), "round {round}: twice {:?}", id(k));
            }
        }
    }
    assert!(counts[1..].iter().all(|&count| count > 50), "{counts:?}");
}

/// The corners of the overlap of two rectangles, by an independent way: corners of each inside the other, and
/// crossings of their sides.
fn overlap_of_rectangles(half_a: [f64; 2], half_b: [f64; 2], turn: f64, shift: [f64; 2]) -> Vec<[f64; 2]> {
    let (sin, cos) = libm::sincos(turn);
    let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let a: Vec<[f64; 2]> = signs.map(|(x, y)| [x * half_a[0], y * half_a[1]]).to_vec();
    let b: Vec<[f64; 2]> = signs
        .map(|(x, y)| {
            let (u, v) = (x * half_b[0], y * half_b[1]);
            [cos * u - sin * v + shift[0], sin * u + cos * v + shift[1]]
        })
        .to_vec();
    let in_a = |x: &[f64; 2]| x[0].abs() <= half_a[0] && x[1].abs() <= half_a[1];
    let in_b = |x: &[f64; 2]| {
        let (u, v) = (x[0] - shift[0], x[1] - shift[1]);
        (cos * u + sin * v).abs() <= half_b[0] && (-sin * u + cos * v).abs() <= half_b[1]
    };
    let mut corners: Vec<[f64; 2]> =
        a.iter().filter(|x| in_b(x)).chain(b.iter().filter(|x| in_a(x))).copied().collect();
    for k in 0..4 {
        for l in 0..4 {
            let ([px, py], [qx, qy]) = (a[k], a[(k + 1) % 4]);
            let ([rx, ry], [sx, sy]) = (b[l], b[(l + 1) % 4]);
            let (ux, uy, vx, vy) = (qx - px, qy - py, sx - rx, sy - ry);
            let cross = ux * vy - uy * vx;
            let (s, t) =
                (((rx - px) * vy - (ry - py) * vx) / cross, ((rx - px) * uy - (ry - py) * ux) / cross);
            if cross.abs() > 1e-9 && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                corners.push([px + s * ux, py + s * uy]);
            }
        }
    }
    corners
}

/// A box lying flat on a box: every point is a corner of the overlap of both faces, and together they span at
/// least half of it.
#[test]
fn flat_boxes_rest_on_the_corners_of_their_overlap() {
    let (mut random, mut fours) = (Random(103), 0);
    for round in 0..2000 {
        let mut side = || random.between(0.3, 1.5);
        let (sizes, others) = ([side(), side(), side()], [side(), side(), side()]);
        let turn = if round % 4 == 0 { 0.0 } else { random.between(-3.0, 3.0) };
        let shift = [random.between(-0.6, 0.6), random.between(-0.6, 0.6)];
        let depth = random.between(-1e-3, 1e-3);
        let place = Pose::new(random.rotation(), random.vector(3.0));
        let above = Pose::new(
            rotation::about_axis(2, turn),
            Vec3::new(shift[0], shift[1], 0.5 * (sizes[2] + others[2]) - depth),
        );
        let halves = |s: [f64; 3]| [0.5 * s[0], 0.5 * s[1]];
        let wanted = overlap_of_rectangles(halves(sizes), halves(others), turn, shift);
        let box_of = |s: [f64; 3]| cuboid(s[0], s[1], s[2]);
        let (a, b, q) = (box_of(sizes), box_of(others), place * above);
        let found = all(&a, &place, &b, &q, 2e-3);
        if wanted.len() < 3 {
            continue;
        }
        assert_eq!(found.len(), 1, "round {round}");
        let points = found[0].points();
        let mut seen = Vec::new();
        for point in points {
            assert!((point.depth - depth).abs() < 1e-12, "round {round}: {} for {depth}", point.depth);
            let x = place.point_to_body(point.point_a);
            let off =
                wanted.iter().map(|c| libm::hypot(c[0] - x.x, c[1] - x.y)).fold(f64::INFINITY, f64::min);
            assert!(off < 3e-4, "round {round}: {x} is no corner of the overlap, by {off}");
            seen.push([x.x, x.y]);
        }
        let (whole, spanned) = (hull_area(wanted), hull_area(seen));
        if points.len() == 4 {
            fours += 1;
        }
        // The diameter and what is farthest from it on both sides: half of the rectangle around them.
        assert!(spanned > 0.499 * whole - 1e-6, "round {round}: {spanned} of {whole}");
        let normal = place.vector_to_body(found[0].normal);
        assert!((normal - Vec3::Z).length() < 1e-12, "round {round}: {normal}");
    }
    assert!(fours > 1000, "{fours}");
}

/// The area of the convex hull of points in a plane, by the monotone chain.
fn hull_area(mut points: Vec<[f64; 2]>) -> f64 {
    points.sort_by(|p, q| p.partial_cmp(q).unwrap());
    let cross =
        |o: [f64; 2], p: [f64; 2], q: [f64; 2]| (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for pass in 0..2 {
        let start = chain.len() + usize::from(pass == 0);
        let order: Vec<_> =
            if pass == 0 { points.clone() } else { points.iter().rev().skip(1).copied().collect() };
        for p in order {
            while chain.len() > start && cross(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
    }
    let wrap = chain.iter().zip(chain.iter().cycle().skip(1));
    0.5 * wrap.map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>().abs()
}

/// A box that trembles where it stands, by less than anyone sees, keeps its normal and the names of its
/// points; so does a tower of boxes of one size, whose corners and sides coincide to rounding.
#[test]
fn trembling_changes_neither_normal_nor_names() {
    let mut random = Random(104);
    for (size, turn) in [(1.0, 0.0), (0.6, 0.0), (0.6, 0.4), (1.0, 0.7)] {
        let (below, above) = (cuboid(1.0, 1.0, 1.0), cuboid(size, size, 1.0));
        let names = |tilt: Vec3, off: Vec3| {
            let rotation = (rotation::from_rotation_vector(tilt) * rotation::about_axis(2, turn)).normalize();
            let pose = Pose::new(rotation, Vec3::new(0.0, 0.0, 0.9999) + off);
            let found = all(&below, &Pose::IDENTITY, &above, &pose, 1e-3);
            let mut names: Vec<_> = found[0].points().iter().map(|p| (p.feature_a, p.feature_b)).collect();
            names.sort();
            (names, found[0].normal)
        };
        let first = names(Vec3::ZERO, Vec3::ZERO);
        assert_eq!(first.0.len(), 4);
        for _ in 0..200 {
            let (seen, normal) = names(random.vector(1e-5), random.vector(1e-5));
            assert_eq!(seen, first.0, "size {size}, turned by {turn}");
            assert_eq!(normal, Vec3::Z, "size {size}, turned by {turn}");
        }
    }
}

/// Swapping A and B swaps points and turns the normal.
#[test]
fn both_sides_see_the_same() {
    let mut random = Random(105);
    let ball = |random: &mut Random| Shape::Sphere(Sphere::new(random.between(0.2, 1.0)).unwrap());
    for round in 0..4000 {
        let (a, b) = match round % 3 {
            0 => (random_cuboid(&mut random), ball(&mut random)),
            1 => (Shape::HalfSpace(HalfSpace::new(random.direction(), 0.2).unwrap()), ball(&mut random)),
            _ => {
                let plane = HalfSpace::new(random.direction(), random.between(-1.0, 1.0)).unwrap();
                (Shape::HalfSpace(plane), random_cuboid(&mut random))
            }
        };
        let (p, q) = (random.pose(1.0), random.pose(1.0));
        let margin = random.between(0.0, 0.2);
        let (one, two) = (all(&a, &p, &b, &q, margin), all(&b, &q, &a, &p, margin));
        assert_eq!(one.len(), two.len());
        for (m, n) in one.iter().zip(&two) {
            assert_eq!(m.normal, -n.normal);
            for (x, y) in m.points().iter().zip(n.points()) {
                assert_eq!((x.point_a, x.point_b, x.depth), (y.point_b, y.point_a, y.depth));
                assert_eq!((x.feature_a, x.feature_b), (y.feature_b, y.feature_a));
            }
        }
    }
}

/// Balls and boxes on boxes and half-spaces: the first point is the closest one, and no corner of the face
/// below is missed.
#[test]
fn balls_and_half_spaces_agree_with_distances() {
    let (mut random, mut scratch, mut met) = (Random(106), Scratch::default(), 0);
    for round in 0..6000 {
        let plane = HalfSpace::new(random.direction(), random.between(-0.5, 0.5)).unwrap();
        let (mut a, mut b) = (Shape::HalfSpace(plane), random_cuboid(&mut random));
        if round % 2 == 0 {
            b = Shape::Sphere(Sphere::new(random.between(0.2, 1.0)).unwrap());
        }
        if round % 4 == 0 {
            a = random_cuboid(&mut random);
        }
        let (p, q) = (random.pose(1.2), random.pose(1.2));
        let margin = random.between(0.0, 0.2);
        let truth = gap(&a, &p, &b, &q, &mut scratch);
        let found = all(&a, &p, &b, &q, margin);
        assert_eq!(found.is_empty(), truth > margin, "round {round}: {truth} {margin}");
        for manifold in &found {
            met += 1;
            assert!((manifold.points()[0].depth + truth).abs() < 1e-12, "round {round}");
            for point in manifold.points() {
                let off = point.point_a - point.point_b - manifold.normal * point.depth;
                assert!(off.length() < 1e-12, "round {round}: {off}");
                let on_b = b.signed_distance(q.point_to_body(point.point_b));
                assert!(on_b.abs() < 1e-12, "round {round}: {on_b:e} off the surface");
            }
        }
    }
    assert!(met > 2000, "{met}");
    // Flat on the floor: all four corners, each at the height it has.
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let tilt = Quat::from_xyzw(0.001, 0.002, 0.3, 1.0).normalize();
    let pose = Pose::new(tilt, Vec3::Z * 0.5);
    let found = all(&floor, &Pose::IDENTITY, &cuboid(1.0, 1.0, 1.0), &pose, 0.1);
    assert_eq!(found[0].points().len(), 4);
    for point in found[0].points() {
        assert!((point.depth + point.point_b.z).abs() < 1e-15 && point.point_a.z.abs() < 1e-15, "{point:?}");
    }
}

/// The depth of boxes is what brute force over all axes says: the test of the test's own oracle.
#[test]
fn boxes_are_as_deep_as_brute_force_says() {
    let mut random = Random(107);
    for round in 0..3000 {
        let (a, b) = (random_cuboid(&mut random), random_cuboid(&mut random));
        let (p, q) = (random.pose(0.6), random.pose(0.6));
        let (separation, _) = separating_axes(&Polytope::of(&a, &p), &Polytope::of(&b, &q));
        if separation > 0.0 || runner_up(&a, &p, &b, &q) < 2e-4 {
            continue;
        }
        let found = all(&a, &p, &b, &q, 0.0);
        let deepest = found[0].points()[0].depth;
        let left_out = if found[0].points().len() == 4 { 2e-5 } else { 0.0 };
        assert!(deepest <= -separation + 1e-12, "round {round}: {deepest} for {separation}");
        assert!(deepest >= -separation - 1e-12 - left_out, "round {round}: {deepest} for {separation}");
    }
}
