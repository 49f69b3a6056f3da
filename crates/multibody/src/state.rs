//! The state of a mechanism: all that decides how it goes on.

use gedanken_math::{Pose, Vec3};

/// Coordinates, velocities and controls at an instant.
#[derive(Debug, PartialEq, Default)]
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
    /// Motions of the prescribed bodies, in their order.
    pub prescribed: Vec<Prescribed>,
}

/// Motion of a prescribed body at an instant, in the world's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prescribed {
    /// Pose of its frame.
    pub pose: Pose,
    /// Velocity of its frame's origin, in m/s.
    pub velocity: Vec3,
    /// Angular velocity, in rad/s.
    pub angular_velocity: Vec3,
    /// Acceleration of its frame's origin, in m/s².
    pub acceleration: Vec3,
    /// Angular acceleration, in rad/s².
    pub angular_acceleration: Vec3,
}

impl Prescribed {
    /// A body at rest.
    #[must_use]
    pub const fn at_rest(pose: Pose) -> Self {
        Self {
            pose,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            angular_acceleration: Vec3::ZERO,
        }
    }
}

/// A derived `clone_from` would allocate at every step.
impl Clone for State {
    fn clone(&self) -> Self {
        let mut made = Self::default();
        made.clone_from(self);
        made
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { time, coordinates, velocities, controls, warm_start, prescribed } = source;
        self.time = *time;
        self.coordinates.clone_from(coordinates);
        self.velocities.clone_from(velocities);
        self.controls.clone_from(controls);
        self.warm_start.clone_from(warm_start);
        self.prescribed.clone_from(prescribed);
    }
}
