//! Small dense matrices of numbers: ranks, null vectors, solutions.

/// A matrix of numbers, row by row.
#[derive(Clone, Debug)]
pub struct DenseMatrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    entries: Vec<f64>,
}

/// Reduced row echelon form of a matrix, by Gauss-Jordan elimination.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// The row and the column of each pivot, in the order of the columns.
    pub pivots: Vec<(usize, usize)>,
    /// Reduced matrix: each pivot is 1 and alone in its column.
    reduced: DenseMatrix,
    /// Number of columns in which pivots were sought.
    sought: usize,
}

/// Smallest pivot, relative to the largest entry. Smaller entries that elimination leaves are rounding.
const MIN_RELATIVE_PIVOT: f64 = 1e-10;

impl DenseMatrix {
    /// A matrix of these entries, row by row.
    #[must_use]
    pub fn new(rows: usize, columns: usize, entries: Vec<f64>) -> Self {
        debug_assert_eq!(entries.len(), rows * columns, "an entry for each place");
        Self { rows, columns, entries }
    }

    /// A matrix with the entry `entry(row, column)` in each place.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self::new(rows, columns, places.map(|(row, column)| entry(row, column)).collect())
    }

    /// Entry in this row and column.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    /// Entry in this row and column, mutable.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.columns + column]
    }

    /// Returns the largest magnitude of an entry; not finite if an entry is not.
    pub fn largest(&self) -> f64 {
        self.entries
            .iter()
            .fold(0.0_f64, |largest, it| if it.is_nan() { f64::INFINITY } else { largest.max(it.abs()) })
    }

    /// Eliminates with pivots in the first `sought` columns. The pivot of a column is the largest entry that
    /// is left, and there is none if that is rounding.
    pub fn eliminated(&self, sought: usize) -> Eliminated {
        let mut a = self.clone();
        let places = (0..a.rows).flat_map(|row| (0..sought).map(move |column| (row, column)));
        let largest = places.fold(0.0_f64, |largest, (row, column)| largest.max(a.at(row, column).abs()));
        let mut pivots = Vec::new();
        let mut free = vec![true; a.rows];
        for column in 0..sought {
            let best = (0..a.rows)
                .filter(|&row| free[row])
                .max_by(|&x, &y| a.at(x, column).abs().total_cmp(&a.at(y, column).abs()));
            let Some(row) = best.filter(|&row| a.at(row, column).abs() > MIN_RELATIVE_PIVOT * largest) else {
                continue;
            };
            free[row] = false;
            pivots.push((row, column));
            let inverse = 1.0 / a.at(row, column);
            for it in 0..a.columns {
                *a.at_mut(row, it) *= inverse;
            }
            for other in (0..a.rows).filter(|&other| other != row) {
                let factor = a.at(other, column);
                if factor != 0.0 {
                    for it in 0..a.columns {
                        *a.at_mut(other, it) -= factor * a.at(row, it);
                    }
                }
            }
        }
        Eliminated { pivots, reduced: a, sought }
    }

    /// Returns the number of independent rows.
    pub fn rank(&self) -> usize {
        self.eliminated(self.columns).pivots.len()
    }

    /// Returns x with A x = `right`, A being this matrix, which is square. `None` if it is singular.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let n = self.rows;
        let wide =
            Self::from_fn(n, n + 1, |row, column| if column < n { self.at(row, column) } else { right[row] });
        let eliminated = wide.eliminated(n);
        let mut solution = vec![0.0; n];
        for &(row, column) in &eliminated.pivots {
            solution[column] = eliminated.reduced.at(row, n);
        }
        (eliminated.pivots.len() == n).then_some(solution)
    }

    /// Returns the x that brings A x closest to `right`, A being this matrix, which is square. Where it is
    /// singular, x has nearly no part along the null vectors. `None` if A is zero.
    pub fn least_squares(&self, right: &[f64]) -> Option<Vec<f64>> {
        if let Some(solution) = self.solve(right) {
            return Some(solution);
        }
        let n = self.rows;
        let square = |damp: f64| {
            Self::from_fn(n, n, |a, b| {
                let start = if a == b { damp } else { 0.0 };
                (0..n).fold(start, |sum, it| sum + self.at(it, a) * self.at(it, b))
            })
        };
        let size = (0..n).fold(0.0_f64, |size, it| size.max(square(0.0).at(it, it)));
        let turned: Vec<f64> =
            (0..n).map(|a| (0..n).fold(0.0, |sum, it| sum + self.at(it, a) * right[it])).collect();
        // Levenberg's: enough to make it regular, too little to change where it leads.
        (size > 0.0).then(|| square(1e-8 * size).solve(&turned)).flatten()
    }

    /// Returns the pivots of elimination without exchange of rows, relative to the largest entry, up to the
    /// first that is 0.
    pub fn pivots_in_order(&self) -> Vec<f64> {
        let mut a = self.clone();
        let largest = a.entries.iter().fold(0.0_f64, |largest, it| largest.max(it.abs()));
        let mut pivots = Vec::new();
        for step in 0..a.rows.min(a.columns) {
            let pivot = a.at(step, step);
            pivots.push(pivot / largest);
            if pivot == 0.0 {
                break;
            }
            for row in step + 1..a.rows {
                let factor = a.at(row, step) / pivot;
                for column in step..a.columns {
                    *a.at_mut(row, column) -= factor * a.at(step, column);
                }
            }
        }
        pivots
    }
}

impl Eliminated {
    /// Returns a basis of the null space, one vector for each column without a pivot. The vector has 1 in
    /// that column, and its other entries are in columns with pivots further left.
    pub fn null_vectors(&self) -> Vec<Vec<f64>> {
        let has_pivot = |column: usize| self.pivots.iter().any(|&(_, it)| it == column);
        (0..self.sought)
            .filter(|&column| !has_pivot(column))
            .map(|free| {
                let mut vector = vec![0.0; self.sought];
                vector[free] = 1.0;
                for &(row, column) in self.pivots.iter().filter(|&&(_, column)| column < free) {
                    vector[column] = -self.reduced.at(row, free);
                }
                vector
            })
            .collect()
    }
}
