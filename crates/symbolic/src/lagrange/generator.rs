//! Generators of symmetries: the shift of one coordinate, the rotation of a pair, the shift of time.

use super::system::System;
use crate::{Expr, Matrix, Pool, Rational};

/// Equations of motion in terms of momenta: Lagrange's with rates, Hamilton's without.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    /// p of each coordinate.
    pub momenta: Vec<Expr>,
    /// q̇ of each coordinate.
    pub rates: Vec<Expr>,
    /// ṗ of each coordinate, without the part of constraints.
    pub changes: Vec<Expr>,
    /// Σ p q̇ − L, or H.
    pub energy: Expr,
    /// Rate of the energy, without the part of constraints.
    pub energy_change: Expr,
    /// A
    pub rows: Matrix,
    /// Explicit rate of each constraint.
    pub moving: Vec<Expr>,
}

/// An infinitesimal transformation of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transformation {
    /// Shift of one coordinate.
    Shift(usize),
    /// Rotation of a pair of coordinates about an axis: δfirst = −second, δsecond = first.
    Rotation { axis: usize, first: usize, second: usize },
    /// Shift of time.
    Time,
}

/// A transformation with its current (Noether): J = Σ p δq, for time −h.
#[derive(Clone, Debug)]
pub(super) struct Generator {
    pub part: Transformation,
    /// J
    pub current: Expr,
    /// J̇, without the part of constraints.
    pub change: Expr,
    /// A δq for each constraint, for time ∂φ/∂t: the coefficient of its multiplier in J̇.
    pub against: Vec<Expr>,
}

/// Names of the axes.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Returns all generators, shifts before rotations before time.
pub(super) fn all(pool: &mut Pool, system: &System, motion: &Motion) -> Vec<Generator> {
    let count = system.coordinates.len();
    let mut list: Vec<Generator> = (0..count)
        .map(|place| Generator {
            part: Transformation::Shift(place),
            current: motion.momenta[place],
            change: motion.changes[place],
            against: (0..motion.rows.rows).map(|row| motion.rows[(row, place)]).collect(),
        })
        .collect();
    for (axis, first, second) in pairs(system) {
        list.push(turn(pool, system, motion, axis, first, second));
    }
    let minus = Rational::from(-1);
    list.push(Generator {
        part: Transformation::Time,
        current: pool.scale(&minus, motion.energy),
        change: pool.scale(&minus, motion.energy_change),
        against: motion.moving.clone(),
    });
    list
}

/// Returns the pairs of coordinates named x, y and z with the same suffix, with the axis of their rotation.
fn pairs(system: &System) -> Vec<(usize, usize, usize)> {
    let find = |axis: usize, suffix: &str| {
        let name = format!("{}{suffix}", AXES[axis]);
        system.coordinates.iter().position(|it| it.name == name)
    };
    let mut pairs = Vec::new();
    for axis in [2, 0, 1] {
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        for (place, it) in system.coordinates.iter().enumerate() {
            if let Some(suffix) = it.name.strip_prefix(AXES[first])
                && let Some(other) = find(second, suffix)
            {
                pairs.push((axis, place, other));
            }
        }
    }
    pairs
}

/// Returns the generator of δx = −y, δy = x: J = x p_y − y p_x.
fn turn(
    pool: &mut Pool,
    system: &System,
    motion: &Motion,
    axis: usize,
    first: usize,
    second: usize,
) -> Generator {
    let [x, y] = [first, second].map(|it| system.coordinates[it].position);
    let [px, py] = [first, second].map(|it| motion.momenta[it]);
    let [vx, vy] = [first, second].map(|it| motion.rates[it]);
    let [fx, fy] = [first, second].map(|it| motion.changes[it]);
    let current = cross(pool, [x, y], [px, py]);
    let pulled = cross(pool, [x, y], [fx, fy]);
    let carried = cross(pool, [vx, vy], [px, py]);
    let against = (0..motion.rows.rows)
        .map(|row| cross(pool, [x, y], [motion.rows[(row, first)], motion.rows[(row, second)]]))
        .collect();
    Generator {
        part: Transformation::Rotation { axis, first, second },
        current,
        change: pool.add(pulled, carried),
        against,
    }
}

fn cross(pool: &mut Pool, a: [Expr; 2], b: [Expr; 2]) -> Expr {
    let (one, two) = (pool.mul(a[0], b[1]), pool.mul(a[1], b[0]));
    pool.sub(one, two)
}
