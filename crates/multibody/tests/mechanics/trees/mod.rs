//! Algorithms on trees: mass matrix, bias forces, articulated bodies, Jacobians.

mod forward;
mod jacobians;
mod lagrange;
mod power;
