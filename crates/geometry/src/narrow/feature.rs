//! Features: the vertex, edge or face with which a body meets another along a direction, as corners in order.
//!
//! A body rests on its face if the face is normal to the direction to within [`FACING_SINE`], on an edge if
//! the edge lies across it to within the same, on a point otherwise. Caps of cylinders and bases of cones are
//! the regular polygon of [`RIM_CORNERS`] corners inscribed in the circle, turned so that a corner lies at
//! the deepest point of the rim; a mantle is met along a generator.

use super::triangle::Triangle;
use crate::shape::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Shape};
use gedanken_math::{Pose, Vec3};
use std::fmt;

/// The sine of the largest angle at which a face or an edge still counts as facing the other body.
pub(super) const FACING_SINE: f64 = 0.1;
/// Number of corners of a round cap.
const RIM_CORNERS: u32 = 16;

/// A vertex, edge or face of a shape; the numbers stay the same as long as the shape does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// A vertex, by its number.
    Vertex(u32),
    /// An edge, by the numbers of its ends, the smaller one first.
    Edge(u32, u32),
    /// A face, by its number; 0 for a shape with a single round surface.
    Face(u32),
}

/// A [`FeatureKind`] in one word, for it is copied and compared a lot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u64);

/// Tags in the place of an edge's smaller end. No shape has so many vertices that they could be one.
const VERTEX_TAG: u32 = u32::MAX;
const FACE_TAG: u32 = u32::MAX - 1;

impl Feature {
    const fn new(high: u32, low: u32) -> Self {
        Self((high as u64) << 32 | low as u64)
    }

    /// A vertex, by its number.
    #[must_use]
    pub const fn vertex(number: u32) -> Self {
        Self::new(VERTEX_TAG, number)
    }

    /// An edge, by the numbers of its ends, in any order.
    #[must_use]
    pub const fn edge(from: u32, to: u32) -> Self {
        if from < to { Self::new(from, to) } else { Self::new(to, from) }
    }

    /// A face, by its number.
    #[must_use]
    pub const fn face(number: u32) -> Self {
        Self::new(FACE_TAG, number)
    }

    /// Returns the kind.
    #[must_use]
    pub const fn kind(self) -> FeatureKind {
        let (high, low) = ((self.0 >> 32) as u32, self.0 as u32);
        match high {
            VERTEX_TAG => FeatureKind::Vertex(low),
            FACE_TAG => FeatureKind::Face(low),
            _ => FeatureKind::Edge(high, low),
        }
    }
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

/// A corner of a feature, in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) point: Vec3,
    pub(super) vertex: u32,
}

/// Gathers the corners of the feature of `shape` that faces along the unit `direction` (world): one, two or a
/// loop. Returns the feature.
pub(super) fn facing(shape: &Shape, pose: &Pose, direction: Vec3, corners: &mut Vec<Corner>) -> Feature {
    let n = pose.vector_to_body(direction);
    corners.clear();
    let face = match shape {
        Shape::Cuboid(cuboid) => of_cuboid(cuboid, n, corners),
        Shape::Hull(hull) => of_hull(hull, n, corners),
        Shape::Capsule(capsule) => of_capsule(capsule, n, corners),
        Shape::Cylinder(cylinder) => of_cylinder(cylinder, n, corners),
        Shape::Cone(cone) => of_cone(cone, n, corners),
        Shape::Sphere(_) | Shape::HalfSpace(_) | Shape::Compound(_) | Shape::Mesh(_) => 0,
    };
    for corner in corners.iter_mut() {
        corner.point = pose.point_to_world(corner.point);
    }
    narrowed(face, direction, corners)
}

/// Gathers the same for a triangle of a mesh.
pub(super) fn facing_triangle(
    triangle: &Triangle,
    pose: &Pose,
    direction: Vec3,
    corners: &mut Vec<Corner>,
) -> Feature {
    corners.clear();
    for (vertex, &point) in (0..).zip(&triangle.0) {
        corners.push(Corner { point: pose.point_to_world(point), vertex });
    }
    narrowed(0, direction, corners)
}

/// Reduces a face to the edge or the vertex that faces along the direction.
fn narrowed(face: u32, n: Vec3, corners: &mut Vec<Corner>) -> Feature {
    let count = corners.len();
    if count >= 3 {
        let normal = loop_normal(corners);
        if normal.cross(n).length() <= FACING_SINE {
            return Feature::face(face);
        }
        // The highest edge across the direction.
        let mut best: Option<(f64, usize)> = None;
        for k in 0..count {
            let (p, q) = (corners[k].point, corners[(k + 1) % count].point);
            let height = n.dot(p + q);
            if n.dot(q - p).abs() <= FACING_SINE * (q - p).length()
                && best.is_none_or(|(old, _)| height > old)
            {
                best = Some((height, k));
            }
        }
        let top = corners.iter().map(|corner| n.dot(corner.point)).fold(f64::NEG_INFINITY, f64::max);
        if let Some((height, k)) = best {
            let (p, q) = (corners[k], corners[(k + 1) % count]);
            if 2.0 * top - height <= FACING_SINE * (q.point - p.point).length() {
                corners.clear();
                corners.extend([p, q]);
                return Feature::edge(p.vertex, q.vertex);
            }
        }
        let highest = corners.iter().position(|corner| n.dot(corner.point) == top).unwrap_or(0);
        let corner = corners[highest];
        corners.clear();
        corners.push(corner);
        return Feature::vertex(corner.vertex);
    }
    match corners.as_slice() {
        [p, q] => Feature::edge(p.vertex, q.vertex),
        [p] => Feature::vertex(p.vertex),
        _ => Feature::face(face),
    }
}

/// Returns the unit normal about which a loop runs counter-clockwise.
pub(super) fn loop_normal(corners: &[Corner]) -> Vec3 {
    let start = corners[0].point;
    let spokes = corners
        .windows(2)
        .fold(Vec3::ZERO, |sum, pair| sum + (pair[0].point - start).cross(pair[1].point - start));
    spokes.normalize_or_zero()
}

fn of_cuboid(cuboid: &Cuboid, n: Vec3, corners: &mut Vec<Corner>) -> u32 {
    let half = cuboid.half_extents();
    let [x, y, z] = n.abs().to_array();
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let positive = n[axis] >= 0.0;
    // Counter-clockwise seen from outside; the number of a corner has a bit for each positive coordinate.
    let around = [(true, true), (false, true), (false, false), (true, false)];
    for k in 0..4 {
        let (on_u, on_v) = around[if positive { k } else { 3 - k }];
        let mut vertex = 0;
        let mut point = Vec3::ZERO;
        for (coordinate, on) in [(axis, positive), (u, on_u), (v, on_v)] {
            point[coordinate] = if on { half[coordinate] } else { -half[coordinate] };
            vertex |= u32::from(on) << coordinate;
        }
        corners.push(Corner { point, vertex });
    }
    2 * axis as u32 + u32::from(positive)
}

fn of_hull(hull: &ConvexHull, n: Vec3, corners: &mut Vec<Corner>) -> u32 {
    let number = hull.face_along(n);
    let face = hull.face(number);
    corners.extend(
        face.vertices.iter().map(|&vertex| Corner { point: hull.vertices()[vertex as usize], vertex }),
    );
    number as u32
}

fn of_capsule(capsule: &Capsule, n: Vec3, corners: &mut Vec<Corner>) -> u32 {
    if n.z.abs() <= FACING_SINE {
        for (vertex, z) in [(0, -capsule.half_length()), (1, capsule.half_length())] {
            corners.push(Corner { point: Vec3::Z * z + n * capsule.radius(), vertex });
        }
    }
    0
}

/// Adds the corners of a circle across z at height z, counter-clockwise about +z, or about -z if it faces
/// down.
fn rim(radius: f64, z: f64, n: Vec3, first: u32, corners: &mut Vec<Corner>) {
    let start = libm::atan2(n.y, n.x);
    for k in 0..RIM_CORNERS {
        let turn = f64::from(k) * (2.0 * std::f64::consts::PI / f64::from(RIM_CORNERS));
        let (sin, cos) = libm::sincos(if n.z < 0.0 { start - turn } else { start + turn });
        corners.push(Corner { point: Vec3::new(radius * cos, radius * sin, z), vertex: first + k });
    }
}

fn of_cylinder(cylinder: &Cylinder, n: Vec3, corners: &mut Vec<Corner>) -> u32 {
    let (radius, half) = (cylinder.radius(), cylinder.half_height());
    let across = Vec3::new(n.x, n.y, 0.0);
    if across.length() <= FACING_SINE {
        let up = n.z >= 0.0;
        rim(radius, if up { half } else { -half }, n, if up { RIM_CORNERS } else { 0 }, corners);
        return if up { 2 } else { 1 };
    }
    if n.z.abs() <= FACING_SINE {
        let side = across.normalize_or_zero() * radius;
        corners.push(Corner { point: side - Vec3::Z * half, vertex: 0 });
        corners.push(Corner { point: side + Vec3::Z * half, vertex: RIM_CORNERS });
    }
    0
}

fn of_cone(cone: &Cone, n: Vec3, corners: &mut Vec<Corner>) -> u32 {
    let across = Vec3::new(n.x, n.y, 0.0);
    if n.z < 0.0 && across.length() <= FACING_SINE {
        rim(cone.radius(), cone.base_z(), n, 0, corners);
        return 1;
    }
    let side = across.normalize_or_zero();
    let (low, high) = (side * cone.radius() + Vec3::Z * cone.base_z(), Vec3::Z * cone.apex_z());
    if side != Vec3::ZERO && n.dot(high - low).abs() <= FACING_SINE * (high - low).length() {
        corners.push(Corner { point: low, vertex: 0 });
        corners.push(Corner { point: high, vertex: RIM_CORNERS });
    }
    0
}

#[cfg(test)]
mod tests {
    use super::{Feature, FeatureKind};

    #[test]
    fn a_word_keeps_what_a_feature_is() {
        for number in [0, 1, 77, u32::MAX - 2, u32::MAX - 1, u32::MAX] {
            assert_eq!(Feature::vertex(number).kind(), FeatureKind::Vertex(number));
            assert_eq!(Feature::face(number).kind(), FeatureKind::Face(number));
            assert_ne!(Feature::vertex(number), Feature::face(number));
        }
        for (from, to) in [(0, 1), (5, 3), (7, 1 << 31)] {
            assert_eq!(Feature::edge(from, to).kind(), FeatureKind::Edge(from.min(to), from.max(to)));
            assert_eq!(Feature::edge(from, to), Feature::edge(to, from));
        }
    }
}
