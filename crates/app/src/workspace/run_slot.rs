//! The run slot of a workspace: a new run takes the place of the one that goes on.
//!
//! A change of the text, as by a slider, ends here in [`RunSlot::start`]: the page sends `edit`, then `run`.

use super::Limits;
use super::recordings::{MAX_RECORDINGS, Recordings, RunRecording};
use super::run_thread::{RunRequest, RunThread};
use super::run_ticket::{RunGate, RunTicket};
use super::text::Text;
use crate::server::Outbox;
use std::sync::Arc;
use std::thread;

/// The run that goes on, and the recordings of the last runs.
#[derive(Debug, Default)]
pub(super) struct RunSlot {
    current: Option<Arc<RunTicket>>,
    gate: Arc<RunGate>,
    recordings: Arc<Recordings>,
}

impl RunSlot {
    /// Starts a run on a thread of its own. A run that goes on is abandoned and sends nothing more.
    ///
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn start(
        &mut self,
        text: Arc<Text>,
        request: RunRequest,
        outbox: Outbox,
        limits: Limits,
    ) -> Result<(), String> {
        let ticket = Arc::new(RunTicket::new(request.run, text.revision));
        if let Some(former) = self.current.replace(Arc::clone(&ticket)) {
            former.abandon();
        }
        let (gate, recordings) = (Arc::clone(&self.gate), Arc::clone(&self.recordings));
        let run = RunThread { ticket, text, request, outbox, limits, gate, recordings };
        let thread =
            thread::Builder::new().name(format!("run {}", run.request.run)).stack_size(super::STACK_BYTES);
        let spawned = thread.spawn(move || run.work());
        spawned.map(|_| ()).map_err(|error| format!("the run cannot start: {error}; close other programs"))
    }

    /// Cancels a run, if it goes on.
    pub(super) fn cancel(&self, run: u32) {
        if let Some(ticket) = self.current.as_ref().filter(|it| it.run == run) {
            ticket.cancel();
        }
    }

    /// Returns the recording of a run.
    ///
    /// # Errors
    /// If there is none, in a sentence.
    pub(super) fn find(&self, run: u32) -> Result<Arc<RunRecording>, String> {
        let list = self.recordings.list();
        let found = list.iter().rev().find(|it| it.run == run).cloned();
        found.ok_or_else(|| match list.front() {
            Some(oldest) if run < oldest.run => {
                format!("run {run} is no longer available: only the last {MAX_RECORDINGS} runs are kept; run it again")
            }
            _ => format!("run {run} has not started"),
        })
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        if let Some(ticket) = &self.current {
            ticket.abandon();
        }
    }
}
