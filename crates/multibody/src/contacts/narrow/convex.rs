//! Contacts of convex shapes without a closed form: their deepest or nearest points by iteration, and further
//! ones where faces or edges lie on each other.

use super::{Scratch, ShapeContact};
use crate::model::GeomShape;
use gedanken_geometry::narrow::{self, Distance, QueryError};
use gedanken_geometry::{Capsule, Convex, Cuboid, Cylinder, Rim, Shape};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};

/// Angle by which the second shape is turned, in rad, where rounding stops the iteration: far below what a
/// contact notices, far above rounding.
const NUDGE: f64 = 1e-7;

/// Contacts of two convex shapes.
pub(super) fn contacts(
    first: (&GeomShape, &Pose),
    second: (&GeomShape, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<ShapeContact>,
) {
    let find = if has_flat_parts(first.0) && has_flat_parts(second.0) { several } else { single };
    if find(first, second, margin, scratch, out).is_ok() {
        return;
    }
    // Shapes whose axes coincide can have no one deepest point; once turned by a hair they have.
    for axis in [Vec3::X, Vec3::Y, Vec3::new(0.6, 0.0, 0.8)] {
        let rotation = from_rotation_vector(axis * NUDGE) * second.1.rotation;
        let turned = Pose::new(rotation, second.1.translation);
        if find(first, (second.0, &turned), margin, scratch, out).is_ok() {
            return;
        }
    }
}

/// Returns `true` for shapes with faces or straight edges, which can touch in several points.
fn has_flat_parts(shape: &GeomShape) -> bool {
    !matches!(shape, GeomShape::Sphere { .. } | GeomShape::Ellipsoid { .. })
}

/// One contact, at the deepest or nearest points.
fn single(
    (first, first_pose): (&GeomShape, &Pose),
    (second, second_pose): (&GeomShape, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<ShapeContact>,
) -> Result<(), QueryError> {
    let (a, b) = (Body(first), Body(second));
    let found = narrow::convex_distance(&a, first_pose, &b, second_pose, margin, &mut scratch.query)?;
    let Some(found) = found else { return Ok(()) };
    let (normal, distance, point_a, point_b) = match found {
        Distance::Separated(gap) => (gap.normal, gap.distance, gap.point_a, gap.point_b),
        Distance::Overlapping(overlap) => (overlap.normal, -overlap.depth, overlap.point_a, overlap.point_b),
    };
    let position = (point_a + point_b) * 0.5;
    out.push(ShapeContact { position, normal, tangent: Vec3::ZERO, distance });
    Ok(())
}

/// Up to four contacts, where the faces or edges that meet along the normal lie on each other.
fn several(
    (first, first_pose): (&GeomShape, &Pose),
    (second, second_pose): (&GeomShape, &Pose),
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<ShapeContact>,
) -> Result<(), QueryError> {
    let (Some(a), Some(b)) = (shape(first), shape(second)) else { return Ok(()) };
    let Scratch { query, manifolds } = scratch;
    // A negative margin asks for overlaps of that depth.
    narrow::manifolds(&a, first_pose, &b, second_pose, margin.max(0.0), query, manifolds)?;
    for manifold in manifolds.iter() {
        let normal = manifold.normal;
        let found = manifold.points().iter().map(|point| ShapeContact {
            position: (point.point_a + point.point_b) * 0.5,
            normal,
            tangent: Vec3::ZERO,
            distance: -point.depth,
        });
        out.extend(found.filter(|contact| contact.distance <= margin));
    }
    Ok(())
}

/// The shape as the geometry crate has it; `None` if it has none or no volume.
fn shape(shape: &GeomShape) -> Option<Shape> {
    match *shape {
        GeomShape::Capsule { radius, half_length } => {
            Capsule::new(radius, half_length).ok().map(Shape::Capsule)
        }
        GeomShape::Cylinder { radius, half_length } => {
            Cylinder::new(radius, half_length).ok().map(Shape::Cylinder)
        }
        GeomShape::Box { half_sides } => Cuboid::new(half_sides * 2.0).ok().map(Shape::Cuboid),
        GeomShape::Hull(ref hull) => Some(Shape::Hull(hull.clone())),
        GeomShape::Plane | GeomShape::Sphere { .. } | GeomShape::Ellipsoid { .. } => None,
    }
}

/// A bounded shape as a convex body: balls and capsules are their cores, widened.
struct Body<'a>(&'a GeomShape);

impl Convex for Body<'_> {
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let upper = |half: f64, along: f64| if along < 0.0 { -half } else { half };
        match *self.0 {
            GeomShape::Plane | GeomShape::Sphere { .. } => Vec3::ZERO,
            GeomShape::Capsule { half_length, .. } => Vec3::Z * upper(half_length, direction.z),
            GeomShape::Ellipsoid { semi_axes } => {
                let scaled = direction * semi_axes;
                scaled.try_normalize().unwrap_or(Vec3::X) * semi_axes
            }
            GeomShape::Cylinder { radius, half_length } => {
                let across = Vec3::new(direction.x, direction.y, 0.0);
                across.try_normalize().unwrap_or(Vec3::X) * radius + Vec3::Z * upper(half_length, direction.z)
            }
            GeomShape::Box { half_sides } => Vec3::new(
                upper(half_sides.x, direction.x),
                upper(half_sides.y, direction.y),
                upper(half_sides.z, direction.z),
            ),
            GeomShape::Hull(ref hull) => hull.core_support(direction),
        }
    }

    fn rim(&self, farthest: Vec3) -> Option<Rim> {
        match *self.0 {
            GeomShape::Cylinder { radius, .. } => Some(Rim::Circle { radius, z: farthest.z }),
            GeomShape::Ellipsoid { semi_axes } => Some(Rim::Ellipsoid { semi_axes }),
            _ => None,
        }
    }

    fn margin(&self) -> f64 {
        match *self.0 {
            GeomShape::Sphere { radius } | GeomShape::Capsule { radius, .. } => radius,
            _ => 0.0,
        }
    }

    fn centre(&self) -> Vec3 {
        match *self.0 {
            GeomShape::Hull(ref hull) => hull.centre(),
            _ => Vec3::ZERO,
        }
    }
}
