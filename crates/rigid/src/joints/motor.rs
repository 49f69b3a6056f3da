//! A motor: it drives the coordinate of a joint at a speed, with no more than its greatest torque or force.
//! One row, whose rate is that of the coordinate.

use super::constraint::{Configuration, Constraint, Row, Sense};
use super::coordinate::Coordinate;
use super::ends::refused;
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::Twist;

/// A drive on a hinge or a slider.
#[derive(Debug, Clone, PartialEq)]
pub struct Motor {
    name: String,
    coordinate: Coordinate,
    speed: f64,
    most: f64,
}

impl Motor {
    /// Aiming at `speed` (rad/s or m/s, of A as seen from B) with at most the torque or force `most` (N·m or
    /// N). A speed of zero is a brake.
    pub fn new(
        name: impl Into<String>,
        coordinate: Coordinate,
        speed: f64,
        most: f64,
    ) -> Result<Self, RigidError> {
        let name = name.into();
        if !speed.is_finite() {
            return Err(refused("speed", &name, speed, "it must be a finite number"));
        }
        if !(most > 0.0 && most.is_finite()) {
            return Err(refused(
                "greatest force",
                &name,
                most,
                "it must be positive and finite; without a force there is no motor",
            ));
        }
        Ok(Self { name, coordinate, speed, most })
    }

    /// Driven coordinate.
    #[must_use]
    pub fn driven(&self) -> Coordinate {
        self.coordinate
    }

    /// The speed it aims at.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Its greatest torque or force.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        self.most
    }
}

impl Constraint for Motor {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &'static str {
        "motor"
    }

    fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        self.coordinate.bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let (a, b) = self.coordinate.gradient(at);
        let sense = Sense::Driven { speed: self.speed, most: self.most };
        rows.push(Row { value: self.coordinate.value(at), a, b, rate: 0.0, sense });
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        out.push(self.coordinate.drift(at, a, b));
    }

    /// Returns `true`: contacts between the bodies are decided by the joint itself.
    fn lets_touch(&self) -> bool {
        true
    }
}
