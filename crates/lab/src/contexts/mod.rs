//! The contexts engine: moves objects by the laws that the user wrote, and finds by geometry and time alone
//! when which laws hold.
//!
//! Within a *segment*, from one start of a context on an object to its end, the object's attributes are a
//! pure function of time and of the values frozen at the segment's start. So any instant of a frame can be
//! evaluated alone, in any order, and contacts are searched on the user's own trajectories:
//!
//! ```text
//! frame: bounds of motions ─► boxes that meet ─► first contacts ─► queue     (frame, search, first_contact)
//! instant: earliest contact ─► collision laws ─► prediction ─► free fall or contact     (instant, collision)
//! end of frame: laws of all objects at once ─► row, hash                                       (world, rows)
//! ```
//!
//! `ids` are the typed indices of everything below. `layout` lists the actors and places their values in
//! columns, `laws` compiles contexts of the experiment (`inputs`: where a law reads and writes; `program`:
//! how it runs; `rates`: what is integrated; `cycles`: laws that need each other), `world` is the state and
//! all that follows from it at any instant. `trajectory` evaluates and bounds one actor's motion, `search`
//! finds the pairs that may meet and keeps their bonds, touch bands and the queue, `first_contact` finds when
//! they do. `instant` decides what happens then; `free_fall_probe` lets objects go for a trial.
//! `touch` computes normal and point of a contact and answers what contact laws ask about their surroundings.
//! `measures` evaluates the measures of a simulation.
//!
//! A contact keeps the rule of segments: its normals and points follow from the poses at the same instant
//! (`touch::live`), and it ends where a trial of free fall from the state then takes the two apart
//! (`instant::release`). Both are functions of the two motions alone.
//!
//! State that lives from frame to frame is what `keyframe` saves, and nothing else: boxes, queues and caches
//! are made anew from it and never change a result, so that a resumed run gives the same bits.

mod collision;
mod contact;
mod first_contact;
mod frame;
mod free_fall_probe;
mod ids;
mod instant;
mod keyframe;
mod laws;
mod layout;
mod moment;
mod rows;
mod search;
mod small_set;
mod speed_gain;
mod touch;
mod trajectory;
mod world;

use crate::run::clock::StepClock;
use crate::run::divergence::EVALUATIONS_PER_STEP;
use crate::run::events::Events;
use crate::run::measures::Meter;
use crate::run::mechanism::Mechanism;
use crate::run::options::{Options, Stop};
use crate::run::values::Values;
use crate::run::words::{Hash, Words, WordsReader};
use collision::Collisions;
use contact::Contacts;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_geometry::bounds::radius_about_origin;
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::types::Type;
use gedanken_math::Pose;
use gedanken_recording::{Schema, hash_row};
use ids::{ActorId, ClassId, ContextId, Id, LawId, ParticipantId, Table};
use instant::recent::RecentMotions;
use laws::inputs::Source;
use laws::rates::CoupledSystems;
use laws::{Laws, Varying};
use layout::Layout;
use rows::Rows;
use search::Search;
use speed_gain::SpeedGain;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use touch::Touch;
use world::{Actor, World};

/// A simulation under way.
#[derive(Debug)]
pub(crate) struct Engine<'e> {
    simulation: &'e Simulation,
    options: Options,
    /// Threads that share the search for contacts; `None` for a single thread.
    pool: Option<rayon::ThreadPool>,
    world: World<'e>,
    varying: Varying,
    rows: Rows,
    search: Search,
    collisions: Collisions,
    contacts: Contacts,
    /// Actors whose free fall reads each actor.
    free_fall_readers: Table<ActorId, Vec<ActorId>>,
    /// Time of the last completed frame, s.
    now: f64,
    /// End of the frame that is being computed, s.
    frame_end: f64,
    /// Last contact that was computed, and the poses it belongs to: an instant asks for the same pair again
    /// and again.
    touched: Option<([Pose; 2], Touch)>,
    /// Places and velocities that were computed lately.
    recent: RefCell<RecentMotions>,
    /// Last collision that added energy; only messages depend on it.
    speed_gain: Option<SpeedGain>,
    /// Scratch memory for geometry.
    scratch: Scratch,
}

/// Returns the cycles of laws between objects of a simulation, as its run would find them.
pub(crate) fn find_cycles(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Vec<Diagnostic> {
    // A world costs as much as its objects, so it is built only if there is something to find.
    if !laws::cycles::may_exist(experiment, simulation) {
        return Vec::new();
    }
    let meter = Meter::new(experiment, simulation, &options.cancel);
    let refused = Engine::new(experiment, simulation, options.clone(), &meter).err().unwrap_or_default();
    refused.into_iter().filter(|it| it.code == Code::E802).collect()
}

impl<'e> Engine<'e> {
    /// Compiles the laws of a simulation and puts everything into its initial state.
    ///
    /// # Errors
    /// Faults of the experiment that only show when objects take part.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (layout, values, stored) = Layout::new(experiment, simulation);
        let varying = Varying::new(experiment, &layout);
        // One compilation serves a whole class: no law can tell its members apart.
        let mut laws: Vec<Arc<Laws>> = Vec::new();
        let mut free_falls: Table<ClassId, Option<LawId>> = Vec::with_capacity(layout.classes.len()).into();
        for class in &layout.classes {
            // Nothing is wrong with a run that is cancelled before it begins.
            options.cancel.check().map_err(|_| Vec::new())?;
            let member = class.members[0];
            let checked = class
                .free_fall
                .and_then(|context| experiment.laws(context.index(), &[layout.objects[member].index()], 0));
            free_falls.push(checked.map(|checked| {
                let made = Laws::new(
                    experiment,
                    &layout,
                    &varying,
                    checked,
                    &[member],
                    Some(ParticipantId::default()),
                    &options,
                );
                laws.push(Arc::new(made));
                LawId::new(laws.len() - 1)
            }));
        }
        let mut actors = Vec::with_capacity(layout.len());
        // All shapes are tried, so that the user reads every mistake at once.
        let mut wrong = Vec::new();
        for actor in layout.actors() {
            options.cancel.check().map_err(|_| Vec::new())?;
            match layout.object(experiment, actor).solid(&experiment.objects) {
                Ok(shape) => actors.push(Actor {
                    free_fall: free_falls[layout.rows[actor].class],
                    laws: None,
                    since: simulation.initial_time,
                    updated: simulation.initial_time,
                    version: 0,
                    given: Vec::new(),
                    radius: radius_about_origin(&shape),
                    shape,
                }),
                Err(diagnostic) => wrong.push(*diagnostic),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut world = World {
            experiment,
            owners: Table::filled(None, values.len()),
            kept: Vec::new().into(),
            laws: Vec::new().into(),
            values,
            stored,
            actors: actors.into(),
            integrated: CoupledSystems::new(layout.len(), simulation),
            cancel: options.cancel.clone(),
            layout,
        };
        for laws in laws {
            world.add_laws(laws);
        }
        if let Some(diagnostic) = laws::cycles::find_cycle(&world) {
            return Err(vec![diagnostic]);
        }
        let rows = Rows::new(experiment, simulation, &world, meter);
        let search = Search::new(&world, simulation);
        let free_fall_readers = free_fall_readers(&world);
        let several =
            (options.threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(options.threads));
        // A pool that cannot be made is no error: a single thread gives the same bits.
        let pool = several.and_then(|it| it.build().ok());
        Ok(Self {
            simulation,
            options,
            pool,
            collisions: Collisions::new(&world, simulation),
            world,
            varying,
            rows,
            search,
            contacts: Contacts::default(),
            free_fall_readers,
            now: simulation.initial_time,
            frame_end: simulation.initial_time,
            touched: None,
            recent: RefCell::default(),
            speed_gain: None,
            scratch: Scratch::default(),
        })
    }
}

impl Mechanism for Engine<'_> {
    fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    fn begin(&mut self, frame_end: f64, events: &mut Events<'_>) -> Result<(), Stop> {
        self.start(frame_end, events)
    }

    /// A whole frame: time has no steps here.
    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        self.pass(clock.start, clock.end, events)
    }

    fn evaluations(&self) -> u64 {
        self.world.integrated.steps() * EVALUATIONS_PER_STEP
    }

    /// The context that holds for it now, or all contexts that hold.
    fn laws_moving(&self, object: Option<usize>) -> Vec<String> {
        let actors = self.world.layout.actors().filter(|it| object.is_none_or(|object| object == it.index()));
        let contexts: BTreeSet<ContextId> =
            actors.filter_map(|it| self.world.laws_of(it)).map(|laws| laws.context).collect();
        let moving = contexts.iter().map(|it| self.world.experiment.contexts[it.index()].name.clone());
        // What feeds a motion comes first: a message lists few laws.
        self.law_that_adds_energy(object).into_iter().chain(moving).collect()
    }

    fn set_time(&mut self, time: f64) {
        self.now = time;
    }

    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop> {
        Ok(Box::new(self.moment_at(self.now)))
    }

    fn hash(&self, row: &[f64]) -> u64 {
        hash_row(row)
    }

    fn scalars(&self) -> usize {
        self.world.stored.iter().flatten().map(Vec::len).sum()
    }

    fn save(&self, to: &mut Words) {
        self.save_state(to);
    }

    fn load(&mut self, time: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        self.load_state(time, from)
    }

    /// Names and types of all attributes, class by class.
    fn fingerprint(&self, hash: &mut Hash) {
        let layout = &self.world.layout;
        for class in &layout.classes {
            class.fields.iter().for_each(|field| hash_field(hash, &field.name, &field.ty));
            hash.text("");
        }
        layout.world.iter().for_each(|field| hash_field(hash, &field.name, &field.ty));
        hash.text("");
    }
}

/// Takes in the name and the type of an attribute.
fn hash_field(hash: &mut Hash, name: &str, ty: &Type) {
    hash.text(name);
    hash.text(&ty.to_string());
}

/// Returns, for each actor, the actors whose free fall reads it.
fn free_fall_readers(world: &World<'_>) -> Table<ActorId, Vec<ActorId>> {
    let mut free_fall_readers = Table::filled(Vec::new(), world.layout.len());
    for laws in &world.laws {
        let read: BTreeSet<ActorId> = laws
            .reads()
            .filter_map(|it| match it {
                Source::Other { actor, .. } => Some(actor),
                _ => None,
            })
            .collect();
        for object in read {
            if let Some(class) = laws.class {
                free_fall_readers[object].extend(&world.layout.classes[class].members);
            }
        }
    }
    free_fall_readers
}
