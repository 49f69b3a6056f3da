//! Small dense linear algebra: factors, eigenvalues, solutions.
//!
//! | file | algorithm | for |
//! |---|---|---|
//! | `dense` | Gauss-Jordan elimination | ranks, null vectors, least squares |
//! | `solve` | elimination with row pivoting, in place | one system of equations inside a step |
//! | `cholesky` | A = G Gᵀ | symmetric positive definite matrices |
//! | `jacobi` | Jacobi's rotations | eigenvalues of symmetric matrices of any size |
//! | [`symmetric3`] | Jacobi's rotations | eigenvalues of symmetric 3 × 3 matrices, on the stack |
//! | `schur` | Francis's double steps | matrices that need not be symmetric |
//! | `spectrum` | Kublanovskaya's staircase before Schur's form | ẋ = A x with eigenvalues of exactly zero |

mod cholesky;
mod complex;
mod dense;
mod jacobi;
mod schur;
mod solve;
mod spectrum;
pub mod symmetric3;

pub use cholesky::{backward_substitution, cholesky, forward_substitution};
pub use complex::Complex;
pub use dense::{DenseMatrix, Eliminated};
pub use jacobi::diagonalise;
pub use schur::{Pair, Schur};
pub use solve::{SolveScratch, solve, solve_with};
pub use spectrum::{Spectrum, spectrum};
