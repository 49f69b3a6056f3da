//! Programs to compare with, each behind a small driver.

pub mod mujoco;
mod python;
pub mod qhull;
pub mod rapier;
pub mod rebound;
mod script;
pub mod slsqp;
pub mod sympy;
