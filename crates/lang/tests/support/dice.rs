//! Random choices from a seed.

/// Numbers from a seed: xorshift64*, which every machine computes alike.
#[derive(Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed ^ 0x9E37_79B9_7F4A_7C15);
        for _ in 0..4 {
            dice.next();
        }
        dice
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 |= u64::from(self.0 == 0);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// From 0 up to, not including, `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (((self.next() >> 32) * count as u64) >> 32) as usize
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Returns `true` with probability `one` in `of`.
    pub(crate) fn happens(&mut self, one: usize, of: usize) -> bool {
        self.below(of) < one
    }

    /// A finite number: mostly ordinary, often one where something special happens.
    pub(crate) fn number(&mut self) -> f64 {
        const TELLING: [f64; 16] = [
            0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.0, 0.5, 1e308, -1e308, 1e200, -1e160, 1e-200, 5e-324, 1e16,
            -3.5,
        ];
        if self.happens(1, 3) { self.one_of(&TELLING) } else { self.ordinary() }
    }

    /// From -5 to 5.
    pub(crate) fn ordinary(&mut self) -> f64 {
        ((self.next() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 10.0
    }
}
