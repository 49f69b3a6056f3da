//! Poses: position and orientation of a body. x_world = Q x_body + r.

use crate::rotation::{to_body, to_world};
use crate::{Quat, Vec3};
use core::ops::Mul;

/// A rotation followed by a translation: takes body coordinates to world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Turns body vectors into world vectors; of unit length.
    pub rotation: Quat,
    /// Position of the body's origin in the world.
    pub translation: Vec3,
}

impl Pose {
    /// Pose in which body and world coincide.
    pub const IDENTITY: Pose = Pose { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// Pose turned by `rotation`, then moved by `translation`.
    #[must_use]
    pub const fn new(rotation: Quat, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    /// Pose moved by `translation`, not turned.
    #[must_use]
    pub const fn at(translation: Vec3) -> Self {
        Self { rotation: Quat::IDENTITY, translation }
    }

    /// A point of the body, in the world.
    #[must_use]
    pub fn point_to_world(&self, point_body: Vec3) -> Vec3 {
        to_world(self.rotation, point_body) + self.translation
    }

    /// A point of the world, in the body.
    #[must_use]
    pub fn point_to_body(&self, point_world: Vec3) -> Vec3 {
        to_body(self.rotation, point_world - self.translation)
    }

    /// A direction of the body, in the world.
    #[must_use]
    pub fn vector_to_world(&self, vector_body: Vec3) -> Vec3 {
        to_world(self.rotation, vector_body)
    }

    /// A direction of the world, in the body.
    #[must_use]
    pub fn vector_to_body(&self, vector_world: Vec3) -> Vec3 {
        to_body(self.rotation, vector_world)
    }

    /// The pose that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -to_world(rotation, self.translation) }
    }

    /// The pose of `other` as seen from this body: a_from_b = self⁻¹ · other.
    #[must_use]
    pub fn to(&self, other: &Pose) -> Pose {
        Pose {
            rotation: self.rotation.conjugate() * other.rotation,
            translation: to_body(self.rotation, other.translation - self.translation),
        }
    }

    /// Returns `true` if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Pose {
    type Output = Pose;
    /// `self` after `inner`: world_from_a · a_from_b.
    fn mul(self, inner: Pose) -> Pose {
        Pose { rotation: self.rotation * inner.rotation, translation: self.point_to_world(inner.translation) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::from_rotation_vector;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-3.0..3.0f64).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn poses_compose_and_invert(a in vector(), b in vector(), c in vector(), d in vector(), p in vector()) {
            let one = Pose::new(from_rotation_vector(a), b);
            let two = Pose::new(from_rotation_vector(c), d);
            let close = |x: Vec3, y: Vec3| (x - y).length() < 1e-13;
            prop_assert!(close((one * two).point_to_world(p), one.point_to_world(two.point_to_world(p))));
            prop_assert!(close(one.inverse().point_to_world(one.point_to_world(p)), p));
            prop_assert!(close(one.point_to_body(one.point_to_world(p)), p));
            prop_assert!(close(one.to(&two).point_to_world(p), one.point_to_body(two.point_to_world(p))));
        }
    }
}
