//! Articulated bodies with soft constraints: runs a mechanism that a model describes, or that an experiment
//! with `solver = soft` is.
//!
//! ```text
//! model ──build──► Description, bodies ──► Simulation::step ──► moment, events
//! ```
//!
//! `build` makes the mechanism and its `surroundings`, `moment` computes what is recorded and measured, `state` saves and restores
//! it, [`inspection`] looks inside.

mod build;
mod from_experiment;
pub mod inspection;
mod moment;
mod state;
mod surroundings;

use crate::rigid::rows::{JointColumns, JointRecord, Rows};
use crate::run::clock::StepClock;
use crate::run::events::{Events, Happened};
use crate::run::measures::Meter;
use crate::run::mechanism::Mechanism;
use crate::run::options::{Options, Stop};
use crate::run::values::Values;
use crate::run::words::{Hash, Words, WordsReader};
use build::Built;
use gedanken_experiment::rigid::quantities::StepKind;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_multibody::compile::Model;
use gedanken_multibody::energy::Energies;
use gedanken_multibody::model::{BodyId, JointKind};
use gedanken_multibody::simulation::StepError;
use gedanken_multibody::tree::kinematics::Kinematics;
use gedanken_recording::{EventKind, Notice, Schema};
use moment::Moment;
use std::collections::BTreeSet;
use surroundings::Outside;

/// Names of the events, sorted, with their kinds.
const EVENTS: [(&str, EventKind); 2] = [("leave", EventKind::FreeFall), ("touch", EventKind::Contact)];

/// Laws that every mechanism has, whose work is recorded beside that of constraints and of the file's own laws.
pub(crate) const LAWS: [&str; 3] = ["gravity", "springs", "damping"];

/// Quality of the solutions since the last frame: the worst of each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Quality {
    certificate: f64,
    duality_gap: f64,
    overlap: f64,
    loop_error: f64,
    contacts: usize,
    converged: bool,
}

/// A mechanism under way.
pub(crate) struct MultibodyMechanism<'e> {
    simulation: &'e Simulation,
    /// What is told when a run begins.
    notices: Vec<String>,
    run: gedanken_multibody::simulation::Simulation,
    outside: Outside,
    /// By place of an object in the simulation, its body.
    bodies: Vec<Option<BodyId>>,
    /// By geom, the place of the object that shows it.
    places: Vec<Option<usize>>,
    rows: Rows<usize>,
    /// Energy and momentum when the run began.
    start: Energies,
    /// Potential energies of the file's own laws, now and when the run began.
    law_energies: Vec<Option<f64>>,
    law_energies_at_start: Vec<Option<f64>>,
    /// Poses and velocities of the present state.
    view: Kinematics,
    /// Velocities of bodies before the last step, and its length.
    before: Kinematics,
    last_step: f64,
    quality: Quality,
    /// Pairs of objects that touch.
    touching: BTreeSet<[usize; 2]>,
}

impl<'e> MultibodyMechanism<'e> {
    /// Makes the mechanism, and puts it into its initial state.
    ///
    /// # Errors
    /// A description that cannot move.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
    ) -> Result<Self, Vec<Diagnostic>> {
        let built = build::build(experiment, simulation, &options)?;
        let Built { model, bodies, places, state, outside, notices } = built;
        let objects: Vec<(usize, usize)> =
            simulation.objects.iter().enumerate().map(|(place, &object)| (object, place)).collect();
        let joints = joint_columns(&model);
        let names = outside.law_names();
        let laws = LAWS.into_iter().chain(names.iter().map(String::as_str));
        let rows = Rows::new(experiment, simulation, &objects, laws, StepKind::Soft, &joints, meter);
        let mut rows = rows.with_events(EVENTS.map(|(name, _)| name.to_owned()).to_vec());
        rows.schema.contacts = options.forces || simulation.rigid().is_some_and(|it| it.record_forces);
        let mut run = gedanken_multibody::simulation::Simulation::new(model);
        *run.state_mut() = state;
        let mut it = Self {
            simulation,
            notices,
            run,
            outside,
            bodies,
            places,
            rows,
            start: Energies::default(),
            law_energies: Vec::new(),
            law_energies_at_start: Vec::new(),
            view: Kinematics::default(),
            before: Kinematics::default(),
            last_step: 0.0,
            quality: Quality { converged: true, ..Quality::default() },
            touching: BTreeSet::new(),
        };
        it.look();
        it.before.clone_from(&it.view);
        it.start = Energies::of(it.run.model(), it.run.state(), &it.view);
        it.law_energies_at_start.clone_from(&it.law_energies);
        it.run.ledger_mut().laws.resize(names.len(), 0.0);
        Ok(it)
    }

    /// Computes poses and velocities of the present state.
    fn look(&mut self) {
        let (model, state) = (self.run.model(), self.run.state());
        self.view.place(&model.description, &model.topology, state);
        self.view.set_velocities(&model.description, &model.topology, state);
        self.outside.energies(state.time, &self.view, &mut self.law_energies);
    }

    /// Potential energy of the file's own laws.
    fn law_energy(&self) -> f64 {
        self.law_energies.iter().flatten().sum()
    }

    /// Pairs of objects in contact where the last step began.
    fn touching_pairs(&self) -> BTreeSet<[usize; 2]> {
        let acting = self.run.contacts_before().iter().filter(|contact| !contact.in_gap);
        let pair = |geoms: [gedanken_multibody::model::GeomId; 2]| {
            let mut pair = [self.places[geoms[0].index()]?, self.places[geoms[1].index()]?];
            pair.sort_unstable();
            Some(pair)
        };
        acting.filter_map(|contact| pair(contact.geoms)).collect()
    }

    /// Tells pairs that no longer touch, and those that begin to, when the step began.
    fn tell_changes(&mut self, clock: &StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        let now = self.touching_pairs();
        if now == self.touching {
            return Ok(());
        }
        let left: Vec<[usize; 2]> = self.touching.difference(&now).copied().collect();
        let begun: Vec<[usize; 2]> = now.difference(&self.touching).copied().collect();
        for (context, pairs) in [left, begun].into_iter().enumerate() {
            for pair in pairs {
                let mut objects = pair.to_vec();
                objects.dedup();
                let row = events.row(&Moment::before_the_step(self, clock.start), &objects)?;
                let kind = EVENTS[context].1;
                events.event(Happened {
                    time: clock.start.min(clock.frame_end),
                    kind,
                    context: Some(context),
                    objects,
                    given: Vec::new(),
                    before: row.clone(),
                    after: row,
                })?;
            }
        }
        self.touching = now;
        Ok(())
    }

    /// Takes the quality of the last solution into that since the frame.
    fn judge(&mut self, is_first: bool) {
        let (solution, rows) = (self.run.solution(), &self.run.dynamics().rows);
        let contacts = self.run.contacts_before();
        let loops = rows.positions[..rows.equalities()].iter().fold(0.0, |most: f64, it| most.max(it.abs()));
        let deepest = contacts.iter().fold(0.0, |most: f64, it| most.max(-it.distance));
        let earlier = if is_first { Quality { converged: true, ..Quality::default() } } else { self.quality };
        self.quality = Quality {
            certificate: earlier.certificate.max(solution.certificate),
            duality_gap: earlier.duality_gap.max(solution.duality_gap),
            overlap: earlier.overlap.max(deepest),
            loop_error: earlier.loop_error.max(loops),
            contacts: contacts.iter().filter(|it| !it.in_gap).count(),
            converged: earlier.converged && solution.converged,
        };
    }

    fn explain(&self, error: &StepError) -> Stop {
        if let Some(told) = self.outside.take_failure() {
            return Stop::Experiment(Box::new(told));
        }
        let diagnostic = Diagnostic::new(Code::E808, self.simulation.span, error.to_string())
            .note(format!("at t = {}", Value::Real(self.run.state().time)))
            .help(
                "take a shorter time step, or look for a spring, a damper or a constraint that is too stiff",
            );
        Stop::Experiment(Box::new(diagnostic))
    }
}

impl Mechanism for MultibodyMechanism<'_> {
    fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    fn begin(&mut self, _: f64, events: &mut Events<'_>) -> Result<(), Stop> {
        let time = self.simulation.initial_time;
        events.notices(self.notices.iter().map(|it| Notice { time, message: it.clone() }).collect())
    }

    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        self.run.state_mut().time = clock.start;
        let Self { run, outside, .. } = self;
        run.step_in(clock.length, outside).map_err(|error| self.explain(&error))?;
        self.judge(clock.is_first);
        self.tell_changes(&clock, events)?;
        core::mem::swap(&mut self.before, &mut self.view);
        self.look();
        self.last_step = clock.length;
        Ok(())
    }

    fn laws_moving(&self, _: Option<usize>) -> Vec<String> {
        LAWS.map(str::to_owned).into_iter().chain(self.outside.law_names()).collect()
    }

    fn set_time(&mut self, time: f64) {
        self.run.state_mut().time = time;
    }

    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop> {
        Ok(Box::new(Moment::now(self)))
    }

    fn contacts(&self, out: &mut Vec<f64>) {
        if !self.rows.schema.contacts || self.last_step == 0.0 {
            return;
        }
        let place = |geom: gedanken_multibody::model::GeomId| {
            self.places.get(geom.index()).copied().flatten().map_or(-1.0, |it| it as f64)
        };
        for (contact, force) in self.run.dynamics().contact_forces(&self.run.model().description) {
            out.extend(contact.geoms.map(place));
            for vector in [contact.position, contact.frame[0], force] {
                out.extend(vector.to_array());
            }
        }
    }

    fn hash(&self, _: &[f64]) -> u64 {
        state::hash(self.run.state())
    }

    fn scalars(&self) -> usize {
        let model = self.run.model();
        model.coordinates() + 2 * model.freedoms()
    }

    fn save(&self, to: &mut Words) {
        state::save(self, to);
    }

    fn load(&mut self, time: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        state::load(self, time, from)?;
        self.look();
        Ok(())
    }

    /// Names of bodies, joints, actuators, laws and conditions.
    fn fingerprint(&self, hash: &mut Hash) {
        let description = &self.run.model().description;
        description.bodies.iter().for_each(|body| hash.text(&body.name));
        description.joints.iter().for_each(|joint| hash.text(&joint.name));
        description.actuators.iter().for_each(|actuator| hash.text(&actuator.name));
        self.outside.law_names().iter().for_each(|law| hash.text(law));
        self.outside.condition_names().for_each(|name| hash.text(name));
    }
}

/// Checks that a simulation with soft constraints makes a mechanism.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Result<(), Vec<Diagnostic>> {
    build::build(experiment, simulation, options).map(|_| ())
}

/// Columns of the joints that have a name and coordinates of their own.
fn joint_columns(model: &Model) -> Vec<JointColumns> {
    let mut used = BTreeSet::new();
    let mut columns = Vec::new();
    for (number, joint) in model.description.joints.iter().enumerate() {
        let what = match joint.kind {
            JointKind::Free => continue,
            JointKind::Ball => "rotation",
            JointKind::Slide => "shift",
            JointKind::Hinge => "angle",
        };
        let plain = if joint.name.is_empty() { format!("joint_{number}") } else { joint.name.clone() };
        let name: String =
            plain.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
        // Of two joints whose names differ in marks only, the first keeps its name.
        let name = if used.insert(name.clone()) { name } else { format!("{name}_{number}") };
        columns.push(JointColumns {
            name,
            what: JointRecord::Motion {
                what,
                coordinates: (model.topology.coordinate_of[number], joint.kind.coordinates()),
                rates: (model.topology.freedom_of[number], joint.kind.freedoms()),
            },
        });
    }
    columns
}
