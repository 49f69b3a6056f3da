//! Normals of contacts between edges, and between an edge and a vertex.
//!
//! A normal n at a point where both bodies end in edges or vertices has to lie in the normal cone of A and in the
//! opposite of that of B. Edges that cross leave one such direction, the product of both. Edges that are parallel,
//! or an edge and a vertex, leave an arc. Which direction of it the nearest points have is a matter of rounding
//! where bodies touch, and the axis of the least overlap is always one of its ends: the normal of a face. Here n is
//! the middle of the arc, the same for an arrangement and its mirror image.
//!
//! As an edge moves from the other edge onto the face beside it, n has to turn from the middle to the end. With d
//! the way from A's edge to B's, across both, c its part along the middle m of the arc and s the part across,
//!
//!   n ∥ s t + (ρ + |c|) m,   but not beyond the ends of the arc.
//!
//! ρ is a thousandth of the smaller body, [`ROUNDING`]: edges of bodies that are rounded by about so much would have
//! this normal. Far apart it is that of the closest points.

use super::feature::FACING_SINE;
use super::manifold::{Manifold, ManifoldPoint};
use crate::shape::{ConvexHull, Cuboid, Shape};
use gedanken_math::{Pose, Vec3};

/// ρ in units of the smaller width of both bodies.
const ROUNDING: f64 = 1e-3;
/// Largest gap, in units of ρ, at which the normal is that of touching edges and not of the closest points.
const MAX_GAP: f64 = 10.0;
/// Largest overlap in units of ρ.
const MAX_OVERLAP: f64 = 50.0;
/// Distance from a face, in units of ρ + |depth|, at which a point still counts as one of its edge. Arcs of up to
/// 150° have come to an end there.
const REACH: f64 = 4.0;
/// Most directions of a vertex.
const MAX_DIRECTIONS: usize = 8;

/// A body near one point: the faces that meet there, and the directions that lead from there along the body.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// Number of faces; 2 is an edge.
    faces: usize,
    /// Outward normals of the first faces.
    normals: [Vec3; 2],
    directions: [Vec3; MAX_DIRECTIONS],
    count: usize,
    /// The point of the edge, or the vertex, near the contact.
    place: Vec3,
}

impl Corner {
    const NONE: Self = Self {
        faces: 0,
        normals: [Vec3::ZERO; 2],
        directions: [Vec3::ZERO; MAX_DIRECTIONS],
        count: 0,
        place: Vec3::ZERO,
    };

    fn is_edge(&self) -> bool {
        self.faces == 2
    }

    /// Direction of the edge; not of unit length.
    fn along(&self) -> Vec3 {
        self.normals[0].cross(self.normals[1])
    }

    fn to_world(mut self, pose: &Pose) -> Self {
        self.normals = self.normals.map(|n| pose.vector_to_world(n));
        self.directions = self.directions.map(|d| pose.vector_to_world(d));
        self.place = pose.point_to_world(self.place);
        self
    }
}

/// The corner of a shape at a point (world); `None` for shapes without edges.
fn corner(shape: &Shape, pose: &Pose, point: Vec3, reach: f64) -> Option<Corner> {
    let point = pose.point_to_body(point);
    let found = match shape {
        Shape::Cuboid(cuboid) => of_cuboid(cuboid, point, reach),
        Shape::Hull(hull) => of_hull(hull, point, reach)?,
        _ => return None,
    };
    Some(found.to_world(pose))
}

fn of_cuboid(cuboid: &Cuboid, point: Vec3, reach: f64) -> Corner {
    let half = cuboid.half_extents();
    let mut found = Corner { place: point, ..Corner::NONE };
    for k in 0..3 {
        if point[k].abs() >= half[k] - reach {
            let sign = if point[k] < 0.0 { -1.0 } else { 1.0 };
            let outward = Vec3::AXES[k] * sign;
            if let Some(normal) = found.normals.get_mut(found.faces) {
                *normal = outward;
            }
            found.faces += 1;
            found.directions[found.count] = -outward;
            found.count += 1;
            found.place[k] = half[k] * sign;
        }
    }
    found
}

fn of_hull(hull: &ConvexHull, point: Vec3, reach: f64) -> Option<Corner> {
    let mut found = Corner { place: point, ..Corner::NONE };
    let mut heights = [0.0; 2];
    for face in hull.faces() {
        let height = face.normal.dot(point - hull.vertices()[face.vertices[0] as usize]);
        if height >= -reach {
            if found.faces < 2 {
                (found.normals[found.faces], heights[found.faces]) = (face.normal, height);
            }
            found.faces += 1;
        }
    }
    if found.faces == 2 {
        let [m, n] = found.normals;
        let cosine = m.dot(n);
        let squared = 1.0 - cosine * cosine;
        if squared <= FACING_SINE * FACING_SINE {
            // Nearly one face.
            return None;
        }
        // Down to both planes.
        let (x, y) = ((heights[0] - cosine * heights[1]) / squared, (heights[1] - cosine * heights[0]) / squared);
        found.place = point - m * x - n * y;
        // Along either face, away from the other one.
        (found.directions[0], found.directions[1], found.count) = (m * cosine - n, n * cosine - m, 2);
    } else if found.faces > 2 {
        let away = |vertex: &u32| (hull.vertices()[*vertex as usize] - point).length_squared();
        let vertex = (0..hull.vertices().len() as u32).min_by(|a, b| away(a).total_cmp(&away(b)))?;
        found.place = hull.vertices()[vertex as usize];
        for &other in hull.neighbours(vertex as usize) {
            *found.directions.get_mut(found.count)? = hull.vertices()[other as usize] - found.place;
            found.count += 1;
        }
    }
    Some(found)
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
        let beyond = |end: Vec3, other: Vec3| end.cross(q).dot(self.axis) * end.cross(other).dot(self.axis) < 0.0;
        Some(if beyond(self.low, self.high) {
            self.low
        } else if beyond(self.high, self.low) {
            self.high
        } else {
            q.normalize_or_zero()
        })
    }
}

/// Smaller width of a body that has edges; `None` for one that has none.
fn width(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Cuboid(cuboid) => Some(2.0 * cuboid.half_extents().min_element()),
        Shape::Hull(hull) => {
            let bounds = hull.aabb();
            Some((bounds.max - bounds.min).min_element())
        }
        _ => None,
    }
}

/// Gives a manifold of edges that are nearly parallel, or of an edge and a vertex, the normal of its configuration.
/// Leaves all others as they are.
pub(super) fn straighten(manifold: &mut Manifold, [a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2]) {
    let Some(first) = manifold.points().first() else { return };
    let (Some(width_a), Some(width_b)) = (width(a), width(b)) else { return };
    let rounding = ROUNDING * width_a.min(width_b);
    if first.depth < -MAX_GAP * rounding || first.depth > MAX_OVERLAP * rounding {
        return;
    }
    let count = manifold.points().len() as f64;
    let middle = |point: &ManifoldPoint| (point.point_a + point.point_b) * 0.5;
    let mean = manifold.points().iter().fold(Vec3::ZERO, |sum, point| sum + middle(point)) / count;
    let reach = |depth: f64| REACH * (rounding + depth.abs());
    let deepest = manifold.points().iter().map(|point| point.depth.abs()).fold(0.0, f64::max);
    let Some(one) = corner(a, pose_a, mean, reach(deepest)).filter(|one| one.faces >= 2) else { return };
    let Some(two) = corner(b, pose_b, mean, reach(deepest)).filter(|two| two.faces >= 2) else { return };
    let Some((arc, d)) = common_arc(&one, &two) else { return };
    let edge = if one.is_edge() { one.place } else { two.place };
    let away = |point: &ManifoldPoint| arc.axis.cross(middle(point) - edge).length();
    // A face that is nearly beside another has points along it, not at its edge alone.
    if manifold.points().iter().any(|point| away(point) > reach(point.depth)) {
        return;
    }
    let Some(normal) = arc.normal(d, rounding).filter(|normal| normal.dot(manifold.normal) > 0.0) else { return };
    let on = |corner: &Corner, middle: Vec3| {
        if corner.is_edge() { corner.place + arc.axis * arc.axis.dot(middle - corner.place) } else { corner.place }
    };
    manifold.straighten(normal, arc.axis, |middle| [on(&one, middle), on(&two, middle)]);
}

/// Directions that are normals of both, and the way from A's edge to B's across them; `None` if edges cross, or
/// there are none.
fn common_arc(one: &Corner, two: &Corner) -> Option<(Arc, Vec3)> {
    let d = two.place - one.place;
    let (edge, other, sign) = if one.is_edge() { (one, two, 1.0) } else { (two, one, -1.0) };
    if !edge.is_edge() {
        return None;
    }
    let axis = edge.along().normalize_or_zero();
    if other.is_edge() {
        let along = other.along();
        if axis.cross(along).length() > FACING_SINE * along.length() {
            return None;
        }
    }
    let mut arc = Arc::new(axis, edge.normals[0] * sign, edge.normals[1] * sign);
    for direction in &other.directions[..other.count] {
        arc = arc.clipped(*direction * sign)?;
    }
    Some((arc, d - axis * d.dot(axis)))
}
