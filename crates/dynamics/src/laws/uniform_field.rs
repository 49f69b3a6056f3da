//! A uniform field acting on charge: V = -q E·r, F = q E.

use super::law::{Law, Target};
use crate::attributes::{Charge, Position};
use crate::core::access::read;
use crate::core::column::Coordinates;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::{Directed, Space};
use gedanken_math::units::{ElectricField, Energy, Quantity};

/// The same field everywhere.
#[derive(Debug, Clone)]
pub struct UniformField<S: Space> {
    e: S::Vector,
}

impl<S: Space> UniformField<S> {
    /// The field `e`, in newtons per coulomb.
    pub fn new(e: Directed<S, ElectricField>) -> Self {
        Self { e: e.si() }
    }
}

impl<S: Space> Law<S> for UniformField<S> {
    fn name(&self) -> &str {
        "uniform field"
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let e = self.e;
        Ok(Rule::new(self.name(), (read::<Charge>(), target.force::<S>()), move |_, (q, f)| {
            for (f, q) in f.iter_mut().zip(q) {
                *f += Quantity::new(e * q.si());
            }
        }))
    }

    fn is_constant(&self) -> bool {
        true
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (q, r) = (state.all::<Charge>()?, state.all::<Position<S>>()?);
        let v = q.iter().zip(r).fold(0.0, |v, (q, r)| v - q.si() * self.e.dot(r.si()));
        Ok(Some(Quantity::new(v)))
    }
}
