//! Cones, with the centre of mass at the body's origin: base at z = -h/4, apex at z = 3h/4.
//!
//! In the half-plane (ρ, z) the body is a right triangle. With the generator's length l = √(r² + h²), cos α =
//! h/l and sin α = r/l, the outward normal of the mantle is (cos α, sin α), and with w = 3h/4 - z the depth
//! below the apex the solid is ρ cos α ≤ w sin α, w ≤ h.

use super::cylinder::reach_of_disc;
use super::direction::{Approach, Chord, radial, unit};
use super::{Convex, Projection, Rim, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use std::f64::consts::PI;

/// A cone along the body's z axis, apex up, its centre of mass at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    radius: f64,
    height: f64,
    /// (cos α, sin α): the normal of the mantle in the half-plane (ρ, z).
    mantle: (f64, f64),
}

impl Cone {
    /// The cone with a base of this radius at z = -`height`/4 and its apex at z = 3/4 `height`.
    ///
    /// # Errors
    /// [`ShapeError::BadSize`] for a size that is not positive and finite.
    pub fn new(radius: f64, height: f64) -> Result<Self, ShapeError> {
        let (radius, height) = (positive("cone", "radius", radius)?, positive("cone", "height", height)?);
        let (generator, _) =
            unit(Vec3::new(height, radius, 0.0)).expect("both sizes are positive and finite");
        Ok(Self { radius, height, mantle: (generator.x, generator.y) })
    }

    /// The radius of the base.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// The height.
    #[must_use]
    pub const fn height(&self) -> f64 {
        self.height
    }

    /// The z coordinate of the base: -`height`/4.
    #[must_use]
    pub fn base_z(&self) -> f64 {
        -0.25 * self.height
    }

    /// The z coordinate of the apex: 3/4 `height`.
    #[must_use]
    pub fn apex_z(&self) -> f64 {
        0.75 * self.height
    }

    /// The chord of a line in the solid.
    ///
    /// In the slab 0 ≤ w ≤ h the inside is f(s) = cos²α ρ² - sin²α w² ≤ 0, a quadratic A s² + 2 B s + C. The
    /// part of the line in slab and cone is one interval: its ends are roots in the slab, and the crossing of
    /// the base if that is within the rim.
    fn chord(&self, line: &Approach) -> Option<Chord> {
        let (cos, sin) = self.mantle;
        let (p, u) = (line.near, line.unit);
        let (w, sink) = (self.apex_z() - p.z, -u.z);
        let (top, bottom) = if sink != 0.0 {
            (-w / sink, (self.height - w) / sink)
        } else if (0.0..=self.height).contains(&w) {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            return None;
        };
        let (first, last) = (top.min(bottom), top.max(bottom));

        let mut chord: Option<Chord> = None;
        let mut end = |s: f64, normal: Vec3| {
            let one = Chord { enter: s, exit: s, normal };
            chord = Some(chord.map_or(one, |known| known.or(one)));
        };
        if bottom.is_finite() && radial(line.at(bottom)).1 <= self.radius {
            end(bottom, -Vec3::Z);
        }
        // In units of the cone's size, so that squares neither overflow nor vanish.
        let size = self.radius.max(self.height);
        let (p, w) = (p / size, w / size);
        let a = cos * cos * (u.x * u.x + u.y * u.y) - sin * sin * sink * sink;
        let b = cos * cos * (p.x * u.x + p.y * u.y) - sin * sin * w * sink;
        let c = cos * cos * (p.x * p.x + p.y * p.y) - sin * sin * w * w;
        // B² - AC = cos²α (sin²α |w U - σ P|² - cos²α (P × U)²), with P, U across the axis and σ the sinking:
        // every term vanishes by itself on a line through the apex, where B² and AC would cancel to noise.
        let (lean_x, lean_y, twist) = (w * u.x - sink * p.x, w * u.y - sink * p.y, p.x * u.y - p.y * u.x);
        let discriminant =
            cos * cos * (sin * sin * (lean_x * lean_x + lean_y * lean_y) - cos * cos * twist * twist);
        // A root at the rim or the apex may lie outside the slab by the rounding of its height.
        let slack = 16.0 * f64::EPSILON * self.height / sink.abs();
        if discriminant >= 0.0 {
            // Both roots without cancellation; a line along a generator (A = 0) has one at infinity, and one
            // through the apex (q = 0) has both at the same place.
            let q = -(b + discriminant.sqrt().copysign(b));
            let both = if q == 0.0 { [-b / a, -b / a] } else { [q / a, c / q] };
            for s in both.map(|root| root * size) {
                if s >= first - slack && s <= last + slack {
                    let (outward, rho) = radial(line.at(s));
                    end(s, if rho > 0.0 { outward * cos + Vec3::Z * sin } else { Vec3::Z });
                }
            }
        }
        chord
    }
}

impl Convex for Cone {
    /// The apex, or the point of the rim; at equal reach the apex.
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let (outward, across) = radial(direction);
        if direction.z * self.mantle.0 >= across * self.mantle.1 {
            Vec3::new(0.0, 0.0, self.apex_z())
        } else {
            outward * self.radius + Vec3::new(0.0, 0.0, self.base_z())
        }
    }
    fn rim(&self, farthest: Vec3) -> Option<Rim> {
        (farthest.z < 0.0).then_some(Rim::Circle { radius: self.radius, z: farthest.z })
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

impl Solid for Cone {
    fn kind(&self) -> &'static str {
        "cone"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let axis = pose.vector_to_world(Vec3::Z);
        let (apex, base, rim) =
            (axis * self.apex_z(), axis * self.base_z(), reach_of_disc(axis) * self.radius);
        Aabb { min: pose.translation + apex.min(base - rim), max: pose.translation + apex.max(base + rim) }
    }

    /// I_z = 3/10 m r², I_x = m (3/20 r² + 3/80 h²).
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let (r, h) = (self.radius, self.height);
        let across = 0.15 * r * r + 0.0375 * h * h;
        let moments = Vec3::new(across, across, 0.3 * r * r);
        MassProperties::of_symmetric("cone", density, PI * r * r * h / 3.0, moments)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        if self.contains(ray.origin, 0.0) {
            return Some(line.inside());
        }
        line.hit(self.chord(&line)?)
    }

    /// Inside, the closer of mantle and base; of equally close ones the mantle. From the axis every direction
    /// is equally close: the answer is along x.
    fn project(&self, point: Vec3) -> Projection {
        let (cos, sin) = self.mantle;
        let (outward, rho) = radial(point);
        let (w, below) = (self.apex_z() - point.z, self.base_z() - point.z);
        // The signed distance from the mantle's line, and the places of the point along it from the apex and
        // the rim.
        let over = rho * cos - w * sin;
        let from_apex = rho * sin + w * cos;
        let from_rim = (rho - self.radius) * sin + below * cos;
        let in_plane = |x: f64, z: f64| outward * x + Vec3::Z * z;
        let on_mantle = || Projection {
            point: in_plane(from_apex * sin, self.apex_z() - from_apex * cos),
            normal: in_plane(cos, sin),
            signed_distance: over,
        };
        let on_base = || Projection {
            point: Vec3::new(point.x, point.y, self.base_z()),
            normal: -Vec3::Z,
            signed_distance: below,
        };
        if over <= 0.0 && below <= 0.0 {
            return if over >= below { on_mantle() } else { on_base() };
        }
        if below > 0.0 && rho <= self.radius {
            return on_base();
        }
        if from_apex > 0.0 && from_rim < 0.0 {
            return on_mantle();
        }
        // The apex or the rim: a vertex of the triangle, with the normal towards the point.
        let (x, z) = if from_apex <= 0.0 { (0.0, self.apex_z()) } else { (self.radius, self.base_z()) };
        let away = unit(Vec3::new(rho - x, 0.0, point.z - z));
        let (normal, distance) = away.unwrap_or((Vec3::new(cos, 0.0, sin), 0.0));
        Projection { point: in_plane(x, z), normal: in_plane(normal.x, normal.z), signed_distance: distance }
    }
}
