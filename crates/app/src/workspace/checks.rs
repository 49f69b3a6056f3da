//! Checks of the texts of a page, on a thread of their own.
//!
//! A text may take seconds to check. Meanwhile the page can do everything else, and go: its thread of requests
//! never waits for a check, unless a request is about the result. Of several texts only the newest is checked:
//! it replaces the one that waits, and cancels the one that is checked.

use super::check_gate::{GATE, Length};
use super::text::{Text, WrittenText};
use crate::server::{Library, Outbox};
use crate::wire::Reply;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The newest text of a page, and its result.
#[derive(Debug)]
pub(super) struct Checks {
    library: Arc<Library>,
    outbox: Outbox,
    shared: Arc<Shared>,
    is_started: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The newest text.
    newest: Option<Arc<WrittenText>>,
    /// The newest text, until its check begins.
    waiting: Option<Arc<WrittenText>>,
    /// The last text whose check has ended; `None` in it if the check failed.
    checked: Option<(u32, Option<Arc<Text>>)>,
    /// `true` once the page has gone.
    is_closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn revision(&self) -> Option<u32> {
        self.newest.as_ref().map(|it| it.revision)
    }
}

impl Checks {
    pub(super) fn new(library: Arc<Library>, outbox: Outbox) -> Self {
        Self { library, outbox, shared: Arc::default(), is_started: false }
    }

    /// Takes a new text. Its result goes to the outbox, unless a newer one comes before.
    ///
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn edit(&mut self, text: WrittenText) -> Result<(), String> {
        let text = Arc::new(text);
        let mut state = self.shared.state();
        (state.newest, state.waiting) = (Some(Arc::clone(&text)), Some(text));
        drop(state);
        self.shared.changed.notify_all();
        if !self.is_started {
            let (library, outbox) = (Arc::clone(&self.library), self.outbox.clone());
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name("checks".to_owned()).stack_size(super::STACK_BYTES);
            let spawned = thread.spawn(move || check_all(&library, &outbox, &shared));
            spawned.map_err(|error| format!("the text cannot be checked: {error}; close other programs"))?;
            self.is_started = true;
        }
        Ok(())
    }

    /// Returns the newest text, checked or not, if its revision is this one.
    pub(super) fn written(&self, revision: u32) -> Option<Arc<WrittenText>> {
        self.shared.state().newest.clone().filter(|it| it.revision == revision)
    }

    /// Returns the newest text, if its revision is this one; waits for its check.
    pub(super) fn checked(&self, revision: u32) -> Option<Arc<Text>> {
        let mut state = self.shared.state();
        loop {
            if state.revision() != Some(revision) {
                return None;
            }
            if let Some((known, text)) = &state.checked
                && *known == revision
            {
                return text.clone();
            }
            state = self.shared.wait(state);
        }
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        self.shared.state().is_closed = true;
        self.shared.changed.notify_all();
    }
}

/// Checks texts until the page has gone.
fn check_all(library: &Library, outbox: &Outbox, shared: &Shared) {
    while let Some(length) = next_length(shared) {
        let is_wanted = || {
            let state = shared.state();
            !state.is_closed && state.waiting.as_ref().is_some_and(|it| Length::of(&it.text) == length)
        };
        // While it waited, a text of another length may have replaced it, which has another turn.
        let Some(_permit) = GATE.enter(length, is_wanted) else { continue };
        let mut state = shared.state();
        let Some(text) = state.waiting.take_if(|it| Length::of(&it.text) == length) else { continue };
        drop(state);
        let revision = text.revision;
        let checked = catch_unwind(AssertUnwindSafe(|| Text::check(library, &text)));
        let (text, reply) = match checked {
            Ok(Some((text, reply))) => (Some(Arc::new(text)), Some(reply)),
            // It is stale. A request about it may wait, behind which the newer text is queued.
            Ok(None) => (None, None),
            Err(payload) => (None, Some(broken(revision, &*payload))),
        };
        let mut state = shared.state();
        if state.is_closed || state.revision() != Some(revision) {
            continue;
        }
        state.checked = Some((revision, text));
        drop(state);
        shared.changed.notify_all();
        if reply.is_some_and(|reply| outbox.send(reply).is_err()) {
            return;
        }
    }
}

/// Waits for a text, and returns its length; `None` once the page has gone.
fn next_length(shared: &Shared) -> Option<Length> {
    let mut state = shared.state();
    loop {
        if state.is_closed {
            return None;
        }
        if let Some(text) = &state.waiting {
            return Some(Length::of(&text.text));
        }
        state = shared.wait(state);
    }
}

/// Returns the reply after an internal error.
fn broken(revision: u32, payload: &(dyn std::any::Any + Send)) -> Reply {
    Reply::Checked {
        revision,
        sound: false,
        problems: vec![super::run_thread::internal_error(payload, "the answer")],
        more_errors: 0,
        more_warnings: 0,
        formulas: Vec::new(),
        numbers: Vec::new(),
        simulations: Vec::new(),
    }
}
