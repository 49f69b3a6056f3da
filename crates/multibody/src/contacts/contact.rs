//! Contacts between geoms, with everything that decides their forces.

use crate::model::{ContactDimension, GeomId, Reference, Softness};
use gedanken_math::Vec3;

/// A contact of two geoms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The two geoms; the first one is of the earlier kind of shape.
    pub geoms: [GeomId; 2],
    /// The middle between the two surfaces, in the world.
    pub position: Vec3,
    /// Unit normal from the first geom to the second, and two tangents: a right-handed frame.
    pub frame: [Vec3; 3],
    /// Distance of the surfaces; negative where they overlap.
    pub distance: f64,
    /// Which forces it can have.
    pub dimension: ContactDimension,
    /// Coefficients: sliding along both tangents, torsional, rolling about both.
    pub friction: [f64; 5],
    /// Softness of the normal force.
    pub softness: Softness,
    /// Reference of friction, if it has one of its own (elliptic cones).
    pub friction_reference: Option<Reference>,
    /// Distance below which it exerts forces.
    pub include_margin: f64,
    /// Whether it was found in the gap beyond that distance, and exerts none.
    pub in_gap: bool,
}
