//! A mechanical system, as its author states it.

use crate::{Expr, Pool};

/// A mechanical system.
#[derive(Clone, Debug)]
pub struct System {
    /// The symbol of time, `t`.
    pub time: Expr,
    /// Coordinates, in the order of the author.
    pub coordinates: Vec<Coordinate>,
    /// Energies.
    pub statement: Statement,
    /// Rayleigh's function R of the rates: half the dissipated power. 0 if there is none.
    pub dissipation: Expr,
    /// Generalised force along each coordinate, beside those of the energies. 0 where there is none.
    pub forces: Vec<Expr>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
}

/// A coordinate and its symbols.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Name as written: `theta`.
    pub name: String,
    /// `theta`
    pub position: Expr,
    /// `theta_dot`
    pub rate: Expr,
    /// `theta_dot_dot`
    pub acceleration: Expr,
    /// `p_theta`
    pub momentum: Expr,
}

/// Energies of a system.
#[derive(Clone, Copy, Debug)]
pub enum Statement {
    /// L, of coordinates, rates and time.
    Lagrangian(Expr),
    /// T and V; L = T − V.
    Energies {
        /// T, of coordinates, rates and time.
        kinetic: Expr,
        /// V, of coordinates and time.
        potential: Expr,
    },
    /// H, of coordinates, momenta and time.
    Hamiltonian(Expr),
}

/// A constraint.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Name as written.
    pub name: String,
    /// Expression that is zero.
    pub value: Expr,
    /// Quantities that it restricts.
    pub kind: ConstraintKind,
    /// Symbol of its multiplier, `lambda_name`.
    pub multiplier: Expr,
}

/// Quantities that a constraint restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Coordinates and time: a holonomic constraint.
    Position,
    /// Rates as well, in which it is linear: rolling without slipping.
    Velocity,
}

impl Coordinate {
    /// Coordinate of this name, with its symbols.
    pub fn named(pool: &mut Pool, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            position: pool.symbol(name),
            rate: pool.symbol(&format!("{name}_dot")),
            acceleration: pool.symbol(&format!("{name}_dot_dot")),
            momentum: pool.symbol(&format!("p_{name}")),
        }
    }
}
