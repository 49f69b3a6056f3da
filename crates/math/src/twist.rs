//! Twists: how a rigid body moves (velocity of its centre, angular velocity), and what resists (inverse mass).
//!
//! The same pair of vectors serves as impulse (momentum, angular momentum about the centre) and as one row of a Jacobian:
//! the rate of a constraint is J·twist, its impulse on the body is Jᵀλ.

use super::turn::Top;
use gedanken_algebra::rotation::to_world;
use gedanken_algebra::{Mat3, Quat, Vec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A linear and an angular part, in the world frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// Of the centre of mass.
    pub linear: Vec3,
    /// About the centre of mass.
    pub angular: Vec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// From its parts.
    #[must_use]
    pub const fn new(linear: Vec3, angular: Vec3) -> Self {
        Self { linear, angular }
    }

    /// Both parts' inner products: J·v, or the power of a force.
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }

    /// The velocity of the point at `arm` from the centre: v + ω × r.
    #[must_use]
    pub fn at(self, arm: Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }

    /// The impulse `impulse` at `arm` from the centre: (j, r × j).
    #[must_use]
    pub fn of_impulse(impulse: Vec3, arm: Vec3) -> Self {
        Self { linear: impulse, angular: arm.cross(impulse) }
    }

    /// Whether all six numbers are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

macro_rules! by_parts {
    ($($trait:ident, $function:ident, $assign:ident, $assign_function:ident;)*) => {$(
        impl $trait for Twist {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                Self { linear: self.linear.$function(other.linear), angular: self.angular.$function(other.angular) }
            }
        }
        impl $assign for Twist {
            fn $assign_function(&mut self, other: Self) {
                self.linear.$assign_function(other.linear);
                self.angular.$assign_function(other.angular);
            }
        }
    )*};
}

by_parts! {
    Add, add, AddAssign, add_assign;
    Sub, sub, SubAssign, sub_assign;
}

impl Mul<f64> for Twist {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }
}

impl Neg for Twist {
    type Output = Self;
    fn neg(self) -> Self {
        Self { linear: -self.linear, angular: -self.angular }
    }
}

/// M⁻¹ of one body: 1/m and I⁻¹ in the world frame. All zero for a body that impulses do not move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inverse {
    /// 1/m.
    pub mass: f64,
    /// R I⁻¹ Rᵀ, symmetric bit for bit.
    pub inertia: Mat3,
}

impl Inverse {
    /// A body that nothing moves.
    pub const IMMOVABLE: Inverse = Inverse { mass: 0.0, inertia: Mat3::ZERO };

    /// Of a body with this mass and these principal moments, turned like this. A mass of zero means immovable.
    #[must_use]
    pub fn new(mass: f64, moments: Vec3, orientation: Quat) -> Self {
        if mass <= 0.0 {
            return Self::IMMOVABLE;
        }
        if moments.x == moments.y && moments.y == moments.z {
            return Self { mass: 1.0 / mass, inertia: Mat3::from_diagonal(Vec3::ONE / moments) };
        }
        if let Some(top) = Top::of(moments) {
            return Self { mass: 1.0 / mass, inertia: top.inverse_inertia(top.direction(orientation)) };
        }
        let axes = Vec3::AXES.map(|axis| to_world(orientation, axis));
        let inverse = Vec3::ONE / moments;
        let entry = |i: usize, j: usize| {
            axes[0][i] * axes[0][j] * inverse.x
                + axes[1][i] * axes[1][j] * inverse.y
                + axes[2][i] * axes[2][j] * inverse.z
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        let inertia = Mat3::from_cols(
            Vec3::new(entry(0, 0), xy, xz),
            Vec3::new(xy, entry(1, 1), yz),
            Vec3::new(xz, yz, entry(2, 2)),
        );
        Self { mass: 1.0 / mass, inertia }
    }

    /// The change of velocity that an impulse makes: M⁻¹ p.
    #[must_use]
    pub fn apply(&self, impulse: Twist) -> Twist {
        Twist { linear: impulse.linear * self.mass, angular: self.inertia * impulse.angular }
    }

    /// Whether impulses move it.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.mass > 0.0
    }
}
