//! Equations that follow from the energies of a text, as mathematics.
//!
//! They are derived on a thread of their own, one text after the other: a large system takes seconds, and
//! typing and runs must not wait for it. Only the newest text is derived to its end, since the others are
//! stale.

use super::run_thread::internal_error;
use super::text::Text;
use crate::server::Outbox;
use crate::wire::{Derived, DerivedLine, DerivedSection, Reply};
use gedanken_experiment::{Experiment, Lagrangian};
use gedanken_lab::derivation::{self, Left, Section};
use gedanken_lang::symbolic::Notation;
use gedanken_math::Cancel;
use gedanken_symbolic::Pool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;

/// Maximum number of queued texts.
const QUEUE_CAPACITY: usize = 64;

/// Sender of requests to the thread.
#[derive(Debug)]
pub(super) struct Derivations {
    requests: SyncSender<Wanted>,
    /// Token of the last request.
    last: Cancel,
}

/// A text whose equations are wanted.
#[derive(Debug)]
struct Wanted {
    id: u32,
    text: Arc<Text>,
    /// Asked when the text is stale, or the page has gone.
    cancel: Cancel,
}

impl Drop for Derivations {
    fn drop(&mut self) {
        self.last.ask();
    }
}

impl Derivations {
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn start(outbox: Outbox) -> Result<Self, String> {
        let (requests, waiting) = mpsc::sync_channel(QUEUE_CAPACITY);
        let spawned = thread::Builder::new()
            .name("derivations".to_owned())
            .stack_size(super::STACK_BYTES)
            .spawn(move || derive_all(&waiting, &outbox));
        spawned.map_err(|error| format!("nothing can be derived: {error}; close other programs"))?;
        Ok(Self { requests, last: Cancel::never() })
    }

    /// Cancels the derivation under way and those that are queued: the text has changed.
    pub(super) fn cancel(&self) {
        self.last.ask();
    }

    /// Queues a request, which cancels those before it; the reply goes to the outbox.
    ///
    /// # Errors
    /// If the queue is full or the thread has ended, in a sentence.
    pub(super) fn send(&mut self, id: u32, text: Arc<Text>) -> Result<(), String> {
        self.cancel();
        self.last = Cancel::new();
        self.requests.try_send(Wanted { id, text, cancel: self.last.clone() }).map_err(|error| match error {
            TrySendError::Full(_) => "too many derivations are queued: try again in a moment".to_owned(),
            TrySendError::Disconnected(_) => {
                "the thread of the derivations has ended: reload the page".to_owned()
            }
        })
    }
}

fn derive_all(requests: &Receiver<Wanted>, outbox: &Outbox) {
    while let Ok(Wanted { id, text, cancel }) = requests.recv() {
        let derived = catch_unwind(AssertUnwindSafe(|| systems(text.experiment.as_ref(), &cancel)));
        let reply = match derived {
            // What was cancelled on the way is not all that follows.
            Ok(_) if cancel.is_asked() => Reply::Refused { id, why: "the text has changed since".to_owned() },
            Ok(systems) => Reply::Derived { id, revision: text.revision, systems },
            Err(payload) => Reply::Refused { id, why: internal_error(&*payload, "the derivation").message },
        };
        if outbox.send(reply).is_err() {
            return;
        }
    }
}

/// Returns the equations of every block of an experiment, until the token is asked; none for a text with
/// errors.
fn systems(experiment: Option<&Experiment>, cancel: &Cancel) -> Vec<Derived> {
    let of = |experiment: &Experiment| {
        let blocks = experiment.lagrangians.iter().enumerate().take_while(|_| !cancel.is_asked());
        blocks.map(|(place, block)| system(block, moved_by(experiment, place), cancel)).collect()
    };
    experiment.map(of).unwrap_or_default()
}

/// Returns the names of the simulations that use a block.
fn moved_by(experiment: &Experiment, block: usize) -> Vec<String> {
    let simulations = experiment.simulations.iter().filter(|it| it.lagrangian_block() == Some(block));
    simulations.map(|it| it.name.clone()).collect()
}

fn system(block: &Lagrangian, simulations: Vec<String>, cancel: &Cancel) -> Derived {
    let mut pool = block.pool.clone();
    pool.until(cancel.clone());
    let name = block.name.clone();
    match derivation::derive(&mut pool, &block.system) {
        Ok(derivation) => {
            let sections = derivation.sections.iter().map(|it| section(&mut pool, it)).collect();
            Derived { name, simulations, sections, problem: None }
        }
        Err(refusal) => {
            Derived { name, simulations, sections: Vec::new(), problem: Some(refusal.to_string()) }
        }
    }
}

fn section(pool: &mut Pool, section: &Section) -> DerivedSection {
    let line = |line: &derivation::Line| DerivedLine {
        mathml: line.show(pool, Notation::MathMl),
        text: line.show(pool, Notation::Unicode),
        why: line.why.clone(),
        watched: match (&line.left, &line.why) {
            (Left::Name(name), Some(_)) => Some(name.clone()),
            _ => None,
        },
    };
    DerivedSection {
        title: section.title.to_string(),
        step: section.step,
        note: section.note.clone(),
        lines: section.lines.iter().map(line).collect(),
    }
}
