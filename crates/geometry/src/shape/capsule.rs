//! Capsules: all points within r of the segment from -l to l on the body's z axis. The core is the segment.

use super::direction::{Approach, unit};
use super::{Convex, Projection, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use std::f64::consts::PI;

/// A cylinder along the body's z axis with half-spheres at its ends, centred at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_length: f64,
}

impl Capsule {
    /// The capsule of this radius about the segment from (0, 0, -`half_length`) to (0, 0, `half_length`).
    ///
    /// # Errors
    /// [`ShapeError::BadSize`] for a size that is not positive and finite.
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: positive("capsule", "radius", radius)?,
            half_length: positive("capsule", "half length", half_length)?,
        })
    }

    /// The radius.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// Half of the segment's length: the caps reach a radius further.
    #[must_use]
    pub const fn half_length(&self) -> f64 {
        self.half_length
    }
}

impl Convex for Capsule {
    /// The end of the segment that is farther along; across the axis, the upper one.
    fn core_support(&self, direction: Vec3) -> Vec3 {
        Vec3::new(0.0, 0.0, if direction.z < 0.0 { -self.half_length } else { self.half_length })
    }
    fn margin(&self) -> f64 {
        self.radius
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

impl Solid for Capsule {
    fn kind(&self) -> &'static str {
        "capsule"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let half = pose.vector_to_world(Vec3::Z).abs() * self.half_length + Vec3::splat(self.radius);
        Aabb { min: pose.translation - half, max: pose.translation + half }
    }

    /// A cylinder of mass share c and a ball of share b, cut in two and moved apart by l along the axis:
    /// I_z = c r²/2 + b 2r²/5, I_x = c (r²/4 + l²/3) + b (2r²/5 + l² + 3lr/4).
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let (r, l) = (self.radius, self.half_length);
        let length = 2.0 * l + 4.0 / 3.0 * r;
        let (cylinder, ball) = (2.0 * l / length, 4.0 / 3.0 * r / length);
        let along = cylinder * 0.5 * r * r + ball * 0.4 * r * r;
        let across = cylinder * (0.25 * r * r + l * l / 3.0) + ball * (0.4 * r * r + l * l + 0.75 * l * r);
        let moments = Vec3::new(across, across, along);
        MassProperties::of_symmetric("capsule", density, PI * r * r * length, moments)
    }

    /// The capsule is convex and the union of two balls and a piece of tube: it is entered where the first of
    /// them is, and left where the last of them is. Where the flat ends of the tube are crossed, a ball
    /// reaches further.
    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        let end = Vec3::new(0.0, 0.0, self.half_length);
        let tube = line.tube(self.radius).and_then(|tube| tube.and(line.slab(2, self.half_length)?));
        let all = [tube, line.ball(end, self.radius), line.ball(-end, self.radius)];
        line.hit(all.into_iter().flatten().reduce(super::direction::Chord::or)?)
    }

    /// From the axis every direction across it is equally close: the answer is along x.
    fn project(&self, point: Vec3) -> Projection {
        let on_axis = Vec3::new(0.0, 0.0, point.z.max(-self.half_length).min(self.half_length));
        let (normal, distance) = unit(point - on_axis).unwrap_or((Vec3::X, 0.0));
        Projection { point: on_axis + normal * self.radius, normal, signed_distance: distance - self.radius }
    }
}
