//! Natives of vectors: lengths, directions, rotations and reflections.
//!
//! A zero vector has no direction. Where a length is divided out of it, the divisor is replaced by 1, which
//! leaves zeros: no arm, no failure, the same operations always. Squares of elements below 1e-162 vanish and
//! those above 1e154 overflow; in between lengths are right to rounding.

use super::sums_of_products::{minus, terms};
use crate::arithmetic::{Arithmetic, Binary, Comparison, Failure, Unary};
use crate::operation::algebra::{cross, dot};
use crate::value::Matrix;

pub(super) use crate::operation::algebra::norm;

/// Seam at which the basis of `arbitraryBasis` changes its sign: x = -5/8. Far from the pole x = -1, and on
/// no direction that occurs in an experiment more often than others (axes, 30°, 45°, 3-4-5 triangles), so
/// that rounding does not flip the basis.
const SEAM: f64 = -0.625;

/// v/|v|; of a zero vector, itself.
pub(super) fn normalize<A: Arithmetic>(a: &mut A, v: &[A::Real]) -> Vec<A::Real> {
    let length = norm(a, v);
    let (_, divisor) = or_one(a, length);
    v.iter().map(|x| a.binary(Binary::Div, *x, divisor)).collect()
}

/// Returns `true` as a value if `x` is zero; and `x`, or 1 if it is.
pub(super) fn or_one<A: Arithmetic>(a: &mut A, x: A::Real) -> (A::Bool, A::Real) {
    let (zero, one) = (a.real(0.0), a.real(1.0));
    let is_zero = a.compare(Comparison::Eq, x, zero);
    (is_zero, a.select(is_zero, one, x))
}

/// The matrix S with S w = v × w.
pub(super) fn skew<A: Arithmetic>(a: &mut A, [x, y, z]: [A::Real; 3]) -> Matrix<A::Real> {
    let o = a.real(0.0);
    let [minus_x, minus_y, minus_z] = [x, y, z].map(|x| minus(a, x));
    Matrix { rows: 3, columns: 3, elements: vec![o, minus_z, y, z, o, minus_x, minus_y, x, o] }
}

/// Rodrigues' formula v + sin θ (k × v) + (1 - cos θ) k × (k × v), with k the unit axis.
///
/// In this form a vector along the axis stays as it is to the bit, and any other keeps its part along the
/// axis to rounding.
pub(super) fn rotate<A: Arithmetic>(
    a: &mut A,
    v: [A::Real; 3],
    axis: [A::Real; 3],
    angle: A::Real,
) -> [A::Real; 3] {
    let length = norm(a, &axis);
    let (_, divisor) = or_one(a, length);
    let k = axis.map(|x| a.binary(Binary::Div, x, divisor));
    let once = cross(a, k, v);
    let twice = cross(a, k, once);
    let (sine, cosine) = (a.unary(Unary::Sin, angle), a.unary(Unary::Cos, angle));
    let one = a.real(1.0);
    let versine = a.binary(Binary::Sub, one, cosine);
    [0, 1, 2].map(|i| terms(a, &[(1, &[v[i]]), (1, &[sine, once[i]]), (1, &[versine, twice[i]])]))
}

/// v - 2 (v·n)/(n·n) n; a zero normal changes nothing.
pub(super) fn reflect<A: Arithmetic>(a: &mut A, v: &[A::Real], normal: &[A::Real]) -> Vec<A::Real> {
    let along = dot(a, v, normal);
    let square = dot(a, normal, normal);
    let (_, divisor) = or_one(a, square);
    let two = a.real(2.0);
    let twice = a.binary(Binary::Mul, two, along);
    let factor = a.binary(Binary::Div, twice, divisor);
    v.iter().zip(normal).map(|(x, n)| terms(a, &[(1, &[*x]), (-1, &[factor, *n])])).collect()
}

/// A right-handed orthonormal basis, in columns, of which the first is n/|n| = (x, y, z).
///
/// The others come from the reflection that takes (s, 0, 0) to n (a construction of Frisvad's with its pole
/// moved out of the way by the sign s): with d = 1/(s + x),
///
///   t₁ = (-s y, 1 - s d y², -s d y z)      t₂ = (-z, -d y z, s - d z²)
///
/// s is 1, but -1 for x < -5/8: the one seam of the construction. Along the first axis it gives the identity.
pub(super) fn arbitrary_basis<A: Arithmetic>(a: &mut A, n: [A::Real; 3]) -> Matrix<A::Real> {
    let (length, zero) = (norm(a, &n), a.real(0.0));
    let no_direction = a.compare(Comparison::Eq, length, zero);
    let elements = a.branch(no_direction, &mut |a| vec![a.fail(Failure::NoDirection); 9], &mut |a| {
        let [x, y, z] = n.map(|x| a.binary(Binary::Div, x, length));
        let (seam, minus_one, one) = (a.real(SEAM), a.real(-1.0), a.real(1.0));
        let beyond = a.compare(Comparison::Lt, x, seam);
        let s = a.select(beyond, minus_one, one);
        let sum = a.binary(Binary::Add, s, x);
        let d = a.binary(Binary::Div, one, sum);
        let (one_x, two_x) = (terms(a, &[(-1, &[s, y])]), minus(a, z));
        let (one_y, two_y) = (terms(a, &[(1, &[one]), (-1, &[s, d, y, y])]), terms(a, &[(-1, &[d, y, z])]));
        let (one_z, two_z) = (terms(a, &[(-1, &[s, d, y, z])]), terms(a, &[(1, &[s]), (-1, &[d, z, z])]));
        vec![x, one_x, two_x, y, one_y, two_y, z, one_z, two_z]
    });
    Matrix { rows: 3, columns: 3, elements }
}
