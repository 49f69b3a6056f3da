//! Inequalities: what is kept from growing or shrinking beyond a bound, softly and from one side.

use super::equality::Mount;
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
    /// The angle about the z axis of the first frame, of the first body against the second, stays within limits: one
    /// row while one of them is passed. It is what a hinge closure leaves free.
    Angle {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
        /// The smallest and the largest angle, less than a turn apart.
        limits: [f64; 2],
    },
    /// The shift along the z axis of the first frame, of the first body against the second, stays within limits: one
    /// row while one of them is passed. It is what a slide closure leaves free.
    Shift {
        /// Frame on the first body.
        first: Mount,
        /// Frame on the second body.
        second: Mount,
        /// The smallest and the largest shift, in m.
        limits: [f64; 2],
    },
    /// A condition of the surroundings is not negative: a row for each of its values that is not positive.
    Outside {
        /// Number of the condition among those of the surroundings.
        number: usize,
        /// The bodies it looks at; the world for one that it does not have.
        bodies: [BodyId; 2],
    },
}
