//! Permits of checks: how many texts are checked at once, over all pages.
//!
//! Short texts are checked at once, side by side. Long ones, which may take seconds, wait in one queue for a
//! few permits, so that a page with a short text never waits for others with long ones.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Size in bytes from which a text is long.
const LONG_TEXT: usize = 64 << 10;
/// Maximum number of short texts that are checked at once: more than there can be pages, so that only texts
/// whose pages have gone fill it.
const MAX_SHORT: usize = 48;
/// Interval at which a waiting text is asked whether it is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Length of a text, as far as it decides about its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Short,
    Long,
}

impl Length {
    pub(super) fn of(text: &str) -> Self {
        if text.len() < LONG_TEXT { Self::Short } else { Self::Long }
    }
}

/// Checks that go on, and long texts that wait.
#[derive(Debug)]
struct Checks {
    short: usize,
    long: usize,
    /// Numbers of the long texts that wait, in the order in which they came.
    queue: VecDeque<u64>,
    next: u64,
}

/// Gate that all checks pass.
#[derive(Debug)]
pub(super) struct CheckGate {
    checks: Mutex<Checks>,
    left: Condvar,
}

/// The gate of this process.
pub(super) static GATE: CheckGate = CheckGate::new();

/// Permission to check a text, until it is dropped.
#[derive(Debug)]
pub(super) struct CheckPermit<'g>(&'g CheckGate, Length);

impl CheckGate {
    const fn new() -> Self {
        let checks = Checks { short: 0, long: 0, queue: VecDeque::new(), next: 0 };
        Self { checks: Mutex::new(checks), left: Condvar::new() }
    }

    /// Waits for a permit; `None` as soon as the text is not wanted any more.
    pub(super) fn enter(&self, length: Length, is_wanted: impl Fn() -> bool) -> Option<CheckPermit<'_>> {
        let mut checks = self.checks();
        let number = checks.next;
        checks.next += 1;
        if length == Length::Long {
            checks.queue.push_back(number);
        }
        let wanted = loop {
            if !is_wanted() {
                break false;
            }
            if checks.admits(number, length) {
                break true;
            }
            let waited = self.left.wait_timeout(checks, POLL_INTERVAL);
            checks = waited.map_or_else(|it| it.into_inner().0, |it| it.0);
        };
        checks.queue.retain(|it| *it != number);
        if wanted {
            *checks.count(length) += 1;
        }
        drop(checks);
        self.left.notify_all();
        wanted.then(|| CheckPermit(self, length))
    }

    fn checks(&self) -> MutexGuard<'_, Checks> {
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checks {
    /// Returns `true` if it is the turn of a text.
    fn admits(&self, number: u64, length: Length) -> bool {
        match length {
            Length::Short => self.short < MAX_SHORT,
            Length::Long => self.long < max_long() && self.queue.front() == Some(&number),
        }
    }

    fn count(&mut self, length: Length) -> &mut usize {
        match length {
            Length::Short => &mut self.short,
            Length::Long => &mut self.long,
        }
    }
}

/// Maximum number of long texts that are checked at once: one core stays free for runs and short texts.
fn max_long() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1))
}

impl Drop for CheckPermit<'_> {
    fn drop(&mut self) {
        *self.0.checks().count(self.1) -= 1;
        self.0.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn long_texts_wait_for_a_permit_and_short_ones_do_not() {
        let gate = CheckGate::new();
        let running: Vec<_> = (0..max_long()).map(|_| gate.enter(Length::Long, || true).unwrap()).collect();
        let (gone, came) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let waiting = || gate.checks().queue.len();
        thread::scope(|scope| {
            let join = |name: &'static str, is_wanted: &'static (dyn Fn() -> bool + Sync)| {
                let before = waiting();
                let (gate, came) = (&gate, &came);
                scope.spawn(move || {
                    let permit = gate.enter(Length::Long, is_wanted);
                    came.lock().unwrap().push((name, permit.is_some()));
                });
                while waiting() == before {
                    thread::yield_now();
                }
            };
            join("first", &|| true);
            join("second", &|| true);
            assert!(gate.enter(Length::Short, || true).is_some(), "short texts pass");
            gone.store(true, Ordering::Relaxed);
            assert!(gate.enter(Length::Long, || !gone.load(Ordering::Relaxed)).is_none(), "not wanted");
            assert!(came.lock().unwrap().is_empty());
            drop(running);
        });
        let mut came = came.into_inner().unwrap();
        came.sort_unstable();
        assert_eq!(came, [("first", true), ("second", true)], "all that were wanted had their turn");
        let checks = gate.checks();
        assert_eq!((checks.long, checks.short, checks.queue.len()), (0, 0, 0));
    }
}
