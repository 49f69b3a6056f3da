//! Rotations over a step: the exponential map, its derivative, and the discrete angular momentum.
//!
//! A step turns a body by the rotation vector ψ in the world: R₊ = exp([ψ]) R. A change δψ turns the end of
//! the step by δφ = Jₗ(ψ) δψ, with the left Jacobian
//!
//! Jₗ(ψ) = a 1 + b [ψ] + c ψψᵀ,   a = sin x/x,  b = (1 - cos x)/x²,  c = (1 - a)/x²,  x = |ψ|.
//!
//! The discrete Lagrangian of a free body is ψ·𝓘ψ/(2h) with the inertia 𝓘 = R I Rᵀ at the start of the step.
//! It depends on RᵀR₊ only, so both of its derivatives are the same angular momentum in the world,
//!
//! Π(ψ) = exp([ψ/2]) S⁻¹ 𝓘ψ/h,   S⁻¹ = β 1 + κ ψψᵀ,   β = y/sin y,  κ = (1 - β)/x²,  y = x/2,
//!
//! S being the symmetric part of Jₗ(ψ/2) (@marsden2001). Backward Euler has Π(ψ) = exp([ψ]) 𝓘ψ/h: the
//! momentum of the body at the end of the step that turns with the velocity ψ/h.

use gedanken_math::matrix::{cross_matrix, multiple_of_unit, outer};
use gedanken_math::{Mat3, Vec3};

/// Squares of angles below this take series; the first omitted terms are under 1e-18 of the result.
const SERIES_BELOW: f64 = 1e-2;

/// a, b and c of the left Jacobian, from |ψ|².
fn coefficients(square: f64) -> [f64; 3] {
    if square < SERIES_BELOW {
        let a = series(square, &[1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
        let b = series(square, &[0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0, 1.0 / 3_628_800.0]);
        let c =
            series(square, &[1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0, 1.0 / 39_916_800.0]);
        return [a, b, c];
    }
    let angle = square.sqrt();
    let (sin, cos) = libm::sincos(angle);
    let a = sin / angle;
    [a, (1.0 - cos) / square, (1.0 - a) / square]
}

fn series(y: f64, terms: &[f64]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * y + term)
}

/// The rotation matrix exp([ψ]) and the left Jacobian Jₗ(ψ).
pub(super) fn exponential(psi: Vec3) -> (Mat3, Mat3) {
    let [a, b, c] = coefficients(psi.length_squared());
    let (cross, dyad) = (cross_matrix(psi), outer(psi, psi));
    let cos = 1.0 - b * psi.length_squared();
    let turn = Mat3::from_diagonal(Vec3::splat(cos)) + cross * a + dyad * b;
    let jacobian = Mat3::from_diagonal(Vec3::splat(a)) + cross * b + dyad * c;
    (turn, jacobian)
}

/// Discrete angular momentum of a step, times h, and its derivative with respect to ψ.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiscreteMomentum {
    /// h Π(ψ).
    pub(super) value: Vec3,
    /// h ∂Π/∂ψ.
    pub(super) slope: Mat3,
}

/// The momentum of backward Euler: exp([ψ]) 𝓘 ψ.
pub(super) fn backward_euler(inertia: &Mat3, psi: Vec3, turn: &Mat3, jacobian: &Mat3) -> DiscreteMomentum {
    let value = *turn * (*inertia * psi);
    DiscreteMomentum { value, slope: *turn * *inertia - cross_matrix(value) * *jacobian }
}

/// The momentum of the midpoint rule: exp([ψ/2]) S⁻¹ 𝓘 ψ.
pub(super) fn midpoint(inertia: &Mat3, psi: Vec3) -> DiscreteMomentum {
    let square = psi.length_squared();
    let [beta, kappa, beta_rate, kappa_rate] = inverse_coefficients(square);
    let (half_turn, half_jacobian) = exponential(psi * 0.5);
    let u = *inertia * psi;
    let along = psi.dot(u);
    let w = u * beta + psi * (kappa * along);
    let value = half_turn * w;
    let scale = Mat3::from_diagonal(Vec3::splat(beta)) + outer(psi, psi) * kappa;
    let slope_of_w = scale * *inertia
        + outer(u * (2.0 * beta_rate) + psi * (2.0 * kappa_rate * along), psi)
        + Mat3::from_diagonal(Vec3::splat(kappa * along))
        + outer(psi, u) * kappa;
    let slope = half_turn * slope_of_w - cross_matrix(value) * half_jacobian * 0.5;
    DiscreteMomentum { value, slope }
}

/// β and κ of S⁻¹, and their derivatives with respect to x² = |ψ|².
fn inverse_coefficients(square: f64) -> [f64; 4] {
    // y/sin y = 1 + x²/24 + 7x⁴/5760 + 31x⁶/967680 + 127x⁸/154828800 + …
    const TERMS: [f64; 5] =
        [1.0 / 24.0, 7.0 / 5760.0, 31.0 / 967_680.0, 127.0 / 154_828_800.0, 73.0 / 3_503_554_560.0];
    if square < SERIES_BELOW {
        let kappa = -series(square, &TERMS);
        let kappa_rate = -series(square, &[TERMS[1], 2.0 * TERMS[2], 3.0 * TERMS[3], 4.0 * TERMS[4]]);
        return [1.0 - square * kappa, kappa, -kappa - square * kappa_rate, kappa_rate];
    }
    let y = 0.5 * square.sqrt();
    let (sin, cos) = libm::sincos(y);
    let beta = y / sin;
    let beta_rate = (sin - y * cos) / (8.0 * y * sin * sin);
    let kappa = (1.0 - beta) / square;
    [beta, kappa, beta_rate, -(beta_rate + kappa) / square]
}

/// The parts of a torque in the middle of a step that act on its start and on its end: ½(τ ∓ tan(x/4) a × τ)
/// with the axis a = ψ/x. They add up to τ.
pub(super) fn torque_shares(psi: Vec3, torque: Vec3) -> [Vec3; 2] {
    let [tilt, _] = tilt(psi);
    let across = psi.cross(torque) * tilt;
    [(torque - across) * 0.5, (torque + across) * 0.5]
}

/// tan(x/4)/x, and its derivative with respect to x, over x.
fn tilt(psi: Vec3) -> [f64; 2] {
    let square = psi.length_squared();
    if square < 1e-6 {
        // tan(y)/y = 1 + y²/3 + 2y⁴/15 + …, y = x/4.
        return [0.25 + square / 192.0, 1.0 / 96.0 + square / 1920.0];
    }
    let angle = square.sqrt();
    let tan = libm::tan(0.25 * angle);
    let tilt = tan / angle;
    [tilt, (0.25 * (1.0 + tan * tan) - tilt) / square]
}

/// Derivatives of the first of the [`torque_shares`]: by the torque, and by ψ with the torque fixed.
pub(super) fn first_share_slopes(psi: Vec3, torque: Vec3) -> [Mat3; 2] {
    let [tilt, rate] = tilt(psi);
    let by_torque = (Mat3::IDENTITY - cross_matrix(psi) * tilt) * 0.5;
    let by_psi = cross_matrix(torque) * (multiple_of_unit(tilt) + outer(psi, psi) * rate) * 0.5;
    [by_torque, by_psi]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_math::rotation::{from_rotation_vector, to_world};
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    fn inertia() -> Mat3 {
        let axes = gedanken_math::rotation::axes(from_rotation_vector(Vec3::new(0.3, -0.7, 0.2)));
        let turn = Mat3::from_cols(axes[0], axes[1], axes[2]);
        turn * Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.7)) * turn.transpose()
    }

    /// Largest difference between a slope and central differences of its function.
    fn slope_error(psi: Vec3, slope: Mat3, function: impl Fn(Vec3) -> Vec3) -> f64 {
        let step = 1e-5;
        Vec3::AXES.iter().fold(0.0, |most: f64, &axis| {
            let change = (function(psi + axis * step) - function(psi - axis * step)) / (2.0 * step);
            most.max((change - slope * axis).length())
        })
    }

    proptest! {
        #[test]
        fn slopes_are_those_of_the_functions(psi in vector(1.5), v in vector(1.0)) {
            let (turn, jacobian) = exponential(psi);
            prop_assert!((turn * v - to_world(from_rotation_vector(psi), v)).length() < 1e-14);
            // δ(exp(ψ) v) = (Jₗ δψ) × exp(ψ) v.
            let slope = -cross_matrix(turn * v) * jacobian;
            prop_assert!(slope_error(psi, slope, |psi| exponential(psi).0 * v) < 1e-8);
            let euler = backward_euler(&inertia(), psi, &turn, &jacobian);
            let at = |psi: Vec3| {
                let (turn, jacobian) = exponential(psi);
                backward_euler(&inertia(), psi, &turn, &jacobian).value
            };
            prop_assert!(slope_error(psi, euler.slope, at) < 1e-8);
            for psi in [psi, psi * 1e-4] {
                let [by_torque, by_psi] = first_share_slopes(psi, v);
                prop_assert!((by_torque * v - torque_shares(psi, v)[0]).length() < 1e-14);
                prop_assert!(slope_error(psi, by_psi, |psi| torque_shares(psi, v)[0]) < 1e-8);
            }
            let middle = midpoint(&inertia(), psi);
            prop_assert!(slope_error(psi, middle.slope, |psi| midpoint(&inertia(), psi).value) < 1e-8);
        }

        /// Π is the derivative of ψ·𝓘ψ/2 along a rotation of the end: δψ = Jₗ⁻¹ δφ.
        #[test]
        fn momentum_is_the_derivative_of_the_discrete_lagrangian(psi in vector(1.5)) {
            let (_, jacobian) = exponential(psi);
            let expected = jacobian.inverse().transpose() * (inertia() * psi);
            prop_assert!((midpoint(&inertia(), psi).value - expected).length() < 1e-12);
        }
    }
}
