//! Bounding volumes against independent answers: projections onto convex sets, extreme points, sampled
//! motions.

use gedanken_geometry::bounds::{Aabb, Ball, Bound, BoundKind, Obb};
use gedanken_math::rotation::{from_rotation_vector, to_body, to_world};
use gedanken_math::{Pose, Quat, Vec3};
use proptest::prelude::*;

/// Rounding of coordinates up to 10 in some dozens of operations.
const TINY: f64 = 1e-13;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop_oneof![4 => vector(3.0), 1 => vector(1e-9), 1 => Just(Vec3::ZERO), 1 => Just(Vec3::Z * 0.5)]
        .prop_map(from_rotation_vector)
}

fn bound() -> impl Strategy<Value = Bound> {
    let half =
        || prop::array::uniform3(prop_oneof![3 => 0.0..1.5f64, 1 => Just(0.0)]).prop_map(Vec3::from_array);
    prop_oneof![
        (vector(2.0), half()).prop_map(|(c, h)| Bound::Aabb(Aabb::around(c, h))),
        (vector(2.0), 0.0..1.5f64).prop_map(|(c, r)| Bound::Ball(Ball::new(c, r))),
        (vector(2.0), half(), rotation()).prop_map(|(c, h, q)| Bound::Obb(Obb::new(c, h, q))),
    ]
}

/// The closest point of a volume, from its definition.
fn closest(bound: &Bound, p: Vec3) -> Vec3 {
    match bound {
        Bound::Aabb(b) => p.clamp(b.min, b.max),
        Bound::Ball(b) => b.centre + (p - b.centre).clamp_length_max(b.radius),
        Bound::Obb(b) => {
            let own = to_body(b.rotation, p - b.centre).clamp(-b.half_extents, b.half_extents);
            b.centre + to_world(b.rotation, own)
        }
    }
}

/// The farthest point of a volume in a direction, from its definition.
fn extreme(bound: &Bound, u: Vec3) -> Vec3 {
    let corner = |h: Vec3, u: Vec3| Vec3::new(h.x.copysign(u.x), h.y.copysign(u.y), h.z.copysign(u.z));
    match bound {
        Bound::Aabb(b) => b.centre() + corner(b.half_extents(), u),
        Bound::Ball(b) => b.centre + u.normalize_or_zero() * b.radius,
        Bound::Obb(b) => b.centre + to_world(b.rotation, corner(b.half_extents, to_body(b.rotation, u))),
    }
}

/// How far apart the supporting planes along `n` are, from a to b: positive only if the volumes are disjoint.
fn gap(a: &Bound, b: &Bound, n: Vec3) -> f64 {
    let n = n.normalize_or_zero();
    extreme(b, -n).dot(n) - extreme(a, n).dot(n)
}

/// The closest points, and the best gap on the way: x falls along the gradient of ½ dist²(x, b), which is x −
/// P_b(x), and is put back into a. Plain alternating projections are this without momentum, and crawl where
/// two faces nearly lie on each other; the momentum is dropped whenever it points uphill.
fn distance(a: &Bound, b: &Bound) -> (f64, f64) {
    let mut x = closest(a, b.aabb().centre());
    let (mut ahead, mut pace) = (x, 1.0f64);
    let (mut apart, mut best) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..3000 {
        let y = closest(b, x);
        apart = (y - x).length();
        best = best.max(gap(a, b, y - x));
        if apart < 1e-12 || apart - best < 1e-10 {
            break;
        }
        let next = closest(a, closest(b, ahead));
        if (ahead - next).dot(next - x) > 0.0 {
            (ahead, pace) = (next, 1.0);
        } else {
            let faster = 0.5 + (0.25 + pace * pace).sqrt();
            ahead = next + (next - x) * ((pace - 1.0) / faster);
            pace = faster;
        }
        x = next;
    }
    (apart, best)
}

fn directions() -> impl Iterator<Item = Vec3> {
    (-2..=2)
        .flat_map(|x| {
            (-2..=2).flat_map(move |y| (-2..=2).map(move |z| Vec3::new(x.into(), y.into(), z.into())))
        })
        .filter(|u| *u != Vec3::ZERO)
}

/// Points whose containment in `outer` decides that of `inner`: corners, or the ball's extremes along every
/// normal.
fn witnesses(outer: &Bound, inner: &Bound) -> Vec<Vec3> {
    let frame = if let Bound::Obb(b) = outer { b.rotation } else { Quat::IDENTITY };
    let outwards = inner.aabb().centre() - outer.aabb().centre();
    let mut along: Vec<Vec3> = directions().collect();
    if let Bound::Obb(b) = inner {
        along = along.into_iter().map(|u| to_world(b.rotation, u)).collect();
    } else if let Bound::Ball(_) = inner {
        along.extend(
            [Vec3::X, Vec3::Y, Vec3::Z].iter().flat_map(|&e| [to_world(frame, e), to_world(frame, -e)]),
        );
        along.push(outwards);
    }
    along.into_iter().map(|u| extreme(inner, u)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn intersections_are_those_of_the_sets(a in bound(), b in bound()) {
        let answer = a.intersects(&b);
        prop_assert_eq!(answer, b.intersects(&a));
        let (apart, gap) = distance(&a, &b);
        if answer {
            prop_assert!(gap <= TINY, "they are {gap} apart: {a:?} {b:?}");
        } else {
            // Projections that converge slowly leave a doubt only where the volumes nearly touch.
            prop_assert!(apart > 0.0 && (gap > 0.0 || apart < 1e-3), "no gap: {apart} {gap} {a:?} {b:?}");
        }
    }

    #[test]
    fn intersections_do_not_depend_on_the_frame(a in bound(), b in bound(), q in rotation(), t in vector(1e3)) {
        let obb = |v: &Bound| if let Bound::Aabb(b) = v { Bound::Obb(Obb::from_aabb(b, &Pose::IDENTITY)) } else { *v };
        let (a, b) = (obb(&a), obb(&b));
        let pose = Pose::new(q, t);
        // Coordinates of 1e3 round by 1e-13, some dozens of times: what meets in one frame meets in the other
        // once it is wider by 1e-11.
        let (here, there) = (a.intersects(&b), a.moved(&pose).intersects(&b.moved(&pose)));
        let wide = a.fattened(1e-11);
        prop_assert!(!here || wide.moved(&pose).intersects(&b.moved(&pose)));
        prop_assert!(!there || wide.intersects(&b));
    }

    #[test]
    fn containment_is_that_of_the_extreme_points(a in bound(), b in bound(), shrink in 0.05..1.0f64) {
        let small = match b {
            Bound::Aabb(b) => Bound::Aabb(Aabb::around(b.centre(), b.half_extents() * shrink)),
            Bound::Ball(b) => Bound::Ball(Ball::new(b.centre * 0.3, b.radius * shrink)),
            Bound::Obb(b) => Bound::Obb(Obb { centre: b.centre * 0.3, half_extents: b.half_extents * shrink, ..b }),
        };
        for inner in [b, small] {
            let points = witnesses(&a, &inner);
            if a.contains(&inner) {
                prop_assert!(points.iter().all(|&p| a.fattened(TINY).contains_point(p)));
                prop_assert!(a.intersects(&inner));
            } else {
                prop_assert!(!points.iter().all(|&p| a.fattened(-1e-12).contains_point(p)));
            }
        }
        prop_assert!(a.contains(&a));
    }

    #[test]
    fn points_are_inside_if_they_are_their_own_closest(a in bound(), p in vector(3.0)) {
        let away = (closest(&a, p) - p).length();
        let inside = a.contains_point(p);
        prop_assert!((inside && away <= TINY) || (!inside && away > 0.0));
    }

    #[test]
    fn unions_and_sweeps_hold_their_parts(a in bound(), b in bound(), d in vector(3.0), s in 0.0..1.0f64) {
        let union = a.union(&b);
        prop_assert!(union.fattened(TINY).contains(&a) && union.fattened(TINY).contains(&b));
        let swept = a.swept(d);
        prop_assert_eq!(swept.kind(), a.kind());
        let still = |by: Vec3| match a {
            Bound::Aabb(v) => Bound::Aabb(Aabb::new(v.min + by, v.max + by)),
            Bound::Ball(v) => Bound::Ball(Ball::new(v.centre + by, v.radius)),
            Bound::Obb(v) => Bound::Obb(Obb { centre: v.centre + by, ..v }),
        };
        prop_assert!(swept.fattened(TINY).contains(&still(d * s)) && swept.fattened(TINY).contains(&still(d)));
        prop_assert!(a.fattened(0.1).contains(&a));
        prop_assert!(Bound::Aabb(a.aabb()).fattened(TINY).contains(&a));
    }

    /// Smallest balls hold all points, and their centre is in the hull of at most four points on their
    /// surface: no direction leads away from all of these, so no ball around them is smaller.
    #[test]
    fn smallest_balls_are_smallest(
        points in prop::collection::vec(prop_oneof![
            vector(2.0), prop::array::uniform3(-2..3i32).prop_map(|p| Vec3::from_array(p.map(f64::from))),
            vector(1.0).prop_map(Vec3::normalize_or_zero),
        ], 1..40),
        offset in prop_oneof![Just(0.0), Just(1e6)], looks in prop::collection::vec(vector(1.0), 60),
    ) {
        let points: Vec<Vec3> = points.iter().map(|p| *p + Vec3::splat(offset)).collect();
        let (ball, support) = Ball::with_support(&points).unwrap();
        let slack = 1e-9 + 1e-15 * offset * 10.0;
        prop_assert!(points.iter().all(|&p| ball.contains_point(p)));
        prop_assert!((1..=4).contains(&support.points().len()));
        for p in support.points() {
            prop_assert!(points.contains(p));
            prop_assert!(((*p - ball.centre).length() - ball.radius).abs() <= slack);
        }
        for u in looks.iter().copied().chain(directions()).map(Vec3::normalize_or_zero) {
            let ahead = support.points().iter().map(|p| (*p - ball.centre).dot(u)).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(ahead >= -slack, "the centre could move by {ahead} against {u}");
        }
        let turned = points.iter().rev().copied().collect::<Vec<_>>();
        prop_assert!((Ball::from_points(&turned).unwrap().radius - ball.radius).abs() <= slack);
    }

    #[test]
    fn volumes_of_points_hold_them(points in prop::collection::vec(vector(3.0), 1..40), q in rotation()) {
        for kind in [BoundKind::Aabb, BoundKind::Ball, BoundKind::Obb] {
            let bound = Bound::from_points(kind, &points).unwrap();
            prop_assert_eq!(bound.kind(), kind);
            prop_assert!(points.iter().all(|&p| bound.contains_point(p)));
        }
        let turned = Obb::from_points_along(q, &points).unwrap();
        prop_assert!(points.iter().all(|&p| turned.contains_point(p)));
        let straight = Aabb::from_points(&points).unwrap();
        prop_assert!(Obb::from_points(&points).unwrap().surface_area() <= straight.surface_area() * (1.0 + TINY));
    }

    /// Boxes that share a face, an edge or a corner in a turned frame touch, whatever rounding does to them.
    #[test]
    fn turned_boxes_that_touch_intersect(
        q in rotation(), t in vector(10.0), h in vector(1.0), k in vector(1.0), side in prop::array::uniform3(-1..2i32),
    ) {
        let (h, k) = (h.abs(), k.abs());
        let side = Vec3::from_array(side.map(f64::from));
        let a = Obb::new(t, h, q);
        let b = Obb::new(t + to_world(q, side * (h + k)), k, q);
        prop_assert!(a.intersects(&b) && b.intersects(&a));
        let ball = Ball::new(a.centre + to_world(q, Vec3::X * (h.x + 0.7)), 0.7);
        prop_assert!(ball.intersects_obb(&a));
        // And boxes a little farther apart do not.
        let gap = side * 1e-12 * 40.0;
        let c = Obb::new(t + to_world(q, side * (h + k) + gap), k, q);
        prop_assert!(side == Vec3::ZERO || !a.intersects(&c));
    }

    /// A known cuboid of points in any orientation is found by its principal axes.
    #[test]
    fn principal_axes_find_a_turned_slab(q in rotation(), t in vector(5.0)) {
        let slab = Obb::new(t, Vec3::new(3.0, 2.0, 0.1), q);
        let found = Obb::from_points(&slab.corners()).unwrap();
        prop_assert!(found.surface_area() <= slab.surface_area() * (1.0 + 1e-12));
    }
}

#[test]
fn exact_touching_counts() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    assert!(unit.intersects(&Aabb::new(Vec3::ONE, Vec3::splat(2.0))));
    assert!(!unit.intersects(&Aabb::new(Vec3::splat(1.0f64.next_up()), Vec3::splat(2.0))));
    // 0.1 + 0.2 is not 0.3: rounding must not separate what touches.
    for k in 1..200 {
        let (r, s) = (0.1 * f64::from(k), 0.2 * f64::from(k));
        assert!(Ball::new(Vec3::ZERO, r).intersects(&Ball::new(Vec3::Y * (r + s), s)));
        assert!(Ball::new(Vec3::new(1.0 + r, 0.5, 0.5), r).intersects_aabb(&unit));
    }
    assert!(!Ball::new(Vec3::X * 2.1, 1.0).intersects_aabb(&unit));
    assert!(Ball::from_points(&[]).is_none() && Aabb::from_points(&[Vec3::NAN]).is_none());
}

/// Two long boxes whose edges are parallel but for 1e-9, side by side with a gap of 1e-6: products of their
/// edges are noise, and must not say anything.
#[test]
fn nearly_parallel_edges_decide_nothing() {
    for k in 0..100 {
        let turn = from_rotation_vector(Vec3::new(0.1, 0.7, f64::from(k)));
        let tilt = from_rotation_vector(Vec3::new(1e-9, -1e-9, 1e-9) * f64::from(k % 5)) * turn;
        let half = Vec3::new(10.0, 1.0, 1.0);
        let a = Obb::new(Vec3::ZERO, half, turn);
        for (shift, touching) in [(2.0 - 1e-6, true), (2.0 + 1e-6, false)] {
            let b = Obb::new(to_world(turn, Vec3::Y * shift), half, tilt);
            assert_eq!(a.intersects(&b), touching, "{k} {shift}");
        }
    }
}

#[test]
fn infinite_boxes_meet_what_they_should() {
    let below = Aabb::new(Vec3::NEG_INFINITY, Vec3::new(f64::INFINITY, f64::INFINITY, 0.0));
    let cube = |z: f64| {
        Obb::new(Vec3::Z * z, Vec3::ONE, from_rotation_vector(Vec3::X * core::f64::consts::FRAC_PI_4))
    };
    let half_diagonal = 2f64.sqrt();
    assert!(
        cube(half_diagonal - 1e-9).intersects_aabb(&below)
            && !cube(half_diagonal + 1e-9).intersects_aabb(&below)
    );
    assert!(
        Ball::new(Vec3::Z, 1.0).intersects_aabb(&below)
            && !Ball::new(Vec3::Z * 1.1, 1.0).intersects_aabb(&below)
    );
    assert!(Bound::Aabb(below).contains(&Bound::Ball(Ball::new(-Vec3::Z, 1.0))));
    assert!(!cube(0.0).contains_aabb(&below) && !Ball::new(Vec3::ZERO, 1e300).contains_aabb(&below));
}
