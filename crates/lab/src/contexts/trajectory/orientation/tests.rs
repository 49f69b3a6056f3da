//! Angular velocities against differences of rotations, and their bounds against samples.

use super::{Twist, angular_velocity, fastest_spin, pose, turning};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Mat3, Quat, Vec3};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// The rotation vector of a small turn.
fn turn(q: Quat) -> Vec3 {
    let axis = Vec3::new(q.x, q.y, q.z) * q.w.signum();
    let sine = axis.length();
    if sine == 0.0 { Vec3::ZERO } else { axis * (2.0 * libm::atan2(sine, q.w.abs()) / sine) }
}

/// The angular velocity at time 0 of an orientation that is a cubic polynomial of time, by central
/// differences of the pose, extrapolated once: the error is of the order h⁴.
fn by_differences(values: &[f64], rates: &[f64]) -> Vec3 {
    let at = |t: f64| {
        let now: Vec<f64> = values
            .iter()
            .zip(rates)
            .map(|(value, rate)| value + rate * t + 0.3 * t * t - 0.2 * t * t * t)
            .collect();
        pose(&[0.0; 3], &now).unwrap().rotation
    };
    let difference = |h: f64| turn(at(h) * at(-h).conjugate()) / (2.0 * h);
    let h = 2e-4;
    (difference(0.5 * h) * 4.0 - difference(h)) / 3.0
}

fn numbers(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-3.0..3.0f64, count)
}

fn orientation() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    prop_oneof![(numbers(3), numbers(3)), (numbers(4), numbers(4))]
        .prop_filter("a rotation", |(values, _)| values.len() == 3 || values.iter().any(|it| it.abs() > 0.5))
}

proptest! {
    #[test]
    fn spins_are_the_differences_of_poses((values, rates) in orientation()) {
        let spin = angular_velocity(&values, &rates).unwrap();
        let expected = by_differences(&values, &rates);
        prop_assert!((spin - expected).length() < 1e-9, "{spin} is not {expected}");
    }

    /// The rate of R is ω × R, here for the matrix of Euler angles written out.
    #[test]
    fn euler_angles_turn_about_x_then_y_then_z(angles in numbers(3)) {
        let (sin, cos) = ([0, 1, 2].map(|k| libm::sin(angles[k])), [0, 1, 2].map(|k| libm::cos(angles[k])));
        let x = Mat3::from_cols(Vec3::X, Vec3::new(0.0, cos[0], sin[0]), Vec3::new(0.0, -sin[0], cos[0]));
        let y = Mat3::from_cols(Vec3::new(cos[1], 0.0, -sin[1]), Vec3::Y, Vec3::new(sin[1], 0.0, cos[1]));
        let z = Mat3::from_cols(Vec3::new(cos[2], sin[2], 0.0), Vec3::new(-sin[2], cos[2], 0.0), Vec3::Z);
        let matrix = x * y * z;
        let pose = pose(&[1.0, 2.0, 3.0], &angles).unwrap();
        for axis in Vec3::AXES {
            prop_assert!((pose.vector_to_world(axis) - matrix * axis).length() < 1e-14);
        }
        prop_assert_eq!(pose.translation, Vec3::new(1.0, 2.0, 3.0));
    }

    /// q̇ = ½ (0, ω) q + s q has the angular velocity ω for every s, at every length of q.
    #[test]
    fn a_change_of_length_is_no_spin(phi in numbers(3), spin in numbers(3), growth in -5.0..5.0f64, scale in -150..150i32) {
        let (phi, spin) = (Vec3::from_slice(&phi), Vec3::from_slice(&spin));
        let q = from_rotation_vector(phi) * libm::pow(10.0, f64::from(scale));
        let rate = Quat::from_xyzw(spin.x, spin.y, spin.z, 0.0) * q * 0.5 + q * growth;
        let found = angular_velocity(&[q.w, q.x, q.y, q.z], &[rate.w, rate.x, rate.y, rate.z]).unwrap();
        prop_assert!((found - spin).length() < 1e-14 * (1.0 + spin.length() + growth.abs()));
    }

    #[test]
    fn no_spin_is_above_the_bound(
        (values, rates) in orientation(),
        widths in numbers(8),
        parts in prop::collection::vec(0.0..=1.0f64, 8),
    ) {
        let count = values.len();
        let widest = |k: usize| widths[k].abs() * 0.2;
        let greatest: Vec<f64> = values.iter().enumerate().map(|(k, it)| it + widest(k)).collect();
        let fastest: Vec<f64> = rates.iter().enumerate().map(|(k, it)| it + widest(4 + k)).collect();
        let inside = |least: &[f64], most: &[f64], from: usize| -> Vec<f64> {
            (0..count).map(|k| (least[k] + parts[from + k] * (most[k] - least[k])).clamp(least[k], most[k])).collect()
        };
        let (value, rate) = (inside(&values, &greatest, 0), inside(&rates, &fastest, 4));
        if let Some(bound) = fastest_spin([&values, &greatest], [&rates, &fastest]) {
            prop_assert!(angular_velocity(&value, &rate).unwrap().length() <= bound * (1.0 + 1e-15));
        }
    }
}

#[test]
fn spins_about_axes() {
    let close = |found: Option<Vec3>, expected: Vec3| (found.unwrap() - expected).length() < 1e-15;
    assert!(close(angular_velocity(&[0.7, 0.0, 0.0], &[2.0, 0.0, 0.0]), Vec3::X * 2.0));
    assert!(close(angular_velocity(&[0.0, 0.7, 0.0], &[0.0, 3.0, 0.0]), Vec3::Y * 3.0));
    assert!(close(angular_velocity(&[0.0, 0.0, 0.7], &[0.0, 0.0, 4.0]), Vec3::Z * 4.0));
    // Turned about x by a right angle, the second axis points along z and the third along -y.
    assert!(close(angular_velocity(&[FRAC_PI_2, 0.0, 0.0], &[0.0, 1.0, 0.0]), Vec3::Z));
    assert!(close(angular_velocity(&[FRAC_PI_2, 0.0, 0.0], &[0.0, 0.0, 1.0]), -Vec3::Y));
    // The quaternion of a turn by t about z at t = 0.
    assert!(close(angular_velocity(&[1.0, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 0.5]), Vec3::Z));
}

#[test]
fn bounds_are_tight() {
    // With b a right angle the first and the third axis are one.
    let bound =
        fastest_spin([&[0.0; 3], &[1.0, FRAC_PI_2, 1.0]], [&[1.0, 0.0, -2.0], &[1.0, 2.0, 3.0]]).unwrap();
    assert!((20f64.sqrt()..20f64.sqrt() * (1.0 + 1e-14)).contains(&bound), "{bound}");
    let bound = fastest_spin(
        [&[2.0, -0.1, 0.0, 0.0], &[3.0, 0.1, 0.0, 0.0]],
        [&[0.0, 1.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]],
    );
    assert!((1.0..1.0 + 1e-14).contains(&bound.unwrap()));
    // At rest, whatever the values.
    assert_eq!(fastest_spin([&[-1.0; 4], &[1.0; 4]], [&[0.0; 4], &[0.0; 4]]), Some(0.0));
}

#[test]
fn where_there_is_no_bound_there_is_none() {
    // The box of values holds the quaternion of zeros.
    assert_eq!(fastest_spin([&[-1.0; 4], &[1.0; 4]], [&[1.0; 4], &[1.0; 4]]), None);
    assert_eq!(fastest_spin([&[0.0; 3], &[0.0; 3]], [&[0.0; 3], &[f64::INFINITY, 0.0, 0.0]]), None);
    assert_eq!(fastest_spin([&[0.0; 3], &[0.0; 3]], [&[0.0; 3], &[f64::NAN, 0.0, 0.0]]), None);
    assert_eq!(fastest_spin([&[], &[]], [&[1.0], &[1.0]]), None);
    assert_eq!(fastest_spin([&[1.0; 4], &[1.0; 4]], [&[0.0; 4], &[f64::MAX; 4]]), None);
}

#[test]
fn what_is_no_rotation_has_no_pose() {
    assert_eq!(pose(&[0.0; 3], &[0.0; 4]), None);
    assert_eq!(pose(&[0.0; 2], &[0.0; 3]), None);
    assert_eq!(pose(&[0.0; 3], &[0.0; 2]), None);
    assert_eq!(pose(&[f64::INFINITY, 0.0, 0.0], &[0.0; 3]), None);
    assert_eq!(angular_velocity(&[0.0; 4], &[1.0; 4]), None);
    assert_eq!(angular_velocity(&[0.0; 3], &[1.0; 4]), None);
    for scale in [1e-300, 1e300] {
        let turned = pose(&[0.0; 3], &[scale, 0.0, 0.0, scale]).unwrap();
        assert!((turned.vector_to_world(Vec3::X) - Vec3::Y).length() < 1e-15);
    }
}

#[test]
fn points_of_a_wheel() {
    // It rolls along x: its lowest point rests, its highest is twice as fast as its hub.
    let wheel = Twist { origin: Vec3::new(5.0, 0.0, 0.5), velocity: Vec3::X * 3.0, spin: Vec3::Y * 6.0 };
    assert_eq!(wheel.at(Vec3::new(5.0, 0.0, 0.0)), Vec3::ZERO);
    assert_eq!(wheel.at(Vec3::new(5.0, 0.0, 1.0)), Vec3::X * 6.0);
    assert_eq!(wheel.at(Vec3::new(5.5, 0.0, 0.5)), Vec3::new(3.0, 0.0, -3.0));
}

proptest! {
    /// Every angular velocity of a turning body lies in the box over its interval.
    #[test]
    fn the_box_of_angular_velocities_holds_them_all(
        axis in prop::array::uniform3(-1.0..1.0f64), speed in -20.0..20.0f64, phase in -3.0..3.0f64,
        span in 1e-6..0.2f64, length in 0.2..3.0f64,
    ) {
        let axis = Vec3::from_array(axis);
        prop_assume!(axis.length() > 0.1);
        let axis = axis.normalize();
        let at = |t: f64| {
            let (sin, cos) = libm::sincos(0.5 * (phase + speed * t));
            let u = axis * sin * length;
            let du = axis * (0.5 * speed * cos * length);
            ([cos * length, u.x, u.y, u.z], [-0.5 * speed * sin * length, du.x, du.y, du.z])
        };
        let mut least = [[f64::INFINITY; 4]; 2];
        let mut greatest = [[f64::NEG_INFINITY; 4]; 2];
        for step in 0..=100 {
            let (q, dq) = at(span * f64::from(step) / 100.0);
            for (k, values) in [q, dq].into_iter().enumerate() {
                for (i, value) in values.into_iter().enumerate() {
                    least[k][i] = least[k][i].min(value);
                    greatest[k][i] = greatest[k][i].max(value);
                }
            }
        }
        let found = turning([&least[0], &greatest[0]], [&least[1], &greatest[1]]);
        if let Some([low, high]) = found {
            let omega = axis * speed;
            let slack = Vec3::splat(1e-12 * speed.abs());
            prop_assert!((low - slack).cmple(omega).all() && (high + slack).cmpge(omega).all(), "{low} {omega} {high}");
            if span * speed.abs() < 1e-3 {
                prop_assert!((high - low).length() < 0.02 * speed.abs() + 1e-9);
            }
        } else {
            prop_assert!(span * speed.abs() > 0.1, "small motions have bounds");
        }
    }
}
