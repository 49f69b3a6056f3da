//! Options of a run, and reasons why it may end before its time.

use super::kernel::{Compile, SharedCode};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::{Cancel, Cancelled};
use std::io;

/// Options of a run. None of them changes a result, only how far a run may go.
#[derive(Clone, Debug)]
pub struct Options {
    /// `true` if laws become native code; else the column evaluator runs them, with the same bits.
    pub native: bool,
    /// Native code that it shares with other runs, if it does.
    pub shared: Option<SharedCode>,
    /// Number of threads of its own; with 0 it has none, and shares those of the caller's pool, if it is in one.
    pub threads: usize,
    /// Collisions in one frame beyond which a run is stopped.
    pub most_collisions: u64,
    /// `true` if contacts, and forces of joints, are recorded though the experiment does not ask for them.
    pub forces: bool,
    /// Token that ends the run, wherever it is.
    pub cancel: Cancel,
}

/// Default limit on collisions in one frame. An experiment with a sensible frame rate stays far below it.
const MAX_COLLISIONS_PER_FRAME: u64 = 1_000_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            native: true,
            shared: None,
            threads: 1,
            most_collisions: MAX_COLLISIONS_PER_FRAME,
            forces: false,
            cancel: Cancel::never(),
        }
    }
}

impl Options {
    /// Permission to make native code.
    pub(crate) fn compile(&self) -> Compile {
        match &self.shared {
            _ if !self.native => Compile::Never,
            Some(shared) => Compile::Shared(shared.0.clone()),
            None => Compile::Alone,
        }
    }
}

/// Reason why a run ended before its time. All that was computed has been handed to the sink.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// A law failed, or the run cannot go on: said in the words and at the places of the experiment.
    #[error("{}", .0.message)]
    Experiment(Box<Diagnostic>),
    /// The sink could not keep a result.
    #[error("the recording cannot be written: {0}")]
    Sink(#[from] io::Error),
    /// The run was cancelled. Nothing is wrong with it: another one can go on from the last keyframe.
    #[error("the run was cancelled")]
    Cancelled,
    /// A keyframe does not fit the experiment.
    #[error("cannot go on from this keyframe: {0}")]
    Keyframe(String),
    /// The run was asked for more after it had ended within a step.
    #[error("the run has ended within a step, and can only go on from a keyframe")]
    Torn,
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Experiment(diagnostic)
    }
}

impl From<Cancelled> for Stop {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
