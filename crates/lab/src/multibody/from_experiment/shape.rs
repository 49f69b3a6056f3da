//! Shapes of objects as geoms.

use gedanken_geometry::{ConvexHull, Shape};
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::GeomShape;
use std::sync::Arc;

/// Corners of the polygon that stands for the base of a cone.
const CORNERS: u32 = 32;

/// Appends the geoms of a shape with their poses.
///
/// # Errors
/// Why a shape cannot be one.
pub(super) fn geoms(shape: &Shape, at: Pose, out: &mut Vec<(Pose, GeomShape)>) -> Result<(), String> {
    let made = match shape {
        Shape::Sphere(it) => GeomShape::Sphere { radius: it.radius() },
        Shape::Cuboid(it) => GeomShape::Box { half_sides: it.lengths() * 0.5 },
        Shape::Capsule(it) => GeomShape::Capsule { radius: it.radius(), half_length: it.half_length() },
        Shape::Cylinder(it) => GeomShape::Cylinder { radius: it.radius(), half_length: it.half_height() },
        Shape::HalfSpace(_) => GeomShape::Plane,
        Shape::Hull(hull) => GeomShape::Hull(Arc::clone(hull)),
        Shape::Cone(it) => GeomShape::Hull(Arc::new(pyramid(it.radius(), it.height())?)),
        Shape::Compound(it) => {
            return it.parts().iter().try_for_each(|part| geoms(&part.shape, at * part.pose, out));
        }
        Shape::Mesh(_) => return Err("it is a surface without an inside".to_owned()),
    };
    out.push((at, made));
    Ok(())
}

/// A cone with a polygon for its base; its centre of mass is the origin.
fn pyramid(radius: f64, height: f64) -> Result<ConvexHull, String> {
    let mut points = vec![Vec3::Z * (0.75 * height)];
    for corner in 0..CORNERS {
        let (y, x) = libm::sincos(core::f64::consts::TAU * f64::from(corner) / f64::from(CORNERS));
        points.push(Vec3::new(radius * x, radius * y, -0.25 * height));
    }
    ConvexHull::new(&points).map_err(|error| error.to_string())
}
