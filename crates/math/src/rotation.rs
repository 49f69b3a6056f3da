//! The exponential map of rotations and small helpers around it.
//!
//! A rotation vector φ turns by |φ| radians about φ/|φ|. Its unit quaternion is
//! exp(φ/2) = (cos(|φ|/2), sin(|φ|/2)·φ/|φ|), and for a constant angular velocity ω the orientation moves as
//! q(t + h) = exp(h·ω/2)·q(t) with ω in the world frame, or q(t)·exp(h·ω/2) with ω in the body frame.

use crate::{Quat, Vec3};

/// The unit quaternion of the rotation vector `phi` (radians).
///
/// Near zero the quotient sin(x/2)/x is taken from its series, so that tiny rotations lose no digits.
///
/// ```
/// use gedanken_math::{Vec3, rotation::from_rotation_vector};
/// let quarter = from_rotation_vector(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
/// assert!((quarter * Vec3::X - Vec3::Y).length() < 1e-15);
/// ```
#[must_use]
pub fn from_rotation_vector(phi: Vec3) -> Quat {
    let angle_squared = phi.length_squared();
    // sin(x/2)/x = 1/2 - x²/48 + x⁴/3840 - …; below x² = 1e-4 the next term is under 1e-18.
    let (scale, w) = if angle_squared < 1e-4 {
        let s = 0.5 - angle_squared / 48.0 + angle_squared * angle_squared / 3840.0;
        let c = 1.0 - angle_squared / 8.0 + angle_squared * angle_squared / 384.0
            - angle_squared * angle_squared * angle_squared / 46080.0;
        (s, c)
    } else {
        let angle = angle_squared.sqrt();
        let (sin, cos) = libm::sincos(0.5 * angle);
        (sin / angle, cos)
    };
    Quat::from_xyzw(scale * phi.x, scale * phi.y, scale * phi.z, w)
}

/// The rotation by `angle` radians about the body axis `k` (0, 1, 2), as a unit quaternion.
#[must_use]
pub fn about_axis(k: usize, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let mut axis = [0.0; 3];
    axis[k] = sin;
    Quat::from_xyzw(axis[0], axis[1], axis[2], cos)
}

/// A body vector in world coordinates: v + (2/|q|²)(w (u × v) + u × (u × v)) with q = (w, u).
///
/// Dividing by |q|² makes the result a rotation of `v` even when the length of `q` is off by rounding. The
/// usual formula without it lengthens every vector by that rounding error, always in the same sense, and a
/// million steps of a rotating body then show a drift of the angular momentum.
#[must_use]
#[inline]
pub fn to_world(q: Quat, v: Vec3) -> Vec3 {
    let u = Vec3::new(q.x, q.y, q.z);
    let once = u.cross(v);
    v + (once * q.w + u.cross(once)) * (2.0 / q.length_squared())
}

/// Returns the body's axes in the world, the columns of its rotation matrix. They equal [`to_world`] of the
/// unit vectors to the bit, without its products with zeros.
///
/// ```
/// use gedanken_math::rotation::{about_axis, axes, to_world};
/// use gedanken_math::Vec3;
/// let q = about_axis(2, 0.3);
/// assert_eq!(axes(q), Vec3::AXES.map(|axis| to_world(q, axis)));
/// ```
#[must_use]
#[inline]
pub fn axes(q: Quat) -> [Vec3; 3] {
    let s = 2.0 / q.length_squared();
    let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z);
    let (xy, xz, yz) = (q.x * q.y, q.x * q.z, q.y * q.z);
    let (xw, yw, zw) = (q.x * q.w, q.y * q.w, q.z * q.w);
    [
        Vec3::new(1.0 - (yy + zz) * s, (zw + xy) * s, (xz - yw) * s),
        Vec3::new((xy - zw) * s, 1.0 - (zz + xx) * s, (xw + yz) * s),
        Vec3::new((yw + xz) * s, (yz - xw) * s, 1.0 - (xx + yy) * s),
    ]
}

/// A world vector in body coordinates: the inverse of [`to_world`].
#[must_use]
#[inline]
pub fn to_body(q: Quat, v: Vec3) -> Vec3 {
    to_world(q.conjugate(), v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-3.0..3.0f64).prop_map(Vec3::from_array)
    }

    proptest! {
        /// Also of rotations about an axis, and of none, where many products are zero; and of quaternions
        /// that are a little long.
        #[test]
        fn axes_are_unit_vectors_in_the_world(phi in vector(), keep in prop::array::uniform3(any::<bool>()), length in 0.9..1.1f64) {
            let kept = Vec3::from_array(keep.map(|keep| f64::from(u8::from(keep))));
            let q = from_rotation_vector(phi * kept) * length;
            prop_assert_eq!(axes(q), Vec3::AXES.map(|axis| to_world(q, axis)));
        }

        #[test]
        fn the_exponential_is_a_unit_quaternion(phi in vector(), scale in -12..1i32) {
            let q = from_rotation_vector(phi * libm::pow(10.0, f64::from(scale)));
            prop_assert!((q.length() - 1.0).abs() < 4.0 * f64::EPSILON);
        }

        /// R = 1 + sin(x) K + (1 - cos x) K² (Rodrigues), an independent way to the same matrix.
        #[test]
        fn the_exponential_agrees_with_rodrigues(phi in vector()) {
            let x = phi.length();
            prop_assume!(x > 1e-3);
            let u = phi / x;
            let k = Mat3::from_cols(Vec3::new(0.0, u.z, -u.y), Vec3::new(-u.z, 0.0, u.x), Vec3::new(u.y, -u.x, 0.0));
            let rodrigues = Mat3::IDENTITY + k * libm::sin(x) + k * k * (1.0 - libm::cos(x));
            let q = from_rotation_vector(phi);
            let ours = Mat3::from_cols(to_world(q, Vec3::X), to_world(q, Vec3::Y), to_world(q, Vec3::Z));
            prop_assert!((rodrigues - ours).to_cols_array().iter().all(|d| d.abs() < 1e-14));
        }

        /// Whatever the length of the quaternion, the rotation keeps lengths and comes back.
        #[test]
        fn rotations_keep_lengths(phi in vector(), v in vector(), length in 0.5..2.0f64) {
            let q = from_rotation_vector(phi) * length;
            let turned = to_world(q, v);
            prop_assert!((turned.length() - v.length()).abs() <= 8.0 * f64::EPSILON * v.length());
            prop_assert!((to_body(q, turned) - v).length() <= 16.0 * f64::EPSILON * v.length());
        }

        #[test]
        fn both_branches_meet(direction in vector()) {
            prop_assume!(direction.length() > 0.1);
            let u = direction.normalize();
            let below = from_rotation_vector(u * (1e-2 * (1.0 - 1e-12)));
            let above = from_rotation_vector(u * (1e-2 * (1.0 + 1e-12)));
            prop_assert!((below - above).length() < 1e-13);
        }
    }
}
