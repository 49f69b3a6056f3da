//! The inverse and the determinant of square matrices.
//!
//! Up to four rows, the determinant is expanded by minors and the inverse is the adjugate over it: no
//! choices, and for whole numbers every product is exact. Its error grows as Σ|products| / |det|, though, the
//! square of the condition in bad cases. Where that quotient is large, and for more rows, the inverse is by
//! Gauss and Jordan's elimination with partial pivoting, whose error grows as the condition only
//! (@higham2002, chapters 9 and 14). Rows are exchanged by selecting elements, so that the operations are the
//! same whatever the numbers.
//!
//! A matrix is singular if a pivot is no larger than the rounding errors in it: then no digit of an inverse
//! would be right. Those errors are bounded by n ε times the sum of the magnitudes that went in, a bound that
//! does not depend on the scale of rows and columns.

use super::sums_of_products::{minus, terms};
use crate::arithmetic::{Arithmetic, Binary, Comparison, Failure, Unary};
use crate::value::Matrix;

/// The most rows that are expanded by minors.
const EXPANDED: usize = 4;

/// The adjugate serves while its determinant is above this part of the magnitudes in it: it loses six bits at
/// most.
const WELL_CONDITIONED: f64 = 1.0 / 64.0;

/// The determinant of a square matrix; of one without rows it is 1.
pub(super) fn determinant<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>) -> A::Real {
    let all: Vec<usize> = (0..m.rows).collect();
    if m.rows <= EXPANDED { minor(a, m, &all, &all) } else { Tableau::new(a, m).determinant(a) }
}

/// The inverse of a square matrix, or [`Failure::Singular`].
pub(super) fn inverse<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>) -> Matrix<A::Real> {
    let n = m.rows;
    if n > EXPANDED {
        return Matrix { rows: n, columns: n, elements: Tableau::new(a, m).inverse(a) };
    }
    let all: Vec<usize> = (0..n).collect();
    let det = minor(a, m, &all, &all);
    let size = a.unary(Unary::Abs, det);
    let magnitudes = magnitude(a, m, &all, &all);
    let part = a.real(WELL_CONDITIONED);
    let least = a.binary(Binary::Mul, part, magnitudes);
    let good = a.compare(Comparison::Lt, least, size);
    let elements = a.branch(good, &mut |a| adjugate_over(a, m, det), &mut |a| Tableau::new(a, m).inverse(a));
    Matrix { rows: n, columns: n, elements }
}

/// The inverse as the adjugate over the determinant, whatever its condition: where nothing is rounded. `None`
/// for more rows than that is a short formula for.
pub(crate) fn adjugate_inverse<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>) -> Option<Matrix<A::Real>> {
    if m.rows > EXPANDED {
        return None;
    }
    let det = determinant(a, m);
    Some(Matrix { rows: m.rows, columns: m.rows, elements: adjugate_over(a, m, det) })
}

/// The determinant of the given rows and columns, by minors along the first of the rows.
fn minor<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>, rows: &[usize], columns: &[usize]) -> A::Real {
    match (rows, columns) {
        ([], _) | (_, []) => a.real(1.0),
        ([i], [j, ..]) => m.at(*i, *j),
        ([i, k], [j, l, ..]) => {
            terms(a, &[(1, &[m.at(*i, *j), m.at(*k, *l)]), (-1, &[m.at(*i, *l), m.at(*k, *j)])])
        }
        ([first, rest @ ..], _) => {
            let mut products = Vec::with_capacity(columns.len());
            for (place, column) in columns.iter().enumerate() {
                let others = without(columns, place);
                products.push([m.at(*first, *column), minor(a, m, rest, &others)]);
            }
            let signed: Vec<(i8, &[A::Real])> = products
                .iter()
                .enumerate()
                .map(|(place, pair)| (if place % 2 == 0 { 1 } else { -1 }, &pair[..]))
                .collect();
            terms(a, &signed)
        }
    }
}

/// The sum of the magnitudes of all products in [`minor`]: the permanent of the magnitudes.
fn magnitude<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>, rows: &[usize], columns: &[usize]) -> A::Real {
    let Some((first, rest)) = rows.split_first() else { return a.real(1.0) };
    let mut products = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        let size = a.unary(Unary::Abs, m.at(*first, *column));
        let others = without(columns, place);
        products.push(if rest.is_empty() { vec![size] } else { vec![size, magnitude(a, m, rest, &others)] });
    }
    let signed: Vec<(i8, &[A::Real])> = products.iter().map(|product| (1, &product[..])).collect();
    terms(a, &signed)
}

fn without(list: &[usize], place: usize) -> Vec<usize> {
    list.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, item)| *item).collect()
}

/// Element (i, j) is the cofactor (j, i) over the determinant. An odd cofactor exchanges two columns instead
/// of changing its sign, and a zero is added at the end, so that no zero comes out as -0.
fn adjugate_over<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>, det: A::Real) -> Vec<A::Real> {
    let all: Vec<usize> = (0..m.rows).collect();
    let zero = a.real(0.0);
    let mut elements = Vec::with_capacity(m.elements.len());
    for i in 0..m.rows {
        for j in 0..m.rows {
            let (rows, mut columns) = (without(&all, j), without(&all, i));
            let odd = (i + j) % 2 == 1;
            if odd && columns.len() > 1 {
                columns.swap(0, 1);
            }
            let mut cofactor = minor(a, m, &rows, &columns);
            if odd && columns.len() == 1 {
                cofactor = minus(a, cofactor);
            }
            let quotient = a.binary(Binary::Div, cofactor, det);
            elements.push(a.binary(Binary::Add, quotient, zero));
        }
    }
    elements
}

/// Rows under elimination: the matrix, the identity that becomes its inverse, and the magnitudes that went
/// into each element.
struct Tableau<A: Arithmetic> {
    n: usize,
    rows: Vec<Vec<A::Real>>,
}

impl<A: Arithmetic> Tableau<A> {
    fn new(a: &mut A, m: &Matrix<A::Real>) -> Self {
        let (zero, one) = (a.real(0.0), a.real(1.0));
        let mut rows = Vec::with_capacity(m.rows);
        for i in 0..m.rows {
            let mut row = m.row(i).to_vec();
            row.extend((0..m.rows).map(|j| if i == j { one } else { zero }));
            row.extend(m.row(i).iter().map(|x| a.unary(Unary::Abs, *x)));
            rows.push(row);
        }
        Self { n: m.rows, rows }
    }

    /// Columns that still matter in step `k`: the matrix from there on, all of the identity, the magnitudes
    /// from there on.
    fn live(&self, k: usize) -> impl Iterator<Item = usize> + use<A> {
        let n = self.n;
        (k..2 * n).chain(2 * n + k..3 * n)
    }

    /// Brings the largest element of column `k`, from row `k` on, into row `k`; for each row, whether it was
    /// exchanged.
    fn pivot(&mut self, a: &mut A, k: usize) -> Vec<A::Bool> {
        let mut exchanged = Vec::with_capacity(self.n - k);
        for i in k + 1..self.n {
            let (here, there) = (a.unary(Unary::Abs, self.rows[k][k]), a.unary(Unary::Abs, self.rows[i][k]));
            let larger = a.compare(Comparison::Lt, here, there);
            for j in self.live(k) {
                let (x, y) = (self.rows[k][j], self.rows[i][j]);
                self.rows[k][j] = a.select(larger, y, x);
                self.rows[i][j] = a.select(larger, x, y);
            }
            exchanged.push(larger);
        }
        exchanged
    }

    /// Subtracts from row `i` what clears its column `k`; row `k` has been divided by its pivot.
    fn clear(&mut self, a: &mut A, i: usize, k: usize) {
        let factor = self.rows[i][k];
        let size = a.unary(Unary::Abs, factor);
        for j in self.live(k + 1) {
            let (by, with) = if j < 2 * self.n { (-1, factor) } else { (1, size) };
            self.rows[i][j] = terms(a, &[(1, &[self.rows[i][j]]), (by, &[with, self.rows[k][j]])]);
        }
    }

    /// Divides row `k` by `pivot`.
    fn divide(&mut self, a: &mut A, k: usize, pivot: A::Real) {
        let size = a.unary(Unary::Abs, pivot);
        for j in self.live(k + 1) {
            let divisor = if j < 2 * self.n { pivot } else { size };
            self.rows[k][j] = a.binary(Binary::Div, self.rows[k][j], divisor);
        }
    }

    fn inverse(mut self, a: &mut A) -> Vec<A::Real> {
        let (n, one) = (self.n, a.real(1.0));
        let part = a.real(n as f64 * f64::EPSILON);
        let mut singular = a.truth(false);
        for k in 0..n {
            self.pivot(a, k);
            let pivot = self.rows[k][k];
            let size = a.unary(Unary::Abs, pivot);
            let least = a.binary(Binary::Mul, part, self.rows[k][2 * n + k]);
            let vanishes = a.compare(Comparison::Le, size, least);
            singular = a.either(singular, vanishes);
            // The rest is computed all the same, and must not divide by zero.
            let pivot = a.select(vanishes, one, pivot);
            self.divide(a, k, pivot);
            (0..n).filter(|i| *i != k).for_each(|i| self.clear(a, i, k));
        }
        let elements: Vec<A::Real> = self.rows.iter().flat_map(|row| row[n..2 * n].iter().copied()).collect();
        a.branch(singular, &mut |a| vec![a.fail(Failure::Singular); n * n], &mut |_| elements.clone())
    }

    /// The product of the pivots, with a change of sign for each exchange.
    fn determinant(mut self, a: &mut A) -> A::Real {
        let mut product = a.real(1.0);
        for k in 0..self.n {
            for exchanged in self.pivot(a, k) {
                let opposite = a.unary(Unary::Neg, product);
                product = a.select(exchanged, opposite, product);
            }
            product = a.binary(Binary::Mul, product, self.rows[k][k]);
            let (_, pivot) = super::vector::or_one(a, self.rows[k][k]);
            self.divide(a, k, pivot);
            (k + 1..self.n).for_each(|i| self.clear(a, i, k));
        }
        product
    }
}
