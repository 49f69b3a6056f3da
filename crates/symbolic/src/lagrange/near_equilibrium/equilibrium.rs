//! Equilibria: points at which the forces at rest are zero.
//!
//! As formulas, as far as each equation splits into factors that can be solved for one coordinate after the
//! other; and as numbers, by Newton's method from values near the equilibrium.

use super::root;
use crate::lagrange::equations::Equations;
use crate::lagrange::refusal::Refusal;
use crate::lagrange::simplify::{self, Effort};
use crate::lagrange::system::ConstraintKind;
use crate::{Expr, Pool};
use gedanken_math::linalg::DenseMatrix;
use std::collections::HashMap;

/// Equilibria that were found as formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibria {
    /// Coordinates of each equilibrium, as formulas of the parameters. Angles are given once, without whole
    /// turns. A coordinate that may have any value is its own symbol.
    pub points: Vec<Vec<Expr>>,
    /// `true` if these are all of them.
    pub complete: bool,
}

/// Maximum number of equilibria that are looked for.
const MAX_EQUILIBRIA: usize = 64;

/// Maximum number of Newton's steps, halved ones included.
const MAX_NEWTON_STEPS: usize = 200;

impl Equations {
    /// Returns the forces at rest, f(q, q̇ = 0). Refused if they depend on time.
    pub fn forces_at_rest(&self, pool: &mut Pool) -> Result<Vec<Expr>, Refusal> {
        let mut forces = Vec::with_capacity(self.right.len());
        for (&force, it) in self.right.iter().zip(&self.system.coordinates) {
            let force = self.system.at_rest(pool, force);
            if pool.contains(force, self.system.time) {
                let slope = pool.derivative(force, self.system.time);
                if !simplify::vanishes(pool, slope) {
                    return Err(Refusal::NoRest {
                        what: format!("the force along {} changes with time, even at rest", it.name),
                        way_out: "leave out what depends on t to find where the system can rest",
                    });
                }
            }
            forces.push(force);
        }
        Ok(forces)
    }

    /// Returns equilibria as formulas of the parameters. For a system with constraints none are found: see
    /// [`equilibrium_near`](Self::equilibrium_near).
    pub fn equilibria(&self, pool: &mut Pool) -> Result<Equilibria, Refusal> {
        let forces = self.forces_at_rest(pool)?;
        if !self.system.constraints.is_empty() {
            return Ok(Equilibria { points: Vec::new(), complete: false });
        }
        let forces: Vec<Expr> = forces.iter().map(|&it| Effort::Readable.simplify(pool, it)).collect();
        let positions: Vec<Expr> = self.system.coordinates.iter().map(|it| it.position).collect();
        let mut search = Search { positions, found: Vec::new(), complete: true };
        let start = search.positions.clone();
        search.branch(pool, forces, start);
        Ok(Equilibria { points: search.found, complete: search.complete })
    }

    /// Returns the equilibrium near the given values of the coordinates, by Newton's method with steps halved
    /// until the forces fall. `value` gives the parameters. With holonomic constraints, multipliers are
    /// unknowns too and the constraints hold.
    pub fn equilibrium_near(
        &self,
        pool: &mut Pool,
        value: &dyn Fn(&str) -> f64,
        start: &[f64],
    ) -> Result<Vec<f64>, Refusal> {
        let system = &self.system;
        let mut zero = self.forces_at_rest(pool)?;
        if let Some(it) = system.constraints.iter().find(|it| it.kind == ConstraintKind::Velocity) {
            return Err(Refusal::NoRest {
                what: format!("the velocity constraint {} holds wherever the system rests", it.name),
                way_out: "leave it out to find where the system can rest",
            });
        }
        let mut unknown: Vec<Expr> = system.coordinates.iter().map(|it| it.position).collect();
        for (row, constraint) in system.constraints.iter().enumerate() {
            for (place, force) in zero.iter_mut().enumerate().take(system.coordinates.len()) {
                let push = pool.mul(self.rows[(row, place)], constraint.multiplier);
                *force = pool.add(*force, push);
            }
            unknown.push(constraint.multiplier);
        }
        zero.extend(system.constraints.iter().map(|it| it.value));
        let slopes: Vec<Expr> = zero.iter().flat_map(|&it| pool.gradient(it, &unknown)).collect();
        let mut point = start.to_vec();
        point.resize(unknown.len(), 0.0);
        let names: Vec<String> = unknown.iter().map(|&it| pool.text(it)).collect();
        let at = |exprs: &[Expr], point: &[f64]| {
            pool.evaluate_all(&[], exprs, &|symbol| {
                let name = pool.name(symbol);
                names.iter().position(|it| it == name).map_or_else(|| value(name), |place| point[place])
            })
        };
        newton(&mut point, &|point| at(&zero, point), &|point| at(&slopes, point)).ok_or_else(|| {
            Refusal::NoRest {
                what: "no equilibrium was found near these values".to_owned(),
                way_out: "begin nearer to it, or at a point where the forces are smooth",
            }
        })?;
        point.truncate(system.coordinates.len());
        Ok(point)
    }
}

/// Newton's method with halved steps; `None` if it does not converge.
fn newton(
    point: &mut Vec<f64>,
    zero: &dyn Fn(&[f64]) -> Vec<f64>,
    slopes: &dyn Fn(&[f64]) -> Vec<f64>,
) -> Option<()> {
    let n = point.len();
    let size = |values: &[f64]| {
        values.iter().fold(0.0_f64, |size, it| if it.is_nan() { f64::INFINITY } else { size.max(it.abs()) })
    };
    let mut left = zero(point);
    let mut steps = 0;
    while steps < MAX_NEWTON_STEPS {
        if !size(&left).is_finite() {
            return None;
        }
        let jacobian = DenseMatrix::new(n, n, slopes(point));
        let step = jacobian.least_squares(&left)?;
        // Where rounding is reached, a step changes nothing any more.
        let reach = point.iter().fold(1.0_f64, |it, x| it.max(x.abs()));
        let mut scale = 1.0;
        loop {
            steps += 1;
            let next: Vec<f64> = point.iter().zip(&step).map(|(x, d)| x - scale * d).collect();
            let new = zero(&next);
            if size(&new) < size(&left) {
                (*point, left) = (next, new);
                break;
            }
            if size(&step) * scale <= 1e-13 * reach {
                // A force is left that no step makes smaller: rounding, or no equilibrium.
                let largest =
                    (0..n * n).fold(0.0_f64, |it, place| it.max(jacobian.at(place / n, place % n).abs()));
                return (size(&left) <= 1e-9 * largest.max(f64::MIN_POSITIVE) * reach).then_some(());
            }
            scale *= 0.5;
            if steps >= MAX_NEWTON_STEPS {
                return None;
            }
        }
        if size(&left) == 0.0 {
            return Some(());
        }
    }
    None
}

/// A search for equilibria, one coordinate after the other.
struct Search {
    positions: Vec<Expr>,
    found: Vec<Vec<Expr>>,
    complete: bool,
}

impl Search {
    /// Solves the remaining equations; `values` are the coordinates as far as they are known.
    fn branch(&mut self, pool: &mut Pool, forces: Vec<Expr>, values: Vec<Expr>) {
        if self.found.len() >= MAX_EQUILIBRIA {
            self.complete = false;
            return;
        }
        let open: Vec<Expr> = forces.into_iter().filter(|&it| !simplify::vanishes(pool, it)).collect();
        if open.is_empty() {
            if !self.found.contains(&values) {
                self.found.push(values);
            }
            return;
        }
        // The equation with the fewest unknowns first.
        let unknowns = |pool: &Pool, expr: Expr| -> Vec<Expr> {
            self.positions.iter().copied().filter(|&it| pool.contains(expr, it)).collect()
        };
        let Some(&next) = open.iter().min_by_key(|&&it| unknowns(pool, it).len()) else { return };
        let names = unknowns(pool, next);
        // Something that is not zero, whatever the coordinates are: nothing can rest here.
        if names.is_empty() {
            return;
        }
        for factor in simplify::factors(pool, next) {
            let inside: Vec<Expr> = names.iter().copied().filter(|&it| pool.contains(factor, it)).collect();
            if inside.is_empty() {
                continue;
            }
            let mut solved = None;
            for unknown in inside {
                if let Some(roots) = root::of(pool, factor, unknown, &self.positions) {
                    solved = Some((unknown, roots));
                    break;
                }
            }
            let Some((unknown, roots)) = solved else {
                self.complete = false;
                continue;
            };
            for root in roots {
                let table = HashMap::from([(unknown, root)]);
                let put = |pool: &mut Pool, list: &[Expr]| -> Vec<Expr> {
                    list.iter()
                        .map(|&it| {
                            let it = pool.substitute(it, &table);
                            Effort::Readable.simplify(pool, it)
                        })
                        .collect()
                };
                let (forces, values) = (put(pool, &open), put(pool, &values));
                self.branch(pool, forces, values);
            }
        }
    }
}
