//! Straight-line code from a state to its accelerations.
//!
//! Written out, the inverse of a matrix of n rows has n! terms; its elimination in named steps has n³/3. Each
//! step is a formula of the state and of earlier steps, so a compiler of them needs to know nothing of
//! matrices.

use super::equations::Equations;
use super::solvability::SolutionMethod;
use crate::matrix::dot;
use crate::{Expr, Matrix, Node, Pool, Rational, Symbol};
use std::collections::HashMap;

/// Straight-line code: each step names a value, and later steps and the results may use the names of earlier
/// ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StraightLine {
    /// Steps in order: a symbol that no author can write, and its value.
    pub lets: Vec<(Expr, Expr)>,
    /// Results.
    pub results: Vec<Expr>,
}

impl StraightLine {
    /// Returns the results, with these values of the other symbols.
    pub fn evaluate(&self, pool: &Pool, symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
        pool.evaluate_all(&self.lets, &self.results, symbol)
    }

    /// Estimates the cost as a number of multiplications.
    pub fn cost(&self, pool: &Pool) -> usize {
        let mut seen = HashMap::new();
        let roots = self.lets.iter().map(|(_, it)| it).chain(&self.results);
        for &root in roots {
            pool.each_part(root, |part| {
                seen.entry(part).or_insert_with(|| cost(pool, part));
            });
        }
        seen.values().sum()
    }
}

/// Cost of one operation, without its operands.
fn cost(pool: &Pool, expr: Expr) -> usize {
    match pool.node(expr) {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => 0,
        Node::Sum { terms, .. } => {
            terms.len() + terms.iter().filter(|(_, scale)| !scale.abs().is_one()).count()
        }
        Node::Product(factors) => factors.len() - 1,
        &Node::Power(_, exponent) => match pool.as_number(exponent).and_then(Rational::to_i64) {
            Some(whole) => {
                let squarings = whole.unsigned_abs().checked_ilog2().unwrap_or(0) as usize;
                squarings + if whole < 0 { 5 } else { 0 }
            }
            None => 10,
        },
        Node::Call(..) | Node::Call2(..) => 20,
        Node::Choice(..) => 2,
    }
}

impl Equations {
    /// Returns the code from a state (coordinates, rates, time, parameters) to accelerations and then
    /// multipliers. It is that of the [written-out accelerations](Self::accelerations) if they are cheaper,
    /// else the elimination.
    pub fn straight_line(&self, pool: &mut Pool) -> StraightLine {
        let eliminated = self.eliminated(pool);
        match &self.accelerations {
            Some(written) => {
                let mut steps = Steps::default();
                let results = written.iter().map(|&it| steps.name(pool, it)).collect();
                let written = StraightLine { lets: steps.lets, results };
                if written.cost(pool) <= eliminated.cost(pool) { written } else { eliminated }
            }
            None => eliminated,
        }
    }

    fn eliminated(&self, pool: &mut Pool) -> StraightLine {
        let mut steps = Steps::default();
        let direct = match &self.solution {
            SolutionMethod::Direct => steps.held(pool, &self.mass, &self.right, &self.rows, &self.bias),
            SolutionMethod::Augmented => {
                let turned = self.rows.transpose();
                let square = turned.product(pool, &self.rows);
                let mass = Matrix::from_fn(square.rows, square.columns, |row, column| {
                    pool.add(self.mass[(row, column)], square[(row, column)])
                });
                let lifted = turned.times(pool, &self.bias);
                let right: Vec<Expr> =
                    self.right.iter().zip(lifted).map(|(&f, it)| pool.add(f, it)).collect();
                steps.held(pool, &mass, &right, &self.rows, &self.bias)
            }
            SolutionMethod::Pivoted(_) => None,
        };
        let results = match (direct, &self.solution) {
            (Some(results), _) => results,
            (None, SolutionMethod::Pivoted(order)) => {
                steps = Steps::default();
                steps.pivoted(pool, self, order)
            }
            // A pivot that is 0 by its form alone would have been so at every point that was looked at.
            (None, _) => {
                steps = Steps::default();
                let order: Vec<usize> = (0..self.mass.rows + self.rows.rows).collect();
                steps.pivoted(pool, self, &order)
            }
        };
        StraightLine { lets: steps.lets, results }
    }
}

/// Steps under construction.
#[derive(Debug, Default)]
struct Steps {
    lets: Vec<(Expr, Expr)>,
    known: HashMap<Expr, Expr>,
}

/// A symmetric matrix as LDLᵀ.
struct Factors {
    /// L below its diagonal of ones, row by row.
    lower: Vec<Vec<Expr>>,
    /// 1 / D
    inverse: Vec<Expr>,
}

impl Steps {
    /// Returns a name for the value; numbers and symbols stand for themselves.
    fn name(&mut self, pool: &mut Pool, value: Expr) -> Expr {
        if matches!(pool.node(value), Node::Number(_) | Node::Pi | Node::Symbol(_)) {
            return value;
        }
        if let Some(&name) = self.known.get(&value) {
            return name;
        }
        // No author can write a name with a blank.
        let name = pool.symbol(&format!("step {}", self.lets.len()));
        self.lets.push((name, value));
        self.known.insert(value, name);
        name
    }

    /// Returns start − Σ aᵢ bᵢ, named.
    fn less(&mut self, pool: &mut Pool, start: Expr, a: &[Expr], b: &[Expr]) -> Expr {
        let start = self.name(pool, start);
        let taken = dot(pool, a, b);
        let value = pool.sub(start, taken);
        self.name(pool, value)
    }

    /// Returns LDLᵀ of a symmetric matrix; `None` if a pivot is 0.
    fn factors(&mut self, pool: &mut Pool, matrix: &Matrix) -> Option<Factors> {
        let mut factors = Factors { lower: Vec::new(), inverse: Vec::new() };
        let mut pivots: Vec<Expr> = Vec::new();
        for row in 0..matrix.rows {
            // L D of this row.
            let mut carried: Vec<Expr> = Vec::with_capacity(row);
            for column in 0..row {
                let value = self.less(pool, matrix[(row, column)], &carried, &factors.lower[column]);
                carried.push(value);
            }
            let mut lower = Vec::with_capacity(row);
            for (&value, &inverse) in carried.iter().zip(&factors.inverse) {
                let value = pool.mul(value, inverse);
                lower.push(self.name(pool, value));
            }
            let pivot = self.less(pool, matrix[(row, row)], &carried, &lower);
            if pool.is_zero(pivot) {
                return None;
            }
            pivots.push(pivot);
            let inverse = pool.powi(pivot, -1);
            factors.inverse.push(self.name(pool, inverse));
            factors.lower.push(lower);
        }
        Some(factors)
    }

    /// Returns L⁻¹ `right`.
    fn forward(&mut self, pool: &mut Pool, factors: &Factors, right: &[Expr]) -> Vec<Expr> {
        let mut found: Vec<Expr> = Vec::with_capacity(right.len());
        for (row, &value) in right.iter().enumerate() {
            let value = self.less(pool, value, &factors.lower[row], &found);
            found.push(value);
        }
        found
    }

    /// Returns D⁻¹ `right`.
    fn scaled(&mut self, pool: &mut Pool, factors: &Factors, right: &[Expr]) -> Vec<Expr> {
        (right.iter().zip(&factors.inverse))
            .map(|(&value, &inverse)| {
                let value = pool.mul(value, inverse);
                self.name(pool, value)
            })
            .collect()
    }

    /// Returns L⁻ᵀ `right`.
    fn backward(&mut self, pool: &mut Pool, factors: &Factors, right: &[Expr]) -> Vec<Expr> {
        let mut found = right.to_vec();
        for row in (0..right.len()).rev() {
            let below: Vec<Expr> = (row + 1..right.len()).map(|it| factors.lower[it][row]).collect();
            let known = found[row + 1..].to_vec();
            found[row] = self.less(pool, right[row], &below, &known);
        }
        found
    }

    /// Returns q̈ and λ of M q̈ = f + Aᵀλ, A q̈ = b. With M = LDLᵀ, Y = L⁻¹Aᵀ, u = L⁻¹f: (YᵀD⁻¹Y) λ = b −
    /// YᵀD⁻¹u and Lᵀq̈ = D⁻¹(u + Yλ).
    fn held(
        &mut self,
        pool: &mut Pool,
        mass: &Matrix,
        right: &[Expr],
        rows: &Matrix,
        bias: &[Expr],
    ) -> Option<Vec<Expr>> {
        let factors = self.factors(pool, mass)?;
        let mut free = self.forward(pool, &factors, right);
        let mut multipliers = Vec::new();
        if rows.rows > 0 {
            let carried: Vec<Vec<Expr>> =
                (0..rows.rows).map(|row| self.forward(pool, &factors, rows.row(row))).collect();
            let scaled: Vec<Vec<Expr>> = carried.iter().map(|it| self.scaled(pool, &factors, it)).collect();
            let schur = Matrix::from_fn(rows.rows, rows.rows, |row, column| {
                dot(pool, &carried[row.max(column)], &scaled[row.min(column)])
            });
            let missing: Vec<Expr> =
                bias.iter().zip(&scaled).map(|(&b, it)| self.less(pool, b, it, &free)).collect();
            let inner = self.factors(pool, &schur)?;
            let known = self.forward(pool, &inner, &missing);
            let known = self.scaled(pool, &inner, &known);
            multipliers = self.backward(pool, &inner, &known);
            for (place, value) in free.iter_mut().enumerate() {
                let column: Vec<Expr> = carried.iter().map(|it| it[place]).collect();
                let added = dot(pool, &column, &multipliers);
                let sum = pool.add(*value, added);
                *value = self.name(pool, sum);
            }
        }
        let scaled = self.scaled(pool, &factors, &free);
        let mut results = self.backward(pool, &factors, &scaled);
        results.extend(multipliers);
        Some(results)
    }

    /// Returns the same by elimination of the whole matrix, its rows taken in this order.
    fn pivoted(&mut self, pool: &mut Pool, equations: &Equations, order: &[usize]) -> Vec<Expr> {
        let (mass, rows) = (&equations.mass, &equations.rows);
        let n = mass.rows;
        let size = n + rows.rows;
        let mut whole: Vec<Vec<Expr>> = Vec::with_capacity(size);
        let mut right: Vec<Expr> = Vec::with_capacity(size);
        for &row in order {
            if row < n {
                let held = (0..rows.rows).map(|it| rows[(it, row)]).collect::<Vec<Expr>>();
                let held: Vec<Expr> = held.into_iter().map(|it| pool.neg(it)).collect();
                whole.push(mass.row(row).iter().copied().chain(held).collect());
                right.push(equations.right[row]);
            } else {
                let zero = pool.zero();
                let row = row - n;
                whole.push(rows.row(row).iter().copied().chain((0..rows.rows).map(|_| zero)).collect());
                right.push(equations.bias[row]);
            }
        }
        let mut inverses = Vec::with_capacity(size);
        for step in 0..size {
            let inverse = pool.powi(whole[step][step], -1);
            let inverse = self.name(pool, inverse);
            inverses.push(inverse);
            for row in step + 1..size {
                if pool.is_zero(whole[row][step]) {
                    continue;
                }
                let factor = pool.mul(whole[row][step], inverse);
                let factor = [self.name(pool, factor)];
                let above = whole[step].clone();
                for (value, above) in whole[row].iter_mut().zip(above).skip(step + 1) {
                    *value = self.less(pool, *value, &factor, &[above]);
                }
                right[row] = self.less(pool, right[row], &factor, &[right[step]]);
            }
        }
        for row in (0..size).rev() {
            let (known, unknown) = (right[row + 1..].to_vec(), whole[row][row + 1..].to_vec());
            let value = self.less(pool, right[row], &unknown, &known);
            let value = pool.mul(value, inverses[row]);
            right[row] = self.name(pool, value);
        }
        right
    }
}
