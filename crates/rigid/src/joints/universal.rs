//! A universal joint, Cardan's: two axes that cross at a right angle, one fixed in each body. Four rows: the
//! anchors meet, and the axes stay perpendicular, C = (p_A - p_B, x_A·x_B) = 0.

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::{Arms, Cosine};
use super::ends::{Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::to_world;
use gedanken_math::{Twist, Vec3};

/// Two shafts joined by a cross.
#[derive(Debug, Clone, PartialEq)]
pub struct Universal {
    ends: Ends,
}

/// Largest cosine between the axes at the start: about six degrees from perpendicular. Where they are
/// parallel the constraint has no gradient to correct it by.
const MAX_SKEW: f64 = 0.1;

impl Universal {
    /// Between these ends, whose axes are the arms of the cross: see [`Ends::crossing`].
    pub fn new(ends: Ends) -> Result<Self, RigidError> {
        let reason = "the arms of its cross must be perpendicular, one fixed in each body";
        Ok(Self { ends: ends.with_axes(-MAX_SKEW..=MAX_SKEW, reason)? })
    }

    fn cross(&self, at: &Configuration) -> Cosine {
        let (frame_a, frame_b) = self.ends.mounts.turns(at);
        Cosine { of_a: to_world(frame_a, Vec3::X), of_b: to_world(frame_b, Vec3::X) }
    }
}

impl Constraint for Universal {
    told_by_ends!("universal", rows: 4, touching: false);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        Arms::of(&self.ends.mounts, at).meet(rows);
        rows.push(self.cross(at).row());
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        Arms::of(&self.ends.mounts, at).meet_drift(a, b, out);
        out.push(self.cross(at).drift(a, b));
    }
}
