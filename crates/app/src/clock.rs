//! The clock: how long a run takes, and a sign of life while it does.

use crate::terminal;
use std::time::{Duration, Instant};

/// Time since it was started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[allow(clippy::disallowed_methods, reason = "the binary is where clocks are read, and here is where")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// A line on standard error that tells how far a run has come: only on a terminal, only if it takes a while.
#[derive(Debug)]
pub(crate) struct Progress {
    what: String,
    watch: Stopwatch,
    watched: bool,
    next: Duration,
    shown: bool,
}

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        let watched = terminal::is_watched();
        Self { what: what.into(), watch: Stopwatch::start(), watched, next: PATIENCE, shown: false }
    }

    /// Says that a fraction of the whole is done.
    pub(crate) fn at(&mut self, fraction: f64) {
        if !self.watched {
            return;
        }
        let now = self.watch.elapsed();
        if now < self.next {
            return;
        }
        self.next = now + REFRESH;
        self.shown = true;
        let cells = 24;
        let done = (fraction.clamp(0.0, 1.0) * f64::from(cells)) as usize;
        let bar: String = (0..cells as usize).map(|k| if k < done { '#' } else { '.' }).collect();
        let rest = now.as_secs_f64() * (1.0 / fraction.max(1e-9) - 1.0);
        terminal::status(&format!("{}  {bar} {:3.0} %, {rest:.0} s to go", self.what, fraction * 100.0));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            terminal::status("");
        }
    }
}
