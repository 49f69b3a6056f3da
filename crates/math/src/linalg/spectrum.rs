//! Spectrum of a linear system ẋ = A x, with the eigenvalues that are exactly zero separated from all others.
//!
//! An eigenvalue 0 that occurs twice with one eigenvector (a body that is free to drift) comes out of any
//! iteration as two of the size of √ε. So the directions that A takes to 0 are split off first, and again
//! from what is left, until nothing is taken to 0: the staircase of Kublanovskaya (@golub2013, 7.6.5).
//! Directions of the first stair stay where they are put; those that a direction of the second stair leads to
//! drift.

use super::complex::Complex;
use super::dense::DenseMatrix;
use super::schur::{Pair, Schur};

/// Modes of ẋ = A x.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Directions of eigenvalue 0 that stay.
    pub staying: Vec<Vec<f64>>,
    /// Directions of eigenvalue 0 that drift at a constant rate.
    pub drifting: Vec<Vec<f64>>,
    /// All other eigenvalues: real ones, and of two conjugates the one above the real axis.
    pub pairs: Vec<Pair>,
}

/// One step of the staircase: A = [N P] [[0, R], [0, A′]] [N P]ᵀ.
struct Stair {
    /// N and P, as columns, orthonormal.
    basis: Vec<Vec<f64>>,
    /// Number of columns of N.
    width: usize,
    /// R
    carried: DenseMatrix,
}

/// Smallest pivot, relative to the largest entry. Smaller ones are rounding.
const MIN_RELATIVE_PIVOT: f64 = 1e-13;

/// Computes the spectrum. `None` if the iteration does not converge.
pub fn spectrum(a: &DenseMatrix) -> Option<Spectrum> {
    let size = a.largest();
    let mut stairs: Vec<Stair> = Vec::new();
    let mut rest = a.clone();
    loop {
        let null = null_space(&rest, size);
        if null.is_empty() {
            break;
        }
        let (width, basis) = (null.len(), completed(null, rest.rows));
        let turned = DenseMatrix::from_fn(rest.rows, rest.rows, |row, column| {
            dot(&basis[row], &times(&rest, &basis[column]))
        });
        let other = rest.rows - width;
        let carried = DenseMatrix::from_fn(width, other, |row, column| turned.at(row, width + column));
        rest = DenseMatrix::from_fn(other, other, |row, column| turned.at(width + row, width + column));
        stairs.push(Stair { basis, width, carried });
    }
    let mut pairs = Schur::of(rest)?.pairs();
    for stair in stairs.iter().rev() {
        pairs.iter_mut().for_each(|(value, vector)| *vector = stair.lifted(*value, vector));
    }
    let [staying, drifting] = still(&stairs);
    Some(Spectrum { staying, drifting, pairs })
}

impl Stair {
    /// N R z / λ + P z
    fn lifted(&self, value: Complex, z: &[Complex]) -> Vec<Complex> {
        let above = (0..self.width).map(|row| {
            let sum =
                (0..z.len()).fold(Complex::default(), |sum, it| sum + z[it].scaled(self.carried.at(row, it)));
            sum / value
        });
        let parts: Vec<Complex> = above.chain(z.iter().copied()).collect();
        (0..self.basis.len())
            .map(|row| {
                let each = self.basis.iter().zip(&parts);
                each.fold(Complex::default(), |sum, (column, part)| sum + part.scaled(column[row]))
            })
            .collect()
    }
}

/// Returns the directions of the first stair that stay, and those that drift: R z for each z of the second
/// stair.
fn still(stairs: &[Stair]) -> [Vec<Vec<f64>>; 2] {
    let Some(first) = stairs.first() else { return [Vec::new(), Vec::new()] };
    let second = stairs.get(1).map_or(&[][..], |it| &it.basis[..it.width]);
    let led: Vec<Vec<f64>> = second.iter().map(|z| times(&first.carried, z)).collect();
    let drifting = led.len();
    let in_first: Vec<Vec<f64>> = completed(led, first.width)
        .iter()
        .map(|parts| {
            (0..first.basis.len())
                .map(|row| (0..first.width).fold(0.0, |sum, it| sum + parts[it] * first.basis[it][row]))
                .collect()
        })
        .collect();
    let (drifting, staying) = in_first.split_at(drifting.min(in_first.len()));
    [staying.to_vec(), drifting.to_vec()]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

fn times(a: &DenseMatrix, x: &[f64]) -> Vec<f64> {
    (0..a.rows).map(|row| (0..a.columns).fold(0.0, |sum, it| sum + a.at(row, it) * x[it])).collect()
}

/// Returns an orthonormal basis: first vectors that span the same space as `given`, then others up to `size`.
fn completed(given: Vec<Vec<f64>>, size: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(size);
    let unit = |place: usize| -> Vec<f64> { (0..size).map(|it| f64::from(u8::from(it == place))).collect() };
    let mut given = given.into_iter();
    while basis.len() < size {
        let mut next = given.next().unwrap_or_else(|| {
            // The axis that is farthest from what is there.
            let covered = |place: usize| basis.iter().fold(0.0, |sum, it| sum + it[place] * it[place]);
            let axis = (0..size).min_by(|&a, &b| covered(a).total_cmp(&covered(b)));
            unit(axis.unwrap_or(0))
        });
        // Twice is enough.
        for _ in 0..2 {
            for it in &basis {
                let along = dot(it, &next);
                next.iter_mut().zip(it).for_each(|(x, y)| *x -= along * y);
            }
        }
        let length = dot(&next, &next).sqrt();
        if length > 0.0 {
            next.iter_mut().for_each(|x| *x /= length);
            basis.push(next);
        }
    }
    basis
}

/// Returns a basis of the null space, by elimination with complete pivoting. `size` is the largest entry of
/// the original matrix, against which entries are rounding.
fn null_space(a: &DenseMatrix, size: f64) -> Vec<Vec<f64>> {
    let n = a.rows;
    let mut a = a.clone();
    let mut columns: Vec<usize> = (0..n).collect();
    let mut rows: Vec<usize> = (0..n).collect();
    let mut rank = 0;
    while rank < n {
        let places = (rank..n).flat_map(|row| (rank..n).map(move |column| (row, column)));
        let best = places.max_by(|&(i, j), &(k, l)| {
            a.at(rows[i], columns[j]).abs().total_cmp(&a.at(rows[k], columns[l]).abs())
        });
        let Some((row, column)) = best else { break };
        if a.at(rows[row], columns[column]).abs() <= MIN_RELATIVE_PIVOT * size {
            break;
        }
        rows.swap(rank, row);
        columns.swap(rank, column);
        let (pivot_row, pivot_column) = (rows[rank], columns[rank]);
        let pivot = a.at(pivot_row, pivot_column);
        for &other in rows.iter().filter(|&&it| it != pivot_row) {
            let factor = a.at(other, pivot_column) / pivot;
            for it in 0..n {
                *a.at_mut(other, it) -= factor * a.at(pivot_row, it);
            }
        }
        rank += 1;
    }
    (rank..n)
        .map(|free| {
            let mut vector = vec![0.0; n];
            vector[columns[free]] = 1.0;
            for step in 0..rank {
                vector[columns[step]] = -a.at(rows[step], columns[free]) / a.at(rows[step], columns[step]);
            }
            vector
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two free masses and a spring: one drifts, and they swing with √2.
    #[test]
    fn a_free_pair_drifts_and_swings() {
        let a =
            DenseMatrix::new(4, 4, vec![0., 0., 1., 0., 0., 0., 0., 1., -1., 1., 0., 0., 1., -1., 0., 0.]);
        let found = spectrum(&a).expect("it settles");
        assert!(found.staying.is_empty());
        assert_eq!(found.drifting.len(), 1);
        let drift = &found.drifting[0];
        assert!((drift[0] - drift[1]).abs() < 1e-14 && drift[2].abs() + drift[3].abs() < 1e-14);
        assert_eq!(found.pairs.len(), 1);
        let (value, vector) = &found.pairs[0];
        assert!(value.re.abs() < 1e-14 && (value.im - std::f64::consts::SQRT_2).abs() < 1e-14);
        assert!((vector[0] + vector[1]).size() < 1e-14 * vector[0].size());
        assert!((*value * vector[0] - vector[2]).size() < 1e-14);
    }

    #[test]
    fn all_zero_stays() {
        let found = spectrum(&DenseMatrix::new(2, 2, vec![0.0; 4])).expect("it settles");
        assert_eq!((found.staying.len(), found.drifting.len(), found.pairs.len()), (2, 0, 0));
    }
}
