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
    /// Drive at a speed: kept at zero as far as its largest force goes.
    Motor,
    /// Limit of a joint: pushes only.
    Limit,
    /// Inequality: pushes only.
    Inequality,
    /// Contact without friction: pushes only.
    Frictionless,
    /// Edge of a friction pyramid: pushes only.
    PyramidEdge,
    /// Component of an elliptic cone: the normal, then tangents.
    Elliptic,
}

impl RowKind {
    /// Returns `true` if each of its rows pushes only, for itself.
    pub(crate) const fn only_pushes(self) -> bool {
        matches!(self, Self::Limit | Self::Inequality | Self::Frictionless | Self::PyramidEdge)
    }
}

/// Rows that share their columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Kind of its rows.
    pub kind: RowKind,
    /// Index of the equality, freedom, motor, joint, inequality or contact.
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
    /// Where its bases begin: rows of which all others are sums.
    pub bases: usize,
    /// Number of bases; 0 if the rows stand for themselves.
    pub base_count: usize,
    /// Coefficients of the elliptic cone: that of the regularised cone, then those of the tangents. Of a
    /// pyramid with bases those of the tangents: row 2 k is base 0 + cone\[k + 1\] base k + 1, and the row
    /// after it the difference.
    pub cone: [f64; 6],
}

impl Block {
    /// Maximum number of bases, and of rows of a block without them but for pyramids of 8 and 16 edges.
    pub const MAX_BASES: usize = 6;
    /// Maximum number of rows of a block: 16 edges of sliding and six of torsion and rolling.
    pub const MAX_ROWS: usize = 22;
}

/// Rate of a row that no freedom gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenRate {
    /// The row.
    pub row: usize,
    /// The rate.
    pub rate: f64,
    /// Share of it that is done from outside: by prescribed bodies themselves, motors and time. The rest comes by
    /// way of bodies that prescribed ones carry.
    pub direct: f64,
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
    /// Bases of pyramids: motion along the normal and the tangents. Products with J go through these three
    /// instead of the four edges that they make.
    pub bases: Vec<f64>,
    /// By row, the violation r.
    pub positions: Vec<f64>,
    /// By row, the violation at which it begins to act.
    pub margins: Vec<f64>,
    /// By row, the largest force of dry friction or of a motor.
    pub friction_losses: Vec<f64>,
    /// By row, J̇ v where the reference acceleration makes up for it.
    pub drifts: Vec<f64>,
    /// By row, the inverse inertia it is scaled by.
    pub diagonal: Vec<f64>,
    /// By row, the regularisation R.
    pub regularisation: Vec<f64>,
    /// By row, D = 1 / R.
    pub stiffness: Vec<f64>,
    /// By row, J v and what is given beside it.
    pub velocities: Vec<f64>,
    /// By row, the reference acceleration.
    pub references: Vec<f64>,
    /// Rates of rows beside J v: those that prescribed bodies, motors and time give.
    pub given: Vec<GivenRate>,
    /// By block, its softness and the reference of its tangents.
    pub(crate) softness: Vec<(Softness, Option<crate::model::Reference>)>,
    pub(crate) impedances: Vec<f64>,
    /// Number of blocks, and of rows, before those that all push only, each row for itself.
    pub(crate) before_pushing: [usize; 2],
    /// A row in full.
    pub(crate) scratch: Vec<f64>,
}

impl Rows {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.columns.clear();
        for list in [&mut self.values, &mut self.bases, &mut self.impedances] {
            list.clear();
        }
        for list in self.by_row() {
            list.clear();
        }
        self.given.clear();
        self.softness.clear();
        self.before_pushing = [0, 0];
    }

    /// All lists with an entry for each row.
    fn by_row(&mut self) -> [&mut Vec<f64>; 9] {
        [
            &mut self.positions,
            &mut self.margins,
            &mut self.friction_losses,
            &mut self.drifts,
            &mut self.diagonal,
            &mut self.regularisation,
            &mut self.stiffness,
            &mut self.velocities,
            &mut self.references,
        ]
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
        let bases = self.bases.len();
        let cone = [0.0; 6];
        self.blocks.push(Block {
            kind,
            owner,
            first,
            count,
            columns,
            width,
            values,
            bases,
            base_count: 0,
            cone,
        });
        self.softness.push((softness, None));
        self.values.resize(values + count * width, 0.0);
        for list in self.by_row() {
            list.resize(first + count, 0.0);
        }
        self.impedances.push(0.0);
        if !kind.only_pushes() {
            self.before_pushing = [self.blocks.len(), first + count];
        }
        self.blocks.len() - 1
    }

    /// Adds a rate that no freedom gives to a row; `direct` is the share that is done from outside.
    pub(crate) fn push_given(&mut self, row: usize, rate: f64, direct: f64) {
        self.given.push(GivenRate { row, rate, direct });
    }

    /// Rows of which those of a block are sums: its bases, or the rows themselves. Their values, and number.
    #[inline]
    pub(crate) fn summands(&self, block: &Block) -> (&[f64], usize) {
        if block.base_count > 0 {
            let size = block.base_count * block.width;
            (&self.bases[block.bases..block.bases + size], block.base_count)
        } else {
            (&self.values[block.values..block.values + block.count * block.width], block.count)
        }
    }

    /// Writes J x to `out`.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let columns = &self.columns[block.columns..block.columns + block.width];
            let (values, count) = self.summands(block);
            let out = &mut out[block.first..block.first + block.count];
            if let (&[column], &[value]) = (columns, values) {
                out[0] = value * x[column];
                continue;
            }
            if block.base_count == 3 {
                // Free bodies: one against the world, or two.
                let [normal, one, two] = match block.width {
                    12 => times_three::<12>(values, columns, x),
                    6 => times_three::<6>(values, columns, x),
                    _ => times_few(values, columns, x),
                };
                let (one, two) = (block.cone[1] * one, block.cone[2] * two);
                out.copy_from_slice(&[normal + one, normal - one, normal + two, normal - two]);
            } else if block.base_count > 0 {
                let sums: [f64; Block::MAX_BASES] = times_few(values, columns, x);
                for (k, pair) in out.chunks_exact_mut(2).enumerate() {
                    let share = block.cone[k + 1] * sums[k + 1];
                    pair[0] = sums[0] + share;
                    pair[1] = sums[0] - share;
                }
            } else if count == 1 {
                out.copy_from_slice(&times_few::<1>(values, columns, x));
            } else {
                out.copy_from_slice(&times_few::<{ Block::MAX_ROWS }>(values, columns, x)[..count]);
            }
        }
    }

    /// Adds Jᵀ f to `out`.
    pub fn add_transposed_times(&self, forces: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let forces = &forces[block.first..block.first + block.count];
            if forces.iter().all(|force| *force == 0.0) {
                continue;
            }
            let columns = &self.columns[block.columns..block.columns + block.width];
            let (values, count) = self.summands(block);
            if let (&[column], &[value]) = (columns, values) {
                out[column] += value * forces[0];
                continue;
            }
            if block.base_count == 3 {
                let [f0, f1, f2, f3] = [forces[0], forces[1], forces[2], forces[3]];
                let weights = [(f0 + f1) + (f2 + f3), block.cone[1] * (f0 - f1), block.cone[2] * (f2 - f3)];
                match block.width {
                    12 => add_three::<12>(values, columns, weights, out),
                    6 => add_three::<6>(values, columns, weights, out),
                    _ => add_few(values, columns, weights, out),
                }
            } else if block.base_count > 0 {
                let mut weights = [0.0; Block::MAX_BASES];
                for (k, pair) in forces.chunks_exact(2).enumerate() {
                    weights[0] += pair[0] + pair[1];
                    weights[k + 1] = block.cone[k + 1] * (pair[0] - pair[1]);
                }
                add_few(values, columns, weights, out);
            } else if count == 1 {
                add_few(values, columns, [forces[0]], out);
            } else {
                let mut weights = [0.0; Block::MAX_ROWS];
                weights[..count].copy_from_slice(forces);
                add_few(values, columns, weights, out);
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

/// Number of columns that are worked on at once.
const CHUNK: usize = 16;

/// Products of three rows of `W` columns with x.
#[inline]
fn times_three<const W: usize>(values: &[f64], columns: &[usize], x: &[f64]) -> [f64; 3] {
    let (rows, _) = values.as_chunks::<W>();
    let gathered: [f64; W] = core::array::from_fn(|k| x[columns[k]]);
    core::array::from_fn(|row| product(&rows[row], &gathered))
}

/// Adds to `out` the sum of three rows of `W` columns with these weights.
#[inline]
fn add_three<const W: usize>(values: &[f64], columns: &[usize], weights: [f64; 3], out: &mut [f64]) {
    let (rows, _) = values.as_chunks::<W>();
    let (one, two, three) = (&rows[0], &rows[1], &rows[2]);
    let sums: [f64; W] =
        core::array::from_fn(|k| one[k] * weights[0] + two[k] * weights[1] + three[k] * weights[2]);
    for (&column, sum) in columns.iter().zip(sums) {
        out[column] += sum;
    }
}

/// Products of at most `N` rows, which share their columns, with x.
#[inline]
fn times_few<const N: usize>(values: &[f64], columns: &[usize], x: &[f64]) -> [f64; N] {
    let width = columns.len();
    let mut sums = [0.0; N];
    for (number, columns) in columns.chunks(CHUNK).enumerate() {
        // What is gathered once serves all rows.
        let mut gathered = [0.0; CHUNK];
        let gathered = &mut gathered[..columns.len()];
        for (value, &column) in gathered.iter_mut().zip(columns) {
            *value = x[column];
        }
        for (sum, row) in sums.iter_mut().zip(values.chunks_exact(width)) {
            *sum += product(&row[number * CHUNK..number * CHUNK + gathered.len()], gathered);
        }
    }
    sums
}

/// Adds to `out` the sum of at most `N` rows, which share their columns, with these weights.
#[inline]
fn add_few<const N: usize>(values: &[f64], columns: &[usize], weights: [f64; N], out: &mut [f64]) {
    let width = columns.len();
    for (number, columns) in columns.chunks(CHUNK).enumerate() {
        let mut sums = [0.0; CHUNK];
        let sums = &mut sums[..columns.len()];
        for (weight, row) in weights.iter().zip(values.chunks_exact(width)) {
            let row = &row[number * CHUNK..number * CHUNK + columns.len()];
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
        for (&column, sum) in columns.iter().zip(sums) {
            out[column] += *sum;
        }
    }
}

/// Scalar product in four sums, which the machine can take at once.
#[inline]
pub(crate) fn product(one: &[f64], other: &[f64]) -> f64 {
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
