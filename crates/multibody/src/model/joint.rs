//! Joints: how a body moves against its parent. A body may have several; they act one after the other.

use super::ids::BodyId;
use super::softness::Softness;
use gedanken_math::Vec3;

/// A joint between a body and its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name; may be empty.
    pub name: String,
    /// The body that it moves. Joints of one body stand side by side in the list, in the order in which they
    /// act; joints of earlier bodies before them.
    pub body: BodyId,
    /// The freedoms it gives.
    pub kind: JointKind,
    /// A point that the joint leaves in place, in the body's frame. Without meaning for a free joint.
    pub anchor: Vec3,
    /// Unit vector of a hinge or slide, in the body's frame.
    pub axis: Vec3,
    /// Value of the coordinate in the pose that the body is given in (hinge, slide).
    pub reference: f64,
    /// Value of the coordinate at which the spring is at rest (hinge, slide); others rest as they are given.
    pub rest: f64,
    /// Stiffness of the spring, in N/m or N m.
    pub stiffness: f64,
    /// Damping, in N s/m or N m s, of every freedom.
    pub damping: f64,
    /// Time constant and damping ratio that the spring and the damper are made from, by the inertia of the
    /// joint in the initial pose; they then replace `stiffness` and `damping`.
    pub spring_damper: Option<[f64; 2]>,
    /// Inertia that is added to every freedom (a rotor behind a gear), in kg or kg m².
    pub armature: f64,
    /// Dry friction of every freedom: the largest force, in N or N m.
    pub friction_loss: f64,
    /// Softness of dry friction.
    pub friction_softness: Softness,
    /// Lowest and highest value of a hinge or slide; for a ball `[0, angle]`.
    pub limits: Option<[f64; 2]>,
    /// Distance from a limit at which it begins to act.
    pub limit_margin: f64,
    /// Softness of the limits.
    pub limit_softness: Softness,
    /// Bounds of the sum of all actuator forces (hinge, slide).
    pub actuator_force_range: Option<[f64; 2]>,
    /// Whether gravity compensation counts as a force of actuators.
    pub compensates_by_actuators: bool,
}

/// Freedoms that a joint gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// All six: position and quaternion, velocity in the world's frame and angular velocity in the body's.
    /// Only for children of the world.
    Free,
    /// Three rotations: a quaternion, angular velocity in the body's frame.
    Ball,
    /// A translation along the axis.
    Slide,
    /// A rotation about the axis.
    Hinge,
}

impl JointKind {
    /// Number of coordinates in q.
    #[must_use]
    pub const fn coordinates(self) -> usize {
        match self {
            JointKind::Free => 7,
            JointKind::Ball => 4,
            JointKind::Slide | JointKind::Hinge => 1,
        }
    }

    /// Number of freedoms, the entries in v.
    #[must_use]
    pub const fn freedoms(self) -> usize {
        match self {
            JointKind::Free => 6,
            JointKind::Ball => 3,
            JointKind::Slide | JointKind::Hinge => 1,
        }
    }

    /// Name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            JointKind::Free => "free",
            JointKind::Ball => "ball",
            JointKind::Slide => "slide",
            JointKind::Hinge => "hinge",
        }
    }
}

impl Joint {
    /// A joint at the body's origin about or along z, without spring, damping, friction or limits.
    #[must_use]
    pub fn new(name: impl Into<String>, body: BodyId, kind: JointKind) -> Self {
        Self {
            name: name.into(),
            body,
            kind,
            anchor: Vec3::ZERO,
            axis: Vec3::Z,
            reference: 0.0,
            rest: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            spring_damper: None,
            armature: 0.0,
            friction_loss: 0.0,
            friction_softness: Softness::MUJOCO,
            limits: None,
            limit_margin: 0.0,
            limit_softness: Softness::MUJOCO,
            actuator_force_range: None,
            compensates_by_actuators: false,
        }
    }
}
