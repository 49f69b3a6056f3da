//! A simulation under way, whoever states its laws.

pub(crate) mod check;
pub mod measures;
pub(crate) mod native;
mod options;
pub(crate) mod report;
mod schema;

pub(crate) use options::FEW;
pub use options::{Options, Stop};
pub(crate) use schema::schema_of;

use crate::contexts::Engine;
use crate::lagrangian::LagrangianRun;
use crate::rigid::RigidRun;
use crate::workflow::WorkflowRun;
use gedanken_experiment::{Experiment, Mechanics, Simulation};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_recording::{Schema, Sink};

/// A simulation under way.
pub enum Run<'e> {
    /// By the laws of contexts.
    Contexts(Box<Engine<'e>>),
    /// By rules.
    Workflow(Box<WorkflowRun<'e>>),
    /// By Newton's and Euler's laws.
    Rigid(Box<RigidRun<'e>>),
    /// By Lagrange's equations.
    Lagrangian(Box<LagrangianRun<'e>>),
}

impl<'e> Run<'e> {
    /// Makes a simulation ready, as its `mechanics` says.
    ///
    /// # Errors
    /// What only shows when objects take part.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        Ok(match simulation.mechanics {
            Mechanics::Contexts(_) => Self::Contexts(Box::new(Engine::new(experiment, simulation, options)?)),
            Mechanics::Workflow(_) => {
                Self::Workflow(Box::new(WorkflowRun::new(experiment, simulation, options)?))
            }
            Mechanics::Rigid(_) => Self::Rigid(Box::new(RigidRun::new(experiment, simulation, options)?)),
            Mechanics::Lagrangian(_) => {
                Self::Lagrangian(Box::new(LagrangianRun::new(experiment, simulation, options)?))
            }
        })
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        match self {
            Self::Contexts(engine) => engine.schema(),
            Self::Workflow(run) => run.schema(),
            Self::Rigid(run) => run.schema(),
            Self::Lagrangian(run) => run.schema(),
        }
    }

    /// The number of the last frame there will be.
    pub fn frames(&self) -> u64 {
        match self {
            Self::Contexts(engine) => engine.frames(),
            Self::Workflow(run) => run.frames(),
            Self::Rigid(run) => run.frames(),
            Self::Lagrangian(run) => run.frames(),
        }
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        match self {
            Self::Contexts(engine) => engine.frame(),
            Self::Workflow(run) => run.frame(),
            Self::Rigid(run) => run.frame(),
            Self::Lagrangian(run) => run.frame(),
        }
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does
    /// nothing, when there are no more.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        match self {
            Self::Contexts(engine) => engine.advance(sink),
            Self::Workflow(run) => run.advance(sink),
            Self::Rigid(run) => run.advance(sink),
            Self::Lagrangian(run) => run.advance(sink),
        }
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        match self {
            Self::Contexts(engine) => engine.resume(frame, keyframe),
            Self::Workflow(run) => run.resume(frame, keyframe),
            Self::Rigid(run) => run.resume(frame, keyframe),
            Self::Lagrangian(run) => run.resume(frame, keyframe),
        }
    }
}
