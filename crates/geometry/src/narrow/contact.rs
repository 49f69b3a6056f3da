//! Results of the narrow phase: distances, contacts, errors.

use gedanken_math::Vec3;

/// Two shapes that touch or overlap. All in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The unit normal, from A to B: moving B by `normal * depth` makes the shapes just touch.
    pub normal: Vec3,
    /// Penetration depth: zero when they touch.
    pub depth: f64,
    /// The deepest point of A inside B, on A's surface.
    pub point_a: Vec3,
    /// The deepest point of B inside A, on B's surface: point_a - point_b = depth · normal.
    pub point_b: Vec3,
}

/// The closest points of two shapes that do not overlap. All in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// The unit direction from A to B.
    pub normal: Vec3,
    /// The distance: positive.
    pub distance: f64,
    /// The closest point of A.
    pub point_a: Vec3,
    /// The closest point of B.
    pub point_b: Vec3,
}

/// Reason why a query has no answer: never a wrong one in silence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A pose is not finite.
    #[error("the pose of {which} is not finite")]
    BadPose {
        /// `A` or `B`.
        which: &'static str,
    },
    /// The query does not exist for these shapes.
    #[error("there is no {query} between a {a} and a {b}")]
    Unsupported {
        /// The query.
        query: &'static str,
        /// The kind of A.
        a: &'static str,
        /// The kind of B.
        b: &'static str,
    },
    /// The iteration did not converge within its bound.
    #[error("{query} did not settle within {iterations} iterations; the error is still {error:e}")]
    Unsettled {
        /// The query.
        query: &'static str,
        /// Maximum number of iterations.
        iterations: u32,
        /// Bound on the error of the answer.
        error: f64,
    },
    /// A margin that is negative or not finite.
    #[error("a margin of {value} is not possible: it must be finite and not negative")]
    BadMargin {
        /// Value given.
        value: f64,
    },
}

/// Relative position of two shapes: apart, or touching or overlapping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// Apart.
    Separated(Separation),
    /// Touching or overlapping.
    Overlapping(Contact),
}

/// Both in one: the gap is negative where the shapes overlap. All in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Closest {
    pub(crate) normal: Vec3,
    pub(crate) gap: f64,
    pub(crate) point_a: Vec3,
    pub(crate) point_b: Vec3,
}

impl Closest {
    /// Returns the same with A and B exchanged.
    pub(crate) fn swapped(self) -> Self {
        Self { normal: -self.normal, gap: self.gap, point_a: self.point_b, point_b: self.point_a }
    }

    pub(crate) fn distance(self) -> Distance {
        let Self { normal, gap, point_a, point_b } = self;
        if gap > 0.0 {
            Distance::Separated(Separation { normal, distance: gap, point_a, point_b })
        } else {
            Distance::Overlapping(Contact { normal, depth: 0.0 - gap, point_a, point_b })
        }
    }
}
