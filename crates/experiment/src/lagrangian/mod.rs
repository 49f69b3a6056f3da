//! `lagrangian NAME { … }`: a mechanical system stated by its energies.
//!
//! ```text
//! block ──written──► lists, each name with one meaning ──values──► numbers at the start
//!                      └──reader──► symbolic expressions ──stated──► System ──start──► a state in which everything holds
//! ```
//!
//! Every name of a formula is a symbol: coordinates, their rates, the time, parameters, and attributes of the
//! world. `f_dot` is the rate of any function without parameters, found by differentiating it along the
//! motion. Numbers come last, so that what is derived can be read with the names of its author.

mod fields;
mod formulas;
pub mod given;
pub mod method;
mod momenta;
mod names;
mod order;
mod reader;
mod simulation;
mod start;
mod system;
mod values;

use super::object::Object;
use super::object::attribute::Attribute;
use super::read::evaluate::Base;
use super::read::fields::{BlockForm, Fields};
use super::read::overrides::Settings;
use fields::Written;
pub(super) use fields::{placed, settable};
use gedanken_lang::check::Library;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Name};
use gedanken_lang::types::Type;
use gedanken_symbolic::lagrange::{Effort, EquationsOfMotion, Statement, System};
use gedanken_symbolic::{Expr, Pool, Symbol};
pub(super) use simulation::{check, integrator, named, steps_evenly};
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// A mechanical system that is stated by its energies, and where it starts.
#[derive(Clone, Debug)]
pub struct Lagrangian {
    /// Its name; no two have the same.
    pub name: String,
    /// Owns all formulas below.
    pub pool: Pool,
    /// Energies, forces and constraints.
    pub system: System,
    /// What follows from them, as the rules of differentiation leave it: to be computed with.
    pub equations: EquationsOfMotion,
    /// What the coordinates are at the start, all constraints held.
    pub coordinates: Vec<f64>,
    /// Their rates at the start, all constraints held.
    pub rates: Vec<f64>,
    /// Their momenta at the start, of a system that moves by Hamilton's equations; empty for others.
    pub momenta: Vec<f64>,
    /// Parameters of the block and attributes of the world that formulas name: symbols and their values.
    pub parameters: Vec<Parameter>,
    /// The functions without parameters, in the order of the block.
    pub functions: Vec<Formula>,
    /// What stays positive or zero.
    pub stops: Vec<Formula>,
    /// The part of the speed that comes back from a stop.
    pub restitution: f64,
    /// Where objects are: vectors of 3, by the name of the object.
    pub positions: Vec<Formula>,
    /// How objects are turned: Euler angles or quaternions, by the name of the object.
    pub orientations: Vec<Formula>,
    /// Where each energy, force and constraint is written, by what messages call it.
    places: Vec<(String, Span)>,
    /// Where its name is written.
    pub span: Span,
    derived: OnceLock<Derived>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As formulas call it; elements of a vector are `v_1`, `v_2`, ….
    pub name: String,
    /// In the pool.
    pub symbol: Expr,
    /// Its value.
    pub value: f64,
}

/// A formula with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Of a function, a stop, or an object.
    pub name: String,
    /// A real, vector or matrix.
    pub ty: Type,
    /// Its scalars, row by row.
    pub scalars: Vec<Expr>,
    /// Where it is written.
    pub span: Span,
}

/// What follows from a Lagrangian, to be read.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Owns the equations; has all expressions of the block, under the same numbers.
    pub pool: Pool,
    /// The equations, as people write them.
    pub equations: EquationsOfMotion,
    /// T + V, or Σ p q̇ − L where these cannot be told apart, or H.
    pub energy: Expr,
}

pub(super) const FORM: BlockForm = BlockForm {
    what: "a Lagrangian",
    keys: &[
        ("coordinates", "initial values in braces: `{ theta = 2 }`"),
        ("rates", "initial rates in braces: `{ theta_dot = 0.5 }`"),
        ("momenta", "initial momenta in braces: `{ p_theta = 0.5 }`"),
        ("parameters", "values in braces: `{ m = 1  l = 2 }`"),
        ("functions", "definitions in braces: `{ x = l * sine(theta) }`"),
        ("T", "the kinetic energy, a real"),
        ("V", "the potential energy, a real"),
        ("L", "the Lagrangian, a real"),
        ("H", "the Hamiltonian, a real"),
        ("dissipation", "half the power that is lost, a real"),
        ("forces", "forces along coordinates in braces: `{ theta = -c * theta_dot }`"),
        ("constraints", "what is zero, in braces: `{ rod = x^2 + y^2 - l^2 }`"),
        (
            "velocity_constraints",
            "what is zero and linear in rates, in braces: `{ rolling = x_dot - r * phi_dot }`",
        ),
        ("stops", "what is never negative, in braces: `{ floor = y - radius }`"),
        ("restitution", "a real from 0 to 1"),
        ("positions", "where objects are, in braces: `{ bob = [x, 0, z] }`"),
        ("orientations", "how objects are turned, in braces: `{ rod = [0, theta, 0] }`"),
    ],
};

/// What a block may name.
pub(super) struct Around<'a> {
    pub(super) world: &'a [Attribute],
    pub(super) library: &'a Library,
    pub(super) base: Base<'a>,
    /// Objects without a mistake.
    pub(super) objects: &'a [Object],
    /// All objects that were written.
    pub(super) object_names: &'a BTreeSet<&'a str>,
}

/// Reads a block. `None` if something is wrong that has been reported.
pub(super) fn read(
    block: &Block,
    around: &Around<'_>,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Lagrangian>) {
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("pendulum", diagnostics);
    let written = Written::read(&fields, diagnostics);
    names::check(&written, around, diagnostics);
    let values = values::Values::read(&name.text, &written, around, settings, diagnostics);
    let Some(values) = values else { return (name, None) };
    if diagnostics[before..].iter().any(Diagnostic::is_error) {
        return (name, None);
    }
    let lagrangian = system::stated(&name, &written, &values, around, diagnostics)
        .and_then(|stated| start::settle(stated, &written, &values, diagnostics));
    (name, lagrangian)
}

impl Lagrangian {
    /// The equations of motion as people write them, with what is conserved. Derived once, when first asked
    /// for.
    pub fn derived(&self) -> &Derived {
        self.derived.get_or_init(|| {
            let mut pool = self.pool.clone();
            let is_same =
                |it: &EquationsOfMotion| it.hamilton().is_some() == self.equations.hamilton().is_some();
            // The start has been found for the form that the plain equations have.
            let readable = self.system.equations_of_motion(&mut pool, Effort::Readable).ok().filter(is_same);
            let equations = readable.unwrap_or_else(|| self.equations.clone());
            let energy = match &equations {
                EquationsOfMotion::Lagrange(it) => match (it.kinetic, it.potential) {
                    (Some(kinetic), Some(potential)) => pool.add(kinetic, potential),
                    _ => it.energy,
                },
                EquationsOfMotion::Hamilton(it) => it.hamiltonian,
            };
            Derived { pool, equations, energy }
        })
    }

    /// What every symbol is at the start, those of rates, of momenta where they are known, and of time
    /// included.
    pub fn values(&self, time: f64) -> HashMap<Symbol, f64> {
        let of = |symbol: Expr, value: f64| Some((self.pool.as_symbol(symbol)?, value));
        let parameters = self.parameters.iter().filter_map(|it| of(it.symbol, it.value));
        let starts = self.system.coordinates.iter().zip(self.coordinates.iter().zip(&self.rates));
        let moving = starts.flat_map(|(coordinate, (&position, &rate))| {
            [of(coordinate.position, position), of(coordinate.rate, rate)].into_iter().flatten()
        });
        let momenta = self.system.coordinates.iter().zip(&self.momenta);
        let momenta = momenta.filter_map(|(coordinate, &momentum)| of(coordinate.momentum, momentum));
        parameters.chain(moving).chain(momenta).chain(of(self.system.time, time)).collect()
    }

    /// Whether the author gave a Hamiltonian.
    pub fn is_hamiltonian(&self) -> bool {
        matches!(self.system.statement, Statement::Hamiltonian(_))
    }

    /// Where something that messages name is written: an energy, a force, a constraint.
    pub fn place(&self, what: &str) -> Span {
        self.places.iter().find(|(known, _)| known == what).map_or(self.span, |(_, span)| *span)
    }
}
