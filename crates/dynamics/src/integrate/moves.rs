//! The moves that integrators are composed of, as traits: integrators know these and nothing of laws.

use crate::core::flow::Flow;
use crate::core::rule::Rule;

/// The moves of methods that are made of drifts and kicks.
pub trait Splitting {
    /// v′ = v + h F/m with the forces of the present positions, and of the mean velocity of the kick if they depend
    /// on velocities; likewise for angular velocity.
    fn kick(&self) -> Flow;
    /// r′ = r + h v, and the free rotation of bodies. Time passes.
    fn drift(&self) -> Flow;
    /// The moves of a Verlet step that may keep the acceleration.
    fn verlet(&self) -> Flow;
}

/// All moves that integrators are composed of.
pub trait Moves: Splitting {
    /// Returns `true` if bodies turn.
    fn turns(&self) -> bool;
    /// Sets up what is counted anew in every step.
    fn begin(&self) -> Flow;
    /// The forces of all laws at the present positions.
    fn forces(&self) -> Flow;
    /// Remembers position and velocity as the start of the step.
    fn save(&self) -> Flow;
    /// Stores the slopes (v, F/m) of the present stage, whose weight in the final sum is `weight`.
    fn slope(&self, stage: usize, weight: f64) -> Flow;
    /// Sets position and velocity to the start plus h times a combination of slopes.
    fn combine(&self, coefficients: &[f64]) -> Flow;
    /// One round of the implicit midpoint rule's iteration; raises a flag when it has settled.
    fn midpoint_round(&self) -> Flow;
    /// From the settled midpoint to the end of the step.
    fn midpoint_finish(&self) -> Flow;
    /// Vetoes the step if a combination of slopes, an estimate of the error, exceeds `tolerance`.
    fn judge(&self, coefficients: &[f64], tolerance: f64) -> Flow;
    /// Lets time pass and does nothing else.
    fn clock(&self) -> Flow {
        Rule::new("clock", (), |_, ()| ()).advancing().into()
    }
}
