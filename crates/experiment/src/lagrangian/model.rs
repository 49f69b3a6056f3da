//! A mechanical system that is stated by its energies, its equations of motion, and its initial state.

use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_math::{Cancel, Cancelled};
use gedanken_symbolic::lagrange::{Effort, EquationsOfMotion, Statement, System};
use gedanken_symbolic::{Expr, Pool, Symbol};
use std::collections::HashMap;
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
    /// Equations of motion as the rules of differentiation leave them, for computation.
    pub equations: EquationsOfMotion,
    /// Coordinates at the start, all constraints held.
    pub coordinates: Vec<f64>,
    /// Their rates at the start, all constraints held.
    pub rates: Vec<f64>,
    /// Their momenta at the start, of a system that moves by Hamilton's equations; empty for others.
    pub momenta: Vec<f64>,
    /// Parameters of the block and attributes of the world that formulas name: symbols and their values.
    pub parameters: Vec<Parameter>,
    /// The functions without parameters, in the order of the block.
    pub functions: Vec<Formula>,
    /// Stops: formulas that stay positive or zero.
    pub stops: Vec<Formula>,
    /// The part of the speed that comes back from a stop.
    pub restitution: f64,
    /// Positions of objects: vectors of 3, by the name of the object.
    pub positions: Vec<Formula>,
    /// Orientations of objects: Euler angles or quaternions, by the name of the object.
    pub orientations: Vec<Formula>,
    /// Positions of each energy, force and constraint, by its name in messages.
    pub(super) places: Vec<(String, Span)>,
    /// Position of its name in the text.
    pub span: Span,
    /// Readable equations, derived when first asked for.
    pub(super) derived: OnceLock<Derived>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name in formulas; elements of a vector are `v_1`, `v_2`, ….
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
    /// Position in the text.
    pub span: Span,
}

/// Equations of motion in a readable form.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Owns the equations; has all expressions of the block, under the same numbers.
    pub pool: Pool,
    /// The equations, as people write them.
    pub equations: EquationsOfMotion,
    /// T + V, or Σ p q̇ − L where these cannot be told apart, or H.
    pub energy: Expr,
}

impl Lagrangian {
    /// The equations of motion as people write them, with what is conserved. Derived once, when first asked
    /// for.
    pub fn derived(&self) -> &Derived {
        self.derived.get_or_init(|| self.derive(self.pool.clone()))
    }

    /// Derives what [`derived`](Self::derived) gives, unless it has been derived before.
    ///
    /// # Errors
    /// If the token was asked meanwhile. Then nothing is kept: the next call derives anew.
    pub fn derive_until(&self, cancel: &Cancel) -> Result<(), Cancelled> {
        if self.derived.get().is_none() {
            let mut pool = self.pool.clone();
            pool.until(cancel.clone());
            let mut derived = self.derive(pool);
            cancel.check()?;
            derived.pool.until(Cancel::never());
            // Whoever was first has derived the same.
            let _ = self.derived.set(derived);
        }
        Ok(())
    }

    /// Derivations from now on are not ended by the token of the reading that made this.
    pub(crate) fn forget_token(&mut self) {
        self.pool.until(Cancel::never());
        if let Some(derived) = self.derived.get_mut() {
            derived.pool.until(Cancel::never());
        }
    }

    fn derive(&self, mut pool: Pool) -> Derived {
        let is_same = |it: &EquationsOfMotion| it.hamilton().is_some() == self.equations.hamilton().is_some();
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
    }

    /// Values of all symbols at the start, those of rates, of momenta where they are known, and of time
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

    /// Returns `true` if the file states a Hamiltonian.
    pub fn is_hamiltonian(&self) -> bool {
        matches!(self.system.statement, Statement::Hamiltonian(_))
    }

    /// Position of an energy, force or constraint, by its name in messages.
    pub fn place(&self, what: &str) -> Span {
        self.places.iter().find(|(known, _)| known == what).map_or(self.span, |(_, span)| *span)
    }
}
