//! Rigid bodies: runs a simulation whose laws are Newton's and Euler's, with the file's own forces, joints
//! and materials.
//!
//! ```text
//! blocks ──build──► World, Settings ──► Simulation::step ──► moment, events
//! ```
//!
//! `build` makes bodies, and with `law`, `potential`, `constraint`, `curve` and `joint` what the blocks of
//! the file say of them. `given` says which names the mechanics adds to those of the file; `moment` computes
//! them, `rows` is what is recorded, `readings` what measures read, `events` what happened between frames.

pub(crate) mod body_view;
mod build;
mod constraint;
mod curve;
mod event_kinds;
mod events;
pub(crate) mod fault;
mod formula;
mod gradient;
mod joint;
mod law;
mod law_slopes;
mod moment;
mod notices;
mod potential;
mod readings;
pub(crate) mod rows;
mod second_rate;
pub(crate) mod source;

pub use build::{Built, build, refused};
pub(crate) use build::{BuiltWorld, body, build_surroundings};
pub use event_kinds::kind;
pub use formula::Failures;

use crate::run::clock::{StepClock, Timeline};
use crate::run::divergence::EnergyWatch;
use crate::run::events::Events;
use crate::run::measures::Meter;
use crate::run::mechanism::Mechanism;
use crate::run::options::{Options, Stop};
use crate::run::values::{MAX_OBJECTS_MEASURED_AT_EVENTS, Values};
use crate::run::words::{Hash, Words, WordsReader};
use events::Teller;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_recording::Schema;
use gedanken_rigid::contacts::Report;
use gedanken_rigid::{BodyKind, EnergyBalance};
use moment::{Moment, reactions};
use notices::{gain, start};
use reactions::Joints;
use rows::{JointColumns, Rows};
use std::sync::Arc;

/// What is told, once, of laws that jump.
const EXPLICIT_KICKS: &str = "a force jumps with the velocity, as friction does where a body stops: in such steps it is taken at \
                              their start, to first order of the step; make it smooth there, as `v / sqrt(v . v + 1e-6)`";

/// Speed whose energy is nothing in a balance of energies, m/s: that of bodies at rest that tremble.
const UNSEEN_SPEED: f64 = 1e-3;

/// Scalars of state of a body, about: position, orientation, velocities, and a share of contacts and ledger.
const SCALARS_PER_BODY: usize = 25;

/// A simulation of rigid bodies under way.
pub(crate) struct RigidMechanism<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    run: gedanken_rigid::Simulation,
    failures: Arc<Failures>,
    bodies: Vec<(usize, ComponentId)>,
    /// By row of a body, its place in the simulation.
    places: Vec<Option<usize>>,
    /// Threads that share islands; none if there is nothing to share.
    pool: Option<rayon::ThreadPool>,
    rows: Rows<ComponentId>,
    /// Quality of the solutions of all steps since the last frame: the worst of each.
    worst: Report,
    /// Joints whose forces are recorded; `None` if neither they nor contacts are.
    joints: Option<Joints>,
    /// Length of the last step, s.
    last_step: f64,
    watch: EnergyWatch,
}

impl<'e> RigidMechanism<'e> {
    /// Makes bodies, laws and joints, and puts everything into its initial state.
    ///
    /// # Errors
    /// Impossible masses, joints that do not hold, laws that the integrator cannot follow.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Some(rigid) = simulation.rigid() else {
            let message = format!("the simulation `{}` is not one of rigid bodies", simulation.name);
            return Err(vec![Diagnostic::new(Code::E761, simulation.span, message)]);
        };
        let Built { world, settings, bodies, failures } = build(experiment, simulation, &options)?;
        let shared = world.has_contacts() || !world.constraints().is_empty();
        let run = gedanken_rigid::Simulation::starting_at(world, settings, simulation.initial_time)
            .map_err(|error| vec![refused(&error, experiment, simulation)])?;
        let laws = || run.world().laws().terms().iter().map(|term| &*term.label);
        let records_forces = rigid.record_forces || options.forces;
        let joints = records_forces.then(|| Joints::new(experiment, simulation, &bodies, run.world()));
        let columns: Vec<JointColumns> =
            joints.iter().flat_map(Joints::names).enumerate().map(JointColumns::of_forces).collect();
        let mut rows = Rows::new(experiment, simulation, &bodies, laws(), rigid.step_kind(), &columns, meter);
        rows.schema.contacts = records_forces;
        let mut places = vec![None; run.world().model().components().len()];
        for (place, (_, id)) in bodies.iter().enumerate() {
            places[id.row()] = Some(place);
        }
        let masses = run.world().bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic);
        let mass: f64 = masses.map(|(_, body)| body.mass()).sum();
        let watch = EnergyWatch::new(0.5 * mass * UNSEEN_SPEED * UNSEEN_SPEED);
        // Without threads one does it all, with the same bits.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads);
        let pool = (shared && options.threads > 0).then(|| threads.build().ok()).flatten();
        Ok(Self {
            experiment,
            simulation,
            run,
            failures,
            bodies,
            places,
            pool,
            rows,
            worst: Report::nothing(),
            joints,
            last_step: 0.0,
            watch,
        })
    }

    /// Ends a motion that gains energy from nothing.
    fn watch_energy(&mut self, length: f64) -> Result<(), Stop> {
        let Some(EnergyBalance { kinetic, potential, unearned }) = self.run.energy_balance() else {
            return Ok(());
        };
        let mut gain = self.watch.step(kinetic, potential, unearned);
        if gain.is_none() && self.watch.is_to_look() {
            gain = self.watch.looked(gain::is_too_fast(&self.run, length));
        }
        let Some(gain) = gain else { return Ok(()) };
        let around = (self.experiment, self.simulation);
        Err(Stop::Experiment(Box::new(gain::explain(gain, &self.run, around, length))))
    }

    fn one_step(&mut self, length: f64) -> Result<(), Stop> {
        let Self { run, pool, .. } = self;
        let result = match pool {
            Some(pool) => pool.install(|| run.step(length)),
            None => run.step(length),
        };
        // What a law could not tell somewhere on the way counts only if the step ends there.
        let told = self.failures.take();
        result.map_err(|fault| {
            let strained = fault::strained(&fault, self.experiment, self.simulation.span);
            let told = strained.or(told);
            let bodies = self.bodies.iter().map(|&(index, _)| &self.experiment.objects[index]);
            let explain = || fault::explain(&fault, bodies, self.simulation.span, self.run.time());
            Stop::Experiment(Box::new(told.unwrap_or_else(explain)))
        })
    }
}

impl Mechanism for RigidMechanism<'_> {
    fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    fn begin(&mut self, _: f64, events: &mut Events<'_>) -> Result<(), Stop> {
        let (time, length) = (self.simulation.initial_time, Timeline::new(self.simulation).step(0, 0).length);
        self.watch_energy(length)?;
        events.notices(start::notices(&self.run, time))?;
        events.notices(gain::stiff_laws(&self.run, length, time))
    }

    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        self.run.set_time(clock.start);
        self.one_step(clock.length)?;
        self.last_step = clock.length;
        self.watch_energy(clock.length)?;
        if self.run.explicit_kicks() > 0 {
            let (key, message) = ("explicit kicks".to_owned(), EXPLICIT_KICKS.to_owned());
            events.notice(key, self.run.time(), message)?;
        }
        let earlier = if clock.is_first { Report::nothing() } else { self.worst };
        self.worst = worse(earlier, self.run.report());
        let Self { run, rows, places, bodies, .. } = self;
        let (few, frame_end) = (bodies.len() <= MAX_OBJECTS_MEASURED_AT_EVENTS, clock.frame_end);
        let mut teller = Teller { run, rows, places, few, frame_end, events };
        teller.changes()?;
        teller.impacts()
    }

    /// All laws of force: which of them feeds a motion, the core does not know.
    fn laws_moving(&self, _: Option<usize>) -> Vec<String> {
        self.run.world().laws().terms().iter().map(|term| term.label.to_string()).collect()
    }

    fn set_time(&mut self, time: f64) {
        self.run.set_time(time);
    }

    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop> {
        let forces = self.joints.as_ref().map(|it| it.forces(&self.run, self.last_step));
        let moment = Moment::now(&self.run, &self.rows, self.worst);
        Ok(Box::new(moment.with_forces(forces.unwrap_or_default())))
    }

    fn contacts(&self, out: &mut Vec<f64>) {
        if self.joints.is_some() {
            reactions::contacts(&self.run, &self.places, self.last_step, out);
        }
    }

    fn hash(&self, _: &[f64]) -> u64 {
        self.run.state().hash()
    }

    fn scalars(&self) -> usize {
        self.bodies.len() * SCALARS_PER_BODY
    }

    fn save(&self, to: &mut Words) {
        self.watch.save(to);
        self.run.to_words().into_iter().for_each(|word| to.word(word));
    }

    fn load(&mut self, _: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        self.watch = EnergyWatch::load(from)?;
        match self.run.load_words(from.rest()) {
            true => Ok(()),
            false => Err(Stop::Keyframe("it is damaged, or of other bodies".to_owned())),
        }
    }

    /// Names of bodies, laws and joints.
    fn fingerprint(&self, hash: &mut Hash) {
        let world = self.run.world();
        let components = world.model().components();
        components.iter().for_each(|id| hash.text(components.name(id)));
        world.laws().terms().iter().for_each(|term| hash.text(&term.label));
        world.constraints().iter().for_each(|it| hash.text(it.name()));
    }
}

/// Of two reports the worse in every respect; what is counted, of the later one.
fn worse(earlier: Report, later: Report) -> Report {
    Report { islands: later.islands, points: later.points, ..earlier.and(later) }
}
