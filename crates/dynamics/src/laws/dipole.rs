//! A magnetic dipole in a uniform field (@jackson1998): V = -μ·B, torque τ = μ × B, no force.
//!
//! The moment μ is fixed in the body and turned into the world frame by the orientation.

use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{MagneticMoment, Orientation};
use crate::core::access::read;
use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::space::ThreeD;
use gedanken_math::Vec3;
use gedanken_math::matrix::cross_matrix;
use gedanken_math::rotation::to_world;
use gedanken_math::units::{Energy, MagneticFlux, Quantity, Vector};

/// The torque of a uniform magnetic field on every body that has a magnetic moment.
#[derive(Debug, Clone)]
pub struct MagneticDipole {
    b: Vec3,
}

impl MagneticDipole {
    /// The field `b`, in the world frame.
    #[must_use]
    pub fn new(b: Vector<MagneticFlux>) -> Self {
        Self { b: b.si() }
    }
}

impl Law<ThreeD> for MagneticDipole {
    fn name(&self) -> &str {
        "magnetic dipole"
    }

    fn turns(&self) -> bool {
        true
    }

    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let b = self.b;
        let view = (read::<MagneticMoment>(), read::<Orientation>(), target.torque());
        Ok(Rule::new(self.name(), view, move |_, (mu, q, torque)| {
            for ((torque, mu), q) in torque.iter_mut().zip(mu).zip(q) {
                *torque += Quantity::new(to_world(*q, mu.si()).cross(b));
            }
        }))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let (mu, q) = (state.all::<MagneticMoment>()?, state.all::<Orientation>()?);
        let v = mu.iter().zip(q).fold(0.0, |v, (mu, q)| v - to_world(*q, mu.si()).dot(self.b));
        Ok(Some(Quantity::new(v)))
    }

    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (mu, q) = (state.all::<MagneticMoment>()?, state.all::<Orientation>()?);
        for (row, (mu, q)) in mu.iter().zip(q).enumerate().filter(|(_, (mu, _))| mu.si() != Vec3::ZERO) {
            // (θ × μ) × B = [B][μ] θ.
            let turning = cross_matrix(self.b) * cross_matrix(to_world(*q, mu.si()));
            let body = ComponentId::from_row(row);
            out.add(body, body, SlopeBlock::of_torque(turning), SlopeBlock::ZERO);
        }
        Ok(SlopeAnswer::Exact)
    }
}
