//! Runge and Kutta's method of order 4, with Munthe-Kaas's increments for rotations (@hairer2006, IV.8).
//!
//! At a stage reached by turning by u, the rate of u that gives the angular velocity ω (body frame) is
//! ω + ½ u × ω + c(|u|) u × (u × ω), the inverse of the derivative of the exponential map. Without it
//! rotations would be of order 2.

use crate::compile::Model;
use crate::model::JointKind;
use gedanken_math::Vec3;

/// Buffers of the four stages.
#[derive(Debug, Clone, Default)]
pub struct RungeKutta {
    /// By stage, rates of the increments of position.
    pub shifts: [Vec<f64>; 4],
    /// By stage, accelerations.
    pub accelerations: [Vec<f64>; 4],
    /// An increment of position, in the tangent space of the start.
    pub increment: Vec<f64>,
    /// An increment of velocity.
    pub velocity_increment: Vec<f64>,
}

/// Time of the stages, as shares of the step.
pub(crate) const STAGES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
/// Weights of the stages.
pub(crate) const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

impl RungeKutta {
    /// Writes the increments that lead to a stage.
    pub fn lead_to(&mut self, stage: usize, h: f64) {
        let factor = STAGES[stage] * h;
        let scaled = |source: &[f64], target: &mut Vec<f64>| {
            target.clear();
            target.extend(source.iter().map(|value| value * factor));
        };
        scaled(&self.shifts[stage - 1], &mut self.increment);
        scaled(&self.accelerations[stage - 1], &mut self.velocity_increment);
    }

    /// Stores the velocities of a stage as rates of the increment that led to it, and its accelerations.
    pub fn store(&mut self, model: &Model, stage: usize, velocities: &[f64], accelerations: &[f64]) {
        self.shifts[stage].clear();
        self.shifts[stage].extend_from_slice(velocities);
        self.accelerations[stage].clear();
        self.accelerations[stage].extend_from_slice(accelerations);
        if stage == 0 {
            return;
        }
        for (number, joint) in model.description.joints.iter().enumerate() {
            let freedom = model.topology.freedom_of[number];
            let first = match joint.kind {
                JointKind::Free => freedom + 3,
                JointKind::Ball => freedom,
                JointKind::Slide | JointKind::Hinge => continue,
            };
            let turned = Vec3::from_slice(&self.increment[first..first + 3]);
            let spin = Vec3::from_slice(&velocities[first..first + 3]);
            let rate = rate_of_turn(turned, spin);
            self.shifts[stage][first..first + 3].copy_from_slice(&rate.to_array());
        }
    }

    /// Writes the increments of the whole step.
    pub fn add_up(&mut self, h: f64) {
        let sum = |stages: &[Vec<f64>; 4], target: &mut Vec<f64>| {
            target.clear();
            target.resize(stages[0].len(), 0.0);
            for (stage, weight) in stages.iter().zip(WEIGHTS) {
                for (value, rate) in target.iter_mut().zip(stage) {
                    *value += rate * (weight * h);
                }
            }
        };
        sum(&self.shifts, &mut self.increment);
        sum(&self.accelerations, &mut self.velocity_increment);
    }
}

/// Rate of a rotation vector u that gives the angular velocity ω in the body's frame.
fn rate_of_turn(turned: Vec3, spin: Vec3) -> Vec3 {
    let squared = turned.length_squared();
    // (1 − (x/2) cot(x/2)) / x² = 1/12 + x²/720 + x⁴/30240 + …
    let factor = if squared < 1e-3 {
        1.0 / 12.0 + squared / 720.0 + squared * squared / 30240.0
    } else {
        let half = 0.5 * squared.sqrt();
        (1.0 - half / libm::tan(half)) / squared
    };
    let once = turned.cross(spin);
    spin + once * 0.5 + turned.cross(once) * factor
}
