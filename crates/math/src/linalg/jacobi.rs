//! Eigenvalues and eigenvectors of symmetric matrices of any size, and Cholesky's factors.

use super::dense::Dense;

/// G of GGᵀ; `None` if the matrix is not positive.
pub fn cholesky(matrix: &Dense) -> Option<Dense> {
    let n = matrix.rows;
    let mut factor = Dense::from_fn(n, n, |_, _| 0.0);
    for row in 0..n {
        for column in 0..=row {
            let rest = (0..column)
                .fold(matrix.at(row, column), |rest, it| rest - factor.at(row, it) * factor.at(column, it));
            *factor.at_mut(row, column) = if row == column {
                if rest <= 1e-14 * matrix.at(row, row).abs() || rest.is_nan() {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / factor.at(column, column)
            };
        }
    }
    Some(factor)
}

/// G⁻¹ right
pub fn forward(factor: &Dense, right: &[f64]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::with_capacity(right.len());
    for (row, &value) in right.iter().enumerate() {
        let rest =
            found.iter().enumerate().fold(value, |rest, (it, known)| rest - factor.at(row, it) * known);
        found.push(rest / factor.at(row, row));
    }
    found
}

/// G⁻ᵀ right
pub fn backward(factor: &Dense, right: &[f64]) -> Vec<f64> {
    let mut found = right.to_vec();
    for row in (0..right.len()).rev() {
        let rest = (row + 1..right.len()).fold(right[row], |rest, it| rest - factor.at(it, row) * found[it]);
        found[row] = rest / factor.at(row, row);
    }
    found
}

/// Sweeps of rotations; convergence is quadratic, so that ten are plenty.
const MOST_SWEEPS: usize = 30;

/// The eigenvalues of a symmetric matrix and their unit eigenvectors, by Jacobi's rotations.
pub fn diagonalised(mut a: Dense) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.rows;
    let mut axes: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..MOST_SWEEPS {
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
