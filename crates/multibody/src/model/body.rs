//! Bodies: frames in a tree, with mass.

use super::ids::BodyId;
use gedanken_math::{Pose, Vec3};

/// A body: a frame that its joints move against its parent, with mass.
///
/// A body without joints is welded to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its name; may be empty.
    pub name: String,
    /// The body that carries it; earlier in the list. The world carries itself.
    pub parent: BodyId,
    /// Pose in the parent when all joints are at their reference.
    pub pose: Pose,
    /// Mass, in kg.
    pub mass: f64,
    /// Centre of mass and principal axes, in the body's frame.
    pub inertia_pose: Pose,
    /// Principal moments of inertia about the centre of mass, in kg m².
    pub inertia: Vec3,
    /// Share of its weight that is held up from outside.
    pub gravity_compensation: f64,
    /// Whether its pose is given from outside at every instant. Only a child of the world without joints can
    /// be prescribed.
    pub is_prescribed: bool,
}

impl Body {
    /// A body without mass, at the frame of its parent.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: BodyId) -> Self {
        Self {
            name: name.into(),
            parent,
            pose: Pose::IDENTITY,
            mass: 0.0,
            inertia_pose: Pose::IDENTITY,
            inertia: Vec3::ZERO,
            gravity_compensation: 0.0,
            is_prescribed: false,
        }
    }

    /// The world: body 0, at rest.
    #[must_use]
    pub fn world() -> Self {
        Self::new("world", BodyId::WORLD)
    }
}
