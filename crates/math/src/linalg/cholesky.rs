//! Cholesky's factor of a symmetric positive definite matrix, A = G Gᵀ with G lower triangular, and the two
//! substitutions that solve with it (@golub2013, 4.2).

use super::dense::DenseMatrix;

/// Returns G of A = G Gᵀ; `None` if the matrix is not positive definite.
pub fn cholesky(matrix: &DenseMatrix) -> Option<DenseMatrix> {
    let n = matrix.rows;
    let mut factor = DenseMatrix::from_fn(n, n, |_, _| 0.0);
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

/// Returns G⁻¹ `right`.
pub fn forward_substitution(factor: &DenseMatrix, right: &[f64]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::with_capacity(right.len());
    for (row, &value) in right.iter().enumerate() {
        let rest =
            found.iter().enumerate().fold(value, |rest, (it, known)| rest - factor.at(row, it) * known);
        found.push(rest / factor.at(row, row));
    }
    found
}

/// Returns G⁻ᵀ `right`.
pub fn backward_substitution(factor: &DenseMatrix, right: &[f64]) -> Vec<f64> {
    let mut found = right.to_vec();
    for row in (0..right.len()).rev() {
        let rest = (row + 1..right.len()).fold(right[row], |rest, it| rest - factor.at(it, row) * found[it]);
        found[row] = rest / factor.at(row, row);
    }
    found
}
