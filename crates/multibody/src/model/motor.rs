//! Motors: what drives a coordinate at a speed, with no more than a largest force.

use super::equality::Mount;
use super::ids::JointId;
use super::softness::Softness;

/// A drive at a speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Motor {
    /// Its name; may be empty.
    pub name: String,
    /// What it drives.
    pub coordinate: MotorCoordinate,
    /// The speed that it aims at, in rad/s or m/s.
    pub speed: f64,
    /// Its largest torque or force, in N m or N.
    pub largest_force: f64,
    /// How softly it follows.
    pub softness: Softness,
}

/// Coordinate that a motor drives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MotorCoordinate {
    /// That of a hinge or slide of the tree.
    Joint(JointId),
    /// Angle about the z axis of the first frame, of the first body against the second.
    Hinge {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
    },
    /// Shift along the z axis of the first frame, of the first body against the second.
    Slide {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
    },
}
