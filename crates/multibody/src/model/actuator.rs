//! Actuators: forces at joints that follow a control.

use super::ids::JointId;

/// A force at a joint, affine in control, length and velocity:
/// F = (g₀ + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇.
///
/// The length l of a hinge or slide is its coordinate times the gear; of a ball the gear's component of its
/// rotation vector; a free joint has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// Its name; may be empty.
    pub name: String,
    /// The joint it acts on.
    pub joint: JointId,
    /// Gear: force at the joint per force of the actuator; six numbers for a free joint, three for a ball,
    /// one for the others.
    pub gear: [f64; 6],
    /// Whether the gear of a ball or free joint is given in the parent's frame instead of the body's.
    pub is_gear_in_parent: bool,
    /// g₀, g₁, g₂.
    pub gain: [f64; 3],
    /// b₀, b₁, b₂.
    pub bias: [f64; 3],
    /// Whether it is a servo for an angle: on a ball the control is then taken at the turn that is nearest to the
    /// length.
    pub is_servo: bool,
    /// Damping ratio from which b₂ is made, by the inertia of the joint in the initial pose and b₁.
    pub damping_ratio: Option<f64>,
    /// Range to which the control is clamped.
    pub control_range: Option<[f64; 2]>,
    /// Range to which the force is clamped.
    pub force_range: Option<[f64; 2]>,
}

impl Actuator {
    /// An actuator whose force is its control, with gear one along every freedom of the joint.
    #[must_use]
    pub fn motor(name: impl Into<String>, joint: JointId) -> Self {
        Self {
            name: name.into(),
            joint,
            gear: [1.0; 6],
            is_gear_in_parent: false,
            gain: [1.0, 0.0, 0.0],
            bias: [0.0; 3],
            is_servo: false,
            damping_ratio: None,
            control_range: None,
            force_range: None,
        }
    }
}
