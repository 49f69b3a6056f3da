//! Compounds: several convex shapes, rigidly glued, each with its own pose and density. The body is their
//! union.
//!
//! A compound within a compound is dissolved into its parts. The densities of parts are multiples of the
//! density asked for, so the mass properties at density one are those of the parts' own densities, and those
//! of a dissolved compound multiply. Where parts overlap, the masses of both count.
//!
//! Containment, rays, bounds and the distance of outside points are exact. For an inside point the closest
//! surface is that of the part in which it is deepest, even where another part covers that surface: the true
//! depth is never less.

use super::direction::Approach;
use super::{Projection, Shape, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};

/// One shape of a compound.
#[derive(Debug, Clone)]
pub struct Part {
    /// The shape.
    pub shape: Shape,
    /// Its place in the compound: takes coordinates of the part to those of the compound.
    pub pose: Pose,
    /// Its density, in multiples of the density that the compound is asked with.
    pub density: f64,
}

/// Several shapes that move as one.
#[derive(Debug, Clone)]
pub struct Compound {
    parts: Vec<Part>,
}

impl Compound {
    /// The union of these parts, in this order.
    ///
    /// # Errors
    /// [`ShapeError::NoParts`]; [`ShapeError::BadPart`] for a half-space or a mesh, which have no mass, for a
    /// pose that is not a pose, and for a density that is not positive and finite.
    pub fn new(parts: Vec<Part>) -> Result<Self, ShapeError> {
        let mut flat = Vec::with_capacity(parts.len());
        for (index, part) in parts.into_iter().enumerate() {
            let bad = |reason| Err(ShapeError::BadPart { index, shape: part.shape.kind(), reason });
            if !part.pose.is_finite() {
                return bad("its pose is not finite");
            }
            if part.pose.rotation.length_squared() == 0.0 {
                return bad("the quaternion of its pose is zero");
            }
            if !(part.density > 0.0 && part.density.is_finite()) {
                return bad("its density must be positive and finite");
            }
            match &part.shape {
                Shape::HalfSpace(_) => {
                    return bad("a half-space is infinite and cannot be glued to anything");
                }
                Shape::Mesh(_) => return bad("a mesh has no inside; glue the hulls of its pieces instead"),
                Shape::Compound(inner) => flat.extend(inner.parts.iter().map(|piece| Part {
                    shape: piece.shape.clone(),
                    pose: part.pose * piece.pose,
                    density: part.density * piece.density,
                })),
                _ => flat.push(part),
            }
        }
        if flat.is_empty() { Err(ShapeError::NoParts) } else { Ok(Self { parts: flat }) }
    }

    /// The parts; none of them is a compound.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Solid for Compound {
    fn kind(&self) -> &'static str {
        "compound"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let mut all = Aabb { min: Vec3::splat(f64::INFINITY), max: Vec3::splat(f64::NEG_INFINITY) };
        for part in &self.parts {
            let one = part.shape.bounds(&(*pose * part.pose));
            all = Aabb { min: all.min.min(one.min), max: all.max.max(one.max) };
        }
        all
    }

    /// The sum over the parts, each at `density` times its own.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        positive("compound", "density", density)?;
        let mut sum: Option<MassProperties> = None;
        for part in &self.parts {
            let one = part.shape.mass_properties(density * part.density)?.posed(&part.pose);
            sum = Some(sum.map_or(one, |known| known + one));
        }
        sum.ok_or(ShapeError::NoParts)
    }

    /// The first part that is hit; of parts hit at the same place, the earlier in the list.
    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let line = Approach::of(ray)?;
        let mut first: Option<Hit> = None;
        for part in &self.parts {
            let origin = part.pose.point_to_body(ray.origin);
            let direction = part.pose.vector_to_body(ray.direction);
            if let Some(hit) = part.shape.cast_ray(&Ray { origin, direction }) {
                if hit.t == 0.0 && part.shape.contains(origin, 0.0) {
                    return Some(line.inside());
                }
                if first.is_none_or(|known| hit.t < known.t) {
                    first = Some(Hit { t: hit.t, normal: part.pose.vector_to_world(hit.normal) });
                }
            }
        }
        first
    }

    fn project(&self, point: Vec3) -> Projection {
        let mut best: Option<(Projection, &Pose)> = None;
        for part in &self.parts {
            let one = part.shape.project(part.pose.point_to_body(point));
            if best.is_none_or(|(known, _)| one.signed_distance < known.signed_distance) {
                best = Some((one, &part.pose));
            }
        }
        let (found, pose) = best.expect("a compound has at least one part");
        Projection {
            point: pose.point_to_world(found.point),
            normal: pose.vector_to_world(found.normal),
            signed_distance: found.signed_distance,
        }
    }
}
