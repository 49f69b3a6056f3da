//! Time-reversible step control (@holder2001).
//!
//! The step is h/ρ, where the density ρ follows a monitor of the accelerations that is 1 at the first one,
//! a₀:
//!
//! U(r) = ((|a|² + κ²a₀²) / (a₀² + κ²a₀²))^¼,   κ = ¼
//!
//! Steps shorten as √|a| grows, and lengthen at most twofold: without the floor κ, accelerations that pass
//! through zero would let the next step outrun the motion. Choosing h from the state at the start of a step
//! alone would break time reversal, so ρ is centred,
//!
//! ρ_{n+½} + ρ_{n-½} = 2 U(r_n),   stored as   w_n = ρ_{n+½} - U(r_n) = U(r_n) - ρ_{n-½}
//!
//! The pace w is odd under time reversal, like a velocity: reversing all odd attributes retraces the steps
//! too.

use crate::attributes::{Acceleration, Pace, ReferenceAcceleration};
use crate::core::column::Coordinates;
use crate::core::component::ComponentId;
use crate::core::state::{State, StateError};
use crate::space::Space;
use gedanken_math::units::Quantity;

/// κ.
const MIN_PACE: f64 = 0.25;

/// |a|: the root of the sum of squares over all bodies.
fn acceleration<S: Space>(state: &State) -> Result<f64, StateError> {
    let a = state.all::<Acceleration<S>>()?;
    Ok(a.iter().fold(0.0, |sum: f64, a| sum + a.si().dot(a.si())).sqrt())
}

/// U(r), after setting the reference on first use. Without any acceleration there is nothing to adapt to.
pub(super) fn monitor<S: Space>(state: &mut State) -> Result<f64, StateError> {
    let a = acceleration::<S>(state)?;
    let mut reference = state.get::<ReferenceAcceleration>(ComponentId::WORLD)?.si();
    if reference == 0.0 && a > 0.0 {
        reference = a;
        state.keep::<ReferenceAcceleration>(ComponentId::WORLD, Quantity::new(a))?;
    }
    if reference == 0.0 {
        return Ok(1.0);
    }
    let ratio = a / reference;
    Ok(((ratio * ratio + MIN_PACE * MIN_PACE) / (1.0 + MIN_PACE * MIN_PACE)).sqrt().sqrt())
}

/// The density of the coming step: ρ_{n+½} = U(r_n) + w_n.
pub(super) fn density<S: Space>(state: &mut State) -> Result<f64, StateError> {
    Ok(monitor::<S>(state)? + state.get::<Pace>(ComponentId::WORLD)?.si())
}

/// After the step: w_{n+1} = U(r_{n+1}) - ρ_{n+½}.
pub(super) fn settle<S: Space>(state: &mut State, density: f64) -> Result<(), StateError> {
    let w = monitor::<S>(state)? - density;
    state.keep::<Pace>(ComponentId::WORLD, Quantity::new(w))
}
