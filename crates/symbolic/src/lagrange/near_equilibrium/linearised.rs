//! Motion near an equilibrium: M δq̈ + (C + G) δq̇ + K δq = 0.
//!
//! C + G = −∂f/∂q̇ at rest: its symmetric part C is friction, its antisymmetric part G comes from magnetic
//! and Coriolis forces and does no work. Constraints leave the freedom δq = N u with A N = 0. Their
//! multipliers λ change the stiffness: K = −∂(f + Aᵀλ)/∂q.

use crate::lagrange::equations::Equations;
use crate::lagrange::refusal::Refusal;
use crate::lagrange::simplify::{self, Effort};
use crate::lagrange::system::ConstraintKind;
use crate::{Expr, Matrix, Pool, Rational, Symbol};
use gedanken_math::linalg::DenseMatrix;
use std::collections::HashMap;

/// Matrices of the motion near an equilibrium, as formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linearised {
    /// M
    pub mass: Matrix,
    /// C, symmetric: friction.
    pub damping: Matrix,
    /// G, antisymmetric: magnetic and Coriolis forces.
    pub gyroscopic: Matrix,
    /// K
    pub stiffness: Matrix,
}

/// The same matrices as numbers.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub mass: DenseMatrix,
    /// C + G
    pub rates: DenseMatrix,
    pub stiffness: DenseMatrix,
    /// Directions that the constraints leave free, each a vector of all coordinates.
    pub freedom: Vec<Vec<f64>>,
}

/// Maximum displacement of a point from equilibrium, relative to 1 or its own size.
const EQUILIBRIUM_TOLERANCE: f64 = 1e-6;

impl Equations {
    /// Returns the linearised motion about an equilibrium that is given by formulas, one for each coordinate.
    /// Refused with constraints, whose multipliers have no formula.
    pub fn linearised(&self, pool: &mut Pool, point: &[Expr]) -> Result<Linearised, Refusal> {
        if let Some(it) = self.system.constraints.first() {
            return Err(Refusal::NoRest {
                what: format!("with the constraint {} the stiffness has no formula", it.name),
                way_out: "give values, and it is found by numbers",
            });
        }
        let n = self.mass.rows;
        let pulled = self.forces_at_rest(pool)?;
        let (mass, rates) = self.at_rest(pool)?;
        let positions: Vec<Expr> = self.system.coordinates.iter().map(|it| it.position).collect();
        let slopes: Vec<Expr> = pulled.iter().flat_map(|&it| pool.gradient(it, &positions)).collect();
        let table: HashMap<Expr, Expr> = positions.into_iter().zip(point.iter().copied()).collect();
        let put = |pool: &mut Pool, entry: Expr| {
            let entry = pool.substitute(entry, &table);
            Effort::Readable.simplify(pool, entry)
        };
        let mass = Matrix::from_fn(n, n, |row, column| put(pool, mass[row * n + column]));
        let stiffness = Matrix::from_fn(n, n, |row, column| {
            let entry = pool.neg(slopes[row * n + column]);
            put(pool, entry)
        });
        let half = |pool: &mut Pool, row: usize, column: usize, sign: i64| {
            let there = (rates[row * n + column], Rational::new(1, 2));
            let back = (rates[column * n + row], Rational::new(sign, 2));
            let entry = pool.linear(&[there, back]);
            put(pool, entry)
        };
        let damping = Matrix::from_fn(n, n, |row, column| half(pool, row, column, 1));
        let gyroscopic = Matrix::from_fn(n, n, |row, column| half(pool, row, column, -1));
        Ok(Linearised { mass, damping, gyroscopic, stiffness })
    }

    /// Returns M and C + G at rest, row by row.
    fn at_rest(&self, pool: &mut Pool) -> Result<(Vec<Expr>, Vec<Expr>), Refusal> {
        let system = &self.system;
        let mass: Vec<Expr> = self.mass.entries.iter().map(|&it| system.at_rest(pool, it)).collect();
        let mut rates = Vec::with_capacity(mass.len());
        for &force in &self.right {
            for it in &system.coordinates {
                let slope = pool.derivative(force, it.rate);
                let slope = system.at_rest(pool, slope);
                rates.push(pool.neg(slope));
            }
        }
        self.refuse_change(pool, &mass, "the mass matrix changes")?;
        self.refuse_change(pool, &rates, "forces that depend on the rates change")?;
        Ok((mass, rates))
    }

    /// Refuses entries that depend on time: small motions are then no normal modes.
    fn refuse_change(&self, pool: &mut Pool, entries: &[Expr], what: &str) -> Result<(), Refusal> {
        for &entry in entries {
            if pool.contains(entry, self.system.time) {
                let slope = pool.derivative(entry, self.system.time);
                if !simplify::vanishes(pool, slope) {
                    return Err(Refusal::NoRest {
                        what: format!("{what} with time, even at rest"),
                        way_out: "leave out what depends on t to find normal modes",
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the linearised motion about the equilibrium at which `value` gives parameters and coordinates.
    pub(super) fn linear(&self, pool: &mut Pool, value: &dyn Fn(&str) -> f64) -> Result<Linear, Refusal> {
        let (n, m) = (self.mass.rows, self.rows.rows);
        let positions: Vec<Expr> = self.system.coordinates.iter().map(|it| it.position).collect();
        let pulled = self.forces_at_rest(pool)?;
        let slopes: Vec<Expr> = pulled.iter().flat_map(|&it| pool.gradient(it, &positions)).collect();
        let held = self.rows.entries.clone();
        self.refuse_change(pool, &held, "the constraints change")?;
        let bends: Vec<Expr> = held.iter().flat_map(|&it| pool.gradient(it, &positions)).collect();
        let (mass, rates) = self.at_rest(pool)?;
        let mass = DenseMatrix::new(n, n, numbers(pool, &mass, value)?);
        let rates = DenseMatrix::new(n, n, numbers(pool, &rates, value)?);
        let rows = DenseMatrix::new(m, n, numbers(pool, &held, value)?);
        let force = numbers(pool, &pulled, value)?;
        let slopes = numbers(pool, &slopes, value)?;
        let bends = numbers(pool, &bends, value)?;
        let at = numbers(pool, &positions, value)?;
        self.check_held(pool, &rows, &at, value)?;
        let pushed = multipliers(&rows, &force)?;
        let stiffness = DenseMatrix::from_fn(n, n, |row, column| {
            let held = (0..m).fold(0.0, |sum, it| sum + pushed[it] * bends[(it * n + row) * n + column]);
            -(slopes[row * n + column] + held)
        });
        let freedom = freedom(&rows);
        let left =
            (0..n).map(|place| (0..m).fold(force[place], |sum, row| sum + pushed[row] * rows.at(row, place)));
        self.check_equilibrium(&left.collect::<Vec<f64>>(), &freedom, &stiffness, &at)?;
        Ok(Linear { mass, rates, stiffness, freedom })
    }

    /// Refuses a point at which a constraint does not hold, or moves.
    fn check_held(
        &self,
        pool: &mut Pool,
        rows: &DenseMatrix,
        at: &[f64],
        value: &dyn Fn(&str) -> f64,
    ) -> Result<(), Refusal> {
        let size = at.iter().fold(1.0_f64, |size, it| size.max(it.abs()));
        for (row, constraint) in self.system.constraints.iter().enumerate() {
            let steepest = (0..rows.columns).fold(0.0_f64, |it, column| it.max(rows.at(row, column).abs()));
            let broken = match constraint.kind {
                ConstraintKind::Position => numbers(pool, &[constraint.value], value)?[0],
                ConstraintKind::Velocity => 0.0,
            };
            let speed = self.system.at_rest(pool, self.speeds[row]);
            let speed = numbers(pool, &[speed], value)?[0];
            if broken.abs().max(speed.abs()) > EQUILIBRIUM_TOLERANCE * steepest * size {
                return Err(Refusal::NoRest {
                    what: format!("the constraint {} does not hold at rest at this point", constraint.name),
                    way_out: "find the equilibrium first, from values near it",
                });
            }
        }
        Ok(())
    }

    /// Refuses a point with forces left that would move it noticeably.
    fn check_equilibrium(
        &self,
        left: &[f64],
        freedom: &[Vec<f64>],
        stiffness: &DenseMatrix,
        at: &[f64],
    ) -> Result<(), Refusal> {
        let n = left.len();
        let stiffest = (0..n).fold(0.0_f64, |largest, it| largest.max(stiffness.at(it, it).abs()));
        let size = at.iter().fold(1.0_f64, |size, it| size.max(it.abs()));
        for direction in freedom {
            let along = (0..n).fold(0.0, |sum, place| sum + direction[place] * left[place]);
            if along.abs() > EQUILIBRIUM_TOLERANCE * stiffest * size {
                let worst = (0..n).max_by(|&a, &b| left[a].abs().total_cmp(&left[b].abs())).unwrap_or(0);
                let name = &self.system.coordinates[worst].name;
                return Err(Refusal::NoRest {
                    what: format!("this is no equilibrium: a force of {} is left along {name}", left[worst]),
                    way_out: "find the equilibrium first, from values near it",
                });
            }
        }
        Ok(())
    }
}

impl Linear {
    /// Returns Nᵀ X N.
    pub(super) fn reduced(&self, matrix: &DenseMatrix) -> DenseMatrix {
        let size = self.freedom.len();
        DenseMatrix::from_fn(size, size, |a, b| between(&self.freedom[a], matrix, &self.freedom[b]))
    }
}

fn between(a: &[f64], matrix: &DenseMatrix, b: &[f64]) -> f64 {
    let row = |row: usize| (0..b.len()).fold(0.0, |sum, column| sum + matrix.at(row, column) * b[column]);
    a.iter().enumerate().fold(0.0, |sum, (place, it)| sum + it * row(place))
}

/// Returns the values of these expressions, which must be defined.
fn numbers(pool: &Pool, exprs: &[Expr], value: &dyn Fn(&str) -> f64) -> Result<Vec<f64>, Refusal> {
    let values = pool.evaluate_all(&[], exprs, &|symbol: Symbol| value(pool.name(symbol)));
    match values.iter().all(|it| it.is_finite()) {
        true => Ok(values),
        false => Err(Refusal::NoRest {
            what: "the energies are not defined at this point".to_owned(),
            way_out: "choose another point, or other parameters",
        }),
    }
}

/// Returns the λ that minimises |f + Aᵀλ|: AAᵀ λ = −A f.
fn multipliers(rows: &DenseMatrix, force: &[f64]) -> Result<Vec<f64>, Refusal> {
    let (m, n) = (rows.rows, rows.columns);
    let square =
        DenseMatrix::from_fn(m, m, |a, b| (0..n).fold(0.0, |sum, it| sum + rows.at(a, it) * rows.at(b, it)));
    let right: Vec<f64> =
        (0..m).map(|row| -(0..n).fold(0.0, |sum, it| sum + rows.at(row, it) * force[it])).collect();
    square.solve(&right).ok_or_else(|| Refusal::NoRest {
        what: "the constraints are not independent at this point".to_owned(),
        way_out: "choose a point where each of them holds a direction of its own",
    })
}

fn freedom(rows: &DenseMatrix) -> Vec<Vec<f64>> {
    if rows.rows == 0 {
        let unit = |place: usize| (0..rows.columns).map(|it| f64::from(u8::from(it == place))).collect();
        return (0..rows.columns).map(unit).collect();
    }
    rows.eliminated(rows.columns).null_vectors()
}
