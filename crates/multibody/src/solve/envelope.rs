//! Factors of the Hessian H = M + Jᵀ D J inside its envelope.
//!
//! Freedoms stand depth first, so what a freedom carries follows it without a gap: row i of M, above the
//! diagonal, ends at the last freedom that i carries. A block of rows couples its columns and can only move
//! the end of their rows to its last column; contacts with the world move nothing. Eliminating from the last
//! freedom to the first fills in nothing inside these ends. So H = Lᵀ D L, stored as M is: row i holds the
//! diagonal and the lower freedoms whose end is beyond i, which for a mechanism that touches nothing but the
//! world are those on its way to the root.

use crate::constraints::rows::{Block, Rows};
use crate::tree::mass_matrix::{TreeMatrix, divide, divide_transposed, eliminate};
use crate::tree::topology::Topology;

/// Number of columns of a block that are worked on at once.
const CHUNK: usize = 16;

/// A symmetric matrix, or its factors.
#[derive(Debug, Clone, Default)]
pub struct Envelope {
    /// By row above the diagonal, one past its last column.
    ends: Vec<usize>,
    /// By row, where it begins.
    starts: Vec<usize>,
    /// By entry, its column.
    columns: Vec<u32>,
    entries: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    /// Whether the rows are those of M.
    is_tree: bool,
    /// By freedom, number of freedoms on the way to the root.
    depths: Vec<usize>,
    scratch: Vec<f64>,
    active: Vec<u32>,
}

impl Envelope {
    /// Lays out the envelope of all rows of a step.
    pub fn lay_out(&mut self, topology: &Topology, rows: &Rows) {
        self.ends.clear();
        self.ends.extend_from_slice(&topology.subtree_end);
        let mut reaches = false;
        for block in &rows.blocks {
            let columns = &rows.columns[block.columns..block.columns + block.width];
            let Some(&last) = columns.last() else { continue };
            for &column in columns {
                reaches |= self.ends[column] <= last;
                self.ends[column] = self.ends[column].max(last + 1);
            }
        }
        self.is_tree = !reaches;
        self.inverse_diagonal.resize(topology.freedoms, 0.0);
        if !reaches {
            self.starts.clone_from(&topology.way_starts);
            self.columns.clone_from(&topology.ways);
            self.depths.clone_from(&topology.depth);
            self.entries.resize(topology.ways.len(), 0.0);
            return;
        }
        self.starts.clear();
        self.columns.clear();
        self.active.clear();
        let Self { ends, starts, columns, active, .. } = self;
        for row in 0..topology.freedoms {
            active.retain(|&other| ends[other as usize] > row);
            active.push(row as u32);
            starts.push(columns.len());
            columns.extend(active.iter().rev());
        }
        self.entries.resize(self.columns.len(), 0.0);
    }

    /// Sets the matrix to M.
    pub fn set_mass(&mut self, topology: &Topology, matrix: &TreeMatrix) {
        if self.is_tree {
            self.entries.copy_from_slice(&matrix.entries);
            return;
        }
        self.entries.fill(0.0);
        for freedom in 0..topology.freedoms {
            let way = topology.way(freedom);
            let values = &matrix.entries[matrix.starts[freedom]..][..way.len()];
            let row = self.row(freedom);
            let mut places = self.columns[row.clone()].iter().zip(&mut self.entries[row]);
            for (number, value) in way.iter().zip(values) {
                if let Some((_, entry)) = places.find(|(column, _)| *column == number) {
                    *entry = *value;
                }
            }
        }
    }

    /// Places of the entries of a row.
    #[inline]
    fn row(&self, row: usize) -> core::ops::Range<usize> {
        self.starts[row]..self.starts.get(row + 1).copied().unwrap_or(self.entries.len())
    }

    /// Adds `weight` v vᵀ, where v has these values at these columns, in rising order.
    pub fn add_outer(&mut self, columns: &[usize], values: &[f64], weight: f64) {
        if let (&[column], &[value]) = (columns, values) {
            self.entries[self.starts[column]] += weight * value * value;
            return;
        }
        let mut square = [[0.0; Block::MAX_BASES]; Block::MAX_BASES];
        square[0][0] = weight;
        self.add_block(columns, values, 1, &square);
    }

    /// Adds Bᵀ C B, where B has `count` rows with these columns, and C, `square`, is symmetric.
    pub fn add_block(
        &mut self,
        columns: &[usize],
        values: &[f64],
        count: usize,
        square: &[[f64; Block::MAX_BASES]; Block::MAX_BASES],
    ) {
        let (first, last) = (columns[0], columns[columns.len() - 1]);
        let is_whole = self.is_tree && self.depths[last] + 1 - self.depths[first] == columns.len();
        match count {
            3 if is_whole => self.add_three(columns, values, square),
            1 => self.add_rows::<1>(columns, values, square),
            2 | 3 => self.add_rows::<3>(columns, values, square),
            _ => self.add_rows::<{ Block::MAX_BASES }>(columns, values, square),
        }
    }

    /// [`add_block`](Self::add_block) for three rows whose columns are a way towards the root without a gap.
    fn add_three(
        &mut self,
        columns: &[usize],
        values: &[f64],
        square: &[[f64; Block::MAX_BASES]; Block::MAX_BASES],
    ) {
        let width = columns.len();
        let (one, rest) = values.split_at(width);
        let (two, three) = rest.split_at(width);
        for (at, &column) in columns.iter().enumerate() {
            let [x, y, z] = [one[at], two[at], three[at]];
            let [a, b, c] = core::array::from_fn(|k| square[k][0] * x + square[k][1] * y + square[k][2] * z);
            let start = self.starts[column];
            let entries = self.entries[start..=start + at].iter_mut();
            let values = one[..=at].iter().rev().zip(two[..=at].iter().rev()).zip(three[..=at].iter().rev());
            for (entry, ((x, y), z)) in entries.zip(values) {
                *entry += a * x + b * y + c * z;
            }
        }
    }

    /// [`add_block`](Self::add_block) for at most `N` rows.
    fn add_rows<const N: usize>(
        &mut self,
        columns: &[usize],
        values: &[f64],
        square: &[[f64; Block::MAX_BASES]; Block::MAX_BASES],
    ) {
        let width = columns.len();
        let count = values.len() / width;
        let rows: [&[f64]; N] =
            core::array::from_fn(|k| if k < count { &values[k * width..(k + 1) * width] } else { &[] });
        for at in 0..width {
            let mut scaled = [0.0; N];
            for k in 0..count.min(N) {
                scaled[k] = (0..count.min(N)).map(|j| square[k][j] * rows[j][at]).sum();
            }
            // The row of this column holds the products with all lower ones.
            let mut from = 0;
            let mut sums = [0.0; CHUNK];
            while from <= at {
                let to = (at + 1).min(from + CHUNK);
                let sums = &mut sums[..to - from];
                sums.fill(0.0);
                for (row, scaled) in rows.iter().zip(scaled).take(count) {
                    for (sum, value) in sums.iter_mut().zip(&row[from..to]) {
                        *sum += scaled * value;
                    }
                }
                self.add_part(columns[at], &columns[from..to], sums);
                from = to;
            }
        }
    }

    /// Adds values to a row at these columns, which rise.
    #[inline]
    fn add_part(&mut self, row: usize, columns: &[usize], values: &[f64]) {
        if self.is_tree {
            let behind = self.starts[row] + self.depths[row];
            // On the way to the root each carrier is one level below.
            for (&column, value) in columns.iter().zip(values) {
                self.entries[behind - self.depths[column]] += value;
            }
            return;
        }
        let row = self.row(row);
        let (numbers, entries) = (&self.columns[row.clone()], &mut self.entries[row]);
        let mut at = 0;
        for (&column, value) in columns.iter().zip(values).rev() {
            while numbers[at] as usize != column {
                at += 1;
            }
            entries[at] += value;
        }
    }

    /// Replaces the matrix by its factors; `false` if it is not positive definite.
    #[must_use]
    pub fn factor(&mut self) -> bool {
        let entries = self.entries.as_chunks_mut::<1>().0;
        eliminate(&self.starts, &self.columns, entries, self.inverse_diagonal.as_chunks_mut().0)
    }

    /// Changes the factors to those of H + `weight` v vᵀ; `false` if that is not positive definite
    /// (@gill1974, method C1).
    #[must_use]
    pub fn update(&mut self, columns: &[usize], values: &[f64], weight: f64) -> bool {
        let Some(&last) = columns.last() else { return true };
        self.scratch.clear();
        self.scratch.resize(last + 1, 0.0);
        for (&column, value) in columns.iter().zip(values) {
            self.scratch[column] = *value;
        }
        let mut weight = weight;
        for row in (0..=last).rev() {
            let value = self.scratch[row];
            if value == 0.0 {
                continue;
            }
            let places = self.row(row);
            let old = self.entries[places.start];
            let new = old + weight * value * value;
            // Too close to singular for what is left to mean anything.
            let is_regular = new > LEAST_SHARE * old;
            if !is_regular {
                return false;
            }
            let inverse = 1.0 / new;
            let share = weight * value * inverse;
            weight *= old * inverse;
            self.entries[places.start] = new;
            self.inverse_diagonal[row] = inverse;
            let rest = places.start + 1..places.end;
            for (entry, &column) in self.entries[rest.clone()].iter_mut().zip(&self.columns[rest]) {
                let other = &mut self.scratch[column as usize];
                *other -= value * *entry;
                *entry += share * *other;
            }
        }
        true
    }

    /// Replaces x by H⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        let all = 0..self.starts.len();
        divide_transposed(&self.starts, &self.columns, &self.entries, all.clone(), x);
        for (value, inverse) in x.iter_mut().zip(&self.inverse_diagonal) {
            *value *= inverse;
        }
        divide(&self.starts, &self.columns, &self.entries, all, x);
    }
}

/// Share of a pivot that an update must leave.
const LEAST_SHARE: f64 = 1e-8;
