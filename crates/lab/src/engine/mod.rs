//! The contexts engine: moves objects by the laws that the user wrote, and finds by geometry and time alone when which
//! laws hold.
//!
//! Within a *segment*, from one start of a context on an object to its end, the object's attributes are a pure function of
//! time and of what was frozen at the segment's start. So any instant of a frame can be evaluated alone, in any order, and
//! contacts are searched on the user's own trajectories:
//!
//! ```text
//! frame: bounds of all motions ─► candidate pairs ─► first contact of each ─► queue
//! instant: earliest contact ─► collision laws ─► probe ─► free fall or contact ─► new contacts of those involved
//! end of frame: laws of all objects at once ─► row, hash
//! ```

pub(crate) mod impact;
pub(crate) mod motion;

use crate::experiment::{Experiment, Simulation};
use crate::recording::{Schema, Sink};
use gedanken_lang::diagnostic::Diagnostic;
use std::io;

/// How a simulation is run. Nothing here changes a result.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether laws become native code; else the column evaluator runs them, with the same bits.
    pub native: bool,
    /// How many threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { native: true, threads: 1 }
    }
}

/// Why a run ended before its time. All that was computed has been handed to the sink.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// A law failed, or the run cannot go on: said in the words and at the places of the experiment.
    #[error("{}", .0.message)]
    Experiment(Box<Diagnostic>),
    /// The sink could not keep a result.
    #[error("the recording cannot be written: {0}")]
    Sink(#[from] io::Error),
    /// A keyframe does not fit the experiment.
    #[error("cannot go on from this keyframe: {0}")]
    Keyframe(String),
}

/// A simulation under way.
#[derive(Debug)]
pub struct Engine<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    schema: Schema,
}

impl<'e> Engine<'e> {
    /// Compiles the laws of a simulation and puts everything into its initial state.
    ///
    /// # Errors
    /// What only shows when objects take part, such as laws of two objects that need each other.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let _ = options;
        let _ = experiment;
        let _ = simulation;
        Err(Vec::new())
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// How many frames there will be after frame 0.
    pub fn frames(&self) -> u64 {
        let _ = (self.experiment, self.simulation);
        0
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        None
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does nothing, when there
    /// are no more.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        let _ = sink;
        Ok(false)
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`, `events` how many there
    /// were until then. The next call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        let _ = (frame, keyframe);
        Ok(())
    }
}
