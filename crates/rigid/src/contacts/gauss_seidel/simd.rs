//! Four numbers side by side, and vectors of them: four contacts that share no body are computed together.
//!
//! Every operation rounds as it does for one number, and none fuses or estimates. So the bits do not depend
//! on the registers, and no instructions beyond those of the compiler are needed.

use gedanken_math::Vec3;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Number of lanes.
pub(super) const LANES: usize = 4;

/// Four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub(super) struct F64x4(pub(super) [f64; LANES]);

macro_rules! each_lane {
    ($($trait:ident, $function:ident, $sign:tt;)*) => {$(
        impl $trait for F64x4 {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                let (x, y) = (self.0, other.0);
                Self([x[0] $sign y[0], x[1] $sign y[1], x[2] $sign y[2], x[3] $sign y[3]])
            }
        }
    )*};
}

each_lane! {
    Add, add, +;
    Sub, sub, -;
    Mul, mul, *;
    Div, div, /;
}

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let x = self.0;
        Self([-x[0], -x[1], -x[2], -x[3]])
    }
}

impl AddAssign for F64x4 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl F64x4 {
    /// Zero in every lane.
    pub(super) const ZERO: F64x4 = F64x4([0.0; LANES]);

    /// Returns the larger of each number and zero.
    #[inline(always)]
    pub(super) fn positive(self) -> Self {
        let clip = |x: f64| if x > 0.0 { x } else { 0.0 };
        let x = self.0;
        Self([clip(x[0]), clip(x[1]), clip(x[2]), clip(x[3])])
    }

    /// Returns the same number in every lane.
    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        Self([x; LANES])
    }

    /// Returns the square roots.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        let x = self.0;
        Self([x[0].sqrt(), x[1].sqrt(), x[2].sqrt(), x[3].sqrt()])
    }

    /// Returns the absolute values.
    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        let x = self.0;
        Self([x[0].abs(), x[1].abs(), x[2].abs(), x[3].abs()])
    }

    /// Returns the larger of each two.
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        self.above(other).choose(self, other)
    }

    /// Returns the smaller of each two.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        self.above(other).choose(other, self)
    }

    /// Returns the lanes where `self` is above `other`.
    #[inline(always)]
    pub(super) fn above(self, other: Self) -> Mask4 {
        let (x, y) = (self.0, other.0);
        Mask4([x[0] > y[0], x[1] > y[1], x[2] > y[2], x[3] > y[3]])
    }

    /// Returns the largest number.
    pub(super) fn largest(self) -> f64 {
        let x = self.0;
        x[0].max(x[1]).max(x[2]).max(x[3])
    }

    /// Returns `true` if any number is above its limit.
    #[inline(always)]
    pub(super) fn exceeds(self, limit: Self) -> bool {
        let (x, y) = (self.0, limit.0);
        (x[0] > y[0]) | (x[1] > y[1]) | (x[2] > y[2]) | (x[3] > y[3])
    }

    /// Returns the sum, in the order of the lanes.
    pub(super) fn sum(self) -> f64 {
        let x = self.0;
        ((x[0] + x[1]) + x[2]) + x[3]
    }
}

/// Set of lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mask4(pub(super) [bool; LANES]);

impl Mask4 {
    /// Returns `first` in these lanes and `second` in the others.
    #[inline(always)]
    pub(super) fn choose(self, first: F64x4, second: F64x4) -> F64x4 {
        let (which, x, y) = (self.0, first.0, second.0);
        let pick = |lane: usize| if which[lane] { x[lane] } else { y[lane] };
        F64x4([pick(0), pick(1), pick(2), pick(3)])
    }

    /// Returns the numbers in these lanes and zero in the others.
    #[inline(always)]
    pub(super) fn only(self, numbers: F64x4) -> F64x4 {
        self.choose(numbers, F64x4::ZERO)
    }
}

/// Four vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Vec3x4 {
    pub(super) x: F64x4,
    pub(super) y: F64x4,
    pub(super) z: F64x4,
}

impl Vec3x4 {
    /// Vectors, one per lane.
    #[inline(always)]
    pub(super) fn of([a, b, c, d]: [Vec3; LANES]) -> Self {
        Self {
            x: F64x4([a.x, b.x, c.x, d.x]),
            y: F64x4([a.y, b.y, c.y, d.y]),
            z: F64x4([a.z, b.z, c.z, d.z]),
        }
    }

    /// Returns the vector of one lane.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> F64x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub(super) fn times(self, factor: F64x4) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// Sets the vector of one lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, [x, y, z]: [f64; 3]) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane]) = (x, y, z);
    }
}

impl Add for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl AddAssign for Vec3x4 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec3x4 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
