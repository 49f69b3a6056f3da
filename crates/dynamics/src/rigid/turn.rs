//! Turning freely, fast: the Lie-group splitting of [`crate::integrate::rotation`] for bodies of which there are many.
//!
//! The same exact rotations about the principal axes in turn (@touma1994), with three savings: a rotation about an axis changes
//! two components only, small angles take a short series instead of a call, and lengths that are off by rounding are brought
//! back without a root: 1/|q| = (3 - |q|²)/2 up to the square of the rounding.

use gedanken_algebra::rotation::{to_body, to_world};
use gedanken_algebra::{Quat, Vec3};

/// Half angles below this have a series; its first omitted terms are x¹³/13! and x¹⁴/14!, under 1e-17 of the result.
const SMALL: f64 = 0.25;

/// sin x/x and cos x.
#[inline]
fn sinc_and_cos(x: f64) -> (f64, f64) {
    let y = x * x;
    if y > SMALL * SMALL {
        let (sin, cos) = libm::sincos(x);
        return (sin / x, cos);
    }
    let sinc = 1.0
        - y * (1.0 / 6.0)
            * (1.0
                - y * (1.0 / 20.0)
                    * (1.0 - y * (1.0 / 42.0) * (1.0 - y * (1.0 / 72.0) * (1.0 - y * (1.0 / 110.0)))));
    let cos = 1.0
        - y * 0.5
            * (1.0
                - y * (1.0 / 12.0)
                    * (1.0
                        - y * (1.0 / 30.0)
                            * (1.0
                                - y * (1.0 / 56.0) * (1.0 - y * (1.0 / 90.0) * (1.0 - y * (1.0 / 132.0))))));
    (sinc, cos)
}

/// A quaternion of nearly unit length, at unit length.
#[inline]
fn unit(q: Quat) -> Quat {
    q * (1.5 - 0.5 * q.length_squared())
}

/// The orientation after turning by a rotation vector in the world frame.
#[inline]
pub(super) fn spin(q: Quat, phi: Vec3) -> Quat {
    let half = phi * 0.5;
    let (sinc, cos) = sinc_and_cos(half.length());
    unit(Quat::from_xyzw(half.x * sinc, half.y * sinc, half.z * sinc, cos) * q)
}

/// The orientation and angular velocity (world) of a body with these principal moments after turning freely for `h`.
pub(super) fn turn(q: Quat, omega: Vec3, moments: Vec3, h: f64) -> (Quat, Vec3) {
    let inverse = Vec3::ONE / moments;
    let mut l = moments * to_body(q, omega);
    let mut turned = q;
    // About x, y, z, y, x. L turns against the body: L ↦ R(θ)ᵀ L; and Q ↦ Q·(c + s e) with half the angle.
    let about = |rate: f64, share: f64| {
        let x = 0.5 * share * h * rate;
        let (sinc, c) = sinc_and_cos(x);
        let s = sinc * x;
        // Divided by the length, so that no rounding of it adds up in L.
        let scale = 1.0 / (c * c + s * s);
        (s, c, 2.0 * s * c * scale, (c * c - s * s) * scale)
    };
    let x = |l: &mut Vec3, p: &mut Quat| {
        let (s, c, sin, cos) = about(l.x * inverse.x, 0.5);
        (l.y, l.z) = (cos * l.y + sin * l.z, cos * l.z - sin * l.y);
        *p = Quat::from_xyzw(p.x * c + p.w * s, p.y * c + p.z * s, p.z * c - p.y * s, p.w * c - p.x * s);
    };
    let y = |l: &mut Vec3, p: &mut Quat| {
        let (s, c, sin, cos) = about(l.y * inverse.y, 0.5);
        (l.z, l.x) = (cos * l.z + sin * l.x, cos * l.x - sin * l.z);
        *p = Quat::from_xyzw(p.x * c - p.z * s, p.y * c + p.w * s, p.z * c + p.x * s, p.w * c - p.y * s);
    };
    x(&mut l, &mut turned);
    y(&mut l, &mut turned);
    let (s, c, sin, cos) = about(l.z * inverse.z, 1.0);
    (l.x, l.y) = (cos * l.x + sin * l.y, cos * l.y - sin * l.x);
    let p = turned;
    turned = Quat::from_xyzw(p.x * c + p.y * s, p.y * c - p.x * s, p.z * c + p.w * s, p.w * c - p.z * s);
    y(&mut l, &mut turned);
    x(&mut l, &mut turned);
    let turned = unit(turned);
    (turned, to_world(turned, l * inverse))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::rotation::free_rotation;
    use gedanken_algebra::rotation::from_rotation_vector;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn the_series_is_that_of_the_functions(x in -0.3..0.3f64) {
            let (sinc, cos) = sinc_and_cos(x);
            prop_assert!((sinc * x - libm::sin(x)).abs() <= 1e-16 * (1.0 + x.abs()));
            prop_assert!((cos - libm::cos(x)).abs() <= 2.3e-16);
        }

        /// Against the rotations as they are written down in [`crate::integrate::rotation`].
        #[test]
        fn the_turn_is_that_of_the_splitting(
            phi in vector(3.0), omega in vector(20.0), moments in prop::array::uniform3(0.5..2.0f64), h in -0.1..0.1f64,
        ) {
            let (q, moments) = (from_rotation_vector(phi), Vec3::from_array(moments));
            let (fast, spun) = turn(q, omega, moments, h);
            let (slow, other) = free_rotation(q, omega, moments, h);
            prop_assert!((fast - slow).length() < 1e-14 && (spun - other).length() < 1e-13 * (1.0 + omega.length()));
            let (back, again) = turn(fast, spun, moments, -h);
            prop_assert!((back - q).length() < 1e-14 && (again - omega).length() < 1e-13 * (1.0 + omega.length()));
        }

        #[test]
        fn the_spin_is_the_exponential(phi in vector(3.0), by in vector(1.0), scale in -9..1i32) {
            let (q, by) = (from_rotation_vector(phi), by * libm::pow(10.0, f64::from(scale)));
            let exact = (from_rotation_vector(by) * q).normalize();
            prop_assert!((spin(q, by) - exact).length() < 1e-15);
        }
    }
}
