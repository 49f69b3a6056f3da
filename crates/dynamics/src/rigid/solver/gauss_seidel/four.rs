//! Four numbers side by side, and vectors of them: what contacts that do not meet are computed in together.
//!
//! Every operation rounds as it does for one number, and none fuses or estimates, so the bits do not depend on the registers.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// How many.
pub(super) const LANES: usize = 4;

/// Four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub(super) struct Four(pub(super) [f64; LANES]);

macro_rules! each_lane {
    ($($trait:ident, $function:ident, $sign:tt;)*) => {$(
        impl $trait for Four {
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
}

impl AddAssign for Four {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Four {
    /// Zero four times.
    pub(super) const ZERO: Four = Four([0.0; LANES]);

    /// The larger of each number and zero.
    #[inline(always)]
    pub(super) fn positive(self) -> Self {
        let clip = |x: f64| if x > 0.0 { x } else { 0.0 };
        let x = self.0;
        Self([clip(x[0]), clip(x[1]), clip(x[2]), clip(x[3])])
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

/// Four vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Four3 {
    pub(super) x: Four,
    pub(super) y: Four,
    pub(super) z: Four,
}

impl Four3 {
    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> Four {
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
    pub(super) fn times(self, factor: Four) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// Sets one of the vectors.
    pub(super) fn set(&mut self, lane: usize, [x, y, z]: [f64; 3]) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane]) = (x, y, z);
    }
}

impl Add for Four3 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Four3 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl AddAssign for Four3 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Four3 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
