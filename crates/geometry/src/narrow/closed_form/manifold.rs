//! Manifolds in closed form: balls, which touch at one point, and boxes on boxes or on half-spaces.
//!
//! These are most of the contacts in heaps. All other pairs go the general way: closest points, then the
//! features that face each other, then clipping.

use super::box_box::{self, NEXT_AXES, RotationAxes, largest};
use super::distance;
use crate::narrow::contact::Closest;
use crate::narrow::feature::Feature;
use crate::narrow::manifold::{Manifold, ManifoldPoint};
use crate::shape::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::{Pose, Vec3};

/// Adds the manifold of two shapes, if they meet. Returns `false` if there is no closed form for them.
pub(crate) fn manifold(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    margin: f64,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) -> bool {
    let before = out.len();
    match (a, b) {
        (Shape::Sphere(x), Shape::Sphere(y)) => {
            round(&distance::spheres(x, pose_a, y, pose_b), Feature::face(0), margin, parts, out);
        }
        (Shape::Cuboid(x), Shape::Cuboid(y)) => {
            return box_box::manifold(x, pose_a, y, pose_b, margin, parts, out);
        }
        (Shape::Cuboid(x), Shape::Sphere(y)) => box_ball(x, pose_a, y, pose_b, margin, parts, out),
        (Shape::Sphere(x), Shape::Cuboid(y)) => box_ball(y, pose_b, x, pose_a, margin, parts, out),
        (Shape::HalfSpace(x), Shape::Sphere(y)) => plane_ball(x, pose_a, y, pose_b, margin, parts, out),
        (Shape::Sphere(x), Shape::HalfSpace(y)) => plane_ball(y, pose_b, x, pose_a, margin, parts, out),
        (Shape::HalfSpace(x), Shape::Cuboid(y)) => plane_box(x, pose_a, y, pose_b, margin, parts, out),
        (Shape::Cuboid(x), Shape::HalfSpace(y)) => plane_box(y, pose_b, x, pose_a, margin, parts, out),
        _ => return false,
    }
    // The forms above take the flatter shape for A.
    let turned = matches!((a, b), (Shape::Sphere(_), Shape::Cuboid(_)) | (_, Shape::HalfSpace(_)));
    if turned && out.len() > before {
        out[before].swap();
    }
    true
}

/// Adds the one contact point of a ball (B) with another shape.
fn round(closest: &Closest, feature_a: Feature, margin: f64, parts: [u32; 2], out: &mut Vec<Manifold>) {
    let &Closest { normal, gap, point_a, point_b } = closest;
    if gap <= margin {
        let feature_b = Feature::face(0);
        Manifold::open(out, normal, parts).add(ManifoldPoint {
            point_a,
            point_b,
            depth: -gap,
            feature_a,
            feature_b,
        });
    }
}

fn box_ball(
    a: &Cuboid,
    pose_a: &Pose,
    b: &Sphere,
    pose_b: &Pose,
    margin: f64,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) {
    let closest = distance::cuboid_sphere(a, pose_a, b, pose_b);
    if closest.gap <= margin {
        let feature = feature_at(a, pose_a.point_to_body(closest.point_a));
        round(&closest, feature, margin, parts, out);
    }
}

/// Returns the face, edge or vertex of a box on which a point of its surface lies.
fn feature_at(a: &Cuboid, point: Vec3) -> Feature {
    let half = a.half_extents();
    let (mut across, mut vertex, mut along) = (0, 0u32, 0);
    for k in 0..3 {
        // To rounding: the point has been to the world and back.
        if point[k].abs() >= half[k] * (1.0 - 1e-9) {
            across += 1;
            vertex |= u32::from(point[k] > 0.0) << k;
        } else {
            along = k;
        }
    }
    match across {
        3 => Feature::vertex(vertex),
        2 => Feature::edge(vertex, vertex | 1 << along),
        _ => {
            let k = largest((point / half).to_array());
            Feature::face(2 * k as u32 + u32::from(point[k] > 0.0))
        }
    }
}

fn plane_ball(
    a: &HalfSpace,
    pose_a: &Pose,
    b: &Sphere,
    pose_b: &Pose,
    margin: f64,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) {
    let normal = pose_a.vector_to_world(a.normal());
    let gap = normal.dot(pose_b.translation - pose_a.translation) - a.offset() - b.radius();
    let point_b = pose_b.translation - normal * b.radius();
    let closest = Closest { normal, gap, point_a: point_b - normal * gap, point_b };
    round(&closest, Feature::face(0), margin, parts, out);
}

/// Adds the corners of the lowest face, as far as they are below the margin.
fn plane_box(
    a: &HalfSpace,
    pose_a: &Pose,
    b: &Cuboid,
    pose_b: &Pose,
    margin: f64,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) {
    let normal = pose_a.vector_to_world(a.normal());
    let turn = RotationAxes::of(pose_b.rotation);
    let n = turn.undo(normal.to_array());
    let half = b.half_extents().to_array();
    let level = normal.dot(pose_b.translation - pose_a.translation) - a.offset();
    let lowest = level - (n[0].abs() * half[0] + n[1].abs() * half[1] + n[2].abs() * half[2]);
    if lowest > margin {
        return;
    }
    let k = largest(n);
    let (u, v) = (NEXT_AXES[k], NEXT_AXES[k + 1]);
    let down = n[k] <= 0.0;
    let side = |axis: usize, on: bool| if on { half[axis] } else { -half[axis] };
    let manifold = Manifold::open(out, normal, parts);
    for (on_u, on_v) in [(true, true), (false, true), (false, false), (true, false)] {
        let mut x = [0.0; 3];
        (x[k], x[u], x[v]) = (side(k, down), side(u, on_u), side(v, on_v));
        let gap = level + (n[0] * x[0] + n[1] * x[1] + n[2] * x[2]);
        // The lowest corner stays even if its sums round the other way.
        if gap > margin && gap > lowest + 1e-12 * (level.abs() + half[k]) {
            continue;
        }
        let point_b = pose_b.translation + Vec3::from_array(turn.apply(x));
        manifold.add(ManifoldPoint {
            point_a: point_b - normal * gap,
            point_b,
            depth: (-gap).max(-margin),
            feature_a: Feature::face(0),
            feature_b: Feature::vertex(u32::from(down) << k | u32::from(on_u) << u | u32::from(on_v) << v),
        });
    }
    manifold.deepest_first();
}
