//! Closest points in closed form: balls, capsules, a ball and a box, a half-space and any convex body.
//!
//! A ball is a point with a margin, a capsule a segment with one: the closest points of points, segments and
//! boxes are rational functions, so these answers carry only a few roundings. Where closest points coincide
//! the normal is not determined by them; then an axis along which the overlap is smallest is taken, the same
//! one every time.

use crate::narrow::contact::Closest;
use crate::narrow::epa::across;
use crate::narrow::gjk::VERTEX_ROUNDING;
use crate::shape::{Capsule, Convex, Cuboid, HalfSpace, Sphere};
use gedanken_math::{Pose, Vec3};

/// Returns the part of v across a unit axis. It is projected twice: the first difference leaves a rounding
/// along the axis that would turn a short remainder.
fn without(v: Vec3, axis: Vec3) -> Vec3 {
    let v = v - axis * v.dot(axis);
    v - axis * v.dot(axis)
}

/// Widens the closest points p of A's core and q of B's by the margins. `way` is q - p, as well as it is
/// known, and `fallback` a valid normal where p = q.
fn widened(
    p: Vec3,
    margin_a: f64,
    q: Vec3,
    margin_b: f64,
    way: Vec3,
    size: f64,
    fallback: impl FnOnce() -> Vec3,
) -> Closest {
    let distance = way.length();
    let (normal, distance) =
        if distance > VERTEX_ROUNDING * size { (way / distance, distance) } else { (fallback(), 0.0) };
    Closest {
        normal,
        gap: distance - (margin_a + margin_b),
        point_a: p + normal * margin_a,
        point_b: q - normal * margin_b,
    }
}

/// Two balls. Concentric ones are pushed apart along x.
pub(crate) fn spheres(a: &Sphere, pose_a: &Pose, b: &Sphere, pose_b: &Pose) -> Closest {
    let (p, q) = (pose_a.translation, pose_b.translation);
    // Positions enter only by their difference, whose rounding is that of the positions themselves: no band
    // is needed.
    widened(p, a.radius(), q, b.radius(), q - p, 0.0, || Vec3::X)
}

/// A ball and a capsule.
pub(crate) fn sphere_capsule(a: &Sphere, pose_a: &Pose, b: &Capsule, pose_b: &Pose) -> Closest {
    let (half, axis) = (b.half_length(), pose_b.vector_to_world(Vec3::Z));
    let centres = pose_b.translation - pose_a.translation;
    let along = -centres.dot(axis);
    // Beside the segment the way is across it, however short.
    let way =
        if along.abs() < half { without(centres, axis) } else { centres + axis * along.clamp(-half, half) };
    let q = pose_b.translation + axis * along.clamp(-half, half);
    let size = half + centres.abs().max_element();
    widened(pose_a.translation, a.radius(), q, b.radius(), way, size, || across(axis))
}

/// Two capsules: the closest points of two segments (@ericson2005), relative to A's centre.
pub(crate) fn capsules(a: &Capsule, pose_a: &Pose, b: &Capsule, pose_b: &Pose) -> Closest {
    let (u, v) = (pose_a.vector_to_world(Vec3::Z), pose_b.vector_to_world(Vec3::Z));
    let (h, k) = (a.half_length(), b.half_length());
    let centres = pose_b.translation - pose_a.translation;
    // Points s u and centres + t v: s - c t = e, c s - t = f with c = u·v, e = u·centres, f = v·centres.
    let (c, e, f) = (u.dot(v), u.dot(centres), v.dot(centres));
    // 1 - c² = |u × v|², without its cancellation.
    let sine = u.cross(v);
    let sine_squared = sine.length_squared();
    let skew = sine_squared > f64::EPSILON * f64::EPSILON;
    let mut along_u = if skew {
        // (e - c f) / (1 - c²) with e - c f = (centres × v)·(u × v).
        centres.cross(v).dot(sine) / sine_squared
    } else {
        // Parallel: the middle of the overlap of both, seen along u.
        let (low, high) = ((e - k).max(-h), (e + k).min(h));
        if low <= high { 0.5 * (low + high) } else { e }
    };
    let along_v = c * along_u.clamp(-h, h) - f;
    let t = along_v.clamp(-k, k);
    if t != along_v {
        along_u = c * t + e;
    }
    let s = along_u.clamp(-h, h);
    let size = h + k + centres.abs().max_element();
    // The way is across every axis beside which it starts or ends, however short it is.
    let mut way = centres + v * t - u * s;
    let (beside_u, beside_v) = (along_u.abs() < h, along_v.abs() < k);
    let crossing = if skew { without(sine, u).normalize_or(across(u)) } else { across(u) };
    if beside_u && beside_v && skew {
        way = crossing * crossing.dot(centres);
    } else if beside_u {
        way = without(way, u);
    } else if beside_v {
        way = without(way, v);
    }
    let found = widened(u * s, a.radius(), centres + v * t, b.radius(), way, size, || {
        if crossing.dot(centres) < 0.0 { -crossing } else { crossing }
    });
    Closest {
        point_a: found.point_a + pose_a.translation,
        point_b: found.point_b + pose_a.translation,
        ..found
    }
}

/// A box and a ball. A centre inside the box leaves by the nearest face; of equally near ones by the first in
/// the order x, y, z and, on the middle plane, to the positive side.
pub(crate) fn cuboid_sphere(a: &Cuboid, pose_a: &Pose, b: &Sphere, pose_b: &Pose) -> Closest {
    let centre = pose_a.point_to_body(pose_b.translation);
    let half = a.half_extents();
    let nearest = centre.clamp(-half, half);
    let way = centre - nearest;
    let distance = way.length();
    let noise = VERTEX_ROUNDING * half.max_element().max(centre.abs().max_element());
    let (normal, gap, nearest) = if distance > noise {
        (way / distance, distance - b.radius(), nearest)
    } else {
        let inside = half - centre.abs();
        let face = if inside.x <= inside.y && inside.x <= inside.z {
            0
        } else if inside.y <= inside.z {
            1
        } else {
            2
        };
        let sign = if centre[face] < 0.0 { -1.0 } else { 1.0 };
        let mut normal = Vec3::ZERO;
        normal[face] = sign;
        let mut nearest = nearest;
        nearest[face] = sign * half[face];
        (normal, -inside[face] - b.radius(), nearest)
    };
    let normal = pose_a.vector_to_world(normal);
    Closest {
        normal,
        gap,
        point_a: pose_a.point_to_world(nearest),
        point_b: pose_b.translation - normal * b.radius(),
    }
}

/// A half-space and a bounded convex body: its lowest point.
pub(crate) fn half_space<B: Convex + ?Sized>(a: &HalfSpace, pose_a: &Pose, b: &B, pose_b: &Pose) -> Closest {
    let a_from_b = pose_a.to(pose_b);
    let down = a_from_b.vector_to_body(-a.normal());
    let core = a_from_b.point_to_world(b.core_support(down));
    let point = core - a.normal() * b.margin();
    let gap = a.normal().dot(core) - a.offset() - b.margin();
    Closest {
        normal: pose_a.vector_to_world(a.normal()),
        gap,
        point_a: pose_a.point_to_world(point - a.normal() * gap),
        point_b: pose_a.point_to_world(point),
    }
}
