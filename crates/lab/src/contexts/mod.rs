//! The contexts engine: moves objects by the laws that the user wrote, and finds by geometry and time alone
//! when which laws hold.
//!
//! Within a *segment*, from one start of a context on an object to its end, the object's attributes are a
//! pure function of time and of what was frozen at the segment's start. So any instant of a frame can be
//! evaluated alone, in any order, and contacts are searched on the user's own trajectories:
//!
//! ```text
//! frame: bounds of all motions ─► boxes that meet ─► first contact of each pair ─► queue       (frame, boxes, search, impact)
//! instant: earliest contact ─► collision laws ─► probe ─► free fall or contact                 (instant, collision, contact)
//! end of frame: laws of all objects at once ─► row, hash                                       (world, rows)
//! ```
//!
//! `cast` says who takes part and where values are, `source` where a law reads, `program` and `laws` make
//! contexts of the experiment runnable, `world` is the state and what follows from it at any instant,
//! `flight` is one object on its way.
//!
//! State that lives from frame to frame is what `keyframe` saves, and nothing else: boxes, queues and caches
//! are made anew from it and never change a result, so that a resumed run gives the same bits.

mod collision;
mod contact;
mod few;
mod first_contact;
mod frame;
mod instant;
mod keyframe;
mod laws;
mod layout;
mod readings;
mod rows;
mod search;
mod touch;
mod trajectory;
mod world;

use crate::run::clock::StepClock;
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
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::Pose;
use gedanken_recording::{Schema, hash_row};
use laws::inputs::Source;
use laws::rates::Flows;
use laws::{Laws, Varying};
use layout::Cast;
use rows::Rows;
use search::Search;
use std::collections::BTreeSet;
use std::sync::Arc;
use touch::Touch;
use world::{Actor, World};

/// A simulation under way.
#[derive(Debug)]
pub(crate) struct Engine<'e> {
    simulation: &'e Simulation,
    options: Options,
    /// Threads that share work; none if one does it all.
    pool: Option<rayon::ThreadPool>,
    world: World<'e>,
    varying: Varying,
    rows: Rows,
    search: Search,
    collisions: Collisions,
    contacts: Contacts,
    /// Of each actor, those whose free fall reads it.
    watchers: Vec<Vec<usize>>,
    /// Time of the last completed frame.
    now: f64,
    /// End of the frame that is being computed.
    frame_end: f64,
    /// How two objects were last seen to touch, and where they were: an instant looks at the same two again
    /// and again.
    touched: Option<([Pose; 2], Touch)>,
    /// Memory for geometry.
    scratch: Scratch,
}

impl<'e> Engine<'e> {
    /// Compiles the laws of a simulation of so many frames and puts everything into its initial state.
    ///
    /// # Errors
    /// Faults of the experiment that only show when objects take part.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
        frames: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (cast, values, stored) = Cast::new(experiment, simulation);
        let varying = Varying::new(experiment, &cast);
        let mut laws: Vec<Arc<Laws>> = Vec::new();
        let mut free = Vec::with_capacity(cast.classes.len());
        for class in &cast.classes {
            let member = class.members[0];
            let checked =
                class.free_fall.and_then(|context| experiment.laws(context, &[cast.objects[member]], 0));
            free.push(checked.map(|checked| {
                let made =
                    Laws::new(experiment, &cast, &varying, checked, &[member], Some(0), options.native);
                laws.push(Arc::new(made));
                laws.len() - 1
            }));
        }
        let mut actors = Vec::with_capacity(cast.len());
        let mut wrong = Vec::new();
        for (actor, &object) in cast.objects.iter().enumerate() {
            match experiment.objects[object].solid(&experiment.objects) {
                Ok(shape) => actors.push(Actor {
                    free: free[cast.places[actor].class],
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
            owners: vec![None; values.len()],
            kept: Vec::new(),
            laws: Vec::new(),
            values,
            stored,
            actors,
            flows: Flows::new(cast.len()),
            cast,
        };
        for laws in laws {
            world.add_laws(laws);
        }
        if let Some(diagnostic) = laws::cycles::circle(&world) {
            return Err(vec![diagnostic]);
        }
        let rows = Rows::new(experiment, simulation, &world, frames, meter);
        let search = Search::new(&world, simulation);
        let watchers = watchers(&world);
        let several =
            (options.threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(options.threads));
        // Without threads one does it all, with the same bits.
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
            watchers,
            now: simulation.initial_time,
            frame_end: simulation.initial_time,
            touched: None,
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
        let classes = self.world.cast.classes.iter().map(|it| &it.fields);
        for fields in classes.chain([&self.world.cast.world]) {
            for field in fields {
                hash.text(&field.name);
                hash.text(&field.ty.to_string());
            }
            hash.text("");
        }
    }
}

/// Of each actor, those whose free fall reads it.
fn watchers(world: &World<'_>) -> Vec<Vec<usize>> {
    let mut watchers = vec![Vec::new(); world.cast.len()];
    for laws in &world.laws {
        let read: BTreeSet<usize> = laws
            .reads()
            .filter_map(|it| match it {
                Source::Other { object, .. } => Some(object),
                _ => None,
            })
            .collect();
        for object in read {
            if let Some(class) = laws.class {
                watchers[object].extend(&world.cast.classes[class].members);
            }
        }
    }
    watchers
}

impl World<'_> {
    /// Takes in laws, with room for the context attributes of whom they are evaluated for.
    pub(crate) fn add_laws(&mut self, laws: Arc<Laws>) -> usize {
        let width = laws.evaluated.map_or(0, |who| laws.kept_width(who));
        let rows = laws.class.map_or(0, |class| self.cast.classes[class].members.len());
        self.kept.push(vec![vec![0.0; rows]; width]);
        self.laws.push(laws);
        self.laws.len() - 1
    }
}
