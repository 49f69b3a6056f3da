//! Angle of a rotation about the x axis, as of a door about its hinge.
//!
//! Every rotation is a turn about x followed by a swing that takes x elsewhere (swing-twist decomposition).
//! With q = (w, x, y, z) the turn is the part (w, x, 0, 0), so its angle is θ = 2 atan2(x, w). On a hinge,
//! which allows no swing, θ is the angle of the hinge. Near a hinge it is the smoothest extension there is.
//! It is undefined where x has been turned over, w = x = 0.

use crate::{Quat, Vec3};
use std::f64::consts::{PI, TAU};

/// Minimum of w² + x², the squared cosine of half the swing. Below it the x axis is turned over to within
/// 1e-12 rad.
const TURNED_OVER: f64 = 1e-24;

/// Returns the angle about x, in (-π, π]. It is zero where the angle is undefined, and the same for q and -q.
///
/// ```
/// use gedanken_math::{Vec3, axial, rotation::from_rotation_vector};
/// let open = from_rotation_vector(Vec3::new(-0.3, 0.0, 0.0));
/// assert!((axial::angle(open) + 0.3).abs() < 1e-15);
/// ```
#[must_use]
pub fn angle(q: Quat) -> f64 {
    if q.w * q.w + q.x * q.x < TURNED_OVER {
        return 0.0;
    }
    // With w ≥ 0 the half angle is in [-π/2, π/2].
    let (w, x) = if q.w < 0.0 { (-q.w, -q.x) } else { (q.w.abs(), q.x) };
    wrapped(2.0 * libm::atan2(x, w))
}

/// Returns ∂θ̇/∂Ω. The rate of the angle is this vector times the angular velocity Ω, in the axes that the
/// rotation leads to.
///
/// From ẇ = -½ Ω·u and u̇ = ½ (w Ω + Ω × u), with u = (x, y, z). On a hinge it is the x axis.
#[must_use]
pub fn gradient(q: Quat) -> Vec3 {
    let s = q.w * q.w + q.x * q.x;
    if s < TURNED_OVER {
        return Vec3::X;
    }
    Vec3::new(1.0, (q.w * q.z + q.x * q.y) / s, (q.x * q.z - q.w * q.y) / s)
}

/// Returns the rate of the [`gradient`] while the rotation moves with the angular velocity `omega`.
#[must_use]
pub fn gradient_rate(q: Quat, omega: Vec3) -> Vec3 {
    let s = q.w * q.w + q.x * q.x;
    if s < TURNED_OVER {
        return Vec3::ZERO;
    }
    let u = Vec3::new(q.x, q.y, q.z);
    let w_dot = -0.5 * omega.dot(u);
    let u_dot = (omega * q.w + omega.cross(u)) * 0.5;
    let s_dot = 2.0 * (q.w * w_dot + q.x * u_dot.x);
    let y = q.w * q.z + q.x * q.y;
    let z = q.x * q.z - q.w * q.y;
    let y_dot = w_dot * q.z + q.w * u_dot.z + u_dot.x * q.y + q.x * u_dot.y;
    let z_dot = u_dot.x * q.z + q.x * u_dot.z - w_dot * q.y - q.w * u_dot.y;
    Vec3::new(0.0, (y_dot - y * s_dot / s) / s, (z_dot - z * s_dot / s) / s)
}

/// Returns an angle between -2π and 2π brought to (-π, π].
#[must_use]
pub fn wrapped(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        angle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::{about_axis, from_rotation_vector};
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    #[test]
    fn half_a_turn_is_pi_and_a_turned_axis_has_no_angle() {
        assert_eq!(angle(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)), PI);
        assert_eq!(angle(Quat::from_xyzw(-1.0, 0.0, 0.0, 0.0)), PI);
        assert_eq!(angle(Quat::from_xyzw(0.0, 1.0, 0.0, -0.0)), 0.0);
        assert_eq!(gradient(Quat::from_xyzw(0.0, 0.6, 0.8, 0.0)), Vec3::X);
    }

    proptest! {
        /// A swing about an axis perpendicular to x leaves the angle as it is, and the sign of q means
        /// nothing.
        #[test]
        fn a_swing_does_not_turn(theta in -3.1..3.1f64, y in -1.0..1.0f64, z in -1.0..1.0f64) {
            let q = from_rotation_vector(Vec3::new(0.0, y, z)) * about_axis(0, theta);
            prop_assert!((angle(q) - theta).abs() < 1e-14);
            prop_assert_eq!(angle(-q), angle(q));
        }

        #[test]
        fn rates_are_what_differences_say(theta in -2.5..2.5f64, swing in vector(0.8), omega in vector(1.0)) {
            let q = from_rotation_vector(swing) * about_axis(0, theta);
            let at = |t: f64| from_rotation_vector(omega * t) * q;
            let h = 1e-4;
            let rate = (angle(at(h)) - angle(at(-h))) / (2.0 * h);
            prop_assert!((gradient(q).dot(omega) - rate).abs() < 1e-6);
            let change = (gradient(at(h)) - gradient(at(-h))) / (2.0 * h);
            prop_assert!((gradient_rate(q, omega) - change).length() < 1e-6);
        }
    }
}
