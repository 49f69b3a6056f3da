//! The unit quaternion: g(Q) = |Q|² - 1 = 0 on the four coordinates of an orientation.
//!
//! This is a condition on coordinates, not on motion. The twist of a body has six numbers, three of them for
//! turning, and no twist changes |Q|: Q̇ = ½ ω Q is perpendicular to Q, so in terms of twists the constraint
//! has no gradient, no multiplier and no force, and it cannot be a [`super::Constraint`]. Bodies here keep it
//! by construction: their orientations move by products with exponentials, which are unit quaternions, and
//! rounding is divided away. Those who integrate the four coordinates as if they were independent need it,
//! and find here its value, its derivatives, the multiplier of Baumgarte's stabilisation (@baumgarte1972),
//! and the projection.

use super::constraint::Gains;
use gedanken_math::Quat;

/// |Q|² - 1 = 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UnitQuaternion {
    /// The gains of the multiplier.
    pub gains: Gains,
}

impl UnitQuaternion {
    /// g = |Q|² - 1.
    #[must_use]
    pub fn value(&self, q: Quat) -> f64 {
        q.length_squared() - 1.0
    }

    /// ∂g/∂Q = 2Q.
    #[must_use]
    pub fn gradient(&self, q: Quat) -> Quat {
        q * 2.0
    }

    /// ġ = 2 Q·Q̇.
    #[must_use]
    pub fn rate(&self, q: Quat, q_dot: Quat) -> f64 {
        self.gradient(q).dot(q_dot)
    }

    /// λ = -α g - β ġ; the generalised force on the four coordinates is λ ∂g/∂Q.
    #[must_use]
    pub fn multiplier(&self, q: Quat, q_dot: Quat) -> f64 {
        -self.gains.alpha * self.value(q) - self.gains.beta * self.rate(q, q_dot)
    }

    /// The nearest unit quaternion; no rotation at all for one that has no length to divide by.
    #[must_use]
    pub fn projected(&self, q: Quat) -> Quat {
        let length = q.length();
        if length > 0.0 && length.is_finite() { q * (1.0 / length) } else { Quat::IDENTITY }
    }

    /// The rate without its part along Q, so that ġ = 0.
    #[must_use]
    pub fn projected_rate(&self, q: Quat, q_dot: Quat) -> Quat {
        let size = q.length_squared();
        if size > 0.0 { q_dot - q * (q.dot(q_dot) / size) } else { q_dot }
    }
}
