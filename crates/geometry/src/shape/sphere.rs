//! Spheres: |x| ≤ r. The core is the centre, so that distances between round surfaces are exact.

use super::direction::{Approach, unit};
use super::{Convex, Projection, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use std::f64::consts::PI;

/// A ball about the body's origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// The ball of this radius.
    ///
    /// # Errors
    /// [`ShapeError::BadSize`] for a radius that is not positive and finite.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        Ok(Self { radius: positive("sphere", "radius", radius)? })
    }

    /// The radius.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }
}

impl Convex for Sphere {
    fn core_support(&self, _direction: Vec3) -> Vec3 {
        Vec3::ZERO
    }
    fn margin(&self) -> f64 {
        self.radius
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

impl Solid for Sphere {
    fn kind(&self) -> &'static str {
        "sphere"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let half = Vec3::splat(self.radius);
        Aabb { min: pose.translation - half, max: pose.translation + half }
    }

    /// I = 2/5 m r².
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let r = self.radius;
        MassProperties::of_symmetric("sphere", density, 4.0 / 3.0 * PI * r * r * r, Vec3::splat(0.4 * r * r))
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        line.hit(line.ball(Vec3::ZERO, self.radius)?)
    }

    /// From the centre every point of the surface is equally close: the answer is the one on the z axis.
    fn project(&self, point: Vec3) -> Projection {
        let (normal, distance) = unit(point).unwrap_or((Vec3::Z, 0.0));
        Projection { point: normal * self.radius, normal, signed_distance: distance - self.radius }
    }
}
