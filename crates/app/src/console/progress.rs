//! Progress of a run: a bar on standard error with simulated time, events so far and rate. It appears only on
//! a terminal, and only if the run takes a while.

use super::format::{number, plural};
use super::stopwatch::Stopwatch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Wall time after which the bar appears.
const DELAY: Duration = Duration::from_millis(400);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// Progress bar of a run.
#[derive(Debug)]
pub(crate) struct Progress {
    watch: Stopwatch,
    /// Time of the next update; `None` if nothing is shown.
    next: Option<Duration>,
    bar: Option<ProgressBar>,
    frames: u64,
    start: f64,
    end: f64,
}

impl Progress {
    /// Starts the progress of a run of `frames` frames from time `start` to `end`.
    pub(crate) fn new(frames: u64, start: f64, end: f64, quiet: bool) -> Self {
        let next = (!quiet && super::terminal::stderr_is_terminal()).then_some(DELAY);
        Self { watch: Stopwatch::start(), next, bar: None, frames, start, end }
    }

    /// Updates the bar: `frames` frames are done, and `events` events have happened.
    pub(crate) fn at(&mut self, frames: u64, time: f64, events: u64) {
        let Some(next) = self.next else { return };
        let now = self.watch.elapsed();
        if now < next {
            return;
        }
        self.next = Some(now + REFRESH_INTERVAL);
        let bar = self.bar.get_or_insert_with(|| bar(self.frames));
        bar.set_position(frames);
        bar.set_message(state(time, self.end, events, (time - self.start) / now.as_secs_f64()));
    }

    /// Wall time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(frames: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(frames), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} to go");
    bar.set_style(style.expect("the template is sound: a test draws it").progress_chars("##."));
    bar
}

/// `t = 2.5 of 6, 12 events, 340 × real time`.
fn state(time: f64, end: f64, events: u64, rate: f64) -> String {
    let (time, end, rate) = (number(time), number(end), number(rate));
    format!("t = {time} of {end}, {}, {rate} × real time", plural(events, "event"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_has_a_sound_template_and_says_what_is_asked_for() {
        bar(10).set_position(3);
        assert_eq!(state(2.5, 6.0, 1, 340.2), "t = 2.5 of 6, 1 event, 340.2 × real time");
        assert_eq!(state(2.5, 6.0, 12000, 0.5), "t = 2.5 of 6, 12,000 events, 0.5 × real time");
    }
}
