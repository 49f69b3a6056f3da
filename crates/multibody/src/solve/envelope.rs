//! Cholesky's factor of the Hessian H = M + Jᵀ D J inside its envelope.
//!
//! Freedoms stand depth first, so what a freedom carries follows it without a gap: row i of M ends at the
//! last freedom that i carries. Eliminating from the last freedom to the first fills in nothing there. A
//! block of rows couples its columns and can only move the end of their rows to its last column; contacts
//! with the world move nothing. So H = W Wᵀ with W upper triangular, both inside the envelope.

use crate::constraints::rows::Rows;
use crate::tree::mass_matrix::TreeMatrix;
use crate::tree::topology::Topology;

/// An upper triangular matrix, row by row up to each row's end.
#[derive(Debug, Clone, Default)]
pub struct Envelope {
    /// By row, one past its last column.
    ends: Vec<usize>,
    /// By row, where it begins.
    starts: Vec<usize>,
    entries: Vec<f64>,
    scratch: Vec<f64>,
}

impl Envelope {
    /// Lays out the envelope of all rows of a step.
    pub fn lay_out(&mut self, topology: &Topology, rows: &Rows) {
        self.ends.clear();
        self.ends.extend_from_slice(&topology.subtree_end);
        for block in &rows.blocks {
            let columns = &rows.columns[block.columns..block.columns + block.width];
            let Some(&last) = columns.last() else { continue };
            for &column in columns {
                self.ends[column] = self.ends[column].max(last + 1);
            }
        }
        self.starts.clear();
        let mut next = 0;
        for (row, end) in self.ends.iter().enumerate() {
            self.starts.push(next);
            next += end - row;
        }
        self.entries.resize(next, 0.0);
    }

    /// Sets the matrix to M.
    pub fn set_mass(&mut self, topology: &Topology, matrix: &TreeMatrix) {
        self.entries.fill(0.0);
        for freedom in 0..topology.freedoms {
            let mut at = matrix.starts[freedom];
            let mut carrier = Some(freedom);
            while let Some(row) = carrier {
                self.entries[self.starts[row] + freedom - row] = matrix.entries[at];
                at += 1;
                carrier = topology.parent_freedom[row];
            }
        }
    }

    /// Adds `weight` v vᵀ, where v has these values at these columns, in rising order.
    pub fn add_outer(&mut self, columns: &[usize], values: &[f64], weight: f64) {
        for (at, &row) in columns.iter().enumerate() {
            let scaled = weight * values[at];
            if scaled == 0.0 {
                continue;
            }
            let start = self.starts[row];
            for (&column, value) in columns[at..].iter().zip(&values[at..]) {
                self.entries[start + column - row] += scaled * value;
            }
        }
    }

    /// Adds `weight` (u vᵀ + v uᵀ) / 2 of two rows with the same columns.
    pub fn add_symmetric(&mut self, columns: &[usize], one: &[f64], other: &[f64], weight: f64) {
        for (at, &row) in columns.iter().enumerate() {
            let start = self.starts[row];
            let (left, right) = (0.5 * weight * one[at], 0.5 * weight * other[at]);
            for (offset, &column) in columns[at..].iter().enumerate() {
                self.entries[start + column - row] += left * other[at + offset] + right * one[at + offset];
            }
        }
    }

    /// Replaces the matrix by its factor; `false` if it is not positive definite.
    #[must_use]
    pub fn factor(&mut self) -> bool {
        let count = self.ends.len();
        for row in (0..count).rev() {
            let end = self.ends[row];
            let (head, tail) = self.entries.split_at_mut(self.starts.get(row + 1).copied().unwrap_or(0));
            let (this, below, offset) = if row + 1 < count {
                (&mut head[self.starts[row]..], tail, self.starts[row + 1])
            } else {
                (&mut tail[self.starts[row]..], &mut head[..0], 0)
            };
            for column in (row + 1..end).rev() {
                let start = self.starts[column] - offset;
                let shared = end.min(self.ends[column]);
                let other = &below[start..start + shared - column];
                let mine = &this[column - row..shared - row];
                let rest = mine[0] - product(&mine[1..], &other[1..]);
                this[column - row] = rest / other[0];
            }
            let pivot = this[0] - product(&this[1..end - row], &this[1..end - row]);
            if !(pivot > 0.0) {
                return false;
            }
            this[0] = pivot.sqrt();
        }
        true
    }

    /// Changes the factor to that of H + `weight` v vᵀ; `false` if that is not positive definite.
    #[must_use]
    pub fn update(&mut self, columns: &[usize], values: &[f64], weight: f64) -> bool {
        let count = self.ends.len();
        self.scratch.clear();
        self.scratch.resize(count, 0.0);
        let root = weight.abs().sqrt();
        let Some(&last) = columns.last() else { return true };
        for (&column, value) in columns.iter().zip(values) {
            self.scratch[column] = value * root;
        }
        let sign = weight.signum();
        for column in (0..=last).rev() {
            let value = self.scratch[column];
            if value == 0.0 {
                continue;
            }
            let diagonal = self.entries[self.starts[column]];
            let squared = diagonal * diagonal + sign * value * value;
            // Too close to singular for what is left to mean anything.
            if !(squared > 1e-12 * diagonal * diagonal) {
                return false;
            }
            let new = squared.sqrt();
            let (cosine, sine) = (new / diagonal, value / diagonal);
            self.entries[self.starts[column]] = new;
            for row in (0..column).rev() {
                if self.ends[row] <= column {
                    continue;
                }
                let at = self.starts[row] + column - row;
                let entry = (self.entries[at] + sign * sine * self.scratch[row]) / cosine;
                self.entries[at] = entry;
                self.scratch[row] = cosine * self.scratch[row] - sine * entry;
            }
        }
        true
    }

    /// Replaces x by H⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        let count = self.ends.len();
        for row in (0..count).rev() {
            let this = &self.entries[self.starts[row]..self.starts[row] + self.ends[row] - row];
            let rest = x[row] - product(&this[1..], &x[row + 1..self.ends[row]]);
            x[row] = rest / this[0];
        }
        for row in 0..count {
            let this = &self.entries[self.starts[row]..self.starts[row] + self.ends[row] - row];
            let value = x[row] / this[0];
            x[row] = value;
            for (entry, target) in this[1..].iter().zip(&mut x[row + 1..self.ends[row]]) {
                *target -= entry * value;
            }
        }
    }
}

/// Scalar product in four sums, which the machine can take at once.
#[inline]
fn product(one: &[f64], other: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (ones, others) = (one.chunks_exact(4), other.chunks_exact(4));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in ones.zip(others) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
