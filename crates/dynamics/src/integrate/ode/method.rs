//! Integrators that can integrate rates: those of the registry that need nothing but y′ = f(t,
//! y).
//!
//! Methods made of drifts and kicks treat positions and velocities differently, and rates do not say which is
//! which.

use super::MAX_STEPS;
use crate::integrate::{DORMAND_PRINCE, IMPLICIT_MIDPOINT, INTEGRATORS, Integrator, Tableau};

/// A method for rates.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    rule: Rule,
    steps: u32,
}

/// Method of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// By the slopes of a tableau.
    Explicit(&'static Tableau),
    /// By the slope in the middle, solved for by iteration.
    Midpoint,
}

/// Why a name is not that of a method for rates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// There is no such integrator at all.
    #[error("there is no integrator `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// There is one, but not for rates.
    #[error("`{name}` treats positions and velocities differently, and rates do not say which is which")]
    Splits {
        /// The name.
        name: &'static str,
    },
}

impl Default for Method {
    /// Dormand and Prince's: adaptive, of fifth order.
    fn default() -> Self {
        Self::new(&DORMAND_PRINCE).expect("Dormand and Prince's method has a tableau")
    }
}

impl Method {
    fn new(integrator: &'static Integrator) -> Option<Self> {
        let rule = match integrator.tableau {
            Some(tableau) => Rule::Explicit(tableau),
            None if std::ptr::eq(integrator, &IMPLICIT_MIDPOINT) => Rule::Midpoint,
            None => return None,
        };
        Some(Self { rule, steps: 1 })
    }

    /// The method of this name, as experiments write it.
    ///
    /// # Errors
    /// If there is none, or none for rates.
    pub fn by_name(name: &str) -> Result<Self, Misfit> {
        let integrator = INTEGRATORS
            .into_iter()
            .find(|i| i.name == name)
            .ok_or_else(|| Misfit::Unknown { name: name.to_owned() })?;
        Self::new(integrator).ok_or(Misfit::Splits { name: integrator.name })
    }

    /// The names of all methods for rates.
    pub fn all() -> impl Iterator<Item = &'static str> {
        INTEGRATORS.into_iter().filter(|i| Self::new(i).is_some()).map(|i| i.name)
    }

    /// The same method with so many steps per call, if its steps are fixed. `None` for no steps, or more than
    /// [`MAX_STEPS`].
    pub fn with_steps(self, steps: u32) -> Option<Self> {
        (1..=MAX_STEPS).contains(&steps).then_some(Self { steps, ..self })
    }

    /// Returns `true` if the length of a step follows from an estimate of its error.
    pub fn is_adaptive(&self) -> bool {
        matches!(self.rule, Rule::Explicit(Tableau { pair: Some(_), .. }))
    }

    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    pub(super) fn steps(&self) -> u32 {
        self.steps
    }
}
