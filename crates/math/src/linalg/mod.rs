//! Small dense linear algebra: factors, eigenvalues, solutions.
//!
//! | file | algorithm | for |
//! |---|---|---|
//! | `dense` | Gauss-Jordan elimination | ranks, null vectors, least squares |
//! | `solve` | elimination with row pivoting, in place | one system of equations inside a step |
//! | `jacobi` | Cholesky's factor, Jacobi's rotations | symmetric matrices of any size |
//! | [`symmetric3`] | Jacobi's rotations | symmetric 3 × 3 matrices |
//! | `schur` | Francis's double steps | matrices that need not be symmetric |
//! | `spectrum` | Kublanovskaya's staircase before Schur's form | ẋ = A x with eigenvalues that are exactly zero |

mod complex;
mod dense;
mod jacobi;
mod schur;
mod solve;
mod spectrum;
pub mod symmetric3;

pub use complex::Complex;
pub use dense::{Dense, Eliminated};
pub use jacobi::{backward, cholesky, diagonalised, forward};
pub use schur::{Pair, Schur};
pub use solve::solve;
pub use spectrum::{Spectrum, spectrum};
