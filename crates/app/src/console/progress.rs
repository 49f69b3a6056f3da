//! Progress of a run or of a sweep: a bar on standard error with simulated time, events so far and rate, or
//! with runs so far. It appears only on a terminal, and only if the work takes a while.

use super::format::{count, number, plural};
use super::stopwatch::Stopwatch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Wall time after which the bar appears.
const DELAY: Duration = Duration::from_millis(400);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// Progress bar of a run.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: Shown,
    start: f64,
    end: f64,
}

impl Progress {
    /// Starts the progress of a run of `frames` frames from time `start` to `end`.
    pub(crate) fn new(frames: u64, start: f64, end: f64, quiet: bool) -> Self {
        Self { shown: Shown::new(frames, quiet), start, end }
    }

    /// Updates the bar: `frames` frames are done, and `events` events have happened.
    pub(crate) fn at(&mut self, frames: u64, time: f64, events: u64) {
        let Self { start, end, .. } = *self;
        self.shown.at(frames, |wall| state(time, end, events, (time - start) / wall));
    }

    /// Wall time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.shown.watch.elapsed()
    }
}

/// Progress bar of a sweep.
#[derive(Debug)]
pub(crate) struct SweepProgress(Shown);

impl SweepProgress {
    /// Starts the progress of so many runs.
    pub(crate) fn new(runs: u64, quiet: bool) -> Self {
        Self(Shown::new(runs, quiet))
    }

    /// Updates the bar: `runs` are done, and `failed` of them have failed.
    pub(crate) fn at(&mut self, runs: u64, failed: u64) {
        let total = self.0.total;
        self.0.at(runs, |wall| sweep_state(runs, total, failed, runs as f64 / wall));
    }

    /// Wall time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.watch.elapsed()
    }
}

/// A bar that appears after a while, and not before.
#[derive(Debug)]
struct Shown {
    watch: Stopwatch,
    /// Time of the next update; `None` if nothing is shown.
    next: Option<Duration>,
    bar: Option<ProgressBar>,
    total: u64,
}

impl Shown {
    fn new(total: u64, quiet: bool) -> Self {
        let next = (!quiet && super::terminal::stderr_is_terminal()).then_some(DELAY);
        Self { watch: Stopwatch::start(), next, bar: None, total }
    }

    /// Updates the bar, if it is time; `message` is told the wall time in seconds.
    fn at(&mut self, position: u64, message: impl FnOnce(f64) -> String) {
        let Some(next) = self.next else { return };
        let now = self.watch.elapsed();
        if now < next {
            return;
        }
        self.next = Some(now + REFRESH_INTERVAL);
        let bar = self.bar.get_or_insert_with(|| bar(self.total));
        bar.set_position(position);
        bar.set_message(message(now.as_secs_f64()));
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} to go");
    bar.set_style(style.expect("the template is sound: a test draws it").progress_chars("##."));
    bar
}

/// `t = 2.5 of 6, 12 events, 340 × real time`.
fn state(time: f64, end: f64, events: u64, rate: f64) -> String {
    let (time, end, rate) = (number(time), number(end), number(rate));
    format!("t = {time} of {end}, {}, {rate} × real time", plural(events, "event"))
}

/// `1,200 of 10,000 runs, 3 failed, 812 runs/s`.
fn sweep_state(runs: u64, total: u64, failed: u64, rate: f64) -> String {
    let failed = if failed == 0 { String::new() } else { format!(", {} failed", count(failed)) };
    format!("{} of {}{failed}, {} runs/s", count(runs), plural(total, "run"), number(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_has_a_sound_template_and_says_what_is_asked_for() {
        bar(10).set_position(3);
        assert_eq!(state(2.5, 6.0, 1, 340.2), "t = 2.5 of 6, 1 event, 340.2 × real time");
        assert_eq!(state(2.5, 6.0, 12000, 0.5), "t = 2.5 of 6, 12,000 events, 0.5 × real time");
        assert_eq!(sweep_state(1200, 10_000, 3, 812.3), "1,200 of 10,000 runs, 3 failed, 812.3 runs/s");
        assert_eq!(sweep_state(0, 1, 0, 0.25), "0 of 1 run, 0.25 runs/s");
    }
}
