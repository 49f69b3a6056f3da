//! Matrices of expressions.
//!
//! They are small: determinants and solutions are written out by minors, with no division but the last, so
//! that no pivot has to be known not to be zero. Larger systems are factored step by step, with names for the
//! steps ([`StraightLine`](crate::lagrange::StraightLine)).

use crate::pool::{Expr, Pool};
use std::collections::HashMap;
use std::ops::{Index, IndexMut};

/// A matrix of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Entries, row by row.
    pub entries: Vec<Expr>,
}

/// Maximum number of rows of a determinant that is written out: there are 2ⁿ minors.
pub const MAX_DETERMINANT_ROWS: usize = 8;

impl Index<(usize, usize)> for Matrix {
    type Output = Expr;

    fn index(&self, (row, column): (usize, usize)) -> &Expr {
        &self.entries[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut Expr {
        &mut self.entries[row * self.columns + column]
    }
}

impl Matrix {
    /// Matrix with the entry `entry(row, column)` in each place.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> Expr) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            entries.extend((0..columns).map(|column| entry(row, column)));
        }
        Self { rows, columns, entries }
    }

    /// Matrix with every entry 0.
    pub fn zero(pool: &mut Pool, rows: usize, columns: usize) -> Self {
        let zero = pool.zero();
        Self::from_fn(rows, columns, |_, _| zero)
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[Expr] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }

    /// Returns the transpose.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |row, column| self[(column, row)])
    }

    /// Returns the matrix with `change` applied to each entry.
    #[must_use]
    pub fn map(&self, change: impl FnMut(Expr) -> Expr) -> Self {
        let entries = self.entries.iter().copied().map(change).collect();
        Self { rows: self.rows, columns: self.columns, entries }
    }

    /// This matrix times another, which has as many rows as this has columns.
    #[must_use]
    pub fn product(&self, pool: &mut Pool, other: &Self) -> Self {
        debug_assert_eq!(self.columns, other.rows, "rows and columns fit");
        Self::from_fn(self.rows, other.columns, |row, column| {
            let other: Vec<Expr> = (0..other.rows).map(|it| other[(it, column)]).collect();
            dot(pool, self.row(row), &other)
        })
    }

    /// This matrix times a vector.
    pub fn times(&self, pool: &mut Pool, vector: &[Expr]) -> Vec<Expr> {
        (0..self.rows).map(|row| dot(pool, self.row(row), vector)).collect()
    }

    /// Returns the determinant, by minors. `None` if the matrix is not square or has more than
    /// [`MAX_DETERMINANT_ROWS`] rows.
    pub fn determinant(&self, pool: &mut Pool) -> Option<Expr> {
        if self.rows != self.columns || self.rows > MAX_DETERMINANT_ROWS {
            return None;
        }
        let columns = (1_u32 << self.rows) - 1;
        Some(self.minor(pool, 0, columns, &mut HashMap::new()))
    }

    /// Minor of the rows from `row` on and of as many columns, those of this set.
    fn minor(&self, pool: &mut Pool, row: usize, columns: u32, known: &mut HashMap<u32, Expr>) -> Expr {
        if row == self.rows {
            return pool.one();
        }
        if let Some(&known) = known.get(&columns) {
            return known;
        }
        let mut terms = Vec::new();
        let mut positive = true;
        for column in (0..self.columns).filter(|column| columns >> column & 1 == 1) {
            let entry = self[(row, column)];
            if !pool.is_zero(entry) {
                let below = self.minor(pool, row + 1, columns & !(1 << column), known);
                let term = pool.mul(entry, below);
                terms.push(if positive { term } else { pool.neg(term) });
            }
            positive = !positive;
        }
        let minor = pool.sum(&terms);
        known.insert(columns, minor);
        minor
    }

    /// Returns the diagonal blocks: sets of rows and columns between which every entry is 0, each in order.
    pub fn blocks(&self, pool: &Pool) -> Vec<Vec<usize>> {
        let mut block_of: Vec<usize> = (0..self.rows).collect();
        for row in 0..self.rows {
            for column in 0..self.columns.min(self.rows) {
                let (a, b) = (block_of[row], block_of[column]);
                if a != b && !pool.is_zero(self[(row, column)]) {
                    let (low, high) = (a.min(b), a.max(b));
                    block_of.iter_mut().filter(|it| **it == high).for_each(|it| *it = low);
                }
            }
        }
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for first in 0..self.rows {
            let members: Vec<usize> = (0..self.rows).filter(|&row| block_of[row] == first).collect();
            if !members.is_empty() {
                blocks.push(members);
            }
        }
        blocks
    }

    /// Returns the submatrix of the rows and columns of this set.
    #[must_use]
    pub fn part(&self, members: &[usize]) -> Self {
        Self::from_fn(members.len(), members.len(), |row, column| self[(members[row], members[column])])
    }

    /// Returns x with this matrix times x equal to `right`, by Cramer's rule for each of its
    /// [`blocks`](Self::blocks). `simplify` is applied to determinants and quotients. `None` if the matrix
    /// is not square, a block has more than [`MAX_DETERMINANT_ROWS`] rows, or a determinant simplifies to 0.
    pub fn solve(
        &self,
        pool: &mut Pool,
        right: &[Expr],
        simplify: &mut dyn FnMut(&mut Pool, Expr) -> Expr,
    ) -> Option<Vec<Expr>> {
        if self.rows != self.columns || right.len() != self.rows {
            return None;
        }
        let mut solution = right.to_vec();
        for members in self.blocks(pool) {
            let part = self.part(&members);
            let below = part.determinant(pool)?;
            let below = simplify(pool, below);
            if pool.is_zero(below) {
                return None;
            }
            for (place, &member) in members.iter().enumerate() {
                let replaced = Self::from_fn(part.rows, part.columns, |row, column| {
                    if column == place { right[members[row]] } else { part[(row, column)] }
                });
                let above = replaced.determinant(pool)?;
                let quotient = pool.div(above, below);
                solution[member] = simplify(pool, quotient);
            }
        }
        Some(solution)
    }
}

/// Σ aᵢ bᵢ
pub(super) fn dot(pool: &mut Pool, a: &[Expr], b: &[Expr]) -> Expr {
    let terms: Vec<Expr> = a.iter().zip(b).map(|(&a, &b)| pool.mul(a, b)).collect();
    pool.sum(&terms)
}
