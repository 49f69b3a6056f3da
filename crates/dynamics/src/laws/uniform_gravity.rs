//! Uniform gravity: V = -m g·r, F = m g.

use super::law::{Law, Target};
use crate::attributes::{Mass, Position};
use crate::core::access::read;
use crate::core::column::Coordinates;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::{Directed, Space};
use gedanken_math::units::{self, Energy, Quantity};

/// The same acceleration everywhere.
#[derive(Debug, Clone)]
pub struct UniformGravity<S: Space> {
    g: S::Vector,
}

impl<S: Space> UniformGravity<S> {
    /// Gravity with the acceleration `g`, a vector: on Earth (0, 0, -9.81) m/s².
    pub fn new(g: Directed<S, units::Acceleration>) -> Self {
        Self { g: g.si() }
    }
}

impl<S: Space> Law<S> for UniformGravity<S> {
    fn name(&self) -> &str {
        "gravity"
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let g = self.g;
        Ok(Rule::new(self.name(), (read::<Mass>(), target.force::<S>()), move |_, (m, f)| {
            for (f, m) in f.iter_mut().zip(m) {
                *f += Quantity::new(g * m.si());
            }
        }))
    }

    fn is_constant(&self) -> bool {
        true
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (m, r) = (state.all::<Mass>()?, state.all::<Position<S>>()?);
        let v = m.iter().zip(r).fold(0.0, |v, (m, r)| v - m.si() * self.g.dot(r.si()));
        Ok(Some(Quantity::new(v)))
    }
}
