//! Repetitions that take turns, and what is made of their times.

use std::time::Instant;

/// Times of one side, one per repetition, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Adds a repetition.
    pub fn push(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    /// Every time multiplied by a factor, to compare a time with a multiple of another.
    pub fn scaled(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|seconds| seconds * factor).collect())
    }

    /// The shortest.
    pub fn best(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

/// Seconds that `work` takes.
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
pub fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
