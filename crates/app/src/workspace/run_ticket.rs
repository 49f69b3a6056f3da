//! Tickets and permits of runs: a run can be cancelled, and only a few run at once.

use gedanken_math::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The cancellation state of one run.
#[derive(Debug)]
pub(super) struct RunTicket {
    pub(super) run: u32,
    pub(super) revision: u32,
    /// Token that ends the run.
    pub(super) cancel: Cancel,
    /// `true` if the run is to send nothing more.
    is_abandoned: AtomicBool,
}

impl RunTicket {
    pub(super) fn new(run: u32, revision: u32) -> Self {
        Self { run, revision, cancel: Cancel::new(), is_abandoned: AtomicBool::new(false) }
    }

    /// Cancels the run; its end is sent.
    pub(super) fn cancel(&self) {
        self.cancel.ask();
    }

    /// Abandons the run: another one has replaced it, or the page is disconnected. Nothing more is sent.
    pub(super) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
        self.cancel.ask();
    }

    pub(super) fn is_wanted(&self) -> bool {
        !self.cancel.is_asked()
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed)
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
