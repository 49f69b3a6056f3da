//! A slider: A moves along an axis of B without turning. Five rows: the anchors meet across the axis, and the
//! frames stay turned alike, C = (y_B·(p_A - p_B), z_B·(p_A - p_B), 2u) = 0 with the relative turn (w, u).

use super::constraint::{Configuration, Constraint, Gains, Row};
use super::constraint_terms::{Arms, Turn, equal};
use super::coordinate::{Coordinate, Freedom};
use super::ends::{COMMON_AXIS_COSINES, Ends, told_by_ends};
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_math::rotation::to_world;
use gedanken_math::{Twist, Vec3};

/// A drawer on its rails, a piston in its cylinder.
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    ends: Ends,
    coordinate: Coordinate,
}

impl Slider {
    /// Between these ends, along their axis.
    pub fn new(ends: Ends) -> Result<Self, RigidError> {
        let ends = ends.with_axes(
            COMMON_AXIS_COSINES,
            "a slider has one axis, and it points the same way in both bodies",
        )?;
        let coordinate = Coordinate::new(ends.mounts, Freedom::Travel);
        Ok(Self { ends, coordinate })
    }

    /// Travel: the distance of A's anchor from B's along the axis.
    #[must_use]
    pub fn travel(&self) -> Coordinate {
        self.coordinate
    }

    fn across(&self, at: &Configuration) -> [Vec3; 2] {
        let (_, frame_b) = self.ends.mounts.turns(at);
        [Vec3::Y, Vec3::Z].map(|across| to_world(frame_b, across))
    }
}

impl Constraint for Slider {
    told_by_ends!("slider", rows: 5, touching: false);

    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        let arms = Arms::of(&self.ends.mounts, at);
        for n in self.across(at) {
            let (a, b) = arms.gradient_with_b(n);
            rows.push(equal(n.dot(arms.gap), a, b));
        }
        Turn::of(&self.ends.mounts, at).alike(rows);
    }

    fn drift(&self, at: &Configuration, a: Twist, b: Twist, out: &mut Vec<f64>) {
        let arms = Arms::of(&self.ends.mounts, at);
        out.extend(self.across(at).map(|n| arms.drift_with_b(n, a, b)));
        Turn::of(&self.ends.mounts, at).alike_drift(a, b, out);
    }

    fn coordinate(&self) -> Option<Coordinate> {
        Some(self.coordinate)
    }
}
