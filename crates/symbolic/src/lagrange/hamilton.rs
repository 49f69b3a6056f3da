//! Hamilton's equations: q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q − ∂R/∂q̇ + Aᵀλ.
//!
//! From L by Legendre's transform, H = Σ p q̇ − L, where the momenta p = ∂L/∂q̇ are linear in the rates: with
//! M q̇ + w = p and −U the value of L at rest, H = ½ (p − w)ᵀ M⁻¹ (p − w) + U. And from H back to L, where H
//! is quadratic in the momenta, by the same.

use super::conserved::{self, Conserved};
use super::equations::Equations;
use super::refusal::Refusal;
use super::simplify::{self, Effort};
use super::straight_line::StraightLine;
use super::system::{Statement, System};
use crate::matrix::dot;
use crate::{Derivation, Expr, Matrix, Pool, Rational};
use std::collections::HashMap;

/// Maximum number of coupled coordinates whose Hamiltonian is written out.
const MAX_COUPLED_WRITTEN_OUT: usize = 3;

/// Hamilton's equations.
#[derive(Clone, Debug)]
pub struct Hamilton {
    /// H, of coordinates, momenta and time.
    pub hamiltonian: Expr,
    /// q̇ for each coordinate, of coordinates, momenta and time.
    pub rates: Vec<Expr>,
    /// ṗ for each coordinate, of coordinates, momenta and time, and of multipliers if there are constraints.
    pub forces: Vec<Expr>,
    /// Conserved quantities. Empty for [`Effort::Plain`].
    pub conserved: Vec<Conserved>,
}

impl Hamilton {
    /// Returns straight-line code from coordinates, momenta, time and parameters to q̇ and then ṗ.
    pub fn straight_line(&self) -> StraightLine {
        StraightLine { lets: Vec::new(), results: self.rates.iter().chain(&self.forces).copied().collect() }
    }
}

impl System {
    /// Derives Hamilton's equations. If the system is stated by H, they are read from it, whatever its form;
    /// else H is found from L.
    pub fn hamilton(&self, pool: &mut Pool, effort: Effort) -> Result<Hamilton, Refusal> {
        let Statement::Hamiltonian(hamiltonian) = self.statement else {
            return self.equations(pool, effort)?.hamilton(pool, effort);
        };
        self.check(pool)?;
        if let Some(constraint) = self.constraints.first() {
            return Err(Refusal::ConstraintWithH { name: constraint.name.clone() });
        }
        let hamiltonian = effort.simplify(pool, hamiltonian);
        let rates = (self.coordinates.iter())
            .map(|it| {
                let rate = pool.derivative(hamiltonian, it.momentum);
                effort.simplify(pool, rate)
            })
            .collect();
        Ok(self.canonical(pool, effort, hamiltonian, rates, None))
    }

    /// Returns the equations of H, given q̇.
    fn canonical(
        &self,
        pool: &mut Pool,
        effort: Effort,
        hamiltonian: Expr,
        rates: Vec<Expr>,
        held: Option<&Matrix>,
    ) -> Hamilton {
        let mut in_momenta: HashMap<Expr, Expr> =
            self.coordinates.iter().zip(&rates).map(|(it, &rate)| (it.rate, rate)).collect();
        let minus = Rational::from(-1);
        let mut forces = Vec::with_capacity(rates.len());
        for (place, it) in self.coordinates.iter().enumerate() {
            let slope = pool.derivative(hamiltonian, it.position);
            let lost = pool.derivative(self.dissipation, it.rate);
            let lost = pool.replaced(lost, &mut in_momenta);
            let push = pool.replaced(self.forces[place], &mut in_momenta);
            let mut terms = vec![(slope, minus.clone()), (lost, minus.clone()), (push, Rational::one())];
            for (row, constraint) in self.constraints.iter().enumerate() {
                if let Some(rows) = held {
                    let held = pool.mul(rows[(row, place)], constraint.multiplier);
                    terms.push((held, Rational::one()));
                }
            }
            let force = pool.linear(&terms);
            forces.push(effort.simplify(pool, force));
        }
        let mut hamilton = Hamilton { hamiltonian, rates, forces, conserved: Vec::new() };
        if effort == Effort::Readable {
            hamilton.conserved = conserved::found_in_phase_space(pool, self, &hamilton);
        }
        hamilton
    }

    /// Returns L of an H that is quadratic in the momenta: H = ½ pᵀWp + wᵀp + U gives q̇ = Wp + w, p = W⁻¹(q̇
    /// − w) and L = ½ (q̇ − w)ᵀ W⁻¹ (q̇ − w) − U.
    pub(super) fn lagrangian_of(
        &self,
        pool: &mut Pool,
        hamiltonian: Expr,
        effort: Effort,
    ) -> Result<Expr, Refusal> {
        let momenta: Vec<Expr> = self.coordinates.iter().map(|it| it.momentum).collect();
        let mut by_momentum: Vec<Derivation> = momenta.iter().map(|&it| Derivation::by(pool, it)).collect();
        let slopes: Vec<Expr> = by_momentum.iter_mut().map(|by| by.of(pool, hamiltonian)).collect();
        let mut curvature = Matrix::zero(pool, momenta.len(), momenta.len());
        let zero = pool.zero();
        let none: HashMap<Expr, Expr> = momenta.iter().map(|&it| (it, zero)).collect();
        for (row, &slope) in slopes.iter().enumerate() {
            for column in 0..momenta.len() {
                let entry = by_momentum[column].of(pool, slope);
                for (by, &momentum) in by_momentum.iter_mut().zip(&momenta) {
                    let bend = by.of(pool, entry);
                    if !simplify::vanishes(pool, bend) {
                        return Err(Refusal::NotQuadratic { momentum: pool.text(momentum) });
                    }
                }
                let entry = pool.substitute(entry, &none);
                curvature[(row, column)] = effort.simplify(pool, entry);
            }
        }
        let drift: Vec<Expr> = slopes.iter().map(|&it| pool.substitute(it, &none)).collect();
        let relative: Vec<Expr> =
            self.coordinates.iter().zip(&drift).map(|(it, &w)| pool.sub(it.rate, w)).collect();
        let rest = pool.substitute(hamiltonian, &none);
        let Some(found) = curvature.solve(pool, &relative, &mut |pool, it| effort.simplify(pool, it)) else {
            return Err(Refusal::NoLagrangian);
        };
        let double = dot(pool, &found, &relative);
        let lagrangian = pool.linear(&[(double, Rational::new(1, 2)), (rest, Rational::from(-1))]);
        Ok(effort.simplify(pool, lagrangian))
    }
}

impl Equations {
    /// Derives Hamilton's equations by Legendre's transform.
    pub fn hamilton(&self, pool: &mut Pool, effort: Effort) -> Result<Hamilton, Refusal> {
        if let Statement::Hamiltonian(_) = self.system.statement
            && self.system.constraints.is_empty()
        {
            return self.system.hamilton(pool, effort);
        }
        if !self.is_quadratic(pool) {
            let why = "L is not quadratic in the rates".to_owned();
            return Err(Refusal::NoHamiltonian { why });
        }
        if self.mass.blocks(pool).iter().any(|block| block.len() > MAX_COUPLED_WRITTEN_OUT) {
            let why = format!("more than {MAX_COUPLED_WRITTEN_OUT} coordinates are coupled");
            return Err(Refusal::NoHamiltonian { why });
        }
        let system = &self.system;
        let drift: Vec<Expr> = self.momenta.iter().map(|&it| system.at_rest(pool, it)).collect();
        let relative: Vec<Expr> =
            system.coordinates.iter().zip(&drift).map(|(it, &w)| pool.sub(it.momentum, w)).collect();
        let Some(rates) = self.mass.solve(pool, &relative, &mut |pool, it| effort.simplify(pool, it)) else {
            let why = "the mass matrix is singular".to_owned();
            return Err(Refusal::NoHamiltonian { why });
        };
        let double = dot(pool, &rates, &relative);
        let rest = system.at_rest(pool, self.lagrangian);
        let kinetic = pool.scale(&Rational::new(1, 2), double);
        let (kinetic, rest) = (effort.simplify(pool, kinetic), effort.simplify(pool, rest));
        let hamiltonian = pool.sub(kinetic, rest);
        Ok(system.canonical(pool, effort, hamiltonian, rates, Some(&self.rows)))
    }
}
