//! A mechanical system, as its author states it.

use crate::{Expr, Pool};

/// A mechanical system.
#[derive(Clone, Debug)]
pub struct System {
    /// The symbol of time, `t`.
    pub time: Expr,
    /// In the order of the author.
    pub coordinates: Vec<Coordinate>,
    /// Its energies.
    pub statement: Statement,
    /// Rayleigh's function R: half the power that is lost, of the rates. 0 if there is none.
    pub dissipation: Expr,
    /// The generalised force along each coordinate, beyond what the energies say. 0 where there is none.
    pub forces: Vec<Expr>,
    /// What must hold.
    pub constraints: Vec<Constraint>,
}

/// A coordinate and what belongs to it, all symbols.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// As written: `theta`.
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

/// The energies of a system.
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

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// As written.
    pub name: String,
    /// What is zero.
    pub value: Expr,
    /// What it speaks of.
    pub hold: Hold,
    /// The symbol of its multiplier, `lambda_name`.
    pub multiplier: Expr,
}

/// What a constraint speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Coordinates and time: a holonomic one.
    Position,
    /// Rates too, in which it is linear: rolling without slipping.
    Velocity,
}

impl Coordinate {
    /// The coordinate of this name, with the symbols that belong to it.
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
