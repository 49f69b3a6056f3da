//! Twists: the velocity of a rigid body's centre together with its angular velocity.
//!
//! The same pair of vectors serves as impulse (momentum, angular momentum about the centre) and as one row of
//! a Jacobian: the rate of a constraint is J·twist, its impulse on the body is Jᵀλ.

use crate::Vec3;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A linear and an angular part, in the world frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// Linear part, at the centre of mass.
    pub linear: Vec3,
    /// Angular part, about the centre of mass.
    pub angular: Vec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// Twist from its parts.
    #[must_use]
    pub const fn new(linear: Vec3, angular: Vec3) -> Self {
        Self { linear, angular }
    }

    /// Returns the sum of both inner products: J·v, or the power of a force.
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

    /// Returns `true` if all six numbers are finite.
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
