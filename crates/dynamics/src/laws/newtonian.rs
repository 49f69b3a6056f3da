//! Newtonian gravity with Plummer softening (@plummer1911): every mass attracts every other.
//!
//! V = -Σ_{i<j} G m_i m_j / √(d² + ε²), F_i = Σ_j G m_i m_j (r_j - r_i) / (d² + ε²)^(3/2), d = |r_j - r_i|
//!
//! The sum over pairs is the kernel of [`nbody`](crate::nbody); a line is space with two coordinates zero.

use super::law::{Law, Target};
use super::slopes::{SlopeAnswer, SlopeBlock, Slopes};
use crate::attributes::{Mass, Position};
use crate::core::access::{memory, read};
use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rule::Rule;
use crate::core::state::{State, StateError};
use crate::nbody::{Cloud, Width};
use crate::space::{Directed, Space};
use gedanken_math::Mat3;
use gedanken_math::matrix::{multiple_of_unit, outer};
use gedanken_math::units::{self, Energy, Length, Quantity};
use std::marker::PhantomData;

/// Newton's constant (CODATA 2018).
pub const GRAVITATIONAL_CONSTANT: Quantity<units::GravitationalConstant> = Quantity::new(6.674_30e-11);

/// Universal gravitation among all bodies that have a mass.
#[derive(Debug, Clone)]
pub struct NewtonianGravity<S: Space> {
    g: f64,
    softening: f64,
    width: Width,
    space: PhantomData<S>,
}

impl<S: Space> NewtonianGravity<S> {
    /// Gravity with the constant `g` and the default softening: 1 mm in space, none on a line.
    #[must_use]
    pub fn new(g: Quantity<units::GravitationalConstant>) -> Self {
        Self { g: g.si(), softening: S::DEFAULT_SOFTENING, width: Width::best(), space: PhantomData }
    }

    /// The same with another softening length.
    #[must_use]
    pub fn with_softening(self, softening: Quantity<Length>) -> Self {
        Self { softening: softening.si(), ..self }
    }

    /// The same on vectors of a given width: slower or faster, never different.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }
}

/// Fills the cloud with the bodies that have a mass.
fn gather<S: Space>(cloud: &mut Cloud, r: &[Directed<S, Length>], m: &[Quantity<units::Mass>]) {
    let with_mass = r.iter().zip(m).filter(|(_, m)| m.si() > 0.0);
    cloud.refill(with_mass.map(|(r, m)| (S::to_space(r.si()).to_array(), m.si())));
}

impl<S: Space> Law<S> for NewtonianGravity<S> {
    fn name(&self) -> &str {
        "newtonian gravity"
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        if !(self.softening >= 0.0 && self.softening.is_finite()) {
            let text = format!(
                "a softening of {} m is not possible: it must be finite and not negative",
                self.softening
            );
            return Err(BuildError::Unfit(text));
        }
        let Self { g, softening, width, .. } = *self;
        let view = (read::<Position<S>>(), read::<Mass>(), memory::<Cloud>(), target.force::<S>());
        let rule = Rule::new(self.name(), view, move |_, (r, m, cloud, f)| {
            gather::<S>(cloud, r, m);
            cloud.attract(g, softening, width);
            let with_mass = f.iter_mut().zip(m).filter(|(_, m)| m.si() > 0.0);
            for (k, (f, m)) in with_mass.enumerate() {
                *f += Quantity::new(S::from_space(cloud.acceleration(k).into()) * m.si());
            }
        });
        let bodies = model.components().len();
        Ok(rule.with_cost(0.5 * bodies as f64).going_wide(Cloud::goes_wide(bodies)))
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        let mut cloud = Cloud::new();
        gather::<S>(&mut cloud, state.all::<Position<S>>()?, state.all::<Mass>()?);
        Ok(Some(Quantity::new(cloud.potential_energy(self.g, self.softening, self.width))))
    }

    /// ∂F_i/∂r_j = G m_i m_j (s⁻³ 1 - 3 s⁻⁵ d dᵀ) with s² = d² + ε², for every pair.
    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        let (r, m) = (state.all::<Position<S>>()?, state.all::<Mass>()?);
        for i in (0..r.len()).filter(|&i| m[i].si() > 0.0) {
            let mut own = Mat3::ZERO;
            for j in (0..r.len()).filter(|&j| j != i && m[j].si() > 0.0) {
                let d = S::to_space(r[j].si() - r[i].si());
                let square = d.length_squared() + self.softening * self.softening;
                let weight = self.g * m[i].si() * m[j].si() / (square * square.sqrt());
                let slope = (multiple_of_unit(1.0) - outer(d, d) * (3.0 / square)) * weight;
                own -= slope;
                let pair = [i, j].map(ComponentId::from_row);
                out.add(pair[0], pair[1], SlopeBlock::of_force(slope), SlopeBlock::ZERO);
            }
            let body = ComponentId::from_row(i);
            out.add(body, body, SlopeBlock::of_force(own), SlopeBlock::ZERO);
        }
        Ok(SlopeAnswer::Exact)
    }
}
