//! Symmetries: combinations of shifts, rotations and delays that leave the equations unchanged.
//!
//! Noether: if Σ c δ leaves L unchanged, Σ c J is conserved. The constant coefficients c are the null vectors
//! of the matrix whose columns are the J̇ at many generic points. They are found in numbers, rounded to
//! fractions, and accepted only if Σ c J̇ is zero as an expression. Coefficients that depend on parameters (a
//! cylinder that rolls on a cylinder) are looked for in pairs of columns.

use super::generator::{self, Generator, Motion, Transformation};
use super::generic_point;
use super::simplify::{self, Effort};
use super::system::System;
use crate::{Expr, Pool, Rational};
use gedanken_math::linalg::DenseMatrix;
use std::collections::HashSet;

/// A symmetry.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    /// Combined transformations, with coefficients that are not 0.
    pub parts: Vec<(Transformation, Expr)>,
    /// Σ c J
    pub current: Expr,
}

/// Maximum number of columns that are searched for coefficients with parameters.
const MAX_PAIRED_GENERATORS: usize = 12;

/// Returns all symmetries that are found: first single generators, then combinations.
pub(super) fn found(pool: &mut Pool, system: &System, motion: &Motion) -> Vec<Symmetry> {
    let (mut list, mut open) = (Vec::new(), Vec::new());
    for generator in generator::all(pool, system, motion) {
        let one = pool.one();
        // A sum of turns is turned together; one of them may hold alone, and is then told alone.
        if is_conserved(pool, &[(&generator, one)]) {
            list.push(symmetry(pool, &[(&generator, one)]));
        } else {
            open.push(generator);
        }
    }
    let mut used: HashSet<usize> = HashSet::new();
    for vector in null_vectors(pool, &open) {
        let Some(whole) = whole_numbers(&vector) else { continue };
        let mut parts = Vec::new();
        let mut members = Vec::new();
        for (place, coefficient) in whole.into_iter().enumerate().filter(|(_, it)| *it != 0) {
            members.push(place);
            parts.push((&open[place], pool.integer(coefficient)));
        }
        if is_conserved(pool, &parts) {
            list.push(symmetry(pool, &parts));
            used.extend(members.last());
        }
    }
    let left: Vec<&Generator> =
        open.iter().enumerate().filter(|(place, _)| !used.contains(place)).map(|(_, it)| it).collect();
    if left.len() <= MAX_PAIRED_GENERATORS {
        paired(pool, system, &left, &mut list);
    }
    list
}

/// Returns `true` if Σ c J̇ is zero, and no multiplier of a constraint enters it.
fn is_conserved(pool: &mut Pool, parts: &[(&Generator, Expr)]) -> bool {
    let change: Vec<Expr> = parts.iter().map(|(it, c)| pool.mul(it.change, *c)).collect();
    let change = pool.sum(&change);
    if !simplify::vanishes(pool, change) {
        return false;
    }
    (0..parts[0].0.against.len()).all(|row| {
        let against: Vec<Expr> = parts.iter().map(|(it, c)| pool.mul(it.against[row], *c)).collect();
        let against = pool.sum(&against);
        simplify::vanishes(pool, against)
    })
}

fn symmetry(pool: &mut Pool, parts: &[(&Generator, Expr)]) -> Symmetry {
    let terms: Vec<Expr> = parts.iter().map(|(it, c)| pool.mul(it.current, *c)).collect();
    let mut current = pool.sum(&terms);
    // The energy counts upwards.
    if parts.iter().any(|(it, _)| it.part == Transformation::Time) {
        current = pool.neg(current);
    }
    Symmetry { parts: parts.iter().map(|(it, c)| (it.part, *c)).collect(), current }
}

/// Returns the constant combinations of the columns that are 0 at all points.
fn null_vectors(pool: &Pool, open: &[Generator]) -> Vec<Vec<f64>> {
    let Some(first) = open.first() else { return Vec::new() };
    let rows = 1 + first.against.len();
    let mut exprs = Vec::with_capacity(rows * open.len());
    for row in 0..rows {
        exprs.extend(open.iter().map(|it| if row == 0 { it.change } else { it.against[row - 1] }));
    }
    let (mut entries, mut points) = (Vec::new(), 0);
    let wanted = open.len() + 6;
    for point in 0..generic_point::MAX_POINTS + 4 * u32::try_from(wanted).unwrap_or(0) {
        let Some(values) = generic_point::at(pool, &exprs, point) else { continue };
        for row in values.chunks(open.len()) {
            let largest = row.iter().fold(0.0_f64, |largest, it| largest.max(it.abs()));
            let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            entries.extend(row.iter().map(|it| it * scale));
        }
        points += 1;
        if points == wanted {
            break;
        }
    }
    if points < wanted {
        return Vec::new();
    }
    DenseMatrix::new(points * rows, open.len(), entries).eliminated(open.len()).null_vectors()
}

/// Returns the vector times the least number that makes it whole, its first nonzero entry positive. `None` if
/// there is none up to 12.
pub(super) fn whole_numbers(vector: &[f64]) -> Option<Vec<i64>> {
    for scale in 1..=12_i32 {
        let scaled: Vec<f64> = vector.iter().map(|it| it * f64::from(scale)).collect();
        if scaled.iter().all(|it| (it - libm::round(*it)).abs() < 1e-7 && it.abs() < 1e6) {
            #[expect(clippy::cast_possible_truncation, reason = "whole and below a million")]
            let whole: Vec<i64> = scaled.iter().map(|it| libm::round(*it) as i64).collect();
            let negative = whole.iter().find(|it| **it != 0).is_some_and(|it| *it < 0);
            return Some(if negative { whole.iter().map(|it| -it).collect() } else { whole });
        }
    }
    None
}

/// Adds symmetries of two columns in a ratio of parameters.
fn paired(pool: &mut Pool, system: &System, open: &[&Generator], list: &mut Vec<Symmetry>) {
    let variables: HashSet<Expr> = system.variables().into_iter().collect();
    let mut used = vec![false; open.len()];
    for second in 1..open.len() {
        for first in 0..second {
            if used[first] || used[second] || !is_ratio_constant(pool, &variables, open[first], open[second])
            {
                continue;
            }
            let ratio = pool.div(open[second].change, open[first].change);
            let ratio = Effort::Readable.simplify(pool, ratio);
            let mut free = true;
            pool.each_part(ratio, |part| free &= !variables.contains(&part));
            if !free {
                continue;
            }
            let minus = pool.scale(&Rational::from(-1), ratio);
            let one = pool.one();
            let parts = [(open[first], minus), (open[second], one)];
            if is_conserved(pool, &parts) {
                list.push(symmetry(pool, &parts));
                used[second] = true;
            }
        }
    }
}

/// Returns `true` if one column is a multiple of the other at a few points with the same parameters.
fn is_ratio_constant(pool: &Pool, variables: &HashSet<Expr>, a: &Generator, b: &Generator) -> bool {
    let names: HashSet<&str> =
        variables.iter().filter_map(|&it| pool.as_symbol(it)).map(|it| pool.name(it)).collect();
    let mut ratios = Vec::new();
    for point in 0..6 {
        let values = pool.evaluate_all(&[], &[a.change, b.change], &|symbol| {
            let name = pool.name(symbol);
            generic_point::value(name, if names.contains(name) { point } else { 0 })
        });
        let ratio = values[1] / values[0];
        if ratio.is_finite() {
            ratios.push(ratio);
        }
    }
    ratios.len() > 2 && ratios.iter().all(|it| (it - ratios[0]).abs() < 1e-9 * ratios[0].abs())
}
