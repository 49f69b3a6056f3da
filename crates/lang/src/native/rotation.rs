//! Orientations: quaternions, rotation matrices and Euler angles, each as the others.
//!
//! Quaternions are [w, x, y, z] with Hamilton's product and take body coordinates to world coordinates. Euler
//! angles [a, b, c] mean R = Rx(a) Ry(b) Rz(c):
//!
//! ```text
//!     ⎡ cos b cos c                        -cos b sin c                         sin b       ⎤
//! R = ⎢ cos a sin c + sin a sin b cos c     cos a cos c - sin a sin b sin c    -sin a cos b ⎥
//!     ⎣ sin a sin c - cos a sin b cos c     sin a cos c + cos a sin b sin c     cos a cos b ⎦
//! ```

use super::sums_of_products::{minus, terms};
use super::vector::or_one;
use crate::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use crate::operation::algebra::norm;
use crate::value::Matrix;

/// A rotation, row by row.
type Rows<R> = [[R; 3]; 3];

/// Below it cos² b is rounding noise of cos b, and c cannot be told from a.
const LOCKED: f64 = 1e-30;

/// The upper left part of a 3 by 3 or 4 by 4 matrix.
pub(super) fn of_rotation_matrix<R: Copy>(m: &Matrix<R>) -> Option<Rows<R>> {
    let fits = m.rows == m.columns && (m.rows == 3 || m.rows == 4);
    fits.then(|| [0, 1, 2].map(|i| [0, 1, 2].map(|j| m.at(i, j))))
}

/// The 4 by 4 matrix that rotates and moves nothing.
pub(super) fn homogeneous<A: Arithmetic>(a: &mut A, m: Rows<A::Real>) -> Matrix<A::Real> {
    let (o, i) = (a.real(0.0), a.real(1.0));
    let mut elements = Vec::with_capacity(16);
    for row in m {
        elements.extend(row);
        elements.push(o);
    }
    elements.extend([o, o, o, i]);
    Matrix { rows: 4, columns: 4, elements }
}

/// Hamilton's product p q: first the rotation q, then p.
pub(super) fn multiply<A: Arithmetic>(a: &mut A, p: [A::Real; 4], q: [A::Real; 4]) -> [A::Real; 4] {
    let ([pw, px, py, pz], [qw, qx, qy, qz]) = (p, q);
    [
        terms(a, &[(1, &[pw, qw]), (-1, &[px, qx]), (-1, &[py, qy]), (-1, &[pz, qz])]),
        terms(a, &[(1, &[pw, qx]), (1, &[px, qw]), (1, &[py, qz]), (-1, &[pz, qy])]),
        terms(a, &[(1, &[pw, qy]), (-1, &[px, qz]), (1, &[py, qw]), (1, &[pz, qx])]),
        terms(a, &[(1, &[pw, qz]), (1, &[px, qy]), (-1, &[py, qx]), (1, &[pz, qw])]),
    ]
}

/// R = 1 + (2/|q|²)(w U + U²) with U the skew matrix of (x, y, z).
///
/// Dividing by |q|² keeps it a rotation when the length of q is off by rounding, or by anything but zero.
pub(super) fn matrix_of_quaternion<A: Arithmetic>(a: &mut A, [w, x, y, z]: [A::Real; 4]) -> Rows<A::Real> {
    let square = terms(a, &[(1, &[w, w]), (1, &[x, x]), (1, &[y, y]), (1, &[z, z])]);
    let (one, two) = (a.real(1.0), a.real(2.0));
    let s = a.binary(Binary::Div, two, square);
    let mut diagonal = |p, q| {
        let squares = terms(a, &[(1, &[p, p]), (1, &[q, q])]);
        terms(a, &[(1, &[one]), (-1, &[s, squares])])
    };
    let (xx, yy, zz) = (diagonal(y, z), diagonal(z, x), diagonal(x, y));
    // s (p q ± w r)
    let mut mixed = |p, q, sign, r| {
        let sum = terms(a, &[(1, &[p, q]), (sign, &[w, r])]);
        a.binary(Binary::Mul, s, sum)
    };
    [
        [xx, mixed(x, y, -1, z), mixed(x, z, 1, y)],
        [mixed(x, y, 1, z), yy, mixed(y, z, -1, x)],
        [mixed(x, z, -1, y), mixed(y, z, 1, x), zz],
    ]
}

/// Sine and cosine of each angle.
fn sines_and_cosines<A: Arithmetic>(a: &mut A, angles: [A::Real; 3]) -> ([A::Real; 3], [A::Real; 3]) {
    (angles.map(|angle| a.unary(Unary::Sin, angle)), angles.map(|angle| a.unary(Unary::Cos, angle)))
}

/// Rx(a) Ry(b) Rz(c), as written above.
pub(super) fn matrix_of_euler<A: Arithmetic>(a: &mut A, angles: [A::Real; 3]) -> Rows<A::Real> {
    let ([sa, sb, sc], [ca, cb, cc]) = sines_and_cosines(a, angles);
    [
        [terms(a, &[(1, &[cb, cc])]), terms(a, &[(-1, &[cb, sc])]), sb],
        [
            terms(a, &[(1, &[ca, sc]), (1, &[sa, sb, cc])]),
            terms(a, &[(1, &[ca, cc]), (-1, &[sa, sb, sc])]),
            terms(a, &[(-1, &[sa, cb])]),
        ],
        [
            terms(a, &[(1, &[sa, sc]), (-1, &[ca, sb, cc])]),
            terms(a, &[(1, &[sa, cc]), (1, &[ca, sb, sc])]),
            terms(a, &[(1, &[ca, cb])]),
        ],
    ]
}

/// The product of the quaternions of the three rotations, from half angles.
pub(super) fn quaternion_of_euler<A: Arithmetic>(a: &mut A, angles: [A::Real; 3]) -> [A::Real; 4] {
    let half = a.real(0.5);
    let halves = angles.map(|angle| a.binary(Binary::Mul, half, angle));
    let ([sa, sb, sc], [ca, cb, cc]) = sines_and_cosines(a, halves);
    [
        terms(a, &[(1, &[ca, cb, cc]), (-1, &[sa, sb, sc])]),
        terms(a, &[(1, &[sa, cb, cc]), (1, &[ca, sb, sc])]),
        terms(a, &[(1, &[ca, sb, cc]), (-1, &[sa, cb, sc])]),
        terms(a, &[(1, &[ca, cb, sc]), (1, &[sa, sb, cc])]),
    ]
}

/// First c, from the first row. Then R Rz(-c) = Rx(a) Ry(b) has the second column (0, cos a, sin a) and cos b
/// in its first place, which give a and b.
///
/// No arcsine: it loses half of the digits near ±90° and fails beyond 1. Whatever rounding does to c near the
/// gimbal lock b = ±90°, a makes up for it, so the angles always give the rotation back; at the lock itself c
/// is taken as 0 and b as exactly ±90°.
pub(super) fn euler_of_matrix<A: Arithmetic>(a: &mut A, m: Rows<A::Real>) -> [A::Real; 3] {
    let [[r11, r12, r13], [r21, r22, _], [r31, r32, _]] = m;
    let cos_b_squared = terms(a, &[(1, &[r11, r11]), (1, &[r12, r12])]);
    let (least, zero, one) = (a.real(LOCKED), a.real(0.0), a.real(1.0));
    let locked = a.compare(Comparison::Lt, cos_b_squared, least);
    let minus_r12 = minus(a, r12);
    let (sin_c, cos_c) = (a.select(locked, zero, minus_r12), a.select(locked, one, r11));
    let c = a.binary(Binary::Atan2, sin_c, cos_c);
    let (sc, cc) = (a.unary(Unary::Sin, c), a.unary(Unary::Cos, c));
    let sin_a = terms(a, &[(1, &[sc, r31]), (1, &[cc, r32])]);
    let cos_a = terms(a, &[(1, &[sc, r21]), (1, &[cc, r22])]);
    let cos_b = terms(a, &[(1, &[cc, r11]), (-1, &[sc, r12])]);
    let cos_b = a.select(locked, zero, cos_b);
    [a.binary(Binary::Atan2, sin_a, cos_a), a.binary(Binary::Atan2, r13, cos_b), c]
}

/// Of the two quaternions of a rotation, the one with w ≥ 0.
///
/// The element of largest magnitude comes from the diagonal, the others from sums and differences of the rest
/// divided by it: one of four ways, each good where it is taken, because the square there is at least 1.
pub(super) fn quaternion_of_matrix<A: Arithmetic>(a: &mut A, m: Rows<A::Real>) -> Vec<A::Real> {
    let [[r11, _, _], [_, r22, _], [_, _, r33]] = m;
    let (zero, trace) = (a.real(0.0), terms(a, &[(1, &[r11]), (1, &[r22]), (1, &[r33])]));
    let positive = a.compare(Comparison::Lt, zero, trace);
    let first = {
        let (over_second, over_third) =
            (a.compare(Comparison::Le, r22, r11), a.compare(Comparison::Le, r33, r11));
        a.both(over_second, over_third)
    };
    let second = a.compare(Comparison::Le, r33, r22);
    let q = a.branch(positive, &mut |a| largest_w(a, m), &mut |a| {
        a.branch(first, &mut |a| largest_axis(a, m, 0), &mut |a| {
            a.branch(second, &mut |a| largest_axis(a, m, 1), &mut |a| largest_axis(a, m, 2))
        })
    });
    let negative = a.compare(Comparison::Lt, q[0], zero);
    q.into_iter()
        .map(|x| {
            let opposite = minus(a, x);
            a.select(negative, opposite, x)
        })
        .collect()
}

/// 4w² = 1 + trace
fn largest_w<A: Arithmetic>(a: &mut A, m: Rows<A::Real>) -> Vec<A::Real> {
    let one = a.real(1.0);
    let square = terms(a, &[(1, &[one]), (1, &[m[0][0]]), (1, &[m[1][1]]), (1, &[m[2][2]])]);
    let (w, divisor) = half_root(a, square);
    let mut axis = |i: usize, j: usize| {
        let difference = terms(a, &[(1, &[m[i][j]]), (-1, &[m[j][i]])]);
        a.binary(Binary::Div, difference, divisor)
    };
    vec![w, axis(2, 1), axis(0, 2), axis(1, 0)]
}

/// 4x² = 1 + rᵢᵢ - rⱼⱼ - rₖₖ for the axis i, with j and k the next two.
fn largest_axis<A: Arithmetic>(a: &mut A, m: Rows<A::Real>, i: usize) -> Vec<A::Real> {
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let one = a.real(1.0);
    let square = terms(a, &[(1, &[one]), (1, &[m[i][i]]), (-1, &[m[j][j]]), (-1, &[m[k][k]])]);
    let (largest, divisor) = half_root(a, square);
    let mut over = |x: A::Real, sign: i8, y: A::Real| {
        let sum = terms(a, &[(1, &[x]), (sign, &[y])]);
        a.binary(Binary::Div, sum, divisor)
    };
    let mut q = vec![over(m[k][j], -1, m[j][k]), largest, largest, largest];
    q[1 + j] = over(m[j][i], 1, m[i][j]);
    q[1 + k] = over(m[k][i], 1, m[i][k]);
    q
}

/// √s/2 and 2√s.
fn half_root<A: Arithmetic>(a: &mut A, square: A::Real) -> (A::Real, A::Real) {
    let (half, two) = (a.real(0.5), a.real(2.0));
    let root = a.unary(Unary::Sqrt, square);
    (a.binary(Binary::Mul, half, root), a.binary(Binary::Mul, two, root))
}

/// (cos θ/2, sin θ/2 k) with k the unit axis; a zero axis turns nothing.
pub(super) fn quaternion_of_axis<A: Arithmetic>(
    a: &mut A,
    axis: [A::Real; 3],
    angle: A::Real,
) -> [A::Real; 4] {
    let length = norm(a, &axis);
    let (is_zero, divisor) = or_one(a, length);
    let (half, zero) = (a.real(0.5), a.real(0.0));
    let half_angle = a.binary(Binary::Mul, half, angle);
    let half_angle = a.select(is_zero, zero, half_angle);
    let (sine, cosine) = (a.unary(Unary::Sin, half_angle), a.unary(Unary::Cos, half_angle));
    let [x, y, z] = axis.map(|x| {
        let unit = a.binary(Binary::Div, x, divisor);
        a.binary(Binary::Mul, sine, unit)
    });
    [cosine, x, y, z]
}
