//! Any bounding volume: a box along the axes, a ball or an oriented box, around points or around a shape.

use super::aabb::Aabb;
use super::ball::Ball;
use super::oriented_box::Obb;
use super::radius::core_box;
use crate::error::ShapeError;
use crate::shape::{Shape, Solid};
use gedanken_math::{Pose, Vec3};

/// Any bounding volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A box along the world's axes.
    Aabb(Aabb),
    /// A ball.
    Ball(Ball),
    /// A box in any orientation.
    Obb(Obb),
}

/// The kinds of bounding volumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    /// Boxes along the world's axes.
    Aabb,
    /// Balls.
    Ball,
    /// Boxes in any orientation.
    Obb,
}

impl Bound {
    /// The volume of this kind around the points: the smallest for boxes along the axes and balls. None if
    /// there are no points, or if one is not finite.
    #[must_use]
    pub fn from_points(kind: BoundKind, points: &[Vec3]) -> Option<Self> {
        match kind {
            BoundKind::Aabb => Aabb::from_points(points).map(Self::Aabb),
            BoundKind::Ball => Ball::from_points(points).map(Self::Ball),
            BoundKind::Obb => Obb::from_points(points).map(Self::Obb),
        }
    }

    /// The kind of this volume.
    #[must_use]
    pub fn kind(&self) -> BoundKind {
        match self {
            Self::Aabb(_) => BoundKind::Aabb,
            Self::Ball(_) => BoundKind::Ball,
            Self::Obb(_) => BoundKind::Obb,
        }
    }

    /// The smallest box along the axes that holds the volume.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        match self {
            Self::Aabb(a) => *a,
            Self::Ball(a) => a.aabb(),
            Self::Obb(a) => a.aabb(),
        }
    }

    /// Returns `true` if the volumes have a point in common; touching counts.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Aabb(a), Self::Aabb(b)) => a.intersects(b),
            (Self::Aabb(a), Self::Ball(b)) | (Self::Ball(b), Self::Aabb(a)) => b.intersects_aabb(a),
            (Self::Aabb(a), Self::Obb(b)) | (Self::Obb(b), Self::Aabb(a)) => b.intersects_aabb(a),
            (Self::Ball(a), Self::Ball(b)) => a.intersects(b),
            (Self::Ball(a), Self::Obb(b)) | (Self::Obb(b), Self::Ball(a)) => a.intersects_obb(b),
            (Self::Obb(a), Self::Obb(b)) => a.intersects(b),
        }
    }

    /// Returns `true` if the point is inside or on the surface.
    #[must_use]
    pub fn contains_point(&self, point: Vec3) -> bool {
        match self {
            Self::Aabb(a) => a.contains_point(point),
            Self::Ball(a) => a.contains_point(point),
            Self::Obb(a) => a.contains_point(point),
        }
    }

    /// Returns `true` if all of `other` is inside.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            // What sticks out of a box along the axes sticks out of one of its slabs: the box of the other
            // decides.
            (Self::Aabb(a), Self::Aabb(b)) => a.contains(b),
            (Self::Aabb(a), Self::Ball(b)) => a.contains(&b.aabb()),
            (Self::Aabb(a), Self::Obb(b)) => a.fattened(b.slack(b.centre)).contains(&b.aabb()),
            (Self::Ball(a), Self::Aabb(b)) => a.contains_aabb(b),
            (Self::Ball(a), Self::Ball(b)) => a.contains(b),
            (Self::Ball(a), Self::Obb(b)) => a.contains_obb(b),
            (Self::Obb(a), Self::Aabb(b)) => a.contains_aabb(b),
            (Self::Obb(a), Self::Ball(b)) => a.contains_ball(b),
            (Self::Obb(a), Self::Obb(b)) => a.contains(b),
        }
    }

    /// A volume that holds both: of their kind if they are of one, else a box along the axes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Ball(a), Self::Ball(b)) => Self::Ball(a.union(b)),
            (Self::Obb(a), Self::Obb(b)) => Self::Obb(a.union(b)),
            _ => Self::Aabb(self.aabb().union(&other.aabb())),
        }
    }

    /// The volume with its surface moved outwards by `by` (for boxes: every face).
    #[must_use]
    pub fn fattened(&self, by: f64) -> Self {
        match self {
            Self::Aabb(a) => Self::Aabb(a.fattened(by)),
            Self::Ball(a) => Self::Ball(a.fattened(by)),
            Self::Obb(a) => Self::Obb(a.fattened(by)),
        }
    }

    /// The smallest volume of its kind and orientation that holds this one all along a translation.
    #[must_use]
    pub fn swept(&self, displacement: Vec3) -> Self {
        match self {
            Self::Aabb(a) => Self::Aabb(a.swept(displacement)),
            Self::Ball(a) => Self::Ball(a.swept(displacement)),
            Self::Obb(a) => Self::Obb(a.swept(displacement)),
        }
    }

    /// The volume carried along by a rigid motion; a box along the axes grows to hold its turned self.
    #[must_use]
    pub fn moved(&self, pose: &Pose) -> Self {
        match self {
            Self::Aabb(a) if !a.is_finite() => Self::Aabb(Aabb::INFINITE),
            Self::Aabb(a) => Self::Aabb(Obb::from_aabb(a, pose).aabb()),
            Self::Ball(a) => Self::Ball(Ball { centre: pose.point_to_world(a.centre), radius: a.radius }),
            Self::Obb(a) => Self::Obb(Obb {
                centre: pose.point_to_world(a.centre),
                half_extents: a.half_extents,
                rotation: pose.rotation * a.rotation,
            }),
        }
    }
}

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
