//! Complex numbers, as far as eigenvalues of real matrices need them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// The number 1.
    pub const ONE: Self = Self::new(1.0, 0.0);

    /// re + i im
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// Returns the modulus.
    pub fn size(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// Returns the argument, from −π to π.
    pub fn angle(self) -> f64 {
        libm::atan2(self.im, self.re)
    }

    /// Product with a real number.
    #[must_use]
    pub fn scaled(self, scale: f64) -> Self {
        Self::new(self.re * scale, self.im * scale)
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Self::new(re, 0.0)
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Neg for Complex {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Div for Complex {
    type Output = Self;

    /// Smith's algorithm, which does not overflow where the result does not.
    fn div(self, by: Self) -> Self {
        if by.re.abs() >= by.im.abs() {
            let ratio = by.im / by.re;
            let below = by.re + by.im * ratio;
            Self::new((self.re + self.im * ratio) / below, (self.im - self.re * ratio) / below)
        } else {
            let ratio = by.re / by.im;
            let below = by.re * ratio + by.im;
            Self::new((self.re * ratio + self.im) / below, (self.im * ratio - self.re) / below)
        }
    }
}
