//! Radii of shapes: bounds on the distance of their points from a point of the body.
//!
//! A body that turns by θ ≤ π moves none of its points farther than 2 ρ sin(θ/2), with ρ its radius about the
//! centre of rotation.

use super::aabb::Aabb;
use crate::shape::{Convex, Shape, Solid};
use gedanken_math::{Pose, Vec3};

/// Returns the box of a convex shape's core, and the margin around the core.
pub(super) fn core_box(shape: &Shape) -> Option<(Aabb, f64)> {
    let convex: &dyn Convex = shape.convex()?;
    let far = |axis: Vec3| convex.core_support(axis).dot(axis);
    let max = Vec3::new(far(Vec3::X), far(Vec3::Y), far(Vec3::Z));
    let min = -Vec3::new(far(-Vec3::X), far(-Vec3::Y), far(-Vec3::Z));
    Some((Aabb::new(min, max), convex.margin()))
}

/// Returns a bound on the distance of any point of the shape from the origin of its body. It is infinite for
/// a half-space.
#[must_use]
pub fn radius_about_origin(shape: &Shape) -> f64 {
    if let Shape::Hull(hull) = shape {
        return hull.vertices().iter().fold(0.0, |far, p| f64::max(far, p.length()));
    }
    let (own, margin) = core_box(shape).unwrap_or((shape.bounds(&Pose::IDENTITY), 0.0));
    own.min.abs().max(own.max.abs()).length() + margin
}

/// Returns a bound on the distance from `centre` (body frame) to the farthest point of a shape. It is the
/// distance itself, to rounding, for spheres and hulls, and that of the farthest corner of the box for the
/// others. It is infinite for a half-space.
#[must_use]
pub fn radius_about(shape: &Shape, centre: Vec3) -> f64 {
    let of_box = |bounds: Aabb| {
        let far = (bounds.max - centre).abs().max((bounds.min - centre).abs());
        far.length()
    };
    // A few roundings more than computed: a bound must not be below the truth by rounding.
    let above = 1.0 + 8.0 * f64::EPSILON;
    above
        * match shape {
            Shape::Sphere(sphere) => centre.length() + sphere.radius(),
            Shape::Capsule(_) | Shape::Cuboid(_) | Shape::Cylinder(_) | Shape::Cone(_) => {
                of_box(shape.bounds(&Pose::IDENTITY))
            }
            Shape::Hull(hull) => {
                hull.vertices().iter().map(|vertex| (*vertex - centre).length()).fold(0.0, f64::max)
            }
            Shape::HalfSpace(_) => f64::INFINITY,
            Shape::Compound(_) | Shape::Mesh(_) => of_box(shape.bounds(&Pose::IDENTITY)),
        }
}
