//! A rope: it pulls when it is taut and does nothing when it is slack. C = L - |p_A - p_B| ≥ 0, one row.

use super::constraint::{Configuration, Constraint, Gains, Row, Sense};
use super::constraint_terms::Span;
use super::distance::checked_length;
use super::ends::{Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::Twist;

/// Two points no farther from each other than a length.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    ends: Ends,
    length: f64,
}

impl Rope {
    /// Of this length, m.
    pub fn new(ends: Ends, length: f64) -> Result<Self, RigidError> {
        let length = checked_length(&ends, "length", length)?;
        Ok(Self { ends, length })
    }

    /// The length, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Slack: the length beyond the distance of the ends, m; zero if the rope is taut.
    #[must_use]
    pub fn slack(&self, at: &Configuration) -> f64 {
        self.length - Span::of(&self.ends.mounts, at).length
    }
}

impl Constraint for Rope {
    told_by_ends!("rope", rows: 1, touching: true);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let span = Span::of(&self.ends.mounts, at);
        let (a, b) = span.gradient();
        rows.push(Row { value: self.length - span.length, a: -a, b: -b, rate: 0.0, sense: Sense::AtLeast });
    }

    fn has_limits(&self) -> bool {
        true
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        out.push(-Span::of(&self.ends.mounts, at).drift(a, b));
    }
}
