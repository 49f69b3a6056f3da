//! A distance kept: a rigid rod without mass, free to turn at both ends. C = |p_A - p_B| - L = 0, one row.

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::{Span, equal};
use super::ends::{Ends, refused, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::Twist;

/// Two points at a fixed distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Distance {
    ends: Ends,
    length: f64,
}

/// A length that a rod or a rope can have.
pub(super) fn checked_length(ends: &Ends, what: &'static str, length: f64) -> Result<f64, RigidError> {
    let fine = length > 0.0 && length.is_finite();
    let error = || {
        refused(what, &ends.name, length, "it must be positive and finite; at no distance, use a point joint")
    };
    if fine { Ok(length) } else { Err(error()) }
}

impl Distance {
    /// At this distance, m.
    pub fn new(ends: Ends, distance: f64) -> Result<Self, RigidError> {
        let length = checked_length(&ends, "distance", distance)?;
        Ok(Self { ends, length })
    }

    /// At the distance that the points have at the start.
    pub fn as_placed(ends: Ends) -> Result<Self, RigidError> {
        let span = Span::of(&ends.mounts, &ends.start);
        let distance = if span.is_rounding() { 0.0 } else { span.length };
        Self::new(ends, distance)
    }

    /// The distance kept, m.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.length
    }
}

impl Constraint for Distance {
    told_by_ends!("distance", rows: 1, touching: true);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let span = Span::of(&self.ends.mounts, at);
        let (a, b) = span.gradient();
        rows.push(equal(span.length - self.length, a, b));
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        out.push(Span::of(&self.ends.mounts, at).drift(a, b));
    }
}
