//! The mass matrix M(q) in the sparse form of a tree, by the composite-rigid-body algorithm, and its factors
//! M = Lᵀ D L (@featherstone2008, chapters 6 and 8).
//!
//! Two freedoms share an entry only where one carries the other. So row i holds M(i, i), then the entries
//! with the freedoms on the way to the root. Elimination from the leaves fills nothing in.

use super::kinematics::Kinematics;
use super::spatial::SpatialInertia;
use super::topology::Topology;
use crate::model::Description;
use core::ops::Range;

/// A symmetric matrix with the sparsity of a tree.
#[derive(Debug, Clone, Default)]
pub struct TreeMatrix {
    /// By freedom, where its row begins.
    pub starts: Vec<usize>,
    /// Entries: the diagonal, then the freedoms on the way to the root.
    pub entries: Vec<f64>,
}

/// Factors of a [`TreeMatrix`]: Lᵀ D L, the diagonal of L being 1.
#[derive(Debug, Clone, Default)]
pub struct TreeFactor {
    rows: TreeMatrix,
    inverse_diagonal: Vec<f64>,
}

impl TreeMatrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let mut starts = Vec::with_capacity(topology.freedoms);
        let mut next = 0;
        for depth in &topology.depth {
            starts.push(next);
            next += depth;
        }
        Self { starts, entries: vec![0.0; next] }
    }

    /// Fills in M of the pose; `composite` is scratch.
    pub fn fill(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        composite: &mut Vec<SpatialInertia>,
    ) {
        composite.clear();
        composite.extend_from_slice(&kinematics.inertias);
        for index in (1..description.bodies.len()).rev() {
            let parent = description.bodies[index].parent.index();
            // The world has no use for what it carries, and other trees have other reference points.
            if parent > 0 {
                let carried = composite[index];
                composite[parent] += carried;
            }
        }
        for freedom in 0..topology.freedoms {
            let body = topology.body_of[freedom].index();
            let momentum = composite[body].times(kinematics.axes[freedom]);
            let way = topology.way(freedom);
            let row = &mut self.entries[self.starts[freedom]..][..way.len()];
            for (entry, &other) in row.iter_mut().zip(way) {
                *entry = kinematics.axes[other as usize].dot(momentum);
            }
            let joint = topology.joint_of[freedom].index();
            self.entries[self.starts[freedom]] += description.joints[joint].armature;
        }
    }

    /// Sum of the diagonal.
    #[must_use]
    pub fn trace(&self) -> f64 {
        self.starts.iter().map(|&start| self.entries[start]).sum()
    }

    /// Writes M x to `out`.
    pub fn times(&self, topology: &Topology, x: &[f64], out: &mut [f64]) {
        for (freedom, &start) in self.starts.iter().enumerate() {
            let way = topology.way(freedom);
            let row = &self.entries[start..start + way.len()];
            let own = x[freedom];
            let mut sum = row[0] * own;
            for (entry, &other) in row[1..].iter().zip(&way[1..]) {
                let other = other as usize;
                sum += entry * x[other];
                // Carriers come before what they carry, so theirs has been begun.
                out[other] += entry * own;
            }
            out[freedom] = sum;
        }
    }

    /// The matrix in full, row by row.
    #[must_use]
    pub fn to_dense(&self, topology: &Topology) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; topology.freedoms]; topology.freedoms];
        for (freedom, &start) in self.starts.iter().enumerate() {
            let chain = core::iter::successors(Some(freedom), |&it| topology.parent_freedom[it]);
            for (at, number) in chain.enumerate() {
                rows[freedom][number] = self.entries[start + at];
                rows[number][freedom] = self.entries[start + at];
            }
        }
        rows
    }
}

impl TreeFactor {
    /// Factors a matrix; `false` if it is not positive definite.
    #[must_use]
    pub fn factor(&mut self, topology: &Topology, matrix: &TreeMatrix) -> bool {
        self.rows.starts.clone_from(&matrix.starts);
        self.rows.entries.clone_from(&matrix.entries);
        self.inverse_diagonal.clear();
        self.inverse_diagonal.resize(topology.freedoms, 0.0);
        let TreeMatrix { starts, entries } = &mut self.rows;
        let (entries, inverse) = (entries.as_chunks_mut::<1>().0, self.inverse_diagonal.as_chunks_mut().0);
        eliminate(starts, &topology.ways, entries, inverse)
    }

    /// Factors a matrix, and the same with `damping` added to the diagonal into `other`; `false` if the matrix
    /// is not positive definite. Takes little more time than one of them: both fill a register.
    #[must_use]
    pub fn factor_both(
        &mut self,
        topology: &Topology,
        matrix: &TreeMatrix,
        damping: &[f64],
        other: &mut TreeFactor,
        pairs: &mut Vec<[f64; 2]>,
    ) -> bool {
        pairs.clear();
        pairs.extend(matrix.entries.iter().map(|entry| [*entry; 2]));
        for (start, damping) in matrix.starts.iter().zip(damping) {
            pairs[*start][1] += damping;
        }
        // The inverse diagonals stand behind the entries.
        pairs.resize(matrix.entries.len() + topology.freedoms, [0.0; 2]);
        let (entries, inverse) = pairs.split_at_mut(matrix.entries.len());
        let is_positive = eliminate(&matrix.starts, &topology.ways, entries, inverse);
        for (k, factor) in [self, other].into_iter().enumerate() {
            factor.rows.starts.clone_from(&matrix.starts);
            factor.rows.entries.clear();
            factor.rows.entries.extend(entries.iter().map(|pair| pair[k]));
            factor.inverse_diagonal.clear();
            factor.inverse_diagonal.extend(inverse.iter().map(|pair| pair[k]));
        }
        is_positive
    }

    /// Replaces x by M⁻¹ x.
    pub fn solve(&self, topology: &Topology, x: &mut [f64]) {
        let TreeMatrix { starts, entries } = &self.rows;
        for tree in &topology.trees {
            // Most mechanisms of many trees are free bodies.
            if tree.len() == 6 && topology.depth[tree.end - 1] == 6 {
                let entries = &entries[starts[tree.start]..];
                if let (Some(entries), Some(inverse), Some(x)) = (
                    entries.first_chunk(),
                    self.inverse_diagonal[tree.clone()].first_chunk(),
                    x[tree.clone()].first_chunk_mut(),
                ) {
                    solve_six(entries, inverse, x);
                }
                continue;
            }
            divide_transposed(starts, &topology.ways, entries, tree.clone(), x);
            for (value, inverse) in x[tree.clone()].iter_mut().zip(&self.inverse_diagonal[tree.clone()]) {
                *value *= inverse;
            }
            divide(starts, &topology.ways, entries, tree.clone(), x);
        }
    }

    /// xᵀ M⁻¹ x; `x` is replaced by L⁻ᵀ x.
    #[must_use]
    pub fn inverse_norm_squared(&self, topology: &Topology, x: &mut [f64]) -> f64 {
        let all = 0..topology.freedoms;
        divide_transposed(&self.rows.starts, &topology.ways, &self.rows.entries, all, x);
        x.iter().zip(&self.inverse_diagonal).map(|(value, inverse)| value * value * inverse).sum()
    }
}

/// One past the last entry of a row.
#[inline]
fn end_of(starts: &[usize], row: usize, entries: usize) -> usize {
    starts.get(row + 1).copied().unwrap_or(entries)
}

/// Replaces symmetric matrices by their factors Lᵀ D L, `N` at once; `false` if one is not positive definite.
///
/// Row i holds the diagonal and then the entries with lower freedoms, their numbers falling, which `columns`
/// names. Two entries of a row must have one with each other: elimination from the last row then fills in
/// nothing.
pub(crate) fn eliminate<const N: usize>(
    starts: &[usize],
    columns: &[u32],
    entries: &mut [[f64; N]],
    inverse_diagonal: &mut [[f64; N]],
) -> bool {
    let mut last = entries.len();
    for row in (0..starts.len()).rev() {
        let start = starts[row];
        let (above, this) = entries[..last].split_at_mut(start);
        let numbers = &columns[start..last];
        last = start;
        let pivot = this[0];
        if !pivot.iter().all(|pivot| *pivot > 0.0) {
            return false;
        }
        let inverse = pivot.map(|pivot| 1.0 / pivot);
        inverse_diagonal[row] = inverse;
        for step in 1..this.len() {
            let entry = this[step];
            if entry == [0.0; N] {
                continue;
            }
            let share: [f64; N] = core::array::from_fn(|k| entry[k] * inverse[k]);
            let carrier = numbers[step] as usize;
            let carrier_end = starts[carrier + 1];
            let target = &mut above[starts[carrier]..carrier_end];
            let rest = &this[step..];
            if target.len() == rest.len() {
                // Both rows run along the same columns.
                for (value, other) in target.iter_mut().zip(rest) {
                    for k in 0..N {
                        value[k] -= share[k] * other[k];
                    }
                }
            } else {
                let mut places = columns[starts[carrier]..carrier_end].iter().zip(target);
                for (&number, other) in numbers[step..].iter().zip(rest) {
                    if let Some((_, value)) = places.find(|(column, _)| **column == number) {
                        for k in 0..N {
                            value[k] -= share[k] * other[k];
                        }
                    }
                }
            }
            this[step] = share;
        }
    }
    true
}

/// Replaces x by L⁻ᵀ x, for rows of whole trees.
pub(crate) fn divide_transposed(
    starts: &[usize],
    columns: &[u32],
    entries: &[f64],
    rows: Range<usize>,
    x: &mut [f64],
) {
    for row in rows.rev() {
        let (start, end) = (starts[row] + 1, end_of(starts, row, entries.len()));
        let value = x[row];
        if value == 0.0 {
            continue;
        }
        for (entry, &column) in entries[start..end].iter().zip(&columns[start..end]) {
            x[column as usize] -= entry * value;
        }
    }
}

/// Replaces x by L⁻¹ x, for rows of whole trees.
pub(crate) fn divide(starts: &[usize], columns: &[u32], entries: &[f64], rows: Range<usize>, x: &mut [f64]) {
    for row in rows {
        let (start, end) = (starts[row] + 1, end_of(starts, row, entries.len()));
        // Two sums, so that one addition need not wait for the other.
        let mut sums = [0.0; 2];
        let pairs = entries[start..end].chunks_exact(2).zip(columns[start..end].chunks_exact(2));
        for (entry, column) in pairs {
            sums[0] += entry[0] * x[column[0] as usize];
            sums[1] += entry[1] * x[column[1] as usize];
        }
        if (end - start) % 2 == 1 {
            sums[0] += entries[end - 1] * x[columns[end - 1] as usize];
        }
        x[row] -= sums[0] + sums[1];
    }
}

/// Replaces x by M⁻¹ x for a chain of six freedoms, such as a free body.
#[inline]
fn solve_six(entries: &[f64; 21], inverse: &[f64; 6], x: &mut [f64; 6]) {
    // Row i has i + 1 entries, its columns falling.
    const fn place(row: usize, column: usize) -> usize {
        row * (row + 1) / 2 + row - column
    }
    for row in (1..6).rev() {
        for column in 0..row {
            x[column] -= entries[place(row, column)] * x[row];
        }
    }
    for k in 0..6 {
        x[k] *= inverse[k];
    }
    for row in 1..6 {
        for column in 0..row {
            x[row] -= entries[place(row, column)] * x[column];
        }
    }
}
