//! Mathematics without bodies.
//!
//! What every other crate speaks in:
//!
//! - [`Vec3`], [`Mat3`] and [`Quat`]: small vectors, matrices and rotations in `f64` (glam, with the pure-Rust
//!   `libm`, so that every machine computes the same bits), the exponential map of rotations, and [`Pose`]s;
//! - [`axial`]: the angle of a rotation about an axis;
//! - [`symbolic`]: formulas as values, exact: derivatives, simplification, equations of motion;
//! - [`symmetric`]: eigenvectors of symmetric matrices;
//! - [`units`]: numbers and vectors that carry their physical dimension in the type and cost nothing at run time.
//!
//! Invariant: nothing in this crate knows a body, a shape or a time step.

pub mod axial;
pub mod pose;
pub mod rotation;
pub mod symbolic;
pub mod symmetric;
pub mod units;

pub use pose::Pose;

/// A vector of three `f64`.
pub type Vec3 = glam::DVec3;
/// A 3 × 3 matrix of `f64`, column by column.
pub type Mat3 = glam::DMat3;
/// A quaternion of four `f64`; as a rotation it takes body coordinates to world coordinates.
pub type Quat = glam::DQuat;

/// The programs in the book, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/lagrangian.md")]
    mod lagrangian {}
}
