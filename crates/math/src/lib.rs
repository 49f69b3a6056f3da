//! Mathematics without bodies.
//!
//! - [`Vec3`], [`Mat3`] and [`Quat`]: small vectors, matrices and rotations in `f64` (glam, with the
//!   pure-Rust `libm`, so that every machine computes the same bits), the exponential map of rotations, and
//!   [`Pose`]s;
//! - [`axial`]: the angle of a rotation about an axis;
//! - [`Cancel`]: one token by which all work can be ended;
//! - [`Twist`]: velocity and angular velocity as one value;
//! - [`gamma`]: the incomplete gamma function, and the probability of a χ²;
//! - [`linalg`]: small dense matrices: solutions, eigenvalues, Schur's form;
//! - [`matrix`]: 3 × 3 matrices made of vectors;
//! - [`units`]: numbers and vectors that carry their physical dimension in the type and cost nothing at run
//!   time.
//!
//! Invariant: nothing in this crate knows a body, a shape or a time step.

pub mod axial;
mod cancel;
pub mod gamma;
pub mod hash;
pub mod linalg;
pub mod matrix;
pub mod pose;
pub mod rotation;
mod twist;
pub mod units;

pub use cancel::{Cancel, Cancelled};
pub use pose::Pose;
pub use twist::Twist;

/// A vector of three `f64`.
pub type Vec3 = glam::DVec3;
/// A 3 × 3 matrix of `f64`, column by column.
pub type Mat3 = glam::DMat3;
/// A quaternion of four `f64`; as a rotation it takes body coordinates to world coordinates.
pub type Quat = glam::DQuat;
