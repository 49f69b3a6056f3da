//! Boxes along the world's axes: {x : minᵢ ≤ xᵢ ≤ maxᵢ}.
//!
//! Boxes are closed, so boxes that touch intersect. They may be flat, and infinite: a half-space has such a
//! box. Every test is made of comparisons alone and therefore exact. New corners (fattening, sweeping) round
//! to nearest.

use crate::ray::Ray;
use gedanken_math::Vec3;

/// A box along the world's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// All of space.
    pub const INFINITE: Self = Self { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    /// No point at all: the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box between two corners, `min` nowhere above `max`.
    #[must_use]
    pub const fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The box of this centre and these half-sizes.
    #[must_use]
    pub fn around(centre: Vec3, half_extents: Vec3) -> Self {
        Self { min: centre - half_extents, max: centre + half_extents }
    }

    /// The smallest box that holds the points; none if there are no points, or if one is not finite.
    #[must_use]
    pub fn from_points(points: &[Vec3]) -> Option<Self> {
        if points.is_empty() || !points.iter().all(|p| p.is_finite()) {
            return None;
        }
        Some(points.iter().fold(Self::EMPTY, |found, &p| found.with(p)))
    }

    /// The smallest box that holds this one and the point.
    #[must_use]
    pub fn with(&self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box that holds both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns `true` if the boxes have a point in common; touching counts.
    #[must_use]
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        // No short circuits: six comparisons cost less than one branch that is guessed wrong.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// Returns `true` if the point is inside or on the surface.
    #[must_use]
    pub fn contains_point(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns `true` if all of `other` is inside; equal boxes contain each other.
    #[must_use]
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns the box with every face moved outwards by `by`; inwards if it is negative.
    #[must_use]
    pub fn fattened(&self, by: f64) -> Self {
        Self { min: self.min - Vec3::splat(by), max: self.max + Vec3::splat(by) }
    }

    /// Centre; not a number along an axis on which the box is infinite both ways.
    #[must_use]
    pub fn centre(&self) -> Vec3 {
        // Halved first: the sum of two corners may overflow.
        self.min * 0.5 + self.max * 0.5
    }

    /// Half the size along each axis.
    #[must_use]
    pub fn half_extents(&self) -> Vec3 {
        self.max * 0.5 - self.min * 0.5
    }

    /// The size along each axis.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The area of the six faces.
    #[must_use]
    #[inline]
    pub fn surface_area(&self) -> f64 {
        let d = self.max - self.min;
        2.0 * (d.x * d.y + d.y * d.z + d.z * d.x)
    }

    /// Returns the smallest box that holds this one all along a translation.
    #[must_use]
    pub fn swept(&self, displacement: Vec3) -> Self {
        Self { min: self.min + displacement.min(Vec3::ZERO), max: self.max + displacement.max(Vec3::ZERO) }
    }

    /// Returns the point of the box that is closest to `point`: `point` itself if it is inside.
    #[must_use]
    pub fn closest(&self, point: Vec3) -> Vec3 {
        point.max(self.min).min(self.max)
    }

    /// Returns `true` if every corner is a number, infinite or not, and `min` is nowhere above `max`.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.min.cmple(self.max).all()
            && self.min.cmplt(Vec3::INFINITY).all()
            && self.max.cmpgt(Vec3::NEG_INFINITY).all()
    }

    /// Returns `true` if every corner is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// Returns the parameter at which the ray enters the box, between 0 and `t_max`. It is 0 if the ray
    /// starts inside; `None` if it misses.
    ///
    /// Along each axis the ray is within the slab between (min − o)/d and (max − o)/d. A ray along a face
    /// touches it. Rounding errs towards hitting: the far end is moved out by 4ε, more than a difference and
    /// a quotient can lose. Every operation is monotone in the corners, so a ray that meets a box meets every
    /// box around it, in these bits.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, t_max: f64) -> Option<f64> {
        let (mut near, mut far) = (0.0, t_max);
        for axis in 0..3 {
            let (o, d) = (ray.origin[axis], ray.direction[axis]);
            if d == 0.0 {
                if !(self.min[axis] <= o && o <= self.max[axis]) {
                    return None;
                }
                continue;
            }
            let (low, high) = ((self.min[axis] - o) / d, (self.max[axis] - o) / d);
            let (enter, leave) = if d > 0.0 { (low, high) } else { (high, low) };
            near = f64::max(near, enter);
            far = f64::min(far, leave * (1.0 + 4.0 * f64::EPSILON));
        }
        (near <= far).then_some(near)
    }
}
