//! A thread that writes out every second what was recorded, also while a frame takes hours.
//!
//! The run and the thread share the outputs under a lock, which is free while the run computes. When the user
//! interrupts, the thread writes at once: a second Ctrl-C then ends the process with nothing lost.

use super::outputs::Outputs;
use gedanken_math::Cancel;
use gedanken_recording::{Event, Frame, Notice, Sink};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Interval between flushes of the recorded frames.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);
/// Interval between looks at the token.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Outputs that are flushed while a run computes.
pub(crate) struct Flusher {
    shared: Arc<Shared>,
    /// Ends the thread when it is dropped.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

struct Shared {
    outputs: Mutex<Outputs>,
    /// `true` if the thread failed to write; `failure` says why, until the run has been told.
    has_failed: AtomicBool,
    failure: Mutex<Option<io::Error>>,
}

impl Flusher {
    /// Starts the thread. It writes at once when the token is asked, and asks it itself if it cannot write.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(crate) fn start(outputs: Outputs, cancel: Cancel) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            outputs: Mutex::new(outputs),
            has_failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        });
        let (sender, receiver) = channel();
        let work = Arc::clone(&shared);
        let thread = Builder::new().name("flusher".to_owned()).spawn(move || {
            let (mut waited, mut was_asked) = (Duration::ZERO, false);
            while receiver.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                waited += POLL_INTERVAL;
                let is_asked = cancel.is_asked();
                if waited >= FLUSH_INTERVAL || is_asked != was_asked {
                    (waited, was_asked) = (Duration::ZERO, is_asked);
                    if !work.flush() {
                        // The run would learn of it only at its next frame.
                        cancel.ask();
                    }
                }
            }
        })?;
        Ok(Self { shared, running: Some((sender, thread)) })
    }

    /// Ends the thread and gives the outputs back.
    pub(crate) fn stop(mut self) -> Outputs {
        self.end_thread();
        std::mem::take(&mut *self.shared.outputs())
    }

    fn end_thread(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            // A panic in it has been printed; the outputs are still here.
            let _ = thread.join();
        }
    }

    /// Tells the run why the thread could not write, once.
    fn check(&self) -> io::Result<()> {
        if !self.shared.has_failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.shared.has_failed.store(false, Ordering::Relaxed);
        let failure = self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.end_thread();
    }
}

impl Shared {
    /// Returns the outputs. If a thread panicked while it had them, whole frames are still whole.
    fn outputs(&self) -> MutexGuard<'_, Outputs> {
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if everything is written.
    fn flush(&self) -> bool {
        if let Err(error) = self.outputs().flush() {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.has_failed.store(true, Ordering::Relaxed);
            return false;
        }
        true
    }
}

impl Sink for Flusher {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.check()?;
        self.shared.outputs().frame(frame)
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.check()?;
        self.shared.outputs().event(event)
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.check()?;
        self.shared.outputs().notice(notice)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.check()?;
        self.shared.outputs().flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        let checked = self.check();
        checked.and(self.shared.outputs().finish())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::files::test_folder::TestFolder;
    use crate::runner::format::Format;
    use crate::runner::places::{Inputs, Writing};
    use crate::sample_recording::two_balls_recording;

    /// Longest wait for the thread. It needs half a second.
    const TIME_LIMIT: Duration = Duration::from_secs(60);

    fn start(path: std::path::PathBuf, cancel: &Cancel) -> Flusher {
        let recording = two_balls_recording();
        let files = [(path, Format::Csv)];
        let outputs = Outputs::open(&files, false, &recording.schema, &Inputs::default(), Writing::DuringRun);
        let outputs = outputs.map_err(|error| format!("{error:?}")).expect("the folder is there");
        Flusher::start(outputs, cancel.clone()).expect("the system has a thread left")
    }

    /// Asks every hundredth of a second.
    fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
        let step = Duration::from_millis(10);
        let mut waited = Duration::ZERO;
        while !holds() {
            assert!(waited < TIME_LIMIT, "waited {waited:?} in vain for {what}");
            std::thread::sleep(step);
            waited += step;
        }
    }

    #[test]
    fn what_was_recorded_is_written_while_the_run_does_something_else() {
        let folder = TestFolder::new("flusher");
        let path = folder.0.join("a.csv");
        let mut flusher = start(path.clone(), &Cancel::new());
        two_balls_recording().replay_frames(3, &mut flusher).unwrap();
        let rows = || std::fs::read_to_string(&path).unwrap().lines().count();
        wait_until("three frames in the file", || rows() == 4);
        let written = flusher.stop().close();
        assert_eq!((written.whole.len(), written.failure.is_some()), (1, false));
    }

    #[test]
    fn a_disk_that_is_full_ends_a_run_in_the_middle_of_a_frame() {
        let folder = TestFolder::new("flusher-full");
        let path = folder.0.join("a.csv");
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let cancel = Cancel::new();
        let mut flusher = start(path, &cancel);
        two_balls_recording().replay_frames(3, &mut flusher).unwrap();
        wait_until("the failure", || cancel.is_asked());
        assert!(
            flusher.finish().unwrap_err().to_string().contains("a.csv cannot be written: the disk is full")
        );
    }
}
