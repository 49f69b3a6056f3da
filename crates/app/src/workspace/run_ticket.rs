//! The wish to run: who asks for a run can withdraw it, and only so many run at once.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A run that was asked for.
#[derive(Debug)]
pub(super) struct RunTicket {
    pub(super) run: u32,
    pub(super) revision: u32,
    wish: AtomicU8,
}

const WANTED: u8 = 0;
/// It shall end, and say so.
const CANCELLED: u8 = 1;
/// Nobody wants to hear of it any more.
const ABANDONED: u8 = 2;

impl RunTicket {
    pub(super) const fn new(run: u32, revision: u32) -> Self {
        Self { run, revision, wish: AtomicU8::new(WANTED) }
    }

    /// The page wants it to end.
    pub(super) fn cancel(&self) {
        self.wish.fetch_max(CANCELLED, Ordering::Relaxed);
    }

    /// Another run has taken its place, or the page has gone.
    pub(super) fn abandon(&self) {
        self.wish.fetch_max(ABANDONED, Ordering::Relaxed);
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wish.load(Ordering::Relaxed) == WANTED
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.wish.load(Ordering::Relaxed) == ABANDONED
    }
}

/// The runs of a desk that are under way. There is one, and those that were cancelled in a frame that takes
/// long.
#[derive(Debug, Default)]
pub(super) struct RunGate {
    busy: Mutex<usize>,
    left: Condvar,
}

/// A place in the crew, until it is dropped.
#[derive(Debug)]
pub(super) struct RunPermit<'c>(&'c RunGate);

/// How long a run waits for the one before it to end.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// How often a run that waits looks whether it is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Runs that may be under way together: those that do not hear that they are cancelled must not pile up.
const MAX_CONCURRENT_RUNS: usize = 3;

impl RunGate {
    /// Waits for a place; `None` if the run is not wanted any more.
    pub(super) fn enter(&self, ticket: &RunTicket) -> Option<RunPermit<'_>> {
        let mut waited = Duration::ZERO;
        let mut busy = self.busy();
        while *busy > 0 && (waited < MAX_WAIT || *busy >= MAX_CONCURRENT_RUNS) {
            if !ticket.is_wanted() {
                return None;
            }
            busy = self.left.wait_timeout(busy, POLL_INTERVAL).map_or_else(|it| it.into_inner().0, |it| it.0);
            waited += POLL_INTERVAL;
        }
        *busy += 1;
        drop(busy);
        Some(RunPermit(self))
    }

    fn busy(&self) -> MutexGuard<'_, usize> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunPermit<'_> {
    fn drop(&mut self) {
        *self.0.busy() -= 1;
        self.0.left.notify_all();
    }
}
