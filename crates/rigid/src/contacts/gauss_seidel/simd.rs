//! F64x4 numbers side by side, and vectors of them: what contacts that do not meet are computed in together.
//!
//! Every operation rounds as it does for one number, and none fuses or estimates, so the bits do not depend
//! on the registers.

use gedanken_math::Vec3;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// How many.
pub(super) const LANES: usize = 4;

/// F64x4 numbers.
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
    /// Zero four times.
    pub(super) const ZERO: F64x4 = F64x4([0.0; LANES]);

    /// The larger of each number and zero.
    #[inline(always)]
    pub(super) fn positive(self) -> Self {
        let clip = |x: f64| if x > 0.0 { x } else { 0.0 };
        let x = self.0;
        Self([clip(x[0]), clip(x[1]), clip(x[2]), clip(x[3])])
    }

    /// The same number four times.
    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        Self([x; LANES])
    }

    /// The square roots.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        let x = self.0;
        Self([x[0].sqrt(), x[1].sqrt(), x[2].sqrt(), x[3].sqrt()])
    }

    /// The sizes.
    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        let x = self.0;
        Self([x[0].abs(), x[1].abs(), x[2].abs(), x[3].abs()])
    }

    /// The larger of each two.
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        self.above(other).choose(self, other)
    }

    /// The smaller of each two.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        self.above(other).choose(other, self)
    }

    /// Where a number is above the other.
    #[inline(always)]
    pub(super) fn above(self, other: Self) -> Mask4 {
        let (x, y) = (self.0, other.0);
        Mask4([x[0] > y[0], x[1] > y[1], x[2] > y[2], x[3] > y[3]])
    }

    /// The largest of them.
    pub(super) fn largest(self) -> f64 {
        let x = self.0;
        x[0].max(x[1]).max(x[2]).max(x[3])
    }

    /// Whether any number is above its limit.
    #[inline(always)]
    pub(super) fn exceeds(self, limit: Self) -> bool {
        let (x, y) = (self.0, limit.0);
        (x[0] > y[0]) | (x[1] > y[1]) | (x[2] > y[2]) | (x[3] > y[3])
    }

    /// All of them, in order.
    pub(super) fn sum(self) -> f64 {
        let x = self.0;
        ((x[0] + x[1]) + x[2]) + x[3]
    }
}

/// Some of four lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mask4(pub(super) [bool; LANES]);

impl Mask4 {
    /// The first number in these lanes, and the second in the others.
    #[inline(always)]
    pub(super) fn choose(self, first: F64x4, second: F64x4) -> F64x4 {
        let (which, x, y) = (self.0, first.0, second.0);
        let pick = |lane: usize| if which[lane] { x[lane] } else { y[lane] };
        F64x4([pick(0), pick(1), pick(2), pick(3)])
    }

    /// The numbers in these lanes, and zero in the others.
    #[inline(always)]
    pub(super) fn only(self, numbers: F64x4) -> F64x4 {
        self.choose(numbers, F64x4::ZERO)
    }
}

/// F64x4 vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Vec3x4 {
    pub(super) x: F64x4,
    pub(super) y: F64x4,
    pub(super) z: F64x4,
}

impl Vec3x4 {
    /// One vector in each lane.
    #[inline(always)]
    pub(super) fn of([a, b, c, d]: [Vec3; LANES]) -> Self {
        Self {
            x: F64x4([a.x, b.x, c.x, d.x]),
            y: F64x4([a.y, b.y, c.y, d.y]),
            z: F64x4([a.z, b.z, c.z, d.z]),
        }
    }

    /// One of the vectors.
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

    /// Sets one of the vectors.
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
