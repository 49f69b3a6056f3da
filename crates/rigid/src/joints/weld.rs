//! A weld: two bodies that move as one. Six rows: the anchors meet and the frames stay turned alike,
//! C = (p_A - p_B, 2u) = 0 with the relative turn (w, u).

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::{Arms, Turn};
use super::ends::{Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::Twist;

/// Two bodies fixed to each other as they are placed at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Weld {
    ends: Ends,
}

impl Weld {
    /// Between these ends. The multipliers are the force and, about the anchor, the torque in the seam.
    pub fn new(ends: Ends) -> Result<Self, RigidError> {
        Ok(Self { ends })
    }
}

impl Constraint for Weld {
    told_by_ends!("weld", rows: 6, touching: false);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        Arms::of(&self.ends.mounts, at).meet(rows);
        Turn::of(&self.ends.mounts, at).alike(rows);
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        Arms::of(&self.ends.mounts, at).meet_drift(a, b, out);
        Turn::of(&self.ends.mounts, at).alike_drift(a, b, out);
    }
}
