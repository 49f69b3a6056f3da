//! Diagnostics: energy, momentum and angular momentum of a state, summed in the order of the components.

use super::core::attribute::Attribute;
use super::core::column::Coordinates;
use super::core::state::{State, StateError};
use crate::attributes::{AngularVelocity, Inertia, Mass, Orientation, Position, Velocity};
use crate::laws::law::Laws;
use crate::space::{Directed, Space, ThreeD};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::{AngularMomentum, Energy, Momentum, Quantity, Vector};

/// T = Σ ½ m v² + Σ ½ ω·L.
pub fn kinetic_energy<S: Space>(state: &State) -> Result<Quantity<Energy>, StateError> {
    let (m, v) = (state.all::<Mass>()?, state.all::<Velocity<S>>()?);
    let linear = m.iter().zip(v).fold(0.0, |t, (m, v)| t + 0.5 * m.si() * v.si().dot(v.si()));
    Ok(Quantity::new(linear) + rotational_energy(state)?)
}

/// Σ ½ ω·L; zero in a model whose bodies do not turn.
pub fn rotational_energy(state: &State) -> Result<Quantity<Energy>, StateError> {
    if state.model().column(Orientation::NAME).is_none() {
        return Ok(Quantity::default());
    }
    let (omega, spin) = (state.all::<AngularVelocity>()?, spin(state)?);
    // Bodies that do not turn add nothing, to the bit.
    let turning = (0..omega.len()).filter(|&k| omega[k] != Quantity::default());
    Ok(turning.fold(Quantity::default(), |t, k| t + omega[k].dot(spin(k)) * 0.5))
}

/// E = T + V.
pub fn total_energy<S: Space>(state: &State, laws: &Laws<S>) -> Result<Quantity<Energy>, StateError> {
    Ok(kinetic_energy::<S>(state)? + laws.energy(state)?)
}

/// P = Σ m v.
pub fn momentum<S: Space>(state: &State) -> Result<Directed<S, Momentum>, StateError> {
    let (m, v) = (state.all::<Mass>()?, state.all::<Velocity<S>>()?);
    let sum = m.iter().zip(v).fold(S::Vector::ZERO, |p, (m, v)| p + v.si() * m.si());
    Ok(Quantity::new(sum))
}

/// L = Σ r × m v + Σ I ω, about the origin.
pub fn angular_momentum(state: &State) -> Result<Vector<AngularMomentum>, StateError> {
    let (m, r, v) = (state.all::<Mass>()?, state.all::<Position>()?, state.all::<Velocity<ThreeD>>()?);
    let mut sum = Quantity::default();
    for ((m, r), v) in m.iter().zip(r).zip(v) {
        sum += r.cross(*v * *m);
    }
    if state.model().column(Orientation::NAME).is_some() {
        sum = (0..m.len()).map(spin(state)?).fold(sum, |sum, l| sum + l);
    }
    Ok(sum)
}

/// The angular momentum of the body in a row about its centre, in the world frame: R I Rᵀ ω.
fn spin(state: &State) -> Result<impl Fn(usize) -> Vector<AngularMomentum> + '_, StateError> {
    let (q, i, omega) =
        (state.all::<Orientation>()?, state.all::<Inertia>()?, state.all::<AngularVelocity>()?);
    Ok(move |k: usize| Quantity::new(to_world(q[k], i[k].si() * to_body(q[k], omega[k].si()))))
}
