//! The coordinate of a joint: the angle of a hinge, the travel of a slider, and how fast they change.

use super::constraint::Configuration;
use super::constraint_terms::{Arms, Turn};
use super::mounts::Mounts;
use gedanken_dynamics::ComponentId;
use gedanken_dynamics::laws::Pivot;
use gedanken_math::rotation::to_world;
use gedanken_math::{Twist, Vec3};

/// Degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    /// About an axis.
    Angle,
    /// Along an axis.
    Travel,
}

/// The one freedom that a hinge or a slider leaves, as a number: of A as seen from B, about or along the axis
/// of the joint.
///
/// An angle is in (-π, π], zero as the bodies were placed at the start. A travel is zero where the anchors
/// meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinate {
    mounts: Mounts,
    freedom: Freedom,
}

impl Coordinate {
    pub(super) fn new(mounts: Mounts, freedom: Freedom) -> Self {
        Self { mounts, freedom }
    }

    /// An angle or a travel.
    #[must_use]
    pub fn freedom(&self) -> Freedom {
        self.freedom
    }

    /// Name in recordings.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.freedom {
            Freedom::Angle => "angle",
            Freedom::Travel => "travel",
        }
    }

    /// Its unit.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self.freedom {
            Freedom::Angle => "rad",
            Freedom::Travel => "m",
        }
    }

    /// The bodies: A, and B unless the world takes its place.
    #[must_use]
    pub fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        (self.mounts.a, self.mounts.b)
    }

    /// The frames between which an angle is measured, as laws want them: a torsion spring can turn where a
    /// hinge does. A travel has none.
    #[must_use]
    pub fn pivot(&self) -> Option<Pivot> {
        let Mounts { a, b, in_a, in_b } = self.mounts;
        let b = b.unwrap_or(ComponentId::WORLD);
        let pivot = Pivot { a, frame_a: in_a.rotation, b, frame_b: in_b.rotation };
        (self.freedom == Freedom::Angle).then_some(pivot)
    }

    /// Its value.
    #[must_use]
    pub fn value(&self, at: &Configuration) -> f64 {
        match self.freedom {
            Freedom::Angle => Turn::of(&self.mounts, at).angle(),
            Freedom::Travel => self.axis(at).dot(Arms::of(&self.mounts, at).gap),
        }
    }

    /// Rate of change for these twists of A and B.
    #[must_use]
    pub fn speed(&self, at: &Configuration, a: Twist, b: Twist) -> f64 {
        let (of_a, of_b) = self.gradient(at);
        of_a.dot(a) + of_b.dot(b)
    }

    /// ∂(speed)/∂twist of A and of B.
    pub(super) fn gradient(&self, at: &Configuration) -> (Twist, Twist) {
        match self.freedom {
            Freedom::Angle => Turn::of(&self.mounts, at).angle_gradient(),
            Freedom::Travel => Arms::of(&self.mounts, at).gradient_with_b(self.axis(at)),
        }
    }

    /// Rate of change of the speed under constant twists.
    pub(super) fn drift(&self, at: &Configuration, a: Twist, b: Twist) -> f64 {
        match self.freedom {
            Freedom::Angle => Turn::of(&self.mounts, at).angle_drift(a, b),
            Freedom::Travel => Arms::of(&self.mounts, at).drift_with_b(self.axis(at), a, b),
        }
    }

    /// The axis of the joint, fixed in B.
    fn axis(&self, at: &Configuration) -> Vec3 {
        to_world(self.mounts.turns(at).1, Vec3::X)
    }
}
