//! Small oscillations about an equilibrium: M δq̈ + K δq = 0.
//!
//! With Cholesky's M = GGᵀ, K v = ω² M v becomes an ordinary symmetric problem for y = Gᵀv, solved by Jacobi's rotations: slow for
//! thousands of coordinates, and for tens accurate to rounding, in an order that depends on nothing but the numbers (@golub2013).
//!
//! Constraints leave the freedom δq = N u with A N = 0; what they push, λ, changes the stiffness: K = −∂(f + Aᵀλ)/∂q.

use super::dense::Dense;
use super::eigen::{backward, cholesky, diagonalised, forward};
use super::equations::Equations;
use super::refusal::Refusal;
use crate::symbolic::{Expr, Pool, Symbol};

/// Small oscillations about an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// M at the equilibrium, row by row.
    pub mass: Vec<Vec<f64>>,
    /// K at the equilibrium, row by row.
    pub stiffness: Vec<Vec<f64>>,
    /// By growing ω², as many as there are freedoms.
    pub list: Vec<Mode>,
    /// Whether forces that depend on the rates have been left out: friction, or magnetic and Coriolis forces.
    pub rates_left_out: bool,
}

/// A normal mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω², in radians per unit of time, squared. Below zero if the equilibrium is unstable in this direction.
    pub square: f64,
    /// What becomes of a small displacement.
    pub fate: Fate,
    /// How the coordinates take part, the largest being 1.
    pub shape: Vec<f64>,
}

/// What becomes of a small displacement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// It oscillates with ω, in radians per unit of time.
    Oscillates(f64),
    /// It stays, or drifts at a constant rate.
    Drifts,
    /// It grows as exp(rate · t).
    Grows(f64),
}

/// ω² below this, against the largest, is rounding.
const ROUNDING: f64 = 1e-12;

/// How far a point may be from equilibrium, as a displacement against 1 or its own size.
const FARTHEST: f64 = 1e-6;

impl Equations {
    /// The normal modes about an equilibrium. `value` gives parameters, and the coordinates at the equilibrium.
    pub fn modes(&self, pool: &mut Pool, value: &dyn Fn(&str) -> f64) -> Result<Modes, Refusal> {
        let (n, m) = (self.mass.rows, self.rows.rows);
        let positions: Vec<Expr> = self.system.coordinates.iter().map(|it| it.position).collect();
        let pulled = self.forces_at_rest(pool)?;
        let slopes: Vec<Expr> = pulled.iter().flat_map(|&it| pool.gradient(it, &positions)).collect();
        let held: Vec<Expr> = self.rows.entries.clone();
        let bends: Vec<Expr> = held.iter().flat_map(|&it| pool.gradient(it, &positions)).collect();
        let mass: Vec<Expr> = self.mass.entries.iter().map(|&it| self.system.at_rest(pool, it)).collect();
        let mass = Dense::new(n, n, numbers(pool, &mass, value)?);
        let rows = Dense::new(m, n, numbers(pool, &held, value)?);
        let force = numbers(pool, &pulled, value)?;
        let slopes = numbers(pool, &slopes, value)?;
        let bends = numbers(pool, &bends, value)?;
        let pushed = multipliers(&rows, &force)?;
        let stiffness = Dense::from_fn(n, n, |row, column| {
            let held = (0..m).fold(0.0, |sum, it| sum + pushed[it] * bends[(it * n + row) * n + column]);
            -(slopes[row * n + column] + held)
        });
        let freedom = freedom(&rows);
        let at: Vec<f64> = numbers(pool, &positions, value)?;
        check_equilibrium(self, &freedom, &rows, &stiffness, &force, &pushed, &at)?;
        check_symmetric(self, &stiffness, &freedom)?;
        let list = modes(&freedom, &mass, &stiffness).ok_or_else(|| Refusal::NoRest {
            what: "the mass matrix is not positive at this point".to_owned(),
            way_out: "choose another point, or coordinates that are regular there",
        })?;
        let lists =
            |dense: &Dense| (0..n).map(|row| (0..n).map(|column| dense.at(row, column)).collect()).collect();
        let rates_left_out = self.speaks_of_rates(pool, value)?;
        Ok(Modes { mass: lists(&mass), stiffness: lists(&stiffness), list, rates_left_out })
    }

    /// Whether ∂f/∂q̇ differs from 0 at rest.
    fn speaks_of_rates(&self, pool: &mut Pool, value: &dyn Fn(&str) -> f64) -> Result<bool, Refusal> {
        let mut slopes = Vec::new();
        for &force in &self.right {
            for it in &self.system.coordinates {
                let slope = pool.derivative(force, it.rate);
                slopes.push(self.system.at_rest(pool, slope));
            }
        }
        Ok(numbers(pool, &slopes, value)?.iter().any(|it| *it != 0.0))
    }
}

/// The values of these expressions, which must be defined.
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

/// λ with f + Aᵀλ as small as can be: AAᵀ λ = −A f.
fn multipliers(rows: &Dense, force: &[f64]) -> Result<Vec<f64>, Refusal> {
    let (m, n) = (rows.rows, rows.columns);
    let square =
        Dense::from_fn(m, m, |a, b| (0..n).fold(0.0, |sum, it| sum + rows.at(a, it) * rows.at(b, it)));
    let right: Vec<f64> =
        (0..m).map(|row| -(0..n).fold(0.0, |sum, it| sum + rows.at(row, it) * force[it])).collect();
    square.solve(&right).ok_or_else(|| Refusal::NoRest {
        what: "the constraints are not independent at this point".to_owned(),
        way_out: "choose a point where each of them holds a direction of its own",
    })
}

/// Directions that the constraints leave, each a vector of all coordinates.
fn freedom(rows: &Dense) -> Vec<Vec<f64>> {
    if rows.rows == 0 {
        let unit = |place: usize| (0..rows.columns).map(|it| f64::from(u8::from(it == place))).collect();
        return (0..rows.columns).map(unit).collect();
    }
    rows.eliminated(rows.columns).null_vectors()
}

fn between(a: &[f64], matrix: &Dense, b: &[f64]) -> f64 {
    let row = |row: usize| (0..b.len()).fold(0.0, |sum, column| sum + matrix.at(row, column) * b[column]);
    a.iter().enumerate().fold(0.0, |sum, (place, it)| sum + it * row(place))
}

/// Refuses a point at which forces are left that would move it noticeably.
fn check_equilibrium(
    equations: &Equations,
    freedom: &[Vec<f64>],
    rows: &Dense,
    stiffness: &Dense,
    force: &[f64],
    pushed: &[f64],
    at: &[f64],
) -> Result<(), Refusal> {
    let left =
        |place: usize| (0..rows.rows).fold(force[place], |sum, row| sum + pushed[row] * rows.at(row, place));
    let n = force.len();
    let stiffest = (0..n).fold(0.0_f64, |largest, it| largest.max(stiffness.at(it, it).abs()));
    let size = at.iter().fold(1.0_f64, |size, it| size.max(it.abs()));
    for direction in freedom {
        let along = (0..n).fold(0.0, |sum, place| sum + direction[place] * left(place));
        if along.abs() > FARTHEST * stiffest * size {
            let worst = (0..n).max_by(|&a, &b| left(a).abs().total_cmp(&left(b).abs())).unwrap_or(0);
            let name = &equations.system.coordinates[worst].name;
            return Err(Refusal::NoRest {
                what: format!("this is no equilibrium: a force of {} is left along {name}", left(worst)),
                way_out: "find the equilibrium first, from values near it",
            });
        }
    }
    Ok(())
}

/// Refuses forces that have no potential.
fn check_symmetric(equations: &Equations, stiffness: &Dense, freedom: &[Vec<f64>]) -> Result<(), Refusal> {
    let largest = (0..stiffness.rows * stiffness.columns).fold(0.0_f64, |it, place| {
        it.max(stiffness.at(place / stiffness.columns, place % stiffness.columns).abs())
    });
    for (a, one) in freedom.iter().enumerate() {
        for (b, two) in freedom[..a].iter().enumerate() {
            let (x, y) = (between(one, stiffness, two), between(two, stiffness, one));
            if (x - y).abs() > 1e-9 * largest {
                let name =
                    |place: usize| equations.system.coordinates.get(place).map_or("", |it| it.name.as_str());
                return Err(Refusal::NoRest {
                    what: format!(
                        "the forces along {} and {} have no potential, so there are no normal modes",
                        name(b),
                        name(a)
                    ),
                    way_out: "leave out forces that turn with the motion",
                });
            }
        }
    }
    Ok(())
}

/// Eigenvalues and shapes; `None` if the mass matrix is not positive.
fn modes(freedom: &[Vec<f64>], mass: &Dense, stiffness: &Dense) -> Option<Vec<Mode>> {
    let size = freedom.len();
    let reduced =
        |matrix: &Dense| Dense::from_fn(size, size, |a, b| between(&freedom[a], matrix, &freedom[b]));
    let factor = cholesky(&reduced(mass))?;
    let stiffness = reduced(stiffness);
    // G⁻¹ K G⁻ᵀ, column by column and then row by row.
    let columns: Vec<Vec<f64>> = (0..size)
        .map(|column| forward(&factor, &(0..size).map(|row| stiffness.at(row, column)).collect::<Vec<f64>>()))
        .collect();
    let rows: Vec<Vec<f64>> = (0..size)
        .map(|row| forward(&factor, &columns.iter().map(|it| it[row]).collect::<Vec<f64>>()))
        .collect();
    let symmetric = Dense::from_fn(size, size, |row, column| 0.5 * (rows[row][column] + rows[column][row]));
    let (squares, vectors) = diagonalised(symmetric);
    let largest = squares.iter().fold(0.0_f64, |largest, it| largest.max(it.abs()));
    let mut list: Vec<Mode> = (squares.iter().zip(&vectors))
        .map(|(&square, vector)| {
            let square = if square.abs() <= ROUNDING * largest { 0.0 } else { square };
            let along = backward(&factor, vector);
            let mut shape = vec![0.0; mass.rows];
            for (scale, direction) in along.iter().zip(freedom) {
                shape.iter_mut().zip(direction).for_each(|(it, part)| *it += scale * part);
            }
            let top = shape
                .iter()
                .fold(0.0_f64, |top, &it| if it.abs() > top.abs() * (1.0 + 1e-9) { it } else { top });
            shape.iter_mut().for_each(|it| *it /= top);
            let fate = match square {
                it if it > 0.0 => Fate::Oscillates(it.sqrt()),
                it if it < 0.0 => Fate::Grows((-it).sqrt()),
                _ => Fate::Drifts,
            };
            Mode { square, fate, shape }
        })
        .collect();
    list.sort_by(|a, b| a.square.total_cmp(&b.square));
    Some(list)
}
