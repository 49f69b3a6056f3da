//! Mounts: the frame of a joint in each of its two bodies.

use super::constraint::Configuration;
use gedanken_dynamics::ComponentId;
use gedanken_math::{Pose, Quat};

/// The bodies of a joint and its frame in each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mounts {
    pub(super) a: ComponentId,
    pub(super) b: Option<ComponentId>,
    /// The joint's frame in the principal frame of A.
    pub(super) in_a: Pose,
    /// The joint's frame in the principal frame of B; in the world if there is no B.
    pub(super) in_b: Pose,
}

impl Mounts {
    /// The joint's frames in the world, of A and of B.
    pub(super) fn turns(&self, at: &Configuration) -> (Quat, Quat) {
        (at.a.rotation * self.in_a.rotation, at.b.rotation * self.in_b.rotation)
    }
}
