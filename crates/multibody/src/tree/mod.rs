//! Trees of bodies: from q, v to poses, M, bias forces and accelerations.
//!
//! | file | computes |
//! |---|---|
//! | `topology` | addresses and relatives, once |
//! | `spatial` | six-dimensional vectors and inertias |
//! | `kinematics` | poses, axes, velocities |
//! | `mass_matrix` | M by composite rigid bodies, Lᵀ D L |
//! | `bias` | c(q, v) and inverse dynamics by Newton and Euler's recursion |
//! | `articulated` | M⁻¹ (τ − c) in linear time |
//! | `jacobian` | J of points, and J̇ v |

pub mod articulated;
pub mod bias;
pub mod jacobian;
pub mod kinematics;
pub mod mass_matrix;
pub mod spatial;
pub mod topology;
