//! Solvability: decides whether the accelerations follow from the equations, and by which elimination.
//!
//! M q̈ = f + Aᵀλ and A q̈ = b determine q̈ and λ if the matrix of the whole, ((M, −Aᵀ), (A, 0)), is regular.
//! Usually M itself is positive definite. If it is singular, but positive where the constraints leave
//! freedom, Aᵀ times the second equation is added to the first: (M + AᵀA) q̈ = f + Aᵀb + Aᵀλ has the same
//! solutions, λ included, and a positive definite matrix (@golub2003). A matrix that is regular but not
//! definite (L = ẋẏ) is eliminated with rows exchanged in an order that is found at a generic point.

use super::generic_point;
use super::refusal::Refusal;
use super::system::System;
use crate::{Expr, Matrix, Pool};
use gedanken_math::linalg::DenseMatrix;

/// Method by which accelerations and multipliers are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolutionMethod {
    /// M = LDLᵀ, and A M⁻¹ Aᵀ likewise.
    Direct,
    /// The same with M + AᵀA in the place of M.
    Augmented,
    /// ((M, −Aᵀ), (A, 0)) with its rows in this order.
    Pivoted(Vec<usize>),
}

/// Smallest pivot, relative to the largest entry. Smaller ones are taken for rounding.
const MIN_RELATIVE_PIVOT: f64 = 1e-9;

/// Refuses constraints that follow from others.
pub(super) fn check_rows(pool: &Pool, system: &System, rows: &Matrix) -> Result<(), Refusal> {
    if rows.rows == 0 {
        return Ok(());
    }
    let mut best: Option<DenseMatrix> = None;
    for point in 0..generic_point::MAX_POINTS {
        let Some(values) = generic_point::at(pool, &rows.entries, point) else { continue };
        // A column for each constraint, scaled to the same size.
        let scale = |row: usize| {
            let largest = (0..rows.columns)
                .fold(0.0_f64, |it, column| it.max(values[row * rows.columns + column].abs()));
            if largest > 0.0 { largest } else { 1.0 }
        };
        let dense = DenseMatrix::from_fn(rows.columns, rows.rows, |column, row| {
            values[row * rows.columns + column] / scale(row)
        });
        if dense.rank() == rows.rows {
            return Ok(());
        }
        if best.as_ref().is_none_or(|it| it.rank() < dense.rank()) {
            best = Some(dense);
        }
    }
    let Some(vector) = best.and_then(|it| it.eliminated(it.columns).null_vectors().into_iter().next()) else {
        return Ok(());
    };
    let mut members: Vec<&str> = (system.constraints.iter().zip(&vector))
        .filter(|(_, part)| part.abs() > MIN_RELATIVE_PIVOT)
        .map(|(constraint, _)| constraint.name.as_str())
        .collect();
    let name = members.pop().unwrap_or("one").to_owned();
    let others = if members.is_empty() { "the others".to_owned() } else { listed(&members) };
    Err(Refusal::Redundant { name, others })
}

/// Chooses the method of solution; refuses equations without one.
pub(super) fn solution(
    pool: &Pool,
    system: &System,
    mass: &Matrix,
    rows: &Matrix,
    momenta: &[Expr],
) -> Result<SolutionMethod, Refusal> {
    let (n, m) = (mass.rows, rows.rows);
    let all: Vec<Expr> = mass.entries.iter().chain(&rows.entries).copied().collect();
    let (mut pivoted, mut singular) = (None, None);
    for point in 0..generic_point::MAX_POINTS {
        let Some(values) = generic_point::at(pool, &all, point) else { continue };
        let (mass, rows) = values.split_at(n * n);
        let mass = DenseMatrix::new(n, n, mass.to_vec());
        let rows = DenseMatrix::new(m, n, rows.to_vec());
        if is_positive(&mass, n) {
            return Ok(SolutionMethod::Direct);
        }
        let augmented = DenseMatrix::from_fn(n, n, |row, column| {
            (0..m).fold(mass.at(row, column), |sum, it| sum + rows.at(it, row) * rows.at(it, column))
        });
        if m > 0 && is_positive(&augmented, n) {
            return Ok(SolutionMethod::Augmented);
        }
        let whole = DenseMatrix::from_fn(n + m, n + m, |row, column| match (row < n, column < n) {
            (true, true) => mass.at(row, column),
            (true, false) => -rows.at(column - n, row),
            (false, true) => rows.at(row - n, column),
            (false, false) => 0.0,
        });
        let eliminated = whole.eliminated(n + m);
        if eliminated.pivots.len() == n + m {
            let order = eliminated.pivots.iter().map(|&(row, _)| row).collect();
            pivoted.get_or_insert(SolutionMethod::Pivoted(order));
        } else {
            singular = singular.or_else(|| eliminated.null_vectors().into_iter().next());
        }
    }
    match (pivoted, singular) {
        (Some(pivoted), _) => Ok(pivoted),
        (None, Some(vector)) => Err(refusal(pool, system, momenta, &vector[..n])),
        // Not defined at any of the points: the run will say where.
        (None, None) => Ok(SolutionMethod::Direct),
    }
}

/// Returns `true` if the matrix is definite: elimination without exchanges finds pivots of one sign.
fn is_positive(matrix: &DenseMatrix, n: usize) -> bool {
    let pivots = matrix.pivots_in_order();
    pivots.len() == n
        && (pivots.iter().all(|&it| it > MIN_RELATIVE_PIVOT)
            || pivots.iter().all(|&it| it < -MIN_RELATIVE_PIVOT))
}

fn refusal(pool: &Pool, system: &System, momenta: &[Expr], vector: &[f64]) -> Refusal {
    let parts: Vec<(usize, f64)> =
        vector.iter().copied().enumerate().filter(|(_, part)| part.abs() > MIN_RELATIVE_PIVOT).collect();
    let coordinates: Vec<String> =
        parts.iter().map(|&(place, _)| system.coordinates[place].name.clone()).collect();
    if let &[(place, _)] = parts.as_slice() {
        let it = &system.coordinates[place];
        if !pool.is_zero(momenta[place]) {
            return Refusal::FirstOrder { what: it.name.clone(), rate: pool.text(it.rate) };
        }
    }
    // Whole numbers are told, others belong to the point that was looked at.
    let whole: Option<Vec<i64>> = super::symmetry::whole_numbers(vector);
    let names: Vec<&str> = coordinates.iter().map(String::as_str).collect();
    let mut what = match (names.as_slice(), whole) {
        ([name], _) => (*name).to_owned(),
        (_, Some(whole)) => {
            let moves: Vec<String> = parts
                .iter()
                .zip(&names)
                .map(|(&(place, _), name)| format!("{name} by {}", whole[place]))
                .collect();
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            format!("moving {} together", listed(&moves))
        }
        (_, None) => format!("a motion of {}", listed(&names)),
    };
    if parts.is_empty() {
        what = "a part of the system".to_owned();
    }
    Refusal::SingularMass { what, coordinates }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
