//! Eigenvalues and eigenvectors of symmetric 3 × 3 matrices, by Jacobi's method.
//!
//! Each step turns one pair of axes so that their off-diagonal element vanishes: tan 2θ = 2a_pq/(a_qq -
//! a_pp). Chosen over the closed cubic because its errors stay at rounding for nearly equal eigenvalues,
//! where the cubic loses half of the digits (@golub2013).
//!
//! The same method as `jacobi`, for inertia tensors: three rows on the stack, no allocation, and axes that
//! stay right-handed. `jacobi` is for mass and stiffness matrices of any size.

use crate::{Mat3, Vec3};

/// Maximum number of sweeps. Convergence is quadratic: five are enough for any matrix of three rows.
const MAX_SWEEPS: usize = 16;

/// Returns the eigenvalues of a symmetric matrix and their unit eigenvectors, right-handed, in no particular
/// order.
#[must_use]
pub fn diagonalise(matrix: &Mat3) -> ([f64; 3], [Vec3; 3]) {
    let mut a = matrix.to_cols_array_2d();
    let mut axes = Vec3::AXES;
    for _ in 0..MAX_SWEEPS {
        let mut settled = true;
        for (p, q, r) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            // Below a rounding error of both diagonal elements it changes nothing any more.
            if a[p][q].abs() <= f64::EPSILON * 0.25 * (a[p][p].abs().min(a[q][q].abs())) {
                continue;
            }
            settled = false;
            let slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            // The smaller root of t² + 2 slope t - 1 = 0; a slope whose square overflows gives t = 0.
            let t = 1.0 / (slope.abs() + (slope * slope + 1.0).sqrt()).copysign(slope);
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            a[p][p] -= t * a[p][q];
            a[q][q] += t * a[p][q];
            a[p][q] = 0.0;
            a[q][p] = 0.0;
            let (rp, rq) = (a[r][p], a[r][q]);
            a[r][p] = cos * rp - sin * rq;
            a[p][r] = a[r][p];
            a[r][q] = sin * rp + cos * rq;
            a[q][r] = a[r][q];
            let (one, two) = (axes[p], axes[q]);
            axes[p] = one * cos - two * sin;
            axes[q] = one * sin + two * cos;
        }
        if settled {
            break;
        }
    }
    ([a[0][0], a[1][1], a[2][2]], axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A v = λ v for each pair, to rounding of the largest element; the vectors are orthonormal.
        #[test]
        fn eigenvectors_are_eigenvectors(d in prop::array::uniform3(-2.0..2.0f64), o in prop::array::uniform3(-2.0..2.0f64)) {
            let m = Mat3::from_cols(
                Vec3::new(d[0], o[0], o[1]), Vec3::new(o[0], d[1], o[2]), Vec3::new(o[1], o[2], d[2]),
            );
            let (values, vectors) = diagonalise(&m);
            for (value, vector) in values.iter().zip(vectors) {
                prop_assert!((m * vector - vector * *value).length() < 64.0 * f64::EPSILON * 6.0);
                prop_assert!((vector.length() - 1.0).abs() < 16.0 * f64::EPSILON);
            }
            prop_assert!((vectors[0].cross(vectors[1]) - vectors[2]).length() < 32.0 * f64::EPSILON);
        }
    }
}
