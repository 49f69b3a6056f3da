//! Dice that fall alike in every run (splitmix64).

use gedanken_math::{Pose, Quat, Vec3};

/// A generator of numbers.
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A whole number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// `true` in this share of the throws.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.between(0.0, 1.0) < share
    }

    /// A vector in a cube of half side `size`.
    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// A unit vector.
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            let length = vector.length();
            if length > 0.1 && length < 1.0 {
                return vector * (1.0 / length);
            }
        }
    }

    /// A unit quaternion.
    pub(crate) fn rotation(&mut self) -> Quat {
        loop {
            let (axis, w) = (self.vector(1.0), self.between(-1.0, 1.0));
            let raw = Quat::from_xyzw(axis.x, axis.y, axis.z, w);
            let length = raw.length();
            if length > 0.1 && length < 1.0 {
                return raw * (1.0 / length);
            }
        }
    }

    /// A pose with its origin in a cube of half side `size`.
    pub(crate) fn pose(&mut self, size: f64) -> Pose {
        let rotation = self.rotation();
        Pose::new(rotation, self.vector(size))
    }

    /// Numbers in ±`size`.
    pub(crate) fn numbers(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(-size, size)).collect()
    }
}
