//! The state of a mechanism: all that decides how it goes on.

use gedanken_math::Pose;

/// Coordinates, velocities and controls at an instant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// Time, in s.
    pub time: f64,
    /// Coordinates q. Quaternions are w, x, y, z.
    pub coordinates: Vec<f64>,
    /// Velocities v.
    pub velocities: Vec<f64>,
    /// Controls, one per actuator.
    pub controls: Vec<f64>,
    /// Acceleration of the last step, from which the next one starts to search.
    pub warm_start: Vec<f64>,
    /// Poses of the prescribed bodies, in their order.
    pub prescribed: Vec<Pose>,
}
