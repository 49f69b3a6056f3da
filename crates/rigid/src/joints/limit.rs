//! Limits of a joint's coordinate: least ≤ θ ≤ most. Rows C = θ - least ≥ 0 and C = most - θ ≥ 0, one for
//! each end that has a limit.
//!
//! An angle comes round again, so it is measured from the middle of its range: it is on the wrong side of the
//! nearer limit until it has gone all the way to the point opposite of the middle. Its limits lie inside (-π,
//! π).

use super::constraint::{Configuration, Constraint, Row, Sense};
use super::coordinate::{Coordinate, Freedom};
use super::ends::refused;
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::{Twist, axial};
use std::f64::consts::PI;

/// A stop at one or both ends of the way that a hinge or a slider leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    name: String,
    coordinate: Coordinate,
    least: f64,
    most: f64,
}

impl Limit {
    /// Between `least` and `most`, rad or m. For a travel, an infinite number is no limit on that side.
    pub fn new(
        name: impl Into<String>,
        coordinate: Coordinate,
        least: f64,
        most: f64,
    ) -> Result<Self, RigidError> {
        let name = name.into();
        let shown = format!("{least} to {most}");
        if least.is_nan() || most.is_nan() || least >= most {
            return Err(refused(
                "range",
                &name,
                shown,
                "the lower limit comes first and is the smaller number",
            ));
        }
        let round = coordinate.freedom() == Freedom::Angle;
        if round && !(least > -PI && most < PI) {
            return Err(refused("range", &name, shown, "the limits of an angle lie between -pi and pi"));
        }
        if !least.is_finite() && !most.is_finite() {
            return Err(refused("range", &name, shown, "at least one of the limits must be a finite number"));
        }
        Ok(Self { name, coordinate, least, most })
    }

    /// Limited coordinate.
    #[must_use]
    pub fn limited(&self) -> Coordinate {
        self.coordinate
    }

    /// The limits.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        (self.least, self.most)
    }

    /// Distances of the coordinate from the lower and the upper limit; negative beyond.
    fn room(&self, at: &Configuration) -> (f64, f64) {
        let value = self.coordinate.value(at);
        match self.coordinate.freedom() {
            Freedom::Travel => (value - self.least, self.most - value),
            Freedom::Angle => {
                let (middle, half) = (0.5 * (self.least + self.most), 0.5 * (self.most - self.least));
                let off = axial::wrapped(value - middle);
                (half + off, half - off)
            }
        }
    }
}

impl Constraint for Limit {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &'static str {
        "limit"
    }

    fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        self.coordinate.bodies()
    }

    fn dimension(&self) -> usize {
        usize::from(self.least.is_finite()) + usize::from(self.most.is_finite())
    }

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let (a, b) = self.coordinate.gradient(at);
        let (above, below) = self.room(at);
        let sense = Sense::AtLeast;
        if self.least.is_finite() {
            rows.push(Row { value: above, a, b, rate: 0.0, sense });
        }
        if self.most.is_finite() {
            rows.push(Row { value: below, a: -a, b: -b, rate: 0.0, sense });
        }
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        let drift = self.coordinate.drift(at, a, b);
        if self.least.is_finite() {
            out.push(drift);
        }
        if self.most.is_finite() {
            out.push(-drift);
        }
    }

    fn has_limits(&self) -> bool {
        true
    }

    /// Returns `true`: contacts between the bodies are decided by the joint itself.
    fn lets_touch(&self) -> bool {
        true
    }
}
