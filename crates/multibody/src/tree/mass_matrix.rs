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
            let mut at = self.starts[freedom];
            let mut other = Some(freedom);
            while let Some(number) = other {
                self.entries[at] = kinematics.axes[number].dot(momentum);
                at += 1;
                other = topology.parent_freedom[number];
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
        out.fill(0.0);
        for (freedom, &start) in self.starts.iter().enumerate() {
            out[freedom] += self.entries[start] * x[freedom];
            let mut at = start + 1;
            let mut other = topology.parent_freedom[freedom];
            while let Some(number) = other {
                out[freedom] += self.entries[at] * x[number];
                out[number] += self.entries[at] * x[freedom];
                at += 1;
                other = topology.parent_freedom[number];
            }
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
        let (starts, entries) = (&self.rows.starts, &mut self.rows.entries);
        for freedom in (0..topology.freedoms).rev() {
            let start = starts[freedom];
            let pivot = entries[start];
            if !(pivot > 0.0) {
                return false;
            }
            self.inverse_diagonal[freedom] = 1.0 / pivot;
            let depth = topology.depth[freedom];
            let mut other = topology.parent_freedom[freedom];
            for step in 1..depth {
                let Some(number) = other else { break };
                let share = entries[start + step] / pivot;
                // The row of the carrier and the rest of this row run along the same way to the root.
                let target = starts[number];
                for rest in 0..depth - step {
                    entries[target + rest] -= share * entries[start + step + rest];
                }
                entries[start + step] = share;
                other = topology.parent_freedom[number];
            }
        }
        true
    }

    /// Replaces x by M⁻¹ x.
    pub fn solve(&self, topology: &Topology, x: &mut [f64]) {
        self.solve_transposed_lower(topology, x);
        for (value, inverse) in x.iter_mut().zip(&self.inverse_diagonal) {
            *value *= inverse;
        }
        self.solve_lower(topology, x);
    }

    /// Replaces x by L⁻ᵀ x.
    fn solve_transposed_lower(&self, topology: &Topology, x: &mut [f64]) {
        for freedom in (0..topology.freedoms).rev() {
            let value = x[freedom];
            let mut at = self.rows.starts[freedom] + 1;
            let mut other = topology.parent_freedom[freedom];
            while let Some(number) = other {
                x[number] -= self.rows.entries[at] * value;
                at += 1;
                other = topology.parent_freedom[number];
            }
        }
    }

    /// Replaces x by L⁻¹ x.
    fn solve_lower(&self, topology: &Topology, x: &mut [f64]) {
        for freedom in 0..topology.freedoms {
            let mut at = self.rows.starts[freedom] + 1;
            let mut other = topology.parent_freedom[freedom];
            let mut value = x[freedom];
            while let Some(number) = other {
                value -= self.rows.entries[at] * x[number];
                at += 1;
                other = topology.parent_freedom[number];
            }
            x[freedom] = value;
        }
    }

    /// xᵀ M⁻¹ x; `x` is replaced by L⁻ᵀ x.
    #[must_use]
    pub fn inverse_norm_squared(&self, topology: &Topology, x: &mut [f64]) -> f64 {
        self.solve_transposed_lower(topology, x);
        x.iter().zip(&self.inverse_diagonal).map(|(value, inverse)| value * value * inverse).sum()
    }
}
