//! Eigenvalues and eigenvectors of real matrices that need not be symmetric.
//!
//! Reflections bring the matrix to Hessenberg's form, and Francis's steps, with two shifts that may be
//! complex conjugates while all numbers stay real, to Schur's: A = Q T Qᵀ with T upper triangular but for
//! blocks of two rows on its diagonal (@golub2013, 7.4 and 7.5). So complex eigenvalues come in exact pairs.
//! Eigenvectors follow from T from below upwards, in complex numbers (7.6).

use super::complex::Complex;
use super::dense::DenseMatrix;
use std::ops::Range;

/// Schur's form of a matrix.
#[derive(Clone, Debug)]
pub struct Schur {
    /// T
    triangle: DenseMatrix,
    /// Q
    basis: DenseMatrix,
}

/// An eigenvalue and its eigenvector.
pub type Pair = (Complex, Vec<Complex>);

/// Maximum number of Francis's steps for one eigenvalue; three are usual.
const MAX_STEPS_PER_EIGENVALUE: usize = 60;

/// Number of steps without success after which one step takes exceptional shifts.
const EXCEPTIONAL_SHIFT_PERIOD: usize = 10;

/// Largest component of an eigenvector before it is scaled down, so that nothing overflows.
const MAX_COMPONENT: f64 = 1e100;

impl Schur {
    /// Computes Schur's form. `None` if an entry is not finite, or if the steps do not converge.
    pub fn of(mut a: DenseMatrix) -> Option<Self> {
        let n = a.rows;
        if !a.largest().is_finite() {
            return None;
        }
        let size = a.largest();
        let mut basis = DenseMatrix::from_fn(n, n, |row, column| f64::from(u8::from(row == column)));
        to_hessenberg(&mut a, &mut basis);
        let (mut end, mut steps) = (n, 0);
        while end > 0 {
            let start = last_block(&mut a, end, size);
            if end - start <= 2 {
                (end, steps) = (start, 0);
                continue;
            }
            steps += 1;
            if steps > MAX_STEPS_PER_EIGENVALUE {
                return None;
            }
            francis(&mut a, &mut basis, start..end, steps % EXCEPTIONAL_SHIFT_PERIOD == 0);
        }
        Some(Self { triangle: a, basis })
    }

    /// Returns the eigenpairs: each real eigenvalue, and of two conjugates the one above the real axis.
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for block in self.blocks() {
            for value in self.values(&block) {
                pairs.push((value, self.vector(value, &block)));
            }
        }
        pairs
    }

    /// Returns the rows of each diagonal block.
    fn blocks(&self) -> Vec<Range<usize>> {
        let (n, mut start) = (self.triangle.rows, 0);
        let mut blocks = Vec::new();
        while start < n {
            let two = start + 1 < n && self.triangle.at(start + 1, start) != 0.0;
            let end = start + 1 + usize::from(two);
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    fn values(&self, block: &Range<usize>) -> Vec<Complex> {
        let t = &self.triangle;
        let (first, last) = (block.start, block.end - 1);
        let (a, d) = (t.at(first, first), t.at(last, last));
        if first == last {
            return vec![a.into()];
        }
        let product = t.at(first, last) * t.at(last, first);
        let half = 0.5 * (a - d);
        let below = half * half + product;
        if below < 0.0 {
            return vec![Complex::new(d + half, (-below).sqrt())];
        }
        // The larger root, and from it without cancellation the other.
        let larger = half + below.sqrt().copysign(half);
        let other = if larger == 0.0 { 0.0 } else { -product / larger };
        vec![(d + larger).into(), (d + other).into()]
    }

    /// Returns Q x with (T − λ) x = 0, solved from the block of λ upwards.
    fn vector(&self, value: Complex, block: &Range<usize>) -> Vec<Complex> {
        let (t, n) = (&self.triangle, self.triangle.rows);
        let smallest = f64::EPSILON * t.largest().max(f64::MIN_POSITIVE);
        let mut x = vec![Complex::default(); n];
        let (first, last) = (block.start, block.end - 1);
        if first == last {
            x[first] = Complex::ONE;
        } else {
            let upper = [Complex::from(t.at(first, last)), value - t.at(first, first).into()];
            let lower = [value - t.at(last, last).into(), Complex::from(t.at(last, first))];
            let size = |it: &[Complex; 2]| it[0].size() + it[1].size();
            [x[first], x[last]] = if size(&upper) >= size(&lower) { upper } else { lower };
        }
        for above in self.blocks().iter().rev().filter(|it| it.end <= first) {
            let right = |row: usize| {
                -(above.end..=last).fold(Complex::default(), |sum, it| sum + x[it].scaled(t.at(row, it)))
            };
            let (i, j) = (above.start, above.end - 1);
            let [one, two] = [right(i), right(j)];
            let from = |row: usize| Complex::from(t.at(row, row)) - value;
            if i == j {
                x[i] = one / away_from_zero(from(i), smallest);
            } else {
                let (b, c) = (t.at(i, j), t.at(j, i));
                let below = from(i) * from(j) - (b * c).into();
                let below = away_from_zero(below, smallest * smallest.max(b.abs() + c.abs()));
                [x[i], x[j]] =
                    [(from(j) * one - two.scaled(b)) / below, (from(i) * two - one.scaled(c)) / below];
            }
            let longest = x.iter().fold(0.0_f64, |longest, it| longest.max(it.size()));
            if longest > MAX_COMPONENT {
                x.iter_mut().for_each(|it| *it = it.scaled(1.0 / longest));
            }
        }
        (0..n)
            .map(|row| (0..n).fold(Complex::default(), |sum, it| sum + x[it].scaled(self.basis.at(row, it))))
            .collect()
    }
}

/// Returns a divisor of at least the size `smallest`: a double eigenvalue would make it 0.
fn away_from_zero(value: Complex, smallest: f64) -> Complex {
    if value.size() < smallest { smallest.into() } else { value }
}

/// Householder's reflection H = 1 − s v vᵀ, acting on some rows or columns.
struct Reflection {
    first: usize,
    /// v
    axis: Vec<f64>,
    /// s
    scale: f64,
}

impl Reflection {
    /// Returns the reflection that takes `x`, which begins at row `first`, to a multiple of the first unit
    /// vector. `None` if the other entries are 0 already.
    fn of(first: usize, x: &[f64]) -> Option<Self> {
        let largest = x.iter().fold(0.0_f64, |largest, it| largest.max(it.abs()));
        if x.iter().skip(1).all(|it| *it == 0.0) {
            return None;
        }
        let mut axis: Vec<f64> = x.iter().map(|it| it / largest).collect();
        let square = |axis: &[f64]| axis.iter().fold(0.0, |sum, it| sum + it * it);
        axis[0] += square(&axis).sqrt().copysign(axis[0]);
        Some(Self { first, scale: 2.0 / square(&axis), axis })
    }

    /// Replaces a by H a, in these columns.
    fn on_rows(&self, a: &mut DenseMatrix, columns: Range<usize>) {
        for column in columns {
            let along = self.each().fold(0.0, |sum, (row, it)| sum + it * a.at(row, column));
            self.each().for_each(|(row, it)| *a.at_mut(row, column) -= self.scale * along * it);
        }
    }

    /// Replaces a by a H, in these rows.
    fn on_columns(&self, a: &mut DenseMatrix, rows: Range<usize>) {
        for row in rows {
            let along = self.each().fold(0.0, |sum, (column, it)| sum + it * a.at(row, column));
            self.each().for_each(|(column, it)| *a.at_mut(row, column) -= self.scale * along * it);
        }
    }

    fn each(&self) -> impl Iterator<Item = (usize, f64)> {
        self.axis.iter().enumerate().map(|(place, it)| (self.first + place, *it))
    }
}

/// Reduces to Hessenberg's form: zero below the first subdiagonal.
fn to_hessenberg(a: &mut DenseMatrix, basis: &mut DenseMatrix) {
    let n = a.rows;
    for column in 0..n.saturating_sub(2) {
        let below: Vec<f64> = (column + 1..n).map(|row| a.at(row, column)).collect();
        if let Some(reflection) = Reflection::of(column + 1, &below) {
            reflection.on_rows(a, column..n);
            reflection.on_columns(a, 0..n);
            reflection.on_columns(basis, 0..n);
            (column + 2..n).for_each(|row| *a.at_mut(row, column) = 0.0);
        }
    }
}

/// Returns the first row of the last unreduced block before `end`. Subdiagonal entries that are rounding
/// beside the diagonal are set to 0.
fn last_block(a: &mut DenseMatrix, end: usize, size: f64) -> usize {
    for row in (1..end).rev() {
        let around = a.at(row, row).abs() + a.at(row - 1, row - 1).abs();
        let around = if around == 0.0 { size } else { around };
        if a.at(row, row - 1).abs() <= f64::EPSILON * around {
            *a.at_mut(row, row - 1) = 0.0;
            return row;
        }
    }
    0
}

/// One step with both eigenvalues of the last two rows as shifts, on a block of at least three. `others` asks
/// for exceptional shifts.
fn francis(a: &mut DenseMatrix, basis: &mut DenseMatrix, block: Range<usize>, others: bool) {
    let (n, start, end) = (a.rows, block.start, block.end);
    let (p, q) = (end - 2, end - 1);
    // The sum and the product of the shifts.
    let (sum, product) = if others {
        let size = a.at(q, p).abs() + a.at(p, p - 1).abs();
        (1.5 * size, size * size)
    } else {
        (a.at(p, p) + a.at(q, q), a.at(p, p) * a.at(q, q) - a.at(p, q) * a.at(q, p))
    };
    let (a00, a01, a10, a11) =
        (a.at(start, start), a.at(start, start + 1), a.at(start + 1, start), a.at(start + 1, start + 1));
    let mut x = [
        a00 * a00 + a01 * a10 - sum * a00 + product,
        a10 * (a00 + a11 - sum),
        a10 * a.at(start + 2, start + 1),
    ];
    for row in start..end - 1 {
        let rows = 3.min(end - row);
        if let Some(reflection) = Reflection::of(row, &x[..rows]) {
            let left = if row > start { row - 1 } else { start };
            reflection.on_rows(a, left..n);
            reflection.on_columns(a, 0..end.min(row + 4));
            reflection.on_columns(basis, 0..n);
            if row > start {
                (row + 1..row + rows).for_each(|it| *a.at_mut(it, row - 1) = 0.0);
            }
        }
        for (place, it) in x.iter_mut().enumerate().filter(|(place, _)| row + 1 + place < end) {
            *it = a.at(row + 1 + place, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns |A v − λ v| relative to the sizes of A and v.
    fn left(a: &DenseMatrix, (value, vector): &Pair) -> f64 {
        let longest = vector.iter().fold(0.0_f64, |longest, it| longest.max(it.size()));
        let rows = (0..a.rows).map(|row| {
            let all = (0..a.rows).fold(Complex::default(), |sum, it| sum + vector[it].scaled(a.at(row, it)));
            (all - *value * vector[row]).size()
        });
        rows.fold(0.0, f64::max) / (longest * a.largest())
    }

    proptest! {
        /// Every pair is one, there are as many as rows, and their sum and product are trace and determinant.
        #[test]
        fn any_matrix(n in 1_usize..9, seed in prop::collection::vec(-1.0_f64..1.0, 81)) {
            let a = DenseMatrix::from_fn(n, n, |row, column| seed[row * 9 + column]);
            let pairs = Schur::of(a.clone()).expect("it settles").pairs();
            let twice = |it: &Pair| 1.0 + f64::from(u8::from(it.0.im != 0.0));
            prop_assert_eq!(pairs.iter().map(twice).sum::<f64>(), n as f64);
            for pair in &pairs {
                prop_assert!(left(&a, pair) < 1e-12, "{:?}", pair.0);
            }
            let trace = (0..n).fold(0.0, |sum, it| sum + a.at(it, it));
            let sum = pairs.iter().fold(0.0, |sum, it| sum + twice(it) * it.0.re);
            prop_assert!((trace - sum).abs() < 1e-12);
            let product = pairs.iter().fold(1.0, |all, it| all * if it.0.im == 0.0 { it.0.re } else { it.0.size() * it.0.size() });
            let determinant = a.pivots_in_order().iter().fold(1.0, |all, it| all * it * a.largest());
            prop_assert!((product - determinant).abs() < 1e-8 * (1.0 + determinant.abs()));
        }
    }

    /// A permutation has the roots of 1, on which steps with the usual shifts do not move.
    #[test]
    fn a_cycle_has_the_roots_of_one() {
        let n = 7;
        let cycle = DenseMatrix::from_fn(n, n, |row, column| f64::from(u8::from((row + 1) % n == column)));
        let mut angles: Vec<f64> = Schur::of(cycle)
            .expect("it settles")
            .pairs()
            .iter()
            .map(|(value, _)| {
                assert!((value.size() - 1.0).abs() < 1e-14);
                value.angle()
            })
            .collect();
        angles.sort_by(f64::total_cmp);
        for (place, angle) in angles.iter().enumerate() {
            assert!((angle - place as f64 * std::f64::consts::TAU / n as f64).abs() < 1e-13);
        }
        assert!(Schur::of(DenseMatrix::new(1, 1, vec![f64::NAN])).is_none());
    }
}
