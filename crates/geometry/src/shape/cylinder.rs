//! Cylinders: ρ ≤ r and |z| ≤ h, with ρ the distance from the body's z axis.

use super::direction::{Approach, radial, unit};
use super::{Convex, Projection, Rim, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use std::f64::consts::PI;

/// A cylinder along the body's z axis, centred at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
}

impl Cylinder {
    /// The cylinder of this radius from z = -`half_height` to z = `half_height`.
    ///
    /// # Errors
    /// [`ShapeError::BadSize`] for a size that is not positive and finite.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: positive("cylinder", "radius", radius)?,
            half_height: positive("cylinder", "half height", half_height)?,
        })
    }

    /// The radius.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// Half of the height.
    #[must_use]
    pub const fn half_height(&self) -> f64 {
        self.half_height
    }
}

impl Convex for Cylinder {
    /// A point of a rim: the upper one for directions across the axis, the one along x for directions along
    /// the axis.
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let z = if direction.z < 0.0 { -self.half_height } else { self.half_height };
        radial(direction).0 * self.radius + Vec3::new(0.0, 0.0, z)
    }
    fn rim(&self, farthest: Vec3) -> Option<Rim> {
        Some(Rim::Circle { radius: self.radius, z: farthest.z })
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

/// Returns the reach of a unit disc across the unit vector `axis` along each coordinate axis: √(1 - a_k²),
/// without the cancellation.
pub(super) fn reach_of_disc(axis: Vec3) -> Vec3 {
    let s = axis * axis;
    Vec3::new((s.y + s.z).sqrt(), (s.z + s.x).sqrt(), (s.x + s.y).sqrt())
}

impl Solid for Cylinder {
    fn kind(&self) -> &'static str {
        "cylinder"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let axis = pose.vector_to_world(Vec3::Z);
        let half = axis.abs() * self.half_height + reach_of_disc(axis) * self.radius;
        Aabb { min: pose.translation - half, max: pose.translation + half }
    }

    /// I_z = m r²/2, I_x = m (r²/4 + h²/3).
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let (r, h) = (self.radius, self.half_height);
        let across = 0.25 * r * r + h * h / 3.0;
        let moments = Vec3::new(across, across, 0.5 * r * r);
        MassProperties::of_symmetric("cylinder", density, PI * r * r * 2.0 * h, moments)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        line.hit(line.tube(self.radius)?.and(line.slab(2, self.half_height)?)?)
    }

    /// Inside, the closer of side and caps; of equally close ones the side, then the upper cap. From the axis
    /// every point of the side is equally close: the answer is along x.
    fn project(&self, point: Vec3) -> Projection {
        let (r, h) = (self.radius, self.half_height);
        let (outward, rho) = radial(point);
        let across = if rho <= r { Vec3::new(point.x, point.y, 0.0) } else { outward * r };
        let on_body = across + Vec3::new(0.0, 0.0, point.z.max(-h).min(h));
        // In the half-plane of the point: (ρ, z) against the rectangle.
        if let Some((away, distance)) = unit(Vec3::new((rho - r).max(0.0), 0.0, point.z - on_body.z)) {
            let normal = outward * away.x + Vec3::Z * away.z;
            return Projection { point: on_body, normal, signed_distance: distance };
        }
        let (to_side, to_cap) = (r - rho, h - point.z.abs());
        if to_side <= to_cap {
            let on_side = outward * r + Vec3::new(0.0, 0.0, point.z);
            return Projection { point: on_side, normal: outward, signed_distance: -to_side };
        }
        let up = if point.z < 0.0 { -1.0 } else { 1.0 };
        Projection {
            point: Vec3::new(point.x, point.y, up * h),
            normal: Vec3::Z * up,
            signed_distance: -to_cap,
        }
    }
}
