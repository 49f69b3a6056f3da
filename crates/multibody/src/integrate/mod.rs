//! Steps: from the acceleration of a state to the next state.
//!
//! | integrator | velocity | position |
//! |---|---|---|
//! | semi-implicit | v' = v + h a | by v' |
//! | Euler | (M + h B) (v' − v) = h (τ + Jᵀ f), B the damping of joints | by v' |
//! | implicit | (M − h ∂τ/∂v) (v' − v) = h (τ + Jᵀ f) | by v' |
//! | implicit fast | the same with a symmetric part of ∂τ/∂v: dampers, actuators, laws of the surroundings | by v' |
//! | Runge-Kutta | order 4, for rotations by Munthe-Kaas's increments | |
//!
//! τ are all forces but those of constraints. Quaternions are multiplied by exact rotations.

mod position;
mod runge_kutta;
mod velocity;

pub use position::move_along;
pub use runge_kutta::RungeKutta;
pub(crate) use runge_kutta::{STAGES, WEIGHTS};
pub use velocity::VelocityStep;
