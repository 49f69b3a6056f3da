//! Cuboids: |x_k| ≤ h_k, centred at the body's origin, edges along its axes.

use super::direction::{Approach, unit};
use super::{Convex, Projection, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::rotation::axes;
use gedanken_math::{Pose, Vec3};

/// A box about the body's origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    half_extents: Vec3,
}

impl Cuboid {
    /// The box with these full edge lengths along x, y and z.
    ///
    /// # Errors
    /// [`ShapeError::BadSize`] for a length that is not positive and finite, or too small to be halved.
    pub fn new(lengths: Vec3) -> Result<Self, ShapeError> {
        let half = |field, length: f64| {
            positive("cuboid", field, length)?;
            positive("cuboid", field, 0.5 * length)
        };
        let x = half("length along x", lengths.x)?;
        let y = half("length along y", lengths.y)?;
        let z = half("length along z", lengths.z)?;
        Ok(Self { half_extents: Vec3::new(x, y, z) })
    }

    /// Half of each edge length: the corner with positive coordinates.
    #[must_use]
    pub const fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// The full edge lengths.
    #[must_use]
    pub fn lengths(&self) -> Vec3 {
        self.half_extents * 2.0
    }
}

impl Convex for Cuboid {
    /// A corner; a direction along a face or an edge goes to its corner with positive coordinates.
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let h = self.half_extents;
        let corner = |d: f64, half: f64| if d < 0.0 { -half } else { half };
        Vec3::new(corner(direction.x, h.x), corner(direction.y, h.y), corner(direction.z, h.z))
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

impl Solid for Cuboid {
    fn kind(&self) -> &'static str {
        "cuboid"
    }

    /// Half widths Σ_k |R_ik| h_k.
    fn bounds(&self, pose: &Pose) -> Aabb {
        let (h, [x, y, z]) = (self.half_extents, axes(pose.rotation));
        let half = x.abs() * h.x + y.abs() * h.y + z.abs() * h.z;
        Aabb { min: pose.translation - half, max: pose.translation + half }
    }

    /// I_x = m (h_y² + h_z²)/3, and so on around.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let h = self.half_extents;
        let s = h * h;
        let moments = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 3.0;
        MassProperties::of_symmetric("cuboid", density, 8.0 * h.x * h.y * h.z, moments)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        let h = self.half_extents;
        line.hit(line.slab(0, h.x)?.and(line.slab(1, h.y)?)?.and(line.slab(2, h.z)?)?)
    }

    /// Inside, the closest face; of equally close ones the first of x, y, z, and of a pair the positive one.
    fn project(&self, point: Vec3) -> Projection {
        let h = self.half_extents;
        let on_box = point.max(-h).min(h);
        if let Some((normal, distance)) = unit(point - on_box) {
            return Projection { point: on_box, normal, signed_distance: distance };
        }
        let gap = h - point.abs();
        let axis = if gap.x <= gap.y && gap.x <= gap.z {
            0
        } else if gap.y <= gap.z {
            1
        } else {
            2
        };
        let side = if point[axis] < 0.0 { -1.0 } else { 1.0 };
        let mut on_face = point;
        on_face[axis] = side * h[axis];
        Projection { point: on_face, normal: Vec3::AXES[axis] * side, signed_distance: -gap[axis] }
    }
}
