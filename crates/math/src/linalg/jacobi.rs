//! Eigenvalues and eigenvectors of symmetric matrices of any size, by Jacobi's rotations.
//!
//! The same method as [`symmetric3`](super::symmetric3), which keeps its three rows on the stack and needs no
//! allocation. This one takes mass and stiffness matrices of any size.

use super::dense::DenseMatrix;

/// Maximum number of sweeps. Convergence is quadratic, so that ten are plenty.
const MAX_SWEEPS: usize = 30;

/// Returns the eigenvalues of a symmetric matrix and their unit eigenvectors.
pub fn diagonalise(mut a: DenseMatrix) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.rows;
    let mut axes: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..MAX_SWEEPS {
        let mut settled = true;
        for p in 0..n {
            for q in p + 1..n {
                let off = a.at(p, q);
                if off.abs() <= f64::EPSILON * 0.25 * a.at(p, p).abs().min(a.at(q, q).abs()) {
                    continue;
                }
                settled = false;
                let slope = (a.at(q, q) - a.at(p, p)) / (2.0 * off);
                // The smaller root of t² + 2 slope t − 1 = 0.
                let t = 1.0 / (slope.abs() + (slope * slope + 1.0).sqrt()).copysign(slope);
                let cos = 1.0 / (t * t + 1.0).sqrt();
                let sin = t * cos;
                *a.at_mut(p, p) -= t * off;
                *a.at_mut(q, q) += t * off;
                *a.at_mut(p, q) = 0.0;
                *a.at_mut(q, p) = 0.0;
                for r in (0..n).filter(|&r| r != p && r != q) {
                    let (x, y) = (a.at(r, p), a.at(r, q));
                    *a.at_mut(r, p) = cos * x - sin * y;
                    *a.at_mut(p, r) = a.at(r, p);
                    *a.at_mut(r, q) = sin * x + cos * y;
                    *a.at_mut(q, r) = a.at(r, q);
                }
                let (before, after) = axes.split_at_mut(q);
                for (x, y) in before[p].iter_mut().zip(&mut after[0]) {
                    (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
                }
            }
        }
        if settled {
            break;
        }
    }
    ((0..n).map(|it| a.at(it, it)).collect(), axes)
}
