//! Half-spaces: n·x ≤ d, the side behind a plane. Floors and walls without edges.

use super::direction::{Approach, Chord, unit};
use super::{Projection, Solid};
use crate::bounds::Aabb;
use crate::error::ShapeError;
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};

/// All points with normal · x ≤ offset. It has no bounds, no volume and no support function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

impl HalfSpace {
    /// All points with `normal` · x ≤ `offset`. The normal may have any length: both sides are divided by it.
    ///
    /// # Errors
    /// [`ShapeError::NoDirection`] for a normal of length zero or not finite, [`ShapeError::NotFinite`] for
    /// the offset.
    pub fn new(normal: Vec3, offset: f64) -> Result<Self, ShapeError> {
        let (normal, length) = unit(normal)
            .filter(|(normal, _)| normal.is_finite())
            .ok_or(ShapeError::NoDirection { shape: "half-space", field: "normal" })?;
        let offset = offset / length;
        if !offset.is_finite() {
            return Err(ShapeError::NotFinite { shape: "half-space", field: "offset", index: 0 });
        }
        Ok(Self { normal, offset })
    }

    /// The outward unit normal.
    #[must_use]
    pub const fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The distance of the plane from the body's origin, along the unit normal; negative if the origin is
    /// outside.
    #[must_use]
    pub const fn offset(&self) -> f64 {
        self.offset
    }
}

impl Solid for HalfSpace {
    fn kind(&self) -> &'static str {
        "half-space"
    }

    fn bounds(&self, _pose: &Pose) -> Aabb {
        Aabb { min: Vec3::splat(f64::NEG_INFINITY), max: Vec3::splat(f64::INFINITY) }
    }

    fn mass_properties(&self, _density: f64) -> Result<MassProperties, ShapeError> {
        Err(ShapeError::Without { shape: "half-space", what: "mass properties: its volume is infinite" })
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        let approach = line.unit.dot(self.normal);
        if approach >= 0.0 {
            return None;
        }
        let enter = (self.offset - line.near.dot(self.normal)) / approach;
        if !enter.is_finite() {
            return None;
        }
        line.hit(Chord { enter, exit: f64::INFINITY, normal: self.normal })
    }

    fn project(&self, point: Vec3) -> Projection {
        let signed_distance = point.dot(self.normal) - self.offset;
        Projection { point: point - self.normal * signed_distance, normal: self.normal, signed_distance }
    }
}
