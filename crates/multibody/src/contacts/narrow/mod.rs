//! Where two shapes touch, or nearly so: one function per pair of shapes.
//!
//! Pairs of planes, balls, capsules, boxes, and of a ball and a cylinder have closed forms whose points,
//! normals and order are those of MuJoCo, number by number. All other pairs are convex: their deepest or
//! nearest points are found by iteration, and further contacts by clipping the faces that meet there.

mod box_box;
mod box_clip;
mod capsule;
mod capsule_box;
mod convex;
mod frame;
mod placed;
mod plane;
mod plane_hull;
mod sphere;

pub use frame::frame;

use crate::model::GeomShape;
use box_box::Cuboid;
use capsule::Capsule;
use gedanken_math::{Pose, Vec3};
use placed::Placed;
use sphere::Ball;

/// A point at which two shapes touch, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeContact {
    /// The middle between the two surfaces, in the world.
    pub position: Vec3,
    /// Unit normal from the first shape to the second.
    pub normal: Vec3,
    /// Direction near which the first tangent is to lie; zero if it does not matter.
    pub tangent: Vec3,
    /// Distance of the surfaces; negative where they overlap.
    pub distance: f64,
}

/// Memory for the search, lent by the caller and reused.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// Memory of the iterations.
    query: gedanken_geometry::narrow::Scratch,
    /// Points of faces that lie on each other.
    manifolds: Vec<gedanken_geometry::narrow::Manifold>,
}

/// Appends the contacts of two shapes whose distance is at most `margin`.
///
/// The first shape is of the earlier kind, in the order in which [`GeomShape`] lists them
/// ([`GeomShape::rank`]); two shapes in the other order, and two planes, have no contacts.
pub fn shape_contacts(
    first: (&GeomShape, &Pose),
    second: (&GeomShape, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<ShapeContact>,
) {
    if first.0.rank() > second.0.rank() {
        return;
    }
    let before = out.len();
    let (a, b) = (Placed::new(first.1), Placed::new(second.1));
    let has_closed_form = match *first.0 {
        GeomShape::Plane => {
            with_plane(&a, second.0, &b, margin, out);
            true
        }
        GeomShape::Sphere { radius } => {
            with_sphere(&Ball::of(&a, a.centre, radius), second.0, &b, margin, out)
        }
        GeomShape::Capsule { radius, half_length } => {
            with_capsule(&Capsule { placed: a, radius, half_length }, second.0, &b, margin, out)
        }
        GeomShape::Box { half_sides } => {
            with_box(&Cuboid { placed: a, half_sides }, second.0, &b, margin, out)
        }
        _ => false,
    };
    if !has_closed_form {
        convex::contacts(first, second, margin, scratch, out);
    }
    // Coordinates so large that their squares overflow have no contacts rather than wrong ones.
    let mut kept = before;
    for index in before..out.len() {
        let contact = out[index];
        if contact.position.is_finite() && contact.normal.is_finite() && contact.distance.is_finite() {
            out[kept] = contact;
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Contacts of a plane and another shape.
fn with_plane(plane: &Placed, other: &GeomShape, b: &Placed, margin: f64, out: &mut Vec<ShapeContact>) {
    match *other {
        GeomShape::Sphere { radius } => out.extend(plane::sphere(plane, b.centre, radius, margin)),
        GeomShape::Capsule { radius, half_length } => {
            plane::capsule(plane, b, radius, half_length, margin, out);
        }
        GeomShape::Ellipsoid { semi_axes } => out.extend(plane::ellipsoid(plane, b, semi_axes, margin)),
        GeomShape::Cylinder { radius, half_length } => {
            plane::cylinder(plane, b, radius, half_length, margin, out);
        }
        GeomShape::Box { half_sides } => plane::cuboid(plane, b, half_sides, margin, out),
        GeomShape::Hull(ref hull) => plane_hull::hull(plane, hull, b, margin, out),
        GeomShape::Plane => {}
    }
}

/// Contacts of a ball and a later shape; `false` if there is no closed form.
fn with_sphere(ball: &Ball, other: &GeomShape, b: &Placed, margin: f64, out: &mut Vec<ShapeContact>) -> bool {
    match *other {
        GeomShape::Sphere { radius } => {
            out.extend(sphere::sphere(ball, &Ball::of(b, b.centre, radius), margin));
        }
        GeomShape::Capsule { radius, half_length } => {
            out.extend(sphere::capsule(ball, b, radius, half_length, margin));
        }
        GeomShape::Cylinder { radius, half_length } => {
            out.extend(sphere::cylinder(ball, b, radius, half_length, margin));
        }
        GeomShape::Box { half_sides } => out.extend(sphere::cuboid(ball, b, half_sides, margin)),
        _ => return false,
    }
    true
}

/// Contacts of a capsule and a later shape; `false` if there is no closed form.
fn with_capsule(
    first: &Capsule,
    other: &GeomShape,
    b: &Placed,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) -> bool {
    match *other {
        GeomShape::Capsule { radius, half_length } => {
            capsule::capsule(first, &Capsule { placed: *b, radius, half_length }, margin, out);
        }
        GeomShape::Box { half_sides } => capsule_box::cuboid(first, b, half_sides, margin, out),
        _ => return false,
    }
    true
}

/// Contacts of a box and a later shape; `false` if there is no closed form.
fn with_box(first: &Cuboid, other: &GeomShape, b: &Placed, margin: f64, out: &mut Vec<ShapeContact>) -> bool {
    let GeomShape::Box { half_sides } = *other else { return false };
    box_box::cuboid(first, &Cuboid { placed: *b, half_sides }, margin, out);
    true
}

/// The corner of a box with this number: bit k says on which side of axis k it is.
fn corner(index: usize, half_sides: Vec3) -> Vec3 {
    let side = |k: usize| if index & (1 << k) == 0 { -half_sides[k] } else { half_sides[k] };
    Vec3::new(side(0), side(1), side(2))
}

impl GeomShape {
    /// Place of the shape's kind in the order plane, sphere, capsule, ellipsoid, cylinder, box, hull.
    #[must_use]
    pub const fn rank(&self) -> usize {
        match self {
            GeomShape::Plane => 0,
            GeomShape::Sphere { .. } => 1,
            GeomShape::Capsule { .. } => 2,
            GeomShape::Ellipsoid { .. } => 3,
            GeomShape::Cylinder { .. } => 4,
            GeomShape::Box { .. } => 5,
            GeomShape::Hull(_) => 6,
        }
    }
}
