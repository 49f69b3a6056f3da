//! Drag: linear, F = -γ v, and quadratic, F = -c |v| v. Neither has a potential: the ledger shows what they
//! take.

use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{Mass, Velocity};
use crate::core::access::read;
use crate::core::column::Coordinates;
use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::Space;
use gedanken_math::matrix::{multiple_of_unit, outer};
use gedanken_math::units::{self, DragCoefficient, Quantity};
use gedanken_math::{Mat3, Vec3};

/// Resistance in proportion to speed, on every body that has a mass.
#[derive(Debug, Clone)]
pub struct LinearDrag {
    gamma: f64,
}

/// Resistance in proportion to the square of the speed, on every body that has a mass.
#[derive(Debug, Clone)]
pub struct QuadraticDrag {
    c: f64,
}

impl LinearDrag {
    /// F = -γ v.
    #[must_use]
    pub fn new(gamma: Quantity<DragCoefficient>) -> Self {
        Self { gamma: gamma.si() }
    }
}

impl QuadraticDrag {
    /// F = -c |v| v.
    #[must_use]
    pub fn new(c: Quantity<units::QuadraticDrag>) -> Self {
        Self { c: c.si() }
    }
}

/// F = -k(|v|) v for every body with a mass.
fn resistance<S: Space>(
    name: &str,
    target: &Target,
    k: impl Fn(f64) -> f64 + Send + Sync + 'static,
) -> Result<Rule, BuildError> {
    let view = (read::<Velocity<S>>(), read::<Mass>(), target.force::<S>());
    Ok(Rule::new(name, view, move |_, (v, m, f)| {
        for ((f, v), m) in f.iter_mut().zip(v).zip(m) {
            if m.si() > 0.0 {
                *f += Quantity::new(v.si() * -k(v.si().length()));
            }
        }
    }))
}

/// Lists ∂F/∂v for every body with a mass.
fn resistance_slopes<S: Space>(
    state: &State,
    out: &mut Slopes,
    slope: impl Fn(Vec3) -> Mat3,
) -> Result<SlopeAnswer, StateError> {
    let (v, m) = (state.all::<Velocity<S>>()?, state.all::<Mass>()?);
    for (row, (v, _)) in v.iter().zip(m).enumerate().filter(|(_, (_, m))| m.si() > 0.0) {
        let body = ComponentId::from_row(row);
        out.add(body, body, SlopeBlock::ZERO, SlopeBlock::of_force(slope(S::to_space(v.si()))));
    }
    Ok(SlopeAnswer::Exact)
}

impl<S: Space> Law<S> for LinearDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let gamma = self.gamma;
        resistance::<S>(Law::<S>::name(self), target, move |_| gamma)
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        resistance_slopes::<S>(state, out, |_| multiple_of_unit(-self.gamma))
    }
}

impl<S: Space> Law<S> for QuadraticDrag {
    fn name(&self) -> &str {
        "quadratic drag"
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let c = self.c;
        resistance::<S>(Law::<S>::name(self), target, move |speed| c * speed)
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        // -c (|v| 1 + v vᵀ/|v|), which is zero at rest.
        resistance_slopes::<S>(state, out, |v| {
            let speed = v.length();
            let along = if speed > 0.0 { outer(v, v / speed) } else { Mat3::ZERO };
            (multiple_of_unit(speed) + along) * -self.c
        })
    }
}
