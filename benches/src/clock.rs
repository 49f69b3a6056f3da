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

/// Times of all parts of one side's work, in some repetitions.
#[derive(Clone, Debug, Default)]
pub struct PartTimes(Vec<Vec<f64>>);

impl PartTimes {
    /// Adds a repetition: seconds of its parts.
    pub fn push(&mut self, parts: Vec<f64>) {
        self.0.push(parts);
    }

    /// Seconds of all parts together: of every repetition, and of the best time of each part. A short part may
    /// escape all other programs; a repetition as long as a second cannot.
    pub fn totals(&self) -> Times {
        let mut totals = Times::default();
        let count = self.0.first().map_or(0, Vec::len);
        let best = |k: usize| self.0.iter().map(|parts| parts[k]).fold(f64::INFINITY, f64::min);
        totals.push((0..count).map(best).sum());
        self.0.iter().for_each(|parts| totals.push(parts.iter().sum()));
        totals
    }
}

/// Seconds that `work` takes.
#[expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
pub fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
