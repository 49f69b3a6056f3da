//! Spatial vectors: rotation and translation in one, about a point that both sides agree on.
//!
//! All quantities of one tree are taken about one point, the tree's centre of mass at the instant, along the
//! world's axes (@featherstone2008). Near the bodies, so that distances do not eat digits.

use core::ops::{Add, AddAssign, Mul, Sub};
use gedanken_math::matrix::outer;
use gedanken_math::{Mat3, Vec3};

/// A velocity, an acceleration or the axis of a freedom.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Angular part.
    pub angular: Vec3,
    /// Linear part, of the body's point at the reference point.
    pub linear: Vec3,
}

/// A force, or a momentum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Torque about the reference point.
    pub torque: Vec3,
    /// Force.
    pub force: Vec3,
}

/// Inertia of a body, or of several that move as one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialInertia {
    /// Mass.
    pub mass: f64,
    /// Mass times the centre of mass, from the reference point.
    pub moment: Vec3,
    /// Inertia about the reference point.
    pub rotational: Mat3,
}

impl Motion {
    /// No motion.
    pub const ZERO: Motion = Motion { angular: Vec3::ZERO, linear: Vec3::ZERO };

    /// Rotation by `axis` about a point at `offset` from the reference point.
    #[must_use]
    pub fn rotation(axis: Vec3, offset: Vec3) -> Self {
        Self { angular: axis, linear: offset.cross(axis) }
    }

    /// Translation along `axis`.
    #[must_use]
    pub const fn translation(axis: Vec3) -> Self {
        Self { angular: Vec3::ZERO, linear: axis }
    }

    /// Velocity of the point at `offset` from the reference point.
    #[must_use]
    pub fn at(self, offset: Vec3) -> Vec3 {
        self.linear + self.angular.cross(offset)
    }

    /// Rate of `other` where it is carried by this motion.
    #[must_use]
    pub fn cross(self, other: Motion) -> Motion {
        Motion {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// Rate of a momentum where it is carried by this motion.
    #[must_use]
    pub fn cross_wrench(self, other: Wrench) -> Wrench {
        Wrench {
            torque: self.angular.cross(other.torque) + self.linear.cross(other.force),
            force: self.angular.cross(other.force),
        }
    }

    /// Power of `wrench`.
    #[must_use]
    pub fn dot(self, wrench: Wrench) -> f64 {
        self.angular.dot(wrench.torque) + self.linear.dot(wrench.force)
    }
}

impl SpatialInertia {
    /// Nothing.
    pub const ZERO: SpatialInertia = SpatialInertia { mass: 0.0, moment: Vec3::ZERO, rotational: Mat3::ZERO };

    /// Body of `mass` whose centre is at `offset` from the reference point, with this inertia about its
    /// centre.
    #[must_use]
    pub fn new(mass: f64, offset: Vec3, about_centre: Mat3) -> Self {
        let moment = offset * mass;
        // [c] [c]ᵀ = |c|² − c cᵀ.
        let own = Mat3::from_diagonal(Vec3::splat(moment.dot(offset)));
        Self { mass, moment, rotational: about_centre + (own - outer(moment, offset)) }
    }

    /// Momentum of a motion.
    #[must_use]
    #[inline]
    pub fn times(&self, motion: Motion) -> Wrench {
        Wrench {
            torque: self.rotational * motion.angular + self.moment.cross(motion.linear),
            force: motion.linear * self.mass - self.moment.cross(motion.angular),
        }
    }
}

impl Add for Motion {
    type Output = Motion;
    fn add(self, other: Motion) -> Motion {
        Motion { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl AddAssign for Motion {
    fn add_assign(&mut self, other: Motion) {
        *self = *self + other;
    }
}

impl Sub for Motion {
    type Output = Motion;
    fn sub(self, other: Motion) -> Motion {
        Motion { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl Mul<f64> for Motion {
    type Output = Motion;
    fn mul(self, factor: f64) -> Motion {
        Motion { angular: self.angular * factor, linear: self.linear * factor }
    }
}

impl Wrench {
    /// No force.
    pub const ZERO: Wrench = Wrench { torque: Vec3::ZERO, force: Vec3::ZERO };
}

impl Add for Wrench {
    type Output = Wrench;
    fn add(self, other: Wrench) -> Wrench {
        Wrench { torque: self.torque + other.torque, force: self.force + other.force }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Wrench) {
        *self = *self + other;
    }
}

impl Sub for Wrench {
    type Output = Wrench;
    fn sub(self, other: Wrench) -> Wrench {
        Wrench { torque: self.torque - other.torque, force: self.force - other.force }
    }
}

impl Mul<f64> for Wrench {
    type Output = Wrench;
    fn mul(self, factor: f64) -> Wrench {
        Wrench { torque: self.torque * factor, force: self.force * factor }
    }
}

impl AddAssign for SpatialInertia {
    fn add_assign(&mut self, other: SpatialInertia) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.rotational += other.rotational;
    }
}
