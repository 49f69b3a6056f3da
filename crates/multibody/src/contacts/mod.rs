//! Contacts: which geoms meet, where, and by which parameters.

pub mod narrow;

use crate::model::{ContactDimension, GeomId, Reference, Softness};
use gedanken_math::Vec3;

/// A contact between two geoms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The two geoms.
    pub geoms: [GeomId; 2],
    /// The middle between the two surfaces, in the world.
    pub position: Vec3,
    /// Normal from the first geom to the second, and two tangents.
    pub frame: [Vec3; 3],
    /// Distance of the surfaces; negative where they overlap.
    pub distance: f64,
    /// Which forces it can have.
    pub dimension: ContactDimension,
    /// Coefficients: sliding along both tangents, torsional, rolling about both.
    pub friction: [f64; 5],
    /// Softness.
    pub softness: Softness,
    /// Reference of friction, if it has one of its own.
    pub friction_reference: Option<Reference>,
    /// Distance below which it exerts a force.
    pub include_margin: f64,
    /// Whether it is in the gap: found, but without force.
    pub in_gap: bool,
}
