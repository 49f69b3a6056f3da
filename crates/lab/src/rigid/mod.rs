//! Rigid bodies: runs a simulation whose laws are Newton's and Euler's, with the file's own forces, joints
//! and materials.
//!
//! ```text
//! blocks ──build──► World, Settings ──► Simulation::step ──► moment ──► rows, events, measures ──► Sink
//! ```
//!
//! `build` makes bodies, and with `law`, `potential`, `constraint`, `curve` and `joint` what the blocks of
//! the file say of them. Frames are states that whole numbers of steps have made. `given` says which names
//! the mechanics adds to those of the file; `moment` computes them, `rows` is what is recorded, `events` what
//! happened between frames, `keyframe` all that a run needs to go on.

mod body_view;
mod build;
mod constraint;
mod curve;
mod events;
mod fault;
mod formula;
mod gradient;
mod joint;
mod keyframe;
mod law;
mod measures;
mod moment;
mod potential;
mod rows;
mod second_rate;
mod start_notices;

pub(crate) use body_view::euler;
pub use build::{Built, build, refused};
pub use events::kind;
pub use formula::Failures;

use crate::run::{FEW, Options, Stop};
use events::Teller;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_recording::{Frame, Schema, Sink};
use gedanken_rigid;
use gedanken_rigid::contacts::Report;
use keyframe::Keyframe;
use measures::Measures;
use moment::Moment;
use rows::Rows;
use std::sync::Arc;

/// Bodies for which every frame can have a keyframe; with more there is one every so many frames.
const SMALL: usize = 40;

/// Frames between keyframes, at most.
const MOST_APART: u64 = 60;

/// A simulation of rigid bodies under way.
pub struct RigidRun<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    run: gedanken_rigid::Simulation,
    failures: Arc<Failures>,
    bodies: Vec<(usize, ComponentId)>,
    /// By row of a body, its place in the simulation.
    places: Vec<Option<usize>>,
    /// Threads that share islands; none if there is nothing to share.
    pool: Option<rayon::ThreadPool>,
    rows: Rows,
    measures: Measures,
    /// The last completed frame, and how many steps have been taken since.
    frame: Option<u64>,
    step: u64,
    events: u64,
    /// How well the steps since the last frame were solved: the worst of each.
    worst: Report,
}

impl<'e> RigidRun<'e> {
    /// Makes bodies, laws and joints, and puts everything into its initial state.
    ///
    /// # Errors
    /// What cannot be: masses, joints that do not hold, laws that the integrator cannot follow.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        if simulation.rigid().is_none() {
            let message = format!("the simulation `{}` is not one of rigid bodies", simulation.name);
            return Err(vec![Diagnostic::new(Code::E761, simulation.span, message)]);
        }
        let Built { world, settings, bodies, failures } = build(experiment, simulation, options.native)?;
        let shared = world.has_contacts() || !world.constraints().is_empty();
        let run = gedanken_rigid::Simulation::starting_at(world, settings, simulation.initial_time)
            .map_err(|error| vec![refused(&error, experiment, simulation)])?;
        let laws = || run.world().laws().terms().iter().map(|term| &*term.label);
        let measures = Measures::new(experiment, simulation, &bodies, laws(), options.native);
        let rows = Rows::new(experiment, simulation, &bodies, laws(), measures.meter());
        let mut places = vec![None; run.world().model().components().len()];
        for (place, (_, id)) in bodies.iter().enumerate() {
            places[id.row()] = Some(place);
        }
        // Without threads one does it all, with the same bits.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1));
        let pool = shared.then(|| threads.build().ok()).flatten();
        Ok(Self {
            experiment,
            simulation,
            run,
            failures,
            bodies,
            places,
            pool,
            rows,
            measures,
            frame: None,
            step: 0,
            events: 0,
            worst: Report::nothing(),
        })
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    /// How many frames there will be after frame 0.
    pub fn frames(&self) -> u64 {
        self.simulation.frames()
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// The bodies, as they are.
    pub fn simulation(&self) -> &gedanken_rigid::Simulation {
        &self.run
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does
    /// nothing, when there are no more.
    ///
    /// # Errors
    /// See [`Stop`]. The state is as it was before the step that failed.
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        let next = match self.frame {
            None => {
                let surprises = start_notices::notices(&self.run, self.simulation.initial_time);
                surprises.iter().try_for_each(|notice| sink.notice(notice))?;
                0
            }
            Some(last) if last >= self.frames() => return Ok(false),
            Some(last) => {
                self.steps(last, sink)?;
                last + 1
            }
        };
        let time = self.simulation.frame_time(next);
        self.run.set_time(time);
        let moment = Moment::now(&self.run, self.worst);
        let (mut row, mut notices) = (Vec::with_capacity(self.rows.schema.width()), Vec::new());
        self.rows.whole(&moment, &mut row);
        self.measures.at_frame(&moment, &mut row, &mut notices);
        notices.iter().try_for_each(|notice| sink.notice(notice))?;
        let keyframe = self.is_keyframe(next).then(|| {
            let words = self.run.words();
            Keyframe { frame: next, events: self.events, words }.to_bytes(self.sign())
        });
        let (row, hash) = (row.as_slice(), self.run.state().hash());
        sink.frame(Frame { index: next, time, row, hash, keyframe: keyframe.as_deref() })?;
        (self.frame, self.step, self.worst) = (Some(next), 0, Report::nothing());
        Ok(true)
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`. The next
    /// call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        let found = Keyframe::from_bytes(keyframe, self.sign()).map_err(Stop::Keyframe)?;
        if found.frame != frame {
            return Err(Stop::Keyframe(format!("it belongs to frame {}, not to {frame}", found.frame)));
        }
        if !self.run.take_up(&found.words) {
            return Err(Stop::Keyframe("it is damaged, or of other bodies".to_owned()));
        }
        (self.frame, self.step, self.events) = (Some(frame), 0, found.events);
        self.worst = Report::nothing();
        Ok(())
    }

    /// What its keyframes are known by.
    fn sign(&self) -> u64 {
        keyframe::fingerprint(&self.simulation.name, self.run.world())
    }

    /// Whether a frame gets a keyframe: a matter of size, so that they never take more room than the rows do.
    fn is_keyframe(&self, frame: u64) -> bool {
        frame.is_multiple_of(((self.bodies.len() / SMALL) as u64 + 1).min(MOST_APART))
    }

    /// The steps from frame `last` to the next one, those that are left.
    fn steps(&mut self, last: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (steps, length) = self.simulation.steps();
        while self.step < steps {
            sink.goes_on()?;
            // From the frame's own time, so that nothing adds up.
            let start = self.simulation.frame_time(last) + self.step as f64 * length;
            self.run.set_time(start);
            self.one_step(length)?;
            self.worst = worse(self.worst, self.run.report());
            self.step += 1;
            self.tell(self.simulation.frame_time(last + 1), sink)?;
        }
        Ok(())
    }

    fn one_step(&mut self, length: f64) -> Result<(), Stop> {
        let Self { run, pool, .. } = self;
        let result = match pool {
            Some(pool) => pool.install(|| run.step(length)),
            None => run.step(length),
        };
        result.map_err(|fault| {
            let told = self.failures.take();
            Stop::Experiment(Box::new(told.unwrap_or_else(|| self.explain(&fault))))
        })
    }

    /// Tells the sink what happened in the last step, before the frame at `end`.
    fn tell(&mut self, end: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let Self { run, rows, measures, places, bodies, .. } = self;
        let (few, events) = (bodies.len() <= FEW, Vec::new());
        let mut teller = Teller { run, rows, measures, places, few, next: self.events, events };
        teller.changes();
        teller.impacts();
        let Teller { events, next, .. } = teller;
        self.events = next;
        for mut event in events {
            // A step may end a rounding after its frame.
            event.time = event.time.min(end);
            sink.take_event(event)?;
        }
        Ok(())
    }
}

/// Of two reports the worse in every respect; what is counted, of the later one.
fn worse(earlier: Report, later: Report) -> Report {
    Report { islands: later.islands, points: later.points, ..earlier.and(later) }
}

impl std::fmt::Debug for RigidRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let simulation = &self.simulation.name;
        f.debug_struct("RigidRun").field("simulation", simulation).field("frame", &self.frame).finish()
    }
}
