//! One dimension and three: laws and integrators are written once over [`Space`].
//!
//! On a line a position is a real, in space a vector; force, velocity and energy have the same formulas in
//! both.

use super::core::column::Coordinates;
use gedanken_math::Vec3;
use gedanken_math::units::Quantity;

/// Dimension of the space: a line or three dimensions.
pub trait Space: 'static + Send + Sync + Copy + std::fmt::Debug {
    /// A bare position.
    type Vector: Coordinates;
    /// The Plummer softening that Newtonian gravity uses unless told otherwise, in metres. In space two point
    /// masses may come arbitrarily close in passing; on a line they meet head-on or not at all.
    const DEFAULT_SOFTENING: f64;
    /// A point of this space as a point of ordinary space; a line is its first axis.
    fn to_space(vector: Self::Vector) -> Vec3;
    /// The part of a vector of ordinary space that lies in this space.
    fn from_space(vector: Vec3) -> Self::Vector;
}

/// Bodies on a line.
#[derive(Debug, Clone, Copy)]
pub struct OneD;

/// Bodies in space.
#[derive(Debug, Clone, Copy)]
pub struct ThreeD;

impl Space for OneD {
    type Vector = f64;
    const DEFAULT_SOFTENING: f64 = 0.0;
    fn to_space(x: f64) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }
    fn from_space(vector: Vec3) -> f64 {
        vector.x
    }
}

impl Space for ThreeD {
    type Vector = Vec3;
    const DEFAULT_SOFTENING: f64 = 1e-3;
    fn to_space(vector: Vec3) -> Vec3 {
        vector
    }
    fn from_space(vector: Vec3) -> Vec3 {
        vector
    }
}

/// A quantity that is a real on a line and a vector in space.
pub type Directed<S, D> = Quantity<D, <S as Space>::Vector>;
