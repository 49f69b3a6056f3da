//! Equalities: what is kept equal, softly, beside the joints of the tree.

use super::ids::{BodyId, JointId};
use super::softness::Softness;
use gedanken_math::{Pose, Vec3};

/// Something that is kept equal.
#[derive(Debug, Clone, PartialEq)]
pub struct Equality {
    /// Its name; may be empty.
    pub name: String,
    /// What is kept equal.
    pub kind: EqualityKind,
    /// How softly.
    pub softness: Softness,
    /// Whether it acts.
    pub is_active: bool,
}

/// A frame fixed to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mount {
    /// The body.
    pub body: BodyId,
    /// Pose of the frame in the body.
    pub frame: Pose,
}

/// Kinds of equality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EqualityKind {
    /// Two points coincide: three rows.
    Connect {
        /// A body and a point of it.
        first: (BodyId, Vec3),
        /// Another body and a point of it.
        second: (BodyId, Vec3),
    },
    /// Two frames coincide: three rows of position, three of rotation.
    Weld {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
        /// Length by which rotation is scaled beside translation, in m.
        torque_scale: f64,
    },
    /// Two frames share their origins and their z axes: three rows of position, two of rotation.
    Hinge {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
    },
    /// Two frames have parallel axes, the origin of the second lies on the z axis of the first: two rows of
    /// position, three of rotation.
    Slide {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
    },
    /// Two frames share their origins, and the z axis of the first stays across that of the second: three rows of
    /// position, one of rotation.
    Universal {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
    },
    /// A coordinate is a polynomial of another: q₁ − q₁⁰ = Σ cₖ (q₂ − q₂⁰)ᵏ. One row.
    Polynomial {
        /// The joint that follows (hinge or slide).
        driven: JointId,
        /// The joint that leads; without one the coordinate is constant.
        driver: Option<JointId>,
        /// c₀ to c₄.
        coefficients: [f64; 5],
    },
    /// Two points keep their distance. One row.
    Distance {
        /// A body and a point of it.
        first: (BodyId, Vec3),
        /// Another body and a point of it.
        second: (BodyId, Vec3),
        /// The distance, in m.
        length: f64,
    },
    /// A condition of the surroundings is zero: a row for each of its values.
    Outside {
        /// Number of the condition among those of the surroundings.
        number: usize,
        /// The bodies it looks at; the world for one that it does not have.
        bodies: [BodyId; 2],
    },
}

impl EqualityKind {
    /// The bodies that it holds together; none for one of coordinates.
    pub(crate) fn bodies(&self) -> Option<[BodyId; 2]> {
        match self {
            Self::Connect { first, second } | Self::Distance { first, second, .. } => {
                Some([first.0, second.0])
            }
            Self::Weld { first, second, .. }
            | Self::Hinge { first, second }
            | Self::Slide { first, second }
            | Self::Universal { first, second } => Some([first.body, second.body]),
            Self::Outside { bodies, .. } => Some(*bodies),
            Self::Polynomial { .. } => None,
        }
    }
}
