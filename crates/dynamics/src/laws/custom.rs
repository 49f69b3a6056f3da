//! A law of the user's own: any pure function of a body's place, speed, mass and the time.

use super::law::{Law, Target};
use crate::attributes::{Mass, Position, Velocity};
use crate::core::access::read;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::{Directed, Space};
use gedanken_math::units::{self, Energy, Quantity, Time};
use std::fmt;
use std::sync::Arc;

/// Properties of one body that a custom law may use.
#[derive(Debug, Clone, Copy)]
pub struct Body<S: Space> {
    /// Position.
    pub position: Directed<S, units::Length>,
    /// Velocity.
    pub velocity: Directed<S, units::Velocity>,
    /// Its mass.
    pub mass: Quantity<units::Mass>,
    /// The time.
    pub time: Quantity<Time>,
}

type ForceOf<S> = Arc<dyn Fn(&Body<S>) -> Directed<S, units::Force> + Send + Sync>;
type EnergyOf<S> = Arc<dyn Fn(&Body<S>) -> Quantity<Energy> + Send + Sync>;

/// A force on every body that has a mass, given by a function.
#[derive(Clone)]
pub struct Custom<S: Space> {
    name: Arc<str>,
    force: ForceOf<S>,
    energy: Option<EnergyOf<S>>,
}

impl<S: Space> Custom<S> {
    /// The law `name` with the force `force` on each body.
    pub fn new(
        name: impl Into<Arc<str>>,
        force: impl Fn(&Body<S>) -> Directed<S, units::Force> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), force: Arc::new(force), energy: None }
    }

    /// The same with its potential, of which the force must be minus the gradient.
    #[must_use]
    pub fn with_energy(self, energy: impl Fn(&Body<S>) -> Quantity<Energy> + Send + Sync + 'static) -> Self {
        Self { energy: Some(Arc::new(energy)), ..self }
    }
}

impl<S: Space> fmt::Debug for Custom<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Custom({})", self.name)
    }
}

impl<S: Space> Law<S> for Custom<S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let force = self.force.clone();
        let view = (read::<Position<S>>(), read::<Velocity<S>>(), read::<Mass>(), target.force::<S>());
        let rule = Rule::new(self.name.clone(), view, move |step, (r, v, m, f)| {
            for (k, f) in f.iter_mut().enumerate().filter(|(k, _)| m[*k].si() > 0.0) {
                *f += force(&Body { position: r[k], velocity: v[k], mass: m[k], time: step.t });
            }
        });
        Ok(rule.with_cost(4.0))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let Some(energy) = &self.energy else { return Ok(None) };
        let (r, v) = (state.all::<Position<S>>()?, state.all::<Velocity<S>>()?);
        let mut total = Quantity::new(0.0);
        for (id, mass) in state.entries::<Mass>()? {
            let k = id.row();
            total += energy(&Body { position: r[k], velocity: v[k], mass, time: state.time() });
        }
        Ok(Some(total))
    }
}
