//! Natives of matrices that move elements about.

use crate::arithmetic::Arithmetic;
use crate::operation::algebra;
use crate::value::Matrix;

pub(super) fn transpose<R: Copy>(m: &Matrix<R>) -> Matrix<R> {
    let elements = (0..m.columns).flat_map(|column| (0..m.rows).map(move |row| m.at(row, column))).collect();
    Matrix { rows: m.columns, columns: m.rows, elements }
}

/// The first rows and columns, which the matrix has.
pub(super) fn part<R: Copy>(m: &Matrix<R>, rows: usize, columns: usize) -> Matrix<R> {
    Matrix {
        rows,
        columns,
        elements: (0..rows).flat_map(|row| m.row(row)[..columns].iter().copied()).collect(),
    }
}

pub(super) fn identity<A: Arithmetic>(a: &mut A, n: usize) -> Matrix<A::Real> {
    let (zero, one) = (a.real(0.0), a.real(1.0));
    let elements = (0..n * n).map(|index| if index / n == index % n { one } else { zero }).collect();
    Matrix { rows: n, columns: n, elements }
}

/// Σ mᵢᵢ
pub(super) fn trace<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>) -> A::Real {
    algebra::sum(a, (0..m.rows).map(|i| m.at(i, i)))
}
