//! The mass matrix M(q) in the sparse form of a tree, by the composite-rigid-body algorithm, and its factors
//! M = Lᵀ D L (@featherstone2008, chapters 6 and 8).
//!
//! Two freedoms share an entry only where one carries the other. So row i holds M(i, i), then the entries
//! with the freedoms on the way to the root. Elimination from the leaves fills nothing in.

use super::kinematics::Kinematics;
use super::spatial::SpatialInertia;
use super::topology::Topology;
use crate::model::Description;

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
        eliminate(starts, &topology.ways, entries, &mut self.inverse_diagonal)
    }

    /// Replaces x by M⁻¹ x.
    pub fn solve(&self, topology: &Topology, x: &mut [f64]) {
        let TreeMatrix { starts, entries } = &self.rows;
        divide_transposed(starts, &topology.ways, entries, x);
        for (value, inverse) in x.iter_mut().zip(&self.inverse_diagonal) {
            *value *= inverse;
        }
        divide(starts, &topology.ways, entries, x);
    }

    /// xᵀ M⁻¹ x; `x` is replaced by L⁻ᵀ x.
    #[must_use]
    pub fn inverse_norm_squared(&self, topology: &Topology, x: &mut [f64]) -> f64 {
        divide_transposed(&self.rows.starts, &topology.ways, &self.rows.entries, x);
        x.iter().zip(&self.inverse_diagonal).map(|(value, inverse)| value * value * inverse).sum()
    }
}

/// One past the last entry of a row.
#[inline]
fn end_of(starts: &[usize], row: usize, entries: usize) -> usize {
    starts.get(row + 1).copied().unwrap_or(entries)
}

/// Replaces a symmetric matrix by its factors Lᵀ D L; `false` if it is not positive definite.
///
/// Row i holds the diagonal and then the entries with lower freedoms, their numbers falling, which `columns`
/// names. Two entries of a row must have one with each other: elimination from the last row then fills in
/// nothing.
pub(crate) fn eliminate(
    starts: &[usize],
    columns: &[u32],
    entries: &mut [f64],
    inverse_diagonal: &mut [f64],
) -> bool {
    for row in (0..starts.len()).rev() {
        let end = end_of(starts, row, entries.len());
        let (above, this) = entries[..end].split_at_mut(starts[row]);
        let numbers = &columns[starts[row]..end];
        let pivot = this[0];
        if !(pivot > 0.0) {
            return false;
        }
        let inverse = 1.0 / pivot;
        inverse_diagonal[row] = inverse;
        for step in 1..this.len() {
            let entry = this[step];
            if entry == 0.0 {
                continue;
            }
            let share = entry * inverse;
            let carrier = numbers[step] as usize;
            let carrier_end = end_of(starts, carrier, starts[row]);
            let target = &mut above[starts[carrier]..carrier_end];
            let rest = &this[step..];
            if target.len() == rest.len() {
                // Both rows run along the same columns.
                for (value, other) in target.iter_mut().zip(rest) {
                    *value -= share * other;
                }
            } else {
                let mut places = columns[starts[carrier]..carrier_end].iter().zip(target);
                for (&number, other) in numbers[step..].iter().zip(rest) {
                    if let Some((_, value)) = places.find(|(column, _)| **column == number) {
                        *value -= share * other;
                    }
                }
            }
            this[step] = share;
        }
    }
    true
}

/// Replaces x by L⁻ᵀ x.
pub(crate) fn divide_transposed(starts: &[usize], columns: &[u32], entries: &[f64], x: &mut [f64]) {
    for row in (0..starts.len()).rev() {
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

/// Replaces x by L⁻¹ x.
pub(crate) fn divide(starts: &[usize], columns: &[u32], entries: &[f64], x: &mut [f64]) {
    for row in 0..starts.len() {
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
