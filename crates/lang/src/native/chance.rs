//! Natives of chance: pure functions of a seed and a key, with no state and no clock.
//!
//! The key k is folded into the seed, one element after another, and each random number is drawn from what
//! results and the number of its draw:
//!
//! ```text
//! s₀ = seed      sᵢ = Mix(sᵢ₋₁, kᵢ)      uⱼ = Uniform(sₙ, j) in [0, 1)
//! ```
//!
//! `Mix` and `Uniform` are blocks of Philox4x32-10 (`philox`). Each native has draws of its own, so that those
//! of one seed and key are independent of each other. Two different pairs of seed and key share all their
//! numbers if their s has the same 63 bits: among N pairs that happens with probability N²/2⁶⁴, which is one
//! in twenty for a thousand million of them.

use super::sums_of_products::terms;
use crate::arithmetic::{Arithmetic, Binary, Unary};
use std::f64::consts::{PI, TAU};

/// Draws of a seed and a key.
struct Draws<R> {
    state: R,
}

impl<R: Copy> Draws<R> {
    fn new<A: Arithmetic<Real = R>>(a: &mut A, seed: R, key: &[R]) -> Self {
        Self { state: key.iter().fold(seed, |state, element| a.binary(Binary::Mix, state, *element)) }
    }

    /// Draw number `j`, in [0, 1).
    fn number<A: Arithmetic<Real = R>>(&self, a: &mut A, j: f64) -> R {
        let j = a.real(j);
        a.binary(Binary::Uniform, self.state, j)
    }
}

/// Uniform in [0, 1).
pub(super) fn uniform<A: Arithmetic>(a: &mut A, seed: A::Real, key: &[A::Real]) -> A::Real {
    Draws::new(a, seed, key).number(a, 0.0)
}

/// √(-2 ln(1 - u)) cos(2π v), of mean 0 and variance 1 (@box1958). 1 - u is at least 2⁻⁵³, hence at most 8.57.
pub(super) fn normal<A: Arithmetic>(a: &mut A, seed: A::Real, key: &[A::Real]) -> A::Real {
    let draws = Draws::new(a, seed, key);
    let rest = one_minus(a, &draws, 1.0).1;
    let logarithm = a.unary(Unary::Log, rest);
    let minus_two = a.real(-2.0);
    let square = a.binary(Binary::Mul, minus_two, logarithm);
    let radius = a.unary(Unary::Sqrt, square);
    let (_, cosine) = turn(a, &draws, 2.0, TAU);
    a.binary(Binary::Mul, radius, cosine)
}

/// A point of the unit sphere: its height z = 1 - 2u is uniform, and so is its longitude 2πv.
/// The radius √(1 - z²) = 2 √(u (1 - u)) loses no digits near the poles.
pub(super) fn direction<A: Arithmetic>(a: &mut A, seed: A::Real, key: &[A::Real]) -> Vec<A::Real> {
    let draws = Draws::new(a, seed, key);
    let (u, rest) = one_minus(a, &draws, 3.0);
    let z = terms(a, &[(1, &[rest]), (-1, &[u])]);
    let product = a.binary(Binary::Mul, u, rest);
    let (two, root) = (a.real(2.0), a.unary(Unary::Sqrt, product));
    let radius = a.binary(Binary::Mul, two, root);
    let (sine, cosine) = turn(a, &draws, 4.0, TAU);
    vec![a.binary(Binary::Mul, radius, cosine), a.binary(Binary::Mul, radius, sine), z]
}

/// A unit quaternion [w, x, y, z] with w ≥ 0, uniform over all rotations (@shoemake1992):
/// [√(1-u) sin πv, √(1-u) cos πv, √u sin 2πw, √u cos 2πw]. Half a turn in v makes w ≥ 0.
pub(super) fn rotation<A: Arithmetic>(a: &mut A, seed: A::Real, key: &[A::Real]) -> Vec<A::Real> {
    let draws = Draws::new(a, seed, key);
    let (u, rest) = one_minus(a, &draws, 5.0);
    let (first, second) = (a.unary(Unary::Sqrt, rest), a.unary(Unary::Sqrt, u));
    let (half_sine, half_cosine) = turn(a, &draws, 6.0, PI);
    let (sine, cosine) = turn(a, &draws, 7.0, TAU);
    [(first, half_sine), (first, half_cosine), (second, sine), (second, cosine)]
        .map(|(length, part)| a.binary(Binary::Mul, length, part))
        .to_vec()
}

/// A draw u, and 1 - u, which is exact and never 0.
fn one_minus<A: Arithmetic>(a: &mut A, draws: &Draws<A::Real>, j: f64) -> (A::Real, A::Real) {
    let (one, u) = (a.real(1.0), draws.number(a, j));
    (u, a.binary(Binary::Sub, one, u))
}

/// Sine and cosine of an angle that is uniform from 0 to `whole`.
fn turn<A: Arithmetic>(a: &mut A, draws: &Draws<A::Real>, j: f64, whole: f64) -> (A::Real, A::Real) {
    let (whole, u) = (a.real(whole), draws.number(a, j));
    let angle = a.binary(Binary::Mul, whole, u);
    (a.unary(Unary::Sin, angle), a.unary(Unary::Cos, angle))
}
