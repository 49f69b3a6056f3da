//! Tickets and permits of runs: a run can be cancelled, and only a few run at once.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The cancellation state of one run.
#[derive(Debug)]
pub(super) struct RunTicket {
    pub(super) run: u32,
    pub(super) revision: u32,
    wish: AtomicU8,
}

const WANTED: u8 = 0;
/// The run is to end and to send its end.
const CANCELLED: u8 = 1;
/// The run is to end and to send nothing more.
const ABANDONED: u8 = 2;

impl RunTicket {
    pub(super) const fn new(run: u32, revision: u32) -> Self {
        Self { run, revision, wish: AtomicU8::new(WANTED) }
    }

    /// Cancels the run; its end is sent.
    pub(super) fn cancel(&self) {
        self.wish.fetch_max(CANCELLED, Ordering::Relaxed);
    }

    /// Abandons the run: another one has replaced it, or the page is disconnected. Nothing more is sent.
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

/// The number of runs that go on in a workspace: the current one, and cancelled ones that are inside a long
/// frame.
#[derive(Debug, Default)]
pub(super) struct RunGate {
    busy: Mutex<usize>,
    left: Condvar,
}

/// Permission to run, until it is dropped.
#[derive(Debug)]
pub(super) struct RunPermit<'c>(&'c RunGate);

/// Longest wait for the end of the run before.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// Interval at which a waiting run checks whether it is cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Maximum number of concurrent runs: cancelled ones that are inside a long frame must not pile up.
const MAX_CONCURRENT_RUNS: usize = 3;

impl RunGate {
    /// Waits for a permit; `None` if the run is cancelled meanwhile.
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
