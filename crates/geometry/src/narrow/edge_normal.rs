//! Normals of contacts between parallel edges.
//!
//! A normal n at a point where both bodies end in edges has to lie in the normal cone of A and in the opposite of
//! that of B. Edges that cross leave one such direction, the product of both. Parallel edges leave an arc. Which
//! direction of it the nearest points have is a matter of rounding where bodies touch, and the axis of the least
//! overlap is always one of its ends: the normal of a face. Here n is the middle of the arc, the same for an
//! arrangement and its mirror image.
//!
//! As an edge moves from the other edge onto the face beside it, n has to turn from the middle to the end. With d
//! the way from A's edge to B's, across both, c its part along the middle m of the arc and s the part across,
//!
//!   n ∥ s t + (ρ + |c|) m,   but not beyond the ends of the arc.
//!
//! ρ is a thousandth of the length of the smaller body ([`ROUNDING`]): edges that are rounded by about so much have
//! this normal. Along n both edges are still the farthest that bodies reach, so the depth is that along n.

use super::manifold::{Manifold, ManifoldPoint};
use crate::shape::{ConvexHull, Cuboid, Shape};
use gedanken_math::{Pose, Vec3};

/// ρ in units of the largest extent of the smaller body.
const ROUNDING: f64 = 1e-3;
/// Largest ρ in units of its smallest extent.
const MAX_ROUNDING: f64 = 0.02;
/// Largest gap, in units of ρ, at which the normal is that of touching edges and not of the closest points.
const MAX_GAP: f64 = 10.0;
/// Largest overlap in units of ρ.
const MAX_OVERLAP: f64 = 2.0;
/// Distance from a face, in units of ρ + |depth|, at which a point still counts as one of its edge. Arcs of up to
/// 127° have come to an end there.
const REACH: f64 = 2.0;
/// Sine between edges up to which they are parallel: over the length of a body they part by ρ.
const PARALLEL_SINE: f64 = 1e-3;
/// Sine between two faces below which they are nearly one.
const MIN_EDGE_SINE: f64 = 0.1;

/// An edge of a body in the world: the outward normals of its faces, and a point on it.
#[derive(Debug, Clone, Copy)]
struct Edge {
    normals: [Vec3; 2],
    place: Vec3,
}

impl Edge {
    /// The edge of a shape at a point of the world; `None` if there is none, or more than one.
    fn at(shape: &Shape, pose: &Pose, point: Vec3, reach: f64) -> Option<Self> {
        let point = pose.point_to_body(point);
        let found = match shape {
            Shape::Cuboid(cuboid) => Self::of_cuboid(cuboid, point, reach),
            Shape::Hull(hull) => Self::of_hull(hull, point, reach),
            _ => None,
        }?;
        Some(Self {
            normals: found.normals.map(|n| pose.vector_to_world(n)),
            place: pose.point_to_world(found.place),
        })
    }

    fn of_cuboid(cuboid: &Cuboid, point: Vec3, reach: f64) -> Option<Self> {
        let half = cuboid.half_extents();
        let mut found = Self { normals: [Vec3::ZERO; 2], place: point };
        let mut faces = 0;
        for k in 0..3 {
            if point[k].abs() >= half[k] - reach {
                let sign = if point[k] < 0.0 { -1.0 } else { 1.0 };
                *found.normals.get_mut(faces)? = Vec3::AXES[k] * sign;
                faces += 1;
                found.place[k] = half[k] * sign;
            }
        }
        (faces == 2).then_some(found)
    }

    fn of_hull(hull: &ConvexHull, point: Vec3, reach: f64) -> Option<Self> {
        let (mut normals, mut heights, mut faces) = ([Vec3::ZERO; 2], [0.0; 2], 0);
        for face in hull.faces() {
            let height = face.normal.dot(point - hull.vertices()[face.vertices[0] as usize]);
            if height >= -reach {
                *normals.get_mut(faces)? = face.normal;
                heights[faces] = height;
                faces += 1;
            }
        }
        let [m, n] = normals;
        let cosine = m.dot(n);
        let squared = 1.0 - cosine * cosine;
        if faces < 2 || squared <= MIN_EDGE_SINE * MIN_EDGE_SINE {
            return None;
        }
        // Down to both planes.
        let x = (heights[0] - cosine * heights[1]) / squared;
        let y = (heights[1] - cosine * heights[0]) / squared;
        Some(Self { normals, place: point - m * x - n * y })
    }

    /// Direction of the edge.
    fn along(&self) -> Vec3 {
        self.normals[0].cross(self.normals[1]).normalize_or_zero()
    }

    /// Directions along either face, away from the other one.
    fn inwards(&self) -> [Vec3; 2] {
        let [m, n] = self.normals;
        let cosine = m.dot(n);
        [m * cosine - n, n * cosine - m]
    }
}

/// A cone of directions in the plane across an edge, counter-clockwise from `low` to `high`, less than half a turn.
#[derive(Debug, Clone, Copy)]
struct Arc {
    axis: Vec3,
    low: Vec3,
    high: Vec3,
}

impl Arc {
    fn new(axis: Vec3, one: Vec3, two: Vec3) -> Self {
        if one.cross(two).dot(axis) >= 0.0 {
            Self { axis, low: one, high: two }
        } else {
            Self { axis, low: two, high: one }
        }
    }

    /// The part with x·d ≥ 0; `None` if nothing is left.
    fn clipped(self, d: Vec3) -> Option<Self> {
        let d = d - self.axis * d.dot(self.axis);
        let (low, high) = (self.low.dot(d) >= 0.0, self.high.dot(d) >= 0.0);
        let side = self.axis.cross(d);
        let edge = if side.dot(self.low + self.high) < 0.0 { -side } else { side };
        match (low, high) {
            (true, true) => Some(self),
            (false, false) => None,
            (true, false) => Some(Self { high: edge.normalize_or_zero(), ..self }),
            (false, true) => Some(Self { low: edge.normalize_or_zero(), ..self }),
        }
    }

    /// The normal for the way `d` from A's edge to B's.
    fn normal(self, d: Vec3, rounding: f64) -> Option<Vec3> {
        let middle = (self.low + self.high).normalize_or_zero();
        if middle == Vec3::ZERO {
            return None;
        }
        let across = self.axis.cross(middle);
        let q = across * d.dot(across) + middle * (rounding + d.dot(middle).abs());
        let beyond =
            |end: Vec3, other: Vec3| end.cross(q).dot(self.axis) * end.cross(other).dot(self.axis) < 0.0;
        Some(if beyond(self.low, self.high) {
            self.low
        } else if beyond(self.high, self.low) {
            self.high
        } else {
            q.normalize_or_zero()
        })
    }
}

/// ρ of a body; `None` for one without edges.
fn rounding(shape: &Shape) -> Option<f64> {
    let extents = match shape {
        Shape::Cuboid(cuboid) => cuboid.half_extents() * 2.0,
        Shape::Hull(hull) => hull.aabb().max - hull.aabb().min,
        _ => return None,
    };
    Some((ROUNDING * extents.max_element()).min(MAX_ROUNDING * extents.min_element()))
}

/// Gives a manifold of edges that are parallel the normal of its configuration. Leaves all others as they are.
pub(super) fn straighten(manifold: &mut Manifold, [a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2]) {
    let Some(first) = manifold.points().first() else { return };
    let (Some(of_a), Some(of_b)) = (rounding(a), rounding(b)) else { return };
    let rounding = of_a.min(of_b);
    if first.depth < -MAX_GAP * rounding || first.depth > MAX_OVERLAP * rounding {
        return;
    }
    let count = manifold.points().len() as f64;
    let middle = |point: &ManifoldPoint| (point.point_a + point.point_b) * 0.5;
    let mean = manifold.points().iter().fold(Vec3::ZERO, |sum, point| sum + middle(point)) / count;
    let reach = |depth: f64| REACH * (rounding + depth.abs());
    let deepest = manifold.points().iter().map(|point| point.depth.abs()).fold(0.0, f64::max);
    let Some(one) = Edge::at(a, pose_a, mean, reach(deepest)) else { return };
    let Some(two) = Edge::at(b, pose_b, mean, reach(deepest)) else { return };
    let axis = one.along();
    if axis.cross(two.along()).length() > PARALLEL_SINE {
        return;
    }
    let away = |point: &ManifoldPoint| axis.cross(middle(point) - one.place).length();
    // A face that is nearly beside another has points along it, not at its edge alone.
    if manifold.points().iter().any(|point| away(point) > reach(point.depth)) {
        return;
    }
    let arc = Arc::new(axis, one.normals[0], one.normals[1]);
    let [first, second] = two.inwards();
    let Some(arc) = arc.clipped(first).and_then(|arc| arc.clipped(second)) else { return };
    let d = two.place - one.place;
    let normal = arc.normal(d - axis * d.dot(axis), rounding);
    let Some(normal) = normal.filter(|normal| normal.dot(manifold.normal) > 0.0) else { return };
    manifold.straighten(normal, axis, |middle| {
        [&one, &two].map(|edge| edge.place + axis * axis.dot(middle - edge.place))
    });
}
