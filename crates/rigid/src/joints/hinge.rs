//! A hinge: A turns about an axis of B and does nothing else. Five rows: the anchors meet, and the axis of A
//! is perpendicular to two directions of B, C = (p_A - p_B, x_A·y_B, x_A·z_B) = 0.
//!
//! The rotation rows have gradients of unit length at right angles to each other where the joint holds, and
//! they change sign nowhere near it.

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::{Arms, Cosine};
use super::coordinate::{Coordinate, Freedom};
use super::ends::{COMMON_AXIS_COSINES, Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::to_world;
use gedanken_math::{Twist, Vec3};

/// A door on its hinge, a wheel on its axle.
#[derive(Debug, Clone, PartialEq)]
pub struct Hinge {
    ends: Ends,
    coordinate: Coordinate,
}

impl Hinge {
    /// Between these ends, about their axis.
    pub fn new(ends: Ends) -> Result<Self, RigidError> {
        let ends = ends.with_axes(
            COMMON_AXIS_COSINES,
            "a hinge has one axis, and it points the same way in both bodies",
        )?;
        let coordinate = Coordinate::new(ends.mounts, Freedom::Angle);
        Ok(Self { ends, coordinate })
    }

    /// The angle of A as seen from B.
    #[must_use]
    pub fn angle(&self) -> Coordinate {
        self.coordinate
    }

    fn cosines(&self, at: &Configuration) -> [Cosine; 2] {
        let (frame_a, frame_b) = self.ends.mounts.turns(at);
        let of_a = to_world(frame_a, Vec3::X);
        [Vec3::Y, Vec3::Z].map(|across| Cosine { of_a, of_b: to_world(frame_b, across) })
    }
}

impl Constraint for Hinge {
    told_by_ends!("hinge", rows: 5, touching: false);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        Arms::of(&self.ends.mounts, at).meet(rows);
        rows.extend(self.cosines(at).map(Cosine::row));
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        Arms::of(&self.ends.mounts, at).meet_drift(a, b, out);
        out.extend(self.cosines(at).map(|cosine| cosine.drift(a, b)));
    }

    fn coordinate(&self) -> Option<Coordinate> {
        Some(self.coordinate)
    }
}
