//! Equations of motion of a system: Lagrange's or Hamilton's.

use super::conserved::Conserved;
use super::equations::Equations;
use super::hamilton::Hamilton;
use super::refusal::Refusal;
use super::simplify::Effort;
use super::system::System;
use crate::Pool;

/// Equations of motion, in the form that the system has.
#[derive(Clone, Debug)]
pub enum EquationsOfMotion {
    /// Lagrange's equations, of coordinates and rates.
    Lagrange(Box<Equations>),
    /// Hamilton's equations, of coordinates and momenta: those of an H without a Lagrangian in closed form.
    Hamilton(Box<Hamilton>),
}

impl System {
    /// Derives Lagrange's equations, or Hamilton's if an H is stated whose momenta do not follow from the
    /// rates by a formula: one that is not quadratic in them, such as √(p²c² + m²c⁴), or that lacks one of
    /// them.
    pub fn equations_of_motion(&self, pool: &mut Pool, effort: Effort) -> Result<EquationsOfMotion, Refusal> {
        match self.equations(pool, effort) {
            Ok(equations) => Ok(EquationsOfMotion::Lagrange(Box::new(equations))),
            Err(Refusal::NotQuadratic { .. } | Refusal::NoLagrangian) => {
                self.hamilton(pool, effort).map(|it| EquationsOfMotion::Hamilton(Box::new(it)))
            }
            Err(refusal) => Err(refusal),
        }
    }
}

impl EquationsOfMotion {
    /// Returns Lagrange's equations, if this is their form.
    pub fn lagrange(&self) -> Option<&Equations> {
        match self {
            Self::Lagrange(equations) => Some(equations),
            Self::Hamilton(_) => None,
        }
    }

    /// Returns Hamilton's equations, if this is their form.
    pub fn hamilton(&self) -> Option<&Hamilton> {
        match self {
            Self::Lagrange(_) => None,
            Self::Hamilton(hamilton) => Some(hamilton),
        }
    }

    /// Returns the conserved quantities; none are looked for with [`Effort::Plain`].
    pub fn conserved(&self) -> &[Conserved] {
        match self {
            Self::Lagrange(equations) => &equations.conserved,
            Self::Hamilton(hamilton) => &hamilton.conserved,
        }
    }
}
