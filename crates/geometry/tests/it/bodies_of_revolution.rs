//! Bodies of revolution, where every direction around is nearly as good as every other: axes that almost
//! coincide.

use crate::random_shapes::{Random, support_gap};
use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_geometry::{Shape, Solid};
use gedanken_math::{Pose, Quat, Vec3};

/// Kinds of bodies of revolution: sphere, capsule, cylinder, cone.
const ROUND: [usize; 4] = [0, 2, 3, 4];

/// Two bodies whose axes are `tilt` and `shift` away from each other, the same way up or not, somewhere in
/// the world.
fn nearly_coaxial(
    random: &mut Random,
    round: usize,
    shift: f64,
    tilt: f64,
    along: f64,
) -> [(Shape, Pose); 2] {
    let (a, b) = (random.shape(ROUND[round % 4]), random.shape(ROUND[round / 4 % 4]));
    let across = |random: &mut Random| {
        let v = random.direction();
        Vec3::new(v.x, v.y, 0.0).normalize_or(Vec3::X)
    };
    let lean = across(random) * (0.5 * tilt);
    let mut turn = Quat::from_xyzw(lean.x, lean.y, lean.z, 1.0).normalize();
    if round / 16 % 2 == 1 {
        turn *= Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    }
    let place = across(random) * shift + Vec3::Z * random.between(-along, along);
    let world = if round / 32 % 2 == 1 { random.pose(1.0) } else { Pose::IDENTITY };
    [(a, world), (b, world * Pose::new(turn, place))]
}

/// No direction gives less overlap than the depth: those of the ring around the axis on which the answer
/// lies, and random ones near and far.
fn undercut(random: &mut Random, [(a, p), (b, q)]: &[(Shape, Pose); 2], normal: Vec3) -> f64 {
    let overlap = |n: Vec3| -support_gap(a, p, b, q, n);
    let mut least = f64::INFINITY;
    for pose in [p, q] {
        let n = pose.vector_to_body(normal);
        for k in 0..90 {
            let (sin, cos) = libm::sincos(f64::from(k) * std::f64::consts::PI / 45.0);
            let ring = Vec3::new(cos * n.x - sin * n.y, sin * n.x + cos * n.y, n.z);
            least = least.min(overlap(pose.vector_to_world(ring)));
        }
    }
    for k in 0..120 {
        let step = [1e-9, 1e-7, 1e-5, 1e-3, 1e-1, 2.0][k % 6];
        least = least.min(overlap((normal + random.direction() * step).normalize()));
    }
    least
}

/// Every shift and tilt from none over rounding to a thousandth: settled, proved to 1e-10, with witnesses to
/// match.
#[test]
fn nearly_common_axes_settle() {
    let (mut random, mut scratch) = (Random(8), Scratch::default());
    let (mut worst, mut worst_witness, mut beaten, mut count) = (0.0f64, 0.0f64, 0.0f64, 0);
    let sizes = |k: usize| if k == 0 { 0.0 } else { libm::exp10(k as f64 - 17.0) };
    for round in (0..64 * 15 * 3).step_by(5) {
        let (k, which) = (round / 64 % 15, round / 960);
        let (shift, tilt) = [(sizes(k), 0.0), (0.0, sizes(k)), (sizes(k), sizes(14 - k))][which];
        let pair = nearly_coaxial(&mut random, round, shift, tilt, [0.5, 2.0][round % 2]);
        let [(a, p), (b, q)] = &pair;
        let found = narrow::distance(a, p, b, q, &mut scratch)
            .unwrap_or_else(|e| panic!("round {round}: shift {shift:e}, tilt {tilt:e}: {e}"));
        let (gap, normal, way) = match found {
            Distance::Separated(s) => (s.distance, s.normal, s.point_b - s.point_a),
            Distance::Overlapping(c) => (-c.depth, c.normal, c.point_b - c.point_a),
        };
        worst = worst.max((support_gap(a, p, b, q, normal) - gap).abs());
        worst_witness = worst_witness.max((way - normal * gap).length());
        if gap < 0.0 {
            count += 1;
            beaten = beaten.max(-gap - undercut(&mut random, &pair, normal));
        }
        assert!(
            worst < 1e-10 && worst_witness < 1e-10 && beaten < 1e-10,
            "round {round}: shift {shift:e}, tilt {tilt:e}: {worst:e}, {worst_witness:e}, {beaten:e}"
        );
    }
    println!("{count} overlaps; proved to {worst:e}, witnesses to {worst_witness:e}, beaten by {beaten:e}");
    assert!(count > 300);
}

/// A ball against a round body is the closest point of the body's surface, which is known in closed form: so
/// is the normal.
#[test]
fn normals_of_round_bodies_are_those_of_their_projections() {
    let (mut random, mut scratch) = (Random(9), Scratch::default());
    let (mut worst, mut overlaps, mut apart) = (0.0f64, 0, 0);
    for round in 0..4000 {
        let (body, ball) = (random.shape(3 + round % 2), random.shape(0));
        let (p, q) = (random.pose(0.5), random.pose([0.3, 1.0, 3.0][round % 3]));
        let Shape::Sphere(sphere) = &ball else { panic!("kind 0 is a sphere") };
        let seen = body.project(p.point_to_body(q.translation));
        let found = narrow::distance(&body, &p, &ball, &q, &mut scratch).unwrap();
        let (gap, normal, point) = match found {
            Distance::Separated(s) => (s.distance, s.normal, s.point_a),
            Distance::Overlapping(c) => (-c.depth, c.normal, c.point_a),
        };
        assert!((gap - (seen.signed_distance - sphere.radius())).abs() < 1e-12, "round {round}");
        worst = worst.max((normal - p.vector_to_world(seen.normal)).length());
        worst = worst.max((point - p.point_to_world(seen.point)).length());
        if gap < 0.0 {
            overlaps += 1
        } else {
            apart += 1
        }
        assert!(worst < 1e-8, "round {round}: {worst:e} {body:?}");
    }
    println!("{overlaps} overlaps, {apart} apart, normals and points to {worst:e}");
    assert!(overlaps > 1000 && apart > 1000);
}

/// Rims and edges a hair's breadth apart, where the direction from one body to the other is what rounding
/// leaves of a difference: every query settles, on the gap that was made, along the direction in which it was
/// made.
#[test]
fn rims_at_a_hairs_breadth_settle() {
    let (mut random, mut scratch) = (Random(12), Scratch::default());
    let (mut count, mut worst, mut turned) = (0, 0.0f64, 0.0f64);
    for round in 0..6000 {
        let (a, b) = (random.shape(3 + round % 2), random.shape([3, 4, 3, 4, 1, 2][round / 2 % 6]));
        let (p, q) = (random.pose(0.3), random.pose(1.5));
        let Ok(Distance::Separated(far)) = narrow::distance(&a, &p, &b, &q, &mut scratch) else { continue };
        if far.distance < 1e-2 {
            continue;
        }
        for exponent in 5..12 {
            let gap = libm::exp10(-f64::from(exponent));
            let near = Pose::new(q.rotation, q.translation - far.normal * (far.distance - gap));
            let found = narrow::distance(&a, &p, &b, &near, &mut scratch)
                .unwrap_or_else(|error| panic!("round {round}, gap {gap:e}: {error}"));
            count += 1;
            let (seen, normal) = match found {
                Distance::Separated(apart) => (apart.distance, apart.normal),
                Distance::Overlapping(contact) => (-contact.depth, contact.normal),
            };
            worst = worst.max((seen - gap).abs());
            turned = turned.max((normal - far.normal).length());
            assert!(worst < 1e-11, "round {round}, gap {gap:e}: {worst:e}");
        }
    }
    println!("{count} queries: gaps to {worst:e}, normals to {turned:e}");
    assert!(count > 20_000);
}
