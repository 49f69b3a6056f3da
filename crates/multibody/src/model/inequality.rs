//! Inequalities: what is kept from growing or shrinking beyond a bound, softly and from one side.

use super::ids::BodyId;
use super::softness::Softness;
use gedanken_math::Vec3;

/// Something that is kept on one side of a bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Inequality {
    /// Its name; may be empty.
    pub name: String,
    /// What is bounded.
    pub kind: InequalityKind,
    /// How softly.
    pub softness: Softness,
}

/// Kinds of inequality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InequalityKind {
    /// Two points are at most a length apart: a rope that can go slack. One row while it is taut.
    Rope {
        /// A body and a point of it.
        first: (BodyId, Vec3),
        /// Another body and a point of it.
        second: (BodyId, Vec3),
        /// Length of the rope, in m.
        length: f64,
    },
    /// A condition of the surroundings is not negative: a row for each of its values that is not positive.
    Outside {
        /// Number of the condition among those of the surroundings.
        number: usize,
        /// The bodies it looks at; the world for one that it does not have.
        bodies: [BodyId; 2],
    },
}
