//! Bounding volumes of shapes at rest and in motion.
//!
//! A point x of a shape whose body moves by r(s) and turns by R(s), 0 ≤ s ≤ 1, stays within ρ = max |x| of
//! the body's origin, and within |R(s)x − R(0)x| ≤ 2ρ sin(min(θ, π)/2) of where the translation alone would
//! take it, with θ the angle turned through. Both bounds hold, so their common part does.

use super::{Aabb, Ball, Bound, BoundKind, Obb};
use crate::error::ShapeError;
use crate::shape::{Convex, Shape, Solid};
use gedanken_math::{Pose, Vec3};

impl Bound {
    /// A volume of this kind that holds the shape in this pose. The box along the axes is the smallest; the
    /// oriented box is the smallest along the body's axes; the ball is the smallest for spheres, capsules,
    /// cuboids and hulls.
    ///
    /// Half-spaces have neither a ball nor an oriented box, and a pose must be finite.
    pub fn from_shape(kind: BoundKind, shape: &Shape, pose: &Pose) -> Result<Self, ShapeError> {
        if !pose.is_finite() {
            return Err(ShapeError::NotFinite { shape: shape.kind(), field: "pose", index: 0 });
        }
        if kind == BoundKind::Aabb {
            return Ok(Self::Aabb(shape.bounds(pose)));
        }
        let own = shape.bounds(&Pose::IDENTITY);
        if !own.is_finite() {
            let what = if kind == BoundKind::Ball { "bounding ball" } else { "oriented bounding box" };
            return Err(ShapeError::Without { shape: shape.kind(), what });
        }
        Ok(match kind {
            BoundKind::Ball => Self::Ball(ball(shape, &own)).moved(pose),
            _ => Self::Obb(Obb::from_aabb(&own, pose)),
        })
    }
}

/// A ball around a bounded shape in its own frame.
fn ball(shape: &Shape, own: &Aabb) -> Ball {
    if let Shape::Hull(hull) = shape
        && let Some(ball) = Ball::from_points(hull.vertices())
    {
        return ball;
    }
    let (own, margin) = core_box(shape).unwrap_or((*own, 0.0));
    // The last factor makes up for the rounding of the half-diagonal.
    let radius = (own.half_extents().length() + margin) * (1.0 + 4.0 * f64::EPSILON);
    Ball { centre: own.centre(), radius }
}

/// The box of a convex shape's core, and by how much the shape is wider.
fn core_box(shape: &Shape) -> Option<(Aabb, f64)> {
    let convex: &dyn Convex = shape.convex()?;
    let far = |axis: Vec3| convex.core_support(axis).dot(axis);
    let max = Vec3::new(far(Vec3::X), far(Vec3::Y), far(Vec3::Z));
    let min = -Vec3::new(far(-Vec3::X), far(-Vec3::Y), far(-Vec3::Z));
    Some((Aabb::new(min, max), convex.margin()))
}

/// A bound on how far any point of the shape is from the origin of its body: infinite for a half-space.
#[must_use]
pub fn radius_about_origin(shape: &Shape) -> f64 {
    if let Shape::Hull(hull) = shape {
        return hull.vertices().iter().fold(0.0, |far, p| f64::max(far, p.length()));
    }
    let (own, margin) = core_box(shape).unwrap_or((shape.bounds(&Pose::IDENTITY), 0.0));
    own.min.abs().max(own.max.abs()).length() + margin
}

/// A box along the world's axes that holds the shape all along a motion that starts at `pose`, takes the
/// body's origin along a straight line by `displacement`, and turns the body through `angle` radians at most,
/// about any axes.
#[must_use]
pub fn swept_by(shape: &Shape, pose: &Pose, displacement: Vec3, angle: f64) -> Aabb {
    let still = shape.bounds(pose).swept(displacement);
    if angle == 0.0 {
        return still;
    }
    let radius = radius_about_origin(shape);
    if !radius.is_finite() {
        return Aabb::INFINITE;
    }
    let chord = 2.0 * radius * libm::sin(0.5 * angle.abs().min(core::f64::consts::PI));
    let drifting = still.fattened(chord);
    let spinning = Aabb::around(pose.translation, Vec3::splat(radius)).swept(displacement);
    Aabb::new(drifting.min.max(spinning.min), drifting.max.min(spinning.max))
}
