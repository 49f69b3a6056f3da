//! A time limit on work: a thread that asks the work to end when its time is over.
//!
//! Libraries read no clocks, and work may be inside one long evaluation when its time is over, so that nobody
//! else can see it.

use gedanken_math::Cancel;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A time limit under way. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct TimeLimit {
    /// Nothing is sent: the watcher sees that it is dropped.
    end: Option<Sender<()>>,
    watcher: Option<JoinHandle<bool>>,
}

impl TimeLimit {
    /// Asks `cancel` after this time.
    ///
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn start(limit: Duration, cancel: Cancel) -> Result<Self, String> {
        let (end, ended) = mpsc::channel::<()>();
        let watch = move || {
            let is_over = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if is_over {
                cancel.ask();
            }
            is_over
        };
        let watcher = thread::Builder::new().name("time limit".to_owned()).spawn(watch);
        let watcher =
            watcher.map_err(|error| format!("no time limit can be set: {error}; close other programs"))?;
        Ok(Self { end: Some(end), watcher: Some(watcher) })
    }

    /// Ends the limit. Returns `true` if the time was over before.
    pub(super) fn finish(mut self) -> bool {
        self.stop()
    }

    fn stop(&mut self) -> bool {
        drop(self.end.take());
        self.watcher.take().is_some_and(|watcher| watcher.join().unwrap_or(false))
    }
}

impl Drop for TimeLimit {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_asked_to_end_when_its_time_is_over() {
        let cancel = Cancel::new();
        let limit = TimeLimit::start(Duration::from_millis(1), cancel.clone()).unwrap();
        let waited = (0..60_000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            cancel.is_asked()
        });
        assert!(waited, "waited a minute in vain for the end of a time limit of a millisecond");
        assert!(limit.finish());
    }

    #[test]
    fn work_that_ends_in_time_is_not_asked() {
        let cancel = Cancel::new();
        let limit = TimeLimit::start(Duration::from_secs(3600), cancel.clone()).unwrap();
        assert!(!limit.finish(), "and nobody waits for the hour to pass");
        assert!(!cancel.is_asked());
    }
}
