//! The driver: frames, steps, rows, keyframes and stops of every run, whatever its mechanics.
//!
//! ```text
//! Timeline ──► StepClock ──► Mechanism::step ──► Events ──► Sink
//!                                │
//!                                ▼ at a frame
//!                          Mechanism::moment ──► Rows, Meter ──► row, hash, keyframe ──► Sink
//! ```

use super::clock::Timeline;
use super::divergence::{self, Divergence};
use super::events::Events;
use super::keyframe::{self, Header, Sign};
use super::measures::Meter;
use super::mechanism::Mechanism;
use super::options::{Options, Stop};
use super::rows::Rows;
use super::words::{Hash, WordsReader};
use crate::contexts::Engine;
use crate::lagrangian::LagrangianMechanism;
use crate::multibody::MultibodyMechanism;
use crate::rigid::RigidMechanism;
use crate::workflow::WorkflowMechanism;
use gedanken_experiment::rigid::quantities::StepKind;
use gedanken_experiment::{Experiment, Mechanics, Simulation};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::Cancel;
use gedanken_recording::{Frame, Schema, Sink};
use std::collections::BTreeSet;
use std::fmt;

/// Scalars of state for which every frame has a keyframe; larger states have one every so many frames, so
/// that keyframes take no more room than rows.
const SCALARS_PER_FRAME: usize = 1000;

/// Maximum number of frames from one keyframe to the next.
const MAX_APART: u64 = 60;

/// A simulation under way, by the mechanics that it names.
///
/// Frames are at the times of its `Timeline`, the last one at the end of the duration. A run gives the
/// same bits wherever it was interrupted: what was recorded until a keyframe, and a run that
/// [goes on](Self::resume) from it, are together the same as one run, also if they are told to end at
/// different times.
pub struct Run<'e> {
    mechanism: Box<dyn Mechanism + 'e>,
    timeline: Timeline,
    sign: Sign<'e>,
    rows: Rows,
    /// Frames from one keyframe to the next.
    apart: u64,
    /// Number of the last completed frame, and of steps since then.
    frame: Option<u64>,
    step: u64,
    /// Number of events so far, and before the last frame.
    events: u64,
    events_before_frame: u64,
    /// Keys of notices that have been told.
    told: BTreeSet<String>,
    cancel: Cancel,
    divergence: Divergence,
    /// Evaluations of laws before the last frame.
    evaluations_before_frame: u64,
    /// Why there are no more steps, if there are none.
    ended: Option<Ended>,
    /// Memory for the row and the contacts of a frame.
    row: Vec<f64>,
    contacts: Vec<f64>,
}

/// Why a run makes no more steps.
#[derive(Clone, Debug)]
enum Ended {
    /// A law failed, or the motion cannot be followed.
    Failed(Box<Diagnostic>),
    /// The sink refused something within a step, or the run was cancelled there: the state is neither that
    /// before it nor that after it.
    Torn,
}

impl<'e> Run<'e> {
    /// Makes a simulation ready, as its `mechanics` says.
    ///
    /// # Errors
    /// Faults of the experiment that only show when objects take part. If the run was cancelled meanwhile, the
    /// result means nothing.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let cancel = options.cancel.clone();
        let meter = Meter::new(experiment, simulation, &cancel).natively(&options);
        let timeline = Timeline::new(simulation);
        let mechanism: Box<dyn Mechanism + 'e> = match &simulation.mechanics {
            Mechanics::Contexts(_) => Box::new(Engine::new(experiment, simulation, options, &meter)?),
            Mechanics::Workflow(_) => {
                Box::new(WorkflowMechanism::new(experiment, simulation, options, &meter)?)
            }
            Mechanics::Rigid(settings) if settings.step_kind() == StepKind::Soft => {
                Box::new(MultibodyMechanism::new(experiment, simulation, options, &meter)?)
            }
            Mechanics::Rigid(_) => Box::new(RigidMechanism::new(experiment, simulation, options, &meter)?),
            Mechanics::Mechanism(_) => {
                Box::new(MultibodyMechanism::new(experiment, simulation, options, &meter)?)
            }
            Mechanics::Lagrangian(_) => {
                Box::new(LagrangianMechanism::new(experiment, simulation, options, &meter)?)
            }
        };
        let schema = mechanism.schema();
        let mut hash = Hash::new();
        hash.text(&schema.simulation);
        schema.objects.iter().chain(&schema.contexts).for_each(|name| hash.text(name));
        mechanism.fingerprint(&mut hash);
        Ok(Self {
            timeline,
            sign: Sign { mechanics: &simulation.mechanics, fingerprint: hash.value() },
            divergence: Divergence::new(experiment, simulation, schema),
            evaluations_before_frame: 0,
            rows: Rows::new(schema, meter),
            apart: ((mechanism.scalars() / SCALARS_PER_FRAME) as u64 + 1).min(MAX_APART),
            mechanism,
            frame: None,
            step: 0,
            events: 0,
            events_before_frame: 0,
            told: BTreeSet::new(),
            cancel,
            ended: None,
            row: Vec::new(),
            contacts: Vec::new(),
        })
    }

    /// Schema of its recordings. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        self.mechanism.schema()
    }

    /// Number of the last frame, which is at the end of the duration.
    pub fn frames(&self) -> u64 {
        self.timeline.frames()
    }

    /// Number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Returns `false`, and does
    /// nothing, if there are no more.
    ///
    /// The token of the [options](Options::cancel) is looked at before every step and wherever a step may take
    /// long.
    ///
    /// # Errors
    /// See [`Stop`]. What the sink was given stays valid: another run can go on from the last keyframe. A run
    /// that a law has ended gives the same error again.
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        match &self.ended {
            None => {}
            Some(Ended::Failed(diagnostic)) => return Err(diagnostic.clone().into()),
            Some(Ended::Torn) => return Err(Stop::Torn),
        }
        let next = match self.frame {
            None => {
                let frame_end = self.timeline.grid(1);
                self.cancel.check()?;
                self.within(sink, |mechanism, events| mechanism.begin(frame_end, events))?;
                0
            }
            Some(last) if last >= self.timeline.frames() => return Ok(false),
            Some(last) => {
                self.steps(last, sink)?;
                last + 1
            }
        };
        self.complete(next, sink)?;
        Ok(true)
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`. The next
    /// call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// [`Stop::Keyframe`] if the keyframe is damaged, or of another frame, mechanics or experiment, or if this
    /// run has begun.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        if self.frame.is_some() || self.ended.is_some() {
            return Err(Stop::Keyframe(
                "this run has begun, and only a new one can go on from it".to_owned(),
            ));
        }
        let words = keyframe::words(keyframe)?;
        let mut reader = WordsReader::new(&words);
        let Header { frame: found, time, events, told } = keyframe::header(&mut reader, self.sign)?;
        if found != frame {
            return Err(Stop::Keyframe(format!("it belongs to frame {found}, not to {frame}")));
        }
        let own = self.timeline.grid(frame);
        if time.to_bits() != own.to_bits() {
            return Err(Stop::Keyframe(format!(
                "it is of t = {time}, and frame {frame} is at t = {own} in this simulation"
            )));
        }
        let loaded = self.mechanism.load(time, &mut reader).and_then(|()| reader.end());
        if let Err(stop) = loaded {
            // Part of the state may be that of the keyframe.
            self.ended = Some(Ended::Torn);
            return Err(stop);
        }
        (self.frame, self.step, self.told) = (Some(frame), 0, told);
        (self.events, self.events_before_frame) = (events, events);
        Ok(())
    }

    /// Makes the steps that are left from frame `last` to the next one.
    fn steps(&mut self, last: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
        while self.step < self.timeline.steps_from(last) {
            let clock = self.timeline.step(last, self.step);
            self.cancel.check()?;
            self.within(sink, |mechanism, events| mechanism.step(clock, events))?;
            self.step += 1;
        }
        Ok(())
    }

    /// Lets the mechanism make a step; one that fails is the last.
    fn within(
        &mut self,
        sink: &mut dyn Sink,
        step: impl FnOnce(&mut dyn Mechanism, &mut Events<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let (mechanism, mut events) = self.parts(sink);
        let made = step(mechanism, &mut events);
        let made = self.unless_cancelled(made);
        match &made {
            Ok(()) => {}
            Err(Stop::Experiment(diagnostic)) => self.ended = Some(Ended::Failed(diagnostic.clone())),
            Err(_) => self.ended = Some(Ended::Torn),
        }
        made
    }

    /// The result, unless the run has been cancelled by now: then a law may have been given up in the middle,
    /// which is no fault of it, and a value that failed may be one that was given up.
    fn unless_cancelled<T>(&self, result: Result<T, Stop>) -> Result<T, Stop> {
        match result {
            Err(stop @ (Stop::Sink(_) | Stop::Keyframe(_))) => Err(stop),
            result => self.cancel.check().map_err(Stop::from).and(result),
        }
    }

    /// Hands over the frame that has been reached.
    fn complete(&mut self, frame: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let time = self.timeline.time(frame);
        self.mechanism.set_time(time);
        let mut notices = Vec::new();
        let Self { mechanism, rows, row, .. } = self;
        let seen = mechanism.moment().map(|moment| rows.of_frame(&*moment, row, &mut notices));
        self.unless_cancelled(seen)?;
        // Before the keyframe, which holds what has been told.
        self.parts(sink).1.notices(notices)?;
        self.look_for_divergence(time, sink)?;
        let hash = self.mechanism.hash(&self.row);
        let keyframe = (self.is_keyframe(frame) && sink.wants_keyframes()).then(|| {
            let header = Header { frame, time, events: self.events, told: self.told.clone() };
            keyframe::to_bytes(self.sign, &header, |words| self.mechanism.save(words))
        });
        self.contacts.clear();
        self.mechanism.contacts(&mut self.contacts);
        let (row, contacts) = (self.row.as_slice(), self.contacts.as_slice());
        sink.frame(Frame { index: frame, time, row, contacts, hash, keyframe: keyframe.as_deref() })?;
        (self.frame, self.step, self.events_before_frame) = (Some(frame), 0, self.events);
        Ok(())
    }

    /// Tells, once, if the motion diverges at the frame that has been reached.
    fn look_for_divergence(&mut self, time: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (evaluations, before) = (self.mechanism.evaluations(), self.divergence.counts());
        let count = (evaluations - self.evaluations_before_frame) + (self.events - self.events_before_frame);
        self.evaluations_before_frame = evaluations;
        let is_rising = self.divergence.is_rising(count);
        let moved = self.divergence.frame(&self.row, count);
        if self.told.contains(divergence::KEY) {
            return Ok(());
        }
        let message = match moved {
            Some((place, distance)) => {
                Divergence::runs_away(&place, distance, &self.mechanism.laws_moving(place.object))
            }
            None if is_rising => {
                self.divergence.evaluations_rise(before, count, &self.mechanism.laws_moving(None))
            }
            None => return Ok(()),
        };
        self.parts(sink).1.warn(divergence::KEY, time, message)
    }

    /// Returns `true` if a frame gets a keyframe. A frame that the end of the duration cuts short gets none:
    /// a longer run has no such frame, so that none may go on from it.
    fn is_keyframe(&self, frame: u64) -> bool {
        self.timeline.is_on_grid(frame) && frame.is_multiple_of(self.apart)
    }

    /// The mechanism, and what it tells its events to.
    fn parts<'s>(&'s mut self, sink: &'s mut dyn Sink) -> (&'s mut (dyn Mechanism + 'e), Events<'s>) {
        let Self { mechanism, rows, events, events_before_frame, told, cancel, divergence, .. } = self;
        let before_frame = *events_before_frame;
        let events = Events { sink, cancel, divergence, rows, count: events, before_frame, told };
        (&mut **mechanism, events)
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let simulation = &self.schema().simulation;
        f.debug_struct("Run")
            .field("simulation", simulation)
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}
