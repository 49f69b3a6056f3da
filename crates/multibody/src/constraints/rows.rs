//! Rows of constraints: J, violation, reference acceleration and regularisation, in blocks that share their
//! columns.

use crate::model::{Impedance, Softness};

/// Kinds of rows, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Kept at zero from both sides.
    Equality,
    /// Dry friction of a freedom: kept at zero as far as its largest force goes.
    FrictionLoss,
    /// Limit of a joint: pushes only.
    Limit,
    /// Contact without friction: pushes only.
    Frictionless,
    /// Edge of a friction pyramid: pushes only.
    PyramidEdge,
    /// Component of an elliptic cone: the normal, then tangents.
    Elliptic,
}

/// Rows that share their columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Kind of its rows.
    pub kind: RowKind,
    /// Index of the equality, freedom, joint or contact.
    pub owner: usize,
    /// First row.
    pub first: usize,
    /// Number of rows.
    pub count: usize,
    /// Where its columns begin.
    pub columns: usize,
    /// Number of columns.
    pub width: usize,
    /// Where its values begin: row by row.
    pub values: usize,
    /// Coefficients of the elliptic cone: that of the regularised cone, then those of the tangents.
    pub cone: [f64; 6],
}

/// All rows of a state.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Blocks, in the order of their rows.
    pub blocks: Vec<Block>,
    /// Freedoms of the columns of blocks.
    pub columns: Vec<usize>,
    /// Entries of J.
    pub values: Vec<f64>,
    /// By row, the violation r.
    pub positions: Vec<f64>,
    /// By row, the violation at which it begins to act.
    pub margins: Vec<f64>,
    /// By row, the largest force of dry friction.
    pub friction_losses: Vec<f64>,
    /// By row, J̇ v where the reference acceleration makes up for it.
    pub drifts: Vec<f64>,
    /// By row, the inverse inertia it is scaled by.
    pub diagonal: Vec<f64>,
    /// By row, the regularisation R.
    pub regularisation: Vec<f64>,
    /// By row, D = 1 / R.
    pub stiffness: Vec<f64>,
    /// By row, J v.
    pub velocities: Vec<f64>,
    /// By row, the reference acceleration.
    pub references: Vec<f64>,
    /// By block, its softness and the reference of its tangents.
    pub(crate) softness: Vec<(Softness, Option<crate::model::Reference>)>,
    pub(crate) impedances: Vec<f64>,
    /// A row in full.
    pub(crate) scratch: Vec<f64>,
}

impl Rows {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        let Self { blocks, columns, values, positions, margins, friction_losses, drifts, diagonal, .. } =
            self;
        blocks.clear();
        columns.clear();
        for list in [values, positions, margins, friction_losses, drifts, diagonal] {
            list.clear();
        }
        for list in [
            &mut self.regularisation,
            &mut self.stiffness,
            &mut self.velocities,
            &mut self.references,
            &mut self.impedances,
        ] {
            list.clear();
        }
        self.softness.clear();
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Number of rows at the front that are equalities.
    #[must_use]
    pub fn equalities(&self) -> usize {
        let last = self.blocks.iter().rfind(|block| block.kind == RowKind::Equality);
        last.map_or(0, |block| block.first + block.count)
    }

    /// Appends a block whose columns have been appended from `columns` on; its values are zero.
    pub(crate) fn push(
        &mut self,
        kind: RowKind,
        owner: usize,
        columns: usize,
        count: usize,
        softness: Softness,
    ) -> usize {
        let width = self.columns.len() - columns;
        let (first, values) = (self.len(), self.values.len());
        self.blocks.push(Block { kind, owner, first, count, columns, width, values, cone: [0.0; 6] });
        self.softness.push((softness, None));
        self.values.resize(values + count * width, 0.0);
        for list in [
            &mut self.positions,
            &mut self.margins,
            &mut self.friction_losses,
            &mut self.drifts,
            &mut self.diagonal,
            &mut self.regularisation,
            &mut self.stiffness,
            &mut self.velocities,
            &mut self.references,
        ] {
            list.resize(first + count, 0.0);
        }
        self.impedances.push(0.0);
        self.blocks.len() - 1
    }

    /// Takes back the last block.
    pub(crate) fn pop(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.softness.pop();
        self.impedances.pop();
        self.columns.truncate(block.columns);
        self.values.truncate(block.values);
        for list in [
            &mut self.positions,
            &mut self.margins,
            &mut self.friction_losses,
            &mut self.drifts,
            &mut self.diagonal,
            &mut self.regularisation,
            &mut self.stiffness,
            &mut self.velocities,
            &mut self.references,
        ] {
            list.truncate(block.first);
        }
    }

    /// Writes J x to `out`.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let columns = &self.columns[block.columns..block.columns + block.width];
            for row in 0..block.count {
                let start = block.values + row * block.width;
                let values = &self.values[start..start + block.width];
                let product = values.iter().zip(columns).map(|(value, &column)| value * x[column]);
                out[block.first + row] = product.sum();
            }
        }
    }

    /// Adds Jᵀ f to `out`.
    pub fn add_transposed_times(&self, forces: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let columns = &self.columns[block.columns..block.columns + block.width];
            for row in 0..block.count {
                let force = forces[block.first + row];
                if force == 0.0 {
                    continue;
                }
                let start = block.values + row * block.width;
                for (value, &column) in self.values[start..start + block.width].iter().zip(columns) {
                    out[column] += value * force;
                }
            }
        }
    }

    /// J in full, row by row.
    #[must_use]
    pub fn to_dense(&self, freedoms: usize) -> Vec<Vec<f64>> {
        let mut rows = Vec::with_capacity(self.len());
        for block in &self.blocks {
            for row in 0..block.count {
                let mut dense = vec![0.0; freedoms];
                for at in 0..block.width {
                    dense[self.columns[block.columns + at]] =
                        self.values[block.values + row * block.width + at];
                }
                rows.push(dense);
            }
        }
        rows
    }

    /// Impedance curve of a block.
    pub(crate) fn curve(&self, block: usize) -> &Impedance {
        &self.softness[block].0.impedance
    }
}
