//! Features of convex parts along a direction (reach, face, edge, vertex), and the planar regions in which
//! two features meet.
//!
//! A region is a point, a segment or a convex polygon in the plane across the normal, given by its corners
//! counter-clockwise. Every result is in that form: no corner twice, none on a line between its neighbours,
//! both up to a tolerance. So corners that rounding adds to a clipped polygon (a corner cut in two, a
//! crossing of two edges that lie on each other) never move the mean of its corners.

use crate::contexts::trajectory::bounds::Placed;
use gedanken_geometry::{Shape, Solid};
use gedanken_math::{Pose, Vec3};

/// Sine of the largest angle between a face or an edge and the plane of contact at which it counts as lying
/// in it.
///
/// Faces that a law keeps parallel are parallel to some 1e-16, those that an integrator turns to its
/// tolerance of 1e-10; and an intended tilt, be it of a millionth, must not pass for flat. The position of
/// the objects does not matter: rotation and normal alone decide at any gap if a cube stands on its face or
/// its edge.
pub(crate) const FLAT_SINE: f64 = 1e-8;
/// Corners of the regular polygon that stands for a disc, the first of them on the body's x axis.
const DISC_CORNERS: u32 = 32;

/// A convex part of an object, in the world.
#[derive(Clone, Debug)]
pub(crate) struct Part<'s> {
    form: Form<'s>,
    pose: Pose,
}

#[derive(Clone, Debug)]
enum Form<'s> {
    /// A whole shape, or a part of a compound.
    Shape(&'s Shape),
    /// A triangle of a mesh.
    Triangle([Vec3; 3]),
}

impl<'s> Part<'s> {
    /// Returns a part by the number that manifolds give it.
    pub(crate) fn of(placed: &'s Placed, number: u32) -> Self {
        match &placed.shape {
            Shape::Compound(compound) => {
                let part = &compound.parts()[number as usize];
                Self { form: Form::Shape(&part.shape), pose: placed.pose * part.pose }
            }
            Shape::Mesh(mesh) => Self { form: Form::Triangle(mesh.corners(number)), pose: placed.pose },
            shape => Self { form: Form::Shape(shape), pose: placed.pose },
        }
    }

    /// Returns `true` if it is a half-space.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(self.form, Form::Shape(Shape::HalfSpace(_)))
    }

    /// Returns `true` if it is a ball.
    pub(crate) fn is_ball(&self) -> bool {
        matches!(self.form, Form::Shape(Shape::Sphere(_)))
    }

    /// Returns `true` if it has flat faces only, so that a wrong normal costs a distance in proportion to the
    /// angle.
    pub(crate) fn is_polyhedron(&self) -> bool {
        matches!(self.form, Form::Shape(Shape::Cuboid(_) | Shape::Hull(_)) | Form::Triangle(_))
    }

    /// Size of the part; infinite for a half-space.
    pub(crate) fn extent(&self) -> f64 {
        match self.form {
            Form::Shape(shape) => shape.bounds(&self.pose).size().length(),
            Form::Triangle([p, q, r]) => (q - p).length().max((r - q).length()).max((p - r).length()),
        }
    }

    /// Returns its reach along the unit `n`, measured from `origin`. Of a half-space only its own normal is
    /// asked.
    pub(crate) fn reach(&self, n: Vec3, origin: Vec3) -> f64 {
        let along = self.pose.vector_to_body(n);
        let farthest = match &self.form {
            Form::Triangle(corners) => top(corners.iter().copied(), along),
            Form::Shape(Shape::HalfSpace(half)) => Some(half.normal() * half.offset()),
            Form::Shape(shape) => shape.convex().map(|it| it.support(along)),
        };
        n.dot(self.pose.point_to_world(farthest.unwrap_or_default()) - origin)
    }

    /// Returns the outward normal of the flat face that looks most along `n`; `None` without flat faces.
    pub(crate) fn face(&self, n: Vec3) -> Option<Vec3> {
        let along = self.pose.vector_to_body(n);
        let normal = match &self.form {
            Form::Triangle([p, q, r]) => {
                let normal = (*q - *p).cross(*r - *p).try_normalize()?;
                if normal.dot(along) < 0.0 { -normal } else { normal }
            }
            Form::Shape(Shape::Cuboid(_)) => {
                let axis = along.abs().max_position();
                let mut normal = Vec3::ZERO;
                normal[axis] = if along[axis] < 0.0 { -1.0 } else { 1.0 };
                normal
            }
            Form::Shape(Shape::Hull(hull)) => hull.face(hull.face_along(along)).normal,
            Form::Shape(Shape::Cylinder(_)) => Vec3::Z * if along.z < 0.0 { -1.0 } else { 1.0 },
            Form::Shape(Shape::Cone(_)) => -Vec3::Z,
            Form::Shape(Shape::HalfSpace(half)) => half.normal(),
            Form::Shape(Shape::Sphere(_) | Shape::Capsule(_) | Shape::Compound(_) | Shape::Mesh(_)) => {
                return None;
            }
        };
        Some(self.pose.vector_to_world(normal))
    }

    /// Returns the corners of its feature along the unit `n`, measured from `origin`: one of a vertex or a
    /// curved surface, two of an edge or a line of a mantle, more of a face, in no order; `None` of a
    /// half-space, whose face is unbounded.
    pub(crate) fn corners(&self, n: Vec3, origin: Vec3) -> Option<Vec<Vec3>> {
        let along = self.pose.vector_to_body(n);
        let body = match &self.form {
            Form::Triangle(corners) => highest(corners.iter().copied(), along),
            Form::Shape(shape) => shown(shape, along)?,
        };
        Some(body.into_iter().map(|corner| self.pose.point_to_world(corner) - origin).collect())
    }
}

/// Returns the corners of a shape's feature along a unit direction, both in the body frame; `None` of a
/// half-space.
fn shown(shape: &Shape, along: Vec3) -> Option<Vec<Vec3>> {
    Some(match shape {
        Shape::HalfSpace(_) => return None,
        Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            let sign = |corner: u32, axis: u32| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
            let corner = |k| half * Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2));
            highest((0..8).map(corner), along)
        }
        Shape::Hull(hull) => highest(hull.vertices().iter().copied(), along),
        Shape::Capsule(capsule) => {
            let side = along * capsule.radius();
            stretch(side - Vec3::Z * capsule.half_length(), side + Vec3::Z * capsule.half_length(), along)
        }
        Shape::Cylinder(cylinder) => {
            let (radius, half) = (cylinder.radius(), cylinder.half_height());
            let across = Vec3::new(along.x, along.y, 0.0);
            if across.length() <= FLAT_SINE {
                disc(radius, if along.z < 0.0 { -half } else { half })
            } else {
                let side = across.normalize_or_zero() * radius;
                stretch(side - Vec3::Z * half, side + Vec3::Z * half, along)
            }
        }
        Shape::Cone(cone) => {
            let across = Vec3::new(along.x, along.y, 0.0);
            if across.length() <= FLAT_SINE && along.z < 0.0 {
                disc(cone.radius(), cone.base_z())
            } else {
                let low = across.normalize_or_zero() * cone.radius() + Vec3::Z * cone.base_z();
                stretch(low, Vec3::Z * cone.apex_z(), along)
            }
        }
        Shape::Sphere(sphere) => vec![along * sphere.radius()],
        // Parts of compounds are none of these, and meshes come by triangles.
        Shape::Compound(_) | Shape::Mesh(_) => Vec::new(),
    })
}

/// Highest corner along n; the first of equals.
fn top(corners: impl Iterator<Item = Vec3>, n: Vec3) -> Option<Vec3> {
    corners.reduce(|top, corner| if n.dot(corner - top) > 0.0 { corner } else { top })
}

/// Highest corner along n, and all that lie across n from it.
fn highest(corners: impl Iterator<Item = Vec3> + Clone, n: Vec3) -> Vec<Vec3> {
    let Some(top) = top(corners.clone(), n) else { return Vec::new() };
    corners.filter(|&corner| n.dot(top - corner) <= FLAT_SINE * (top - corner).length()).collect()
}

/// Both ends of a segment if it lies across n, else the higher one.
fn stretch(p: Vec3, q: Vec3, n: Vec3) -> Vec<Vec3> {
    highest([p, q].into_iter(), n)
}

/// Corners of a disc across z.
fn disc(radius: f64, z: f64) -> Vec<Vec3> {
    let corner = |k| {
        let (sin, cos) = libm::sincos(f64::from(k) * (2.0 * std::f64::consts::PI / f64::from(DISC_CORNERS)));
        Vec3::new(radius * cos, radius * sin, z)
    };
    (0..DISC_CORNERS).map(corner).collect()
}

/// A point of the plane.
pub(crate) type Point2 = [f64; 2];

/// Sine of the largest angle at which two segments count as parallel.
const PARALLEL_SINE: f64 = 1e-8;

fn minus(p: Point2, q: Point2) -> Point2 {
    [p[0] - q[0], p[1] - q[1]]
}

fn cross(p: Point2, q: Point2) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

fn dot(p: Point2, q: Point2) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

fn length(p: Point2) -> f64 {
    dot(p, p).sqrt()
}

/// Point at the fraction `s` of the way from p to q.
fn between(p: Point2, q: Point2, s: f64) -> Point2 {
    [p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]
}

/// Convex hull of some points (Andrew's monotone chain): its corners counter-clockwise, the leftmost first.
pub(crate) fn hull(points: &[Point2], tolerance: f64) -> Vec<Point2> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let mut apart: Vec<Point2> = Vec::with_capacity(sorted.len());
    for point in sorted {
        if apart.iter().all(|&other| length(minus(point, other)) > tolerance) {
            apart.push(point);
        }
    }
    if apart.len() < 3 {
        return apart;
    }
    let chain = |points: &mut dyn Iterator<Item = Point2>| {
        let mut chain: Vec<Point2> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && cross(minus(last, before), minus(point, before))
                    <= tolerance * length(minus(point, before))
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The last one begins the other chain.
        chain.pop();
        chain
    };
    let mut corners = chain(&mut apart.iter().copied());
    corners.extend(chain(&mut apart.iter().rev().copied()));
    corners
}

/// Part of a region inside a polygon (@sutherland1974). Corners outside by no more than the tolerance stay as
/// they are.
fn clipped(region: &[Point2], polygon: &[Point2], tolerance: f64) -> Vec<Point2> {
    let mut left = region.to_vec();
    for (k, &p) in polygon.iter().enumerate() {
        let side = minus(polygon[(k + 1) % polygon.len()], p);
        let height = |x: Point2| cross(side, minus(x, p)) / length(side);
        let before = std::mem::take(&mut left);
        for (i, &from) in before.iter().enumerate() {
            let to = before[(i + 1) % before.len()];
            let (h, g) = (height(from), height(to));
            if h >= -tolerance {
                left.push(from);
            }
            if (h >= -tolerance) != (g >= -tolerance) {
                left.push(between(from, to, (h / (h - g)).clamp(0.0, 1.0)));
            }
        }
    }
    left
}

/// Intersection of two segments: the ends of the common part if they are parallel, else the point at which
/// they cross.
fn crossed([p, q]: [Point2; 2], [r, s]: [Point2; 2]) -> Vec<Point2> {
    let (u, v) = (minus(q, p), minus(s, r));
    let turn = cross(u, v);
    if turn.abs() > PARALLEL_SINE * length(u) * length(v) {
        let along = cross(minus(r, p), v) / turn;
        return vec![between(p, q, along.clamp(0.0, 1.0))];
    }
    let squared = dot(u, u);
    let (from, to) = (dot(minus(r, p), u) / squared, dot(minus(s, p), u) / squared);
    let (least, greatest) = (from.min(to).max(0.0), from.max(to).min(1.0));
    if least > greatest {
        return Vec::new();
    }
    // Midway between both lines, which may lie beside each other by rounding.
    let beside = cross(u, minus(r, p)) / (2.0 * squared);
    [least, greatest]
        .map(|part| [p[0] + part * u[0] - beside * u[1], p[1] + part * u[1] + beside * u[0]])
        .to_vec()
}

/// Intersection of two regions; `None` is the whole plane. Empty if they share nothing, or if both are the
/// whole plane.
///
/// A point against an edge is taken as it is; of two points, the middle.
pub(crate) fn shared(a: Option<&[Point2]>, b: Option<&[Point2]>, tolerance: f64) -> Vec<Point2> {
    let points = match (a, b) {
        (None, None) => Vec::new(),
        (Some(region), None) | (None, Some(region)) => region.to_vec(),
        (Some(polygon @ [_, _, _, ..]), Some(region)) | (Some(region), Some(polygon @ [_, _, _, ..])) => {
            clipped(region, polygon, tolerance)
        }
        (Some(&[p]), Some(&[q])) => vec![between(p, q, 0.5)],
        (Some(&[p]), Some(_)) | (Some(_), Some(&[p])) => vec![p],
        (Some(&[p, q]), Some(&[r, s])) => crossed([p, q], [r, s]),
        (Some([]), Some(_)) | (Some(_), Some([])) => Vec::new(),
    };
    hull(&points, tolerance)
}

/// Returns `true` if a region contains a point, or misses it by no more than the tolerance.
pub(crate) fn holds(region: &[Point2], point: Point2, tolerance: f64) -> bool {
    match *region {
        [] => false,
        [p] => length(minus(point, p)) <= tolerance,
        [p, q] => {
            let u = minus(q, p);
            let along = (dot(minus(point, p), u) / dot(u, u)).clamp(0.0, 1.0);
            length(minus(point, between(p, q, along))) <= tolerance
        }
        _ => !clipped(&[point], region, tolerance).is_empty(),
    }
}
