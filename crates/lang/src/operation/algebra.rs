//! Vector algebra as scalar operations, each sum and product in one fixed order.
//!
//! Sums run from left to right and begin with their first term, not with zero: 0 + x would turn -0 into 0 and
//! cost an operation. `None` means that the operands do not fit; the rules know why.

use super::Of;
use crate::arithmetic::{Arithmetic, Binary, Unary, integer_power, small_integer};
use crate::value::{Matrix, Shaped};

/// Applies `operation` to every real of `operand`.
fn map<A: Arithmetic>(
    a: &mut A,
    operand: &Of<A>,
    mut operation: impl FnMut(&mut A, A::Real) -> A::Real,
) -> Option<Of<A>> {
    Some(match operand {
        Shaped::Real(x) => Shaped::Real(operation(a, *x)),
        Shaped::Vector(v) => Shaped::Vector(v.iter().map(|x| operation(a, *x)).collect()),
        Shaped::Matrix(m) => Shaped::Matrix(Matrix {
            rows: m.rows,
            columns: m.columns,
            elements: m.elements.iter().map(|x| operation(a, *x)).collect(),
        }),
        Shaped::Bool(_) | Shaped::Sequence(_) => return None,
    })
}

/// -x, element by element.
pub(crate) fn negate<A: Arithmetic>(a: &mut A, operand: &Of<A>) -> Option<Of<A>> {
    map(a, operand, |a, x| a.unary(Unary::Neg, x))
}

/// x / divisor, element by element. A quotient and not a product with 1/divisor: one rounding instead of two.
pub(crate) fn divide<A: Arithmetic>(a: &mut A, dividend: &Of<A>, divisor: A::Real) -> Option<Of<A>> {
    map(a, dividend, |a, x| a.binary(Binary::Div, x, divisor))
}

/// `operation` element by element, for equal shapes.
pub(crate) fn elementwise<A: Arithmetic>(
    a: &mut A,
    operation: Binary,
    left: &Of<A>,
    right: &Of<A>,
) -> Option<Of<A>> {
    Some(match (left, right) {
        (Shaped::Real(x), Shaped::Real(y)) => Shaped::Real(a.binary(operation, *x, *y)),
        (Shaped::Vector(v), Shaped::Vector(w)) if v.len() == w.len() => {
            Shaped::Vector(pairwise(a, operation, v, w))
        }
        (Shaped::Matrix(m), Shaped::Matrix(n)) if (m.rows, m.columns) == (n.rows, n.columns) => {
            Shaped::Matrix(Matrix {
                rows: m.rows,
                columns: m.columns,
                elements: pairwise(a, operation, &m.elements, &n.elements),
            })
        }
        _ => return None,
    })
}

fn pairwise<A: Arithmetic>(
    a: &mut A,
    operation: Binary,
    left: &[A::Real],
    right: &[A::Real],
) -> Vec<A::Real> {
    left.iter().zip(right).map(|(x, y)| a.binary(operation, *x, *y)).collect()
}

/// `*`: by a real, matrix by matrix, matrix by vector, cross product.
pub(crate) fn multiply<A: Arithmetic>(a: &mut A, left: &Of<A>, right: &Of<A>) -> Option<Of<A>> {
    match (left, right) {
        (Shaped::Real(factor), numeric) => map(a, numeric, |a, x| a.binary(Binary::Mul, *factor, x)),
        (numeric, Shaped::Real(factor)) => map(a, numeric, |a, x| a.binary(Binary::Mul, x, *factor)),
        (Shaped::Matrix(m), Shaped::Matrix(n)) if m.columns == n.rows => {
            Some(Shaped::Matrix(product(a, m, n)))
        }
        (Shaped::Matrix(m), Shaped::Vector(v)) if m.columns == v.len() => {
            Some(Shaped::Vector((0..m.rows).map(|row| dot(a, m.row(row), v)).collect()))
        }
        (Shaped::Vector(v), Shaped::Vector(w)) => {
            let (v, w) = (v.as_slice().try_into().ok()?, w.as_slice().try_into().ok()?);
            Some(Shaped::Vector(cross(a, v, w).to_vec()))
        }
        _ => None,
    }
}

/// Σₖ mᵢₖ nₖⱼ
fn product<A: Arithmetic>(a: &mut A, m: &Matrix<A::Real>, n: &Matrix<A::Real>) -> Matrix<A::Real> {
    let mut elements = Vec::with_capacity(m.rows * n.columns);
    for row in 0..m.rows {
        for column in 0..n.columns {
            let terms = (0..m.columns).map(|k| (m.at(row, k), n.at(k, column)));
            elements.push(sum_of_products(a, terms));
        }
    }
    Matrix { rows: m.rows, columns: n.columns, elements }
}

/// v · w, for equal lengths.
pub(crate) fn dot<A: Arithmetic>(a: &mut A, v: &[A::Real], w: &[A::Real]) -> A::Real {
    sum_of_products(a, v.iter().copied().zip(w.iter().copied()))
}

fn sum_of_products<A: Arithmetic>(a: &mut A, terms: impl Iterator<Item = (A::Real, A::Real)>) -> A::Real {
    let mut sum = None;
    for (x, y) in terms {
        let term = a.binary(Binary::Mul, x, y);
        sum = Some(sum.map_or(term, |sum| a.binary(Binary::Add, sum, term)));
    }
    sum.unwrap_or_else(|| a.real(0.0))
}

/// Σ xᵢ
pub(crate) fn sum<A: Arithmetic>(a: &mut A, terms: impl IntoIterator<Item = A::Real>) -> A::Real {
    let sum = terms.into_iter().reduce(|sum, term| a.binary(Binary::Add, sum, term));
    sum.unwrap_or_else(|| a.real(0.0))
}

/// √(v · v)
pub(crate) fn norm<A: Arithmetic>(a: &mut A, v: &[A::Real]) -> A::Real {
    let square = dot(a, v, v);
    a.unary(Unary::Sqrt, square)
}

/// v × w
pub(crate) fn cross<A: Arithmetic>(a: &mut A, v: [A::Real; 3], w: [A::Real; 3]) -> [A::Real; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let plus = a.binary(Binary::Mul, v[i], w[j]);
        let minus = a.binary(Binary::Mul, v[j], w[i]);
        a.binary(Binary::Sub, plus, minus)
    })
}

/// xʸ. Where the exponent is known to be a small whole number it is a product, which is what [`Binary::Pow`]
/// computes for such an exponent too, to the bit.
pub(crate) fn power<A: Arithmetic>(a: &mut A, base: A::Real, exponent: A::Real) -> A::Real {
    match a.known(exponent).and_then(small_integer) {
        Some(n) => integer_power(a, base, n),
        None => a.binary(Binary::Pow, base, exponent),
    }
}
