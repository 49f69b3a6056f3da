//! Geoms: shapes fixed to bodies, with what their surfaces do in contact.

use super::ids::{BodyId, GeomId};
use super::softness::{Reference, Softness};
use gedanken_geometry::ConvexHull;
use gedanken_math::{Pose, Vec3};
use std::sync::Arc;

/// A shape fixed to a body, and its surface.
#[derive(Debug, Clone)]
pub struct Geom {
    /// Its name; may be empty.
    pub name: String,
    /// The body it belongs to. Geoms stand in the order of their bodies.
    pub body: BodyId,
    /// Pose in the body's frame.
    pub pose: Pose,
    /// The shape.
    pub shape: GeomShape,
    /// The surface in contact.
    pub surface: Surface,
    /// Bits that say what it is: it meets geoms that ask for one of them.
    pub contact_type: u32,
    /// Bits of the geoms that it asks to meet.
    pub contact_affinity: u32,
}

/// A shape about its own centre, along its own axes.
#[derive(Debug, Clone)]
pub enum GeomShape {
    /// Everything below z = 0.
    Plane,
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A ball swept along z.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half of the length of its axis, without the caps.
        half_length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes.
        semi_axes: Vec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half of its height.
        half_length: f64,
    },
    /// A box.
    Box {
        /// Half of its sides.
        half_sides: Vec3,
    },
    /// A convex hull.
    Hull(Arc<ConvexHull>),
}

/// What a surface does in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Which forces a contact can have.
    pub dimension: ContactDimension,
    /// Coefficients of sliding friction (a number), of torsional and of rolling friction (in m).
    pub friction: [f64; 3],
    /// Softness of contacts.
    pub softness: Softness,
    /// Distance below which a contact exerts a force.
    pub margin: f64,
    /// Distance beyond the margin in which a contact is found, but exerts no force.
    pub gap: f64,
    /// Of two surfaces the one with the higher priority decides; equal ones mix.
    pub priority: i32,
    /// Weight of this surface where two mix.
    pub mixing_weight: f64,
}

/// Forces that a contact can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactDimension {
    /// Normal force only.
    Frictionless,
    /// And sliding friction.
    Sliding,
    /// And torsional friction, about the normal.
    Torsional,
    /// And rolling friction.
    Rolling,
}

/// A pair of geoms that meets by its own parameters, whatever bits, parents and surfaces say.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPair {
    /// Its name; may be empty.
    pub name: String,
    /// The two geoms.
    pub geoms: [GeomId; 2],
    /// Which forces a contact can have.
    pub dimension: ContactDimension,
    /// Coefficients: sliding along both tangents, torsional, rolling about both.
    pub friction: [f64; 5],
    /// Softness of the normal force.
    pub softness: Softness,
    /// Reference of friction, if it has one of its own (elliptic cones).
    pub friction_reference: Option<Reference>,
    /// Distance below which a contact exerts a force.
    pub margin: f64,
    /// Distance beyond the margin in which a contact is found, but exerts no force.
    pub gap: f64,
}

impl ContactDimension {
    /// The dimension that MuJoCo calls 1, 3, 4 or 6.
    #[must_use]
    pub const fn from_condim(number: usize) -> Option<Self> {
        match number {
            1 => Some(Self::Frictionless),
            3 => Some(Self::Sliding),
            4 => Some(Self::Torsional),
            6 => Some(Self::Rolling),
            _ => None,
        }
    }

    /// Number of components of the contact force: 1, 3, 4 or 6.
    #[must_use]
    pub const fn components(self) -> usize {
        match self {
            Self::Frictionless => 1,
            Self::Sliding => 3,
            Self::Torsional => 4,
            Self::Rolling => 6,
        }
    }
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            dimension: ContactDimension::Sliding,
            friction: [1.0, 0.005, 0.0001],
            softness: Softness::MUJOCO,
            margin: 0.0,
            gap: 0.0,
            priority: 0,
            mixing_weight: 1.0,
        }
    }
}

impl Geom {
    /// A geom at its body's frame that meets all others.
    #[must_use]
    pub fn new(name: impl Into<String>, body: BodyId, shape: GeomShape) -> Self {
        Self {
            name: name.into(),
            body,
            pose: Pose::IDENTITY,
            shape,
            surface: Surface::default(),
            contact_type: 1,
            contact_affinity: 1,
        }
    }
}
