//! A law of the user's own: any pure function of a body's place, speed, mass and the time.

use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{Mass, Position, Velocity};
use crate::core::access::read;
use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::{Directed, Space};
use gedanken_math::units::{self, Energy, Quantity, Time};
use gedanken_math::{Mat3, Vec3};
use std::fmt;
use std::sync::Arc;

/// Part of the speed over which differences of a force are taken: the cube root of rounding.
const DIFFERENCE: f64 = 6e-6;

/// The least speed of which that part is taken, m/s: at rest there is none.
const MIN_SPEED: f64 = 1e-6;

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
    reads_velocity: bool,
}

impl<S: Space> Custom<S> {
    /// The law `name` with the force `force` on each body.
    pub fn new(
        name: impl Into<Arc<str>>,
        force: impl Fn(&Body<S>) -> Directed<S, units::Force> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), force: Arc::new(force), energy: None, reads_velocity: true }
    }

    /// The same of a function that does not look at velocities: kicks by it are explicit, and take one evaluation.
    #[must_use]
    pub fn without_velocity(self) -> Self {
        Self { reads_velocity: false, ..self }
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

    fn depends_on_motion(&self) -> bool {
        self.reads_velocity
    }

    /// Central differences: the function is closed to anything else.
    fn motion_slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (r, v, m) = (state.all::<Position<S>>()?, state.all::<Velocity<S>>()?, state.all::<Mass>()?);
        for (k, &mass) in m.iter().enumerate().filter(|(_, mass)| mass.si() > 0.0) {
            let id = ComponentId::from_row(k);
            let force = |velocity: Vec3| {
                let velocity = Quantity::new(S::from_space(velocity));
                let body = Body { position: r[k], velocity, mass, time: state.time() };
                S::to_space((self.force)(&body).si())
            };
            let velocity = S::to_space(v[k].si());
            let step = DIFFERENCE * velocity.length().max(MIN_SPEED);
            let slope =
                |axis: Vec3| (force(velocity + axis * step) - force(velocity - axis * step)) / (2.0 * step);
            let block = SlopeBlock::of_force(Mat3::from_cols(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)));
            out.add(id, id, SlopeBlock::ZERO, block);
        }
        Ok(SlopeAnswer::Exact)
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
