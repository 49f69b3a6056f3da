//! Free rotation, fast: the Lie-group splitting of [`gedanken_dynamics::integrate::rotation`] for many
//! bodies.
//!
//! The same exact rotations about the principal axes in turn (@touma1994), with three savings: a rotation
//! about an axis changes two components only, small angles take a short series instead of a call, and lengths
//! that are off by rounding are restored without a root or a division: 1/|q| = (3 - |q|²)/2 up to the square
//! of the rounding. A body of which two moments are equal needs no splitting: its motion is two rotations,
//! exactly ([`SymmetricTop`]).

use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Mat3, Quat, Vec3};

/// Half angles below this have a series; its first omitted terms are x¹³/13! and x¹⁴/14!, under 1e-17 of the
/// result.
const SERIES_BELOW: f64 = 0.25;

/// sin x/x and cos x, from x².
#[inline]
fn sinc_and_cos(y: f64) -> (f64, f64) {
    if y > SERIES_BELOW * SERIES_BELOW {
        let x = y.sqrt();
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

/// The rotation vector of a unit quaternion, of at most half a turn.
pub(crate) fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let axis = Vec3::new(q.x, q.y, q.z);
    let sine = axis.length();
    if sine == 0.0 { Vec3::ZERO } else { axis * (2.0 * libm::atan2(sine, q.w) / sine) }
}

/// The orientation after turning by a rotation vector in the world frame.
#[inline]
pub(crate) fn spin(q: Quat, phi: Vec3) -> Quat {
    let half = phi * 0.5;
    let (sinc, cos) = sinc_and_cos(half.length_squared());
    unit(Quat::from_xyzw(half.x * sinc, half.y * sinc, half.z * sinc, cos) * q)
}

/// The orientation and angular velocity (world) of a body with these principal moments after turning freely
/// for `h`.
pub(crate) fn turn(q: Quat, omega: Vec3, moments: Vec3, h: f64) -> (Quat, Vec3) {
    let inverse = Vec3::ONE / moments;
    let mut l = moments * to_body(q, omega);
    let mut turned = q;
    // About x, y, z, y, x. L turns against the body: L ↦ R(θ)ᵀ L; and Q ↦ Q·(c + s e) with half the angle.
    let about = |rate: f64, share: f64| {
        let x = 0.5 * share * h * rate;
        let (sinc, c) = sinc_and_cos(x * x);
        let s = sinc * x;
        // Divided by the length, so that no rounding of it adds up in L.
        let scale = 2.0 - (c * c + s * s);
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

/// The moments of a body that looks the same from all sides of one of its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SymmetricTop {
    /// The number of the axis.
    axis: usize,
    /// 1/I about the axis less 1/I across it, and I about the axis less I across it.
    surplus: f64,
    excess: f64,
    /// I across, and its inverse.
    across: f64,
    inverse: f64,
}

impl SymmetricTop {
    /// Of principal moments two of which are equal, bit for bit.
    #[inline]
    pub(crate) fn of(moments: Vec3) -> Option<Self> {
        let (axis, along, across) = if moments.y == moments.z {
            (0, moments.x, moments.y)
        } else if moments.z == moments.x {
            (1, moments.y, moments.z)
        } else if moments.x == moments.y {
            (2, moments.z, moments.x)
        } else {
            return None;
        };
        let inverse = 1.0 / across;
        Some(Self { axis, surplus: 1.0 / along - inverse, excess: along - across, across, inverse })
    }

    /// Returns `true` if all moments are equal.
    #[inline]
    pub(crate) fn is_sphere(&self) -> bool {
        self.excess == 0.0
    }

    /// The axis in the world.
    #[inline]
    pub(crate) fn direction(&self, q: Quat) -> Vec3 {
        let scale = 2.0 / q.length_squared();
        let (x, y, z, w) = (q.x, q.y, q.z, q.w);
        match self.axis {
            0 => Vec3::new(1.0 - scale * (y * y + z * z), scale * (x * y + w * z), scale * (x * z - w * y)),
            1 => Vec3::new(scale * (x * y - w * z), 1.0 - scale * (x * x + z * z), scale * (y * z + w * x)),
            _ => Vec3::new(scale * (x * z + w * y), scale * (y * z - w * x), 1.0 - scale * (x * x + y * y)),
        }
    }

    /// I⁻¹ in the world, with the axis in this direction: 1/I⊥ + (1/I∥ − 1/I⊥) a aᵀ.
    #[inline]
    pub(crate) fn inverse_inertia(&self, a: Vec3) -> Mat3 {
        let b = a * self.surplus;
        let (xy, xz, yz) = (a.x * b.y, a.x * b.z, a.y * b.z);
        Mat3::from_cols(
            Vec3::new(self.inverse + a.x * b.x, xy, xz),
            Vec3::new(xy, self.inverse + a.y * b.y, yz),
            Vec3::new(xz, yz, self.inverse + a.z * b.z),
        )
    }

    /// The angular momentum, with the axis in this direction.
    #[inline]
    pub(crate) fn momentum(&self, omega: Vec3, a: Vec3) -> Vec3 {
        omega * self.across + a * (self.excess * omega.dot(a))
    }

    /// ω̇ of free rotation: −I⁻¹(ω × L).
    #[inline]
    pub(crate) fn acceleration(&self, omega: Vec3, a: Vec3) -> Vec3 {
        a.cross(omega) * (self.excess * self.inverse * omega.dot(a))
    }

    /// As [`turn`], without any error but rounding.
    #[inline]
    pub(crate) fn turn(&self, q: Quat, omega: Vec3, h: f64) -> (Quat, Vec3) {
        let a = self.direction(q);
        let (turned, omega, _) = self.precess(q, a, self.momentum(omega, a), h);
        (turned, omega)
    }

    /// The same by the angular momentum and the direction of the axis; that of the axis at the end as well.
    /// The axis goes round L at the rate |L|/I⊥ while the body turns about it at the rate (1/I∥ − 1/I⊥)L∥,
    /// and L∥ is constant.
    #[inline]
    pub(crate) fn precess(&self, q: Quat, a: Vec3, momentum: Vec3, h: f64) -> (Quat, Vec3, Vec3) {
        let rate = self.surplus * momentum.dot(a);
        let half = momentum * (0.5 * h * self.inverse);
        let (sinc, cos) = sinc_and_cos(half.length_squared());
        let p = Quat::from_xyzw(half.x * sinc, half.y * sinc, half.z * sinc, cos) * q;
        let x = 0.5 * h * rate;
        let (sinc, c) = sinc_and_cos(x * x);
        let s = sinc * x;
        let turned = unit(match self.axis {
            0 => Quat::from_xyzw(p.x * c + p.w * s, p.y * c + p.z * s, p.z * c - p.y * s, p.w * c - p.x * s),
            1 => Quat::from_xyzw(p.x * c - p.z * s, p.y * c + p.w * s, p.z * c + p.x * s, p.w * c - p.y * s),
            _ => Quat::from_xyzw(p.x * c + p.y * s, p.y * c - p.x * s, p.z * c + p.w * s, p.w * c - p.z * s),
        });
        let a = self.direction(turned);
        (turned, momentum * self.inverse + a * rate, a)
    }

    /// det(I⁻¹) I L: what [`crate::joints::direct`] needs of the gyroscopic term.
    #[inline]
    pub(crate) fn gyre(&self, momentum: Vec3, a: Vec3) -> Vec3 {
        let det = self.inverse * self.inverse * (self.inverse + self.surplus);
        self.momentum(momentum, a) * det
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_dynamics::integrate::rotation::free_rotation;
    use gedanken_math::rotation::from_rotation_vector;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn the_series_is_that_of_the_functions(x in -0.3..0.3f64) {
            let (sinc, cos) = sinc_and_cos(x * x);
            prop_assert!((sinc * x - libm::sin(x)).abs() <= 1e-16 * (1.0 + x.abs()));
            prop_assert!((cos - libm::cos(x)).abs() <= 2.3e-16);
        }

        /// Against the rotations as they are written down in [`gedanken_dynamics::integrate::rotation`].
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

        /// Against the splitting in short steps, whose error grows with the angle x that its rotations go
        /// through and shrinks with the square of x in a step; and by what Euler's equations keep.
        #[test]
        fn a_top_turns_as_euler_says(
            phi in vector(3.0), omega in vector(20.0), across in 0.5..2.0f64, along in 0.1..2.0f64, axis in 0..3usize,
            h in -0.1..0.1f64,
        ) {
            let (q, mut moments) = (from_rotation_vector(phi), Vec3::splat(across));
            moments[axis] = along;
            let top = SymmetricTop::of(moments).expect("two moments are equal");
            let (fast, spun) = top.turn(q, omega, h);
            let (mut slow, mut other) = (q, omega);
            let parts = 2000;
            for _ in 0..parts {
                (slow, other) = turn(slow, other, moments, h / f64::from(parts));
            }
            let x = omega.length() * (1.0 + across / along) * h.abs();
            let each = x / f64::from(parts);
            let bound = 1e-10 + x * each * each;
            prop_assert!((fast - slow).length() < bound && (spun - other).length() < bound * (1.0 + omega.length()));
            let momentum = |q: Quat, omega: Vec3| to_world(q, moments * to_body(q, omega));
            let (before, after) = (momentum(q, omega), momentum(fast, spun));
            prop_assert!((before - after).length() < 1e-13 * (1.0 + before.length()));
            prop_assert!((omega.dot(before) - spun.dot(after)).abs() < 1e-13 * (1.0 + omega.dot(before)));
            let a = top.direction(q);
            prop_assert!((a - to_world(q, Vec3::AXES[axis])).length() < 1e-15);
            prop_assert!((top.momentum(omega, a) - before).length() < 1e-13 * (1.0 + before.length()));
            let inverse = |v: Vec3| to_world(q, to_body(q, v) / moments);
            prop_assert!((top.inverse_inertia(a) * omega - inverse(omega)).length() < 1e-12 * (1.0 + omega.length()));
            let expected = inverse(before.cross(omega));
            prop_assert!((top.acceleration(omega, a) - expected).length() < 1e-12 * (1.0 + expected.length()));
            let (back, again) = top.turn(fast, spun, -h);
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
