//! A ball joint: a point of A stays on a point of B, and they turn as they like. C = p_A - p_B = 0, three
//! rows.

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::Arms;
use super::ends::{Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::{Twist, Vec3};

/// Two points in one place: a ball in its socket.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    ends: Ends,
}

impl Point {
    /// Between these ends.
    pub fn new(ends: Ends) -> Result<Self, RigidError> {
        Ok(Self { ends })
    }
}

impl Constraint for Point {
    told_by_ends!("point", rows: 3, touching: false);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        Arms::of(&self.ends.mounts, at).meet(rows);
    }

    fn anchors(&self) -> Option<[Vec3; 2]> {
        Some([self.ends.mounts.in_a.translation, self.ends.mounts.in_b.translation])
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        Arms::of(&self.ends.mounts, at).meet_drift(a, b, out);
    }
}
