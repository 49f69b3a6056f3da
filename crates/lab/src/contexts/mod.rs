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
//! finds the pairs that may meet and keeps their bonds and the queue, `first_contact` finds when they do.
//! `touch` computes normal and point of a contact and answers what contact laws ask about their surroundings.
//! `measures` evaluates the measures of a simulation.
//!
//! State that lives from frame to frame is what `keyframe` writes, and nothing else: boxes, queues and caches
//! are made anew from it and never change a result, so that a resumed run gives the same bits.

mod collision;
mod contact;
mod first_contact;
mod frame;
mod ids;
mod instant;
mod keyframe;
mod laws;
mod layout;
mod measures;
mod rows;
mod search;
mod small_set;
mod touch;
mod trajectory;
mod world;

use crate::run::measures::Meter;
use crate::run::options::{Options, Stop};
use collision::Collisions;
use contact::Contacts;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_geometry::bounds::radius_about_origin;
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::types::Type;
use gedanken_math::Pose;
use gedanken_recording::{Event, Frame, Notice, Schema, Sink, hash_row};
use ids::{ActorId, ClassId, Id, LawId, ParticipantId, Table};
use laws::inputs::Source;
use laws::rates::CoupledSystems;
use laws::{Laws, Varying};
use layout::Layout;
use rows::Rows;
use search::Search;
use std::collections::BTreeSet;
use std::sync::Arc;
use touch::Touch;
use world::{Actor, World};

/// A simulation under way.
#[derive(Debug)]
pub struct Engine<'e> {
    simulation: &'e Simulation,
    options: Options,
    /// Threads that share the search for contacts; `None` for a single thread.
    pool: Option<rayon::ThreadPool>,
    world: World<'e>,
    varying: Varying,
    rows: Rows,
    meter: Meter,
    search: Search,
    collisions: Collisions,
    contacts: Contacts,
    /// Actors whose free fall reads each actor.
    free_fall_readers: Table<ActorId, Vec<ActorId>>,
    /// Last completed frame; `None` before the first.
    frame: Option<u64>,
    /// End of the frame that is being computed, s.
    frame_end: f64,
    /// Number of events so far.
    events: u64,
    /// Keys of notices already given.
    said: BTreeSet<String>,
    /// Last contact that was computed, and the poses it belongs to: an instant asks for the same pair again
    /// and again.
    touched: Option<([Pose; 2], Touch)>,
    /// Scratch memory for geometry, and for rows.
    scratch: Scratch,
    row: Vec<f64>,
}

impl<'e> Engine<'e> {
    /// Compiles the laws of a simulation and puts everything into its initial state.
    ///
    /// # Errors
    /// What only shows when objects take part.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (layout, values, stored) = Layout::new(experiment, simulation);
        let varying = Varying::new(experiment, &layout);
        // One compilation serves a whole class: no law can tell its members apart.
        let mut laws: Vec<Arc<Laws>> = Vec::new();
        let mut free_falls: Table<ClassId, Option<LawId>> = Vec::with_capacity(layout.classes.len()).into();
        for class in &layout.classes {
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
                    options.native,
                );
                laws.push(Arc::new(made));
                LawId::new(laws.len() - 1)
            }));
        }
        let mut actors = Vec::with_capacity(layout.len());
        // All shapes are tried, so that the user reads every mistake at once.
        let mut wrong = Vec::new();
        for actor in layout.actors() {
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
            layout,
        };
        for laws in laws {
            world.add_laws(laws);
        }
        if let Some(diagnostic) = laws::cycles::find_cycle(&world) {
            return Err(vec![diagnostic]);
        }
        let frames = frame::count(simulation);
        let meter = Meter::new(experiment, simulation).natively(options.native);
        let measures: Vec<(String, Type)> =
            meter.names().map(str::to_owned).zip(meter.types().cloned()).collect();
        let rows = Rows::new(experiment, simulation, &world, frames, &measures);
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
            meter,
            search,
            contacts: Contacts::default(),
            free_fall_readers,
            frame: None,
            frame_end: simulation.initial_time,
            events: 0,
            said: BTreeSet::new(),
            touched: None,
            scratch: Scratch::default(),
            row: Vec::new(),
        })
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        &self.rows.schema
    }

    /// The number of the last frame there will be.
    pub fn frames(&self) -> u64 {
        frame::count(self.simulation)
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// The time of a frame.
    pub fn time(&self, frame: u64) -> f64 {
        frame::time(self.simulation, frame)
    }

    /// How many events there have been.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does
    /// nothing, when there are no more.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        let next = match self.frame {
            None => {
                self.begin(sink)?;
                0
            }
            Some(frame) if frame >= self.frames() => return Ok(false),
            Some(frame) => {
                self.step(self.time(frame), self.time(frame + 1), sink)?;
                frame + 1
            }
        };
        self.frame = Some(next);
        let time = self.time(next);
        let measures = self.measures(time, sink)?;
        let mut row = std::mem::take(&mut self.row);
        self.rows.row(&self.world, &measures, &mut row);
        let keyframe = self.is_keyframe(next).then(|| self.keyframe());
        let hash = hash_row(&row);
        let kept = sink.frame(Frame { index: next, time, row: &row, hash, keyframe: keyframe.as_deref() });
        self.row = row;
        kept?;
        Ok(true)
    }

    fn event(&mut self, event: Event, sink: &mut dyn Sink) -> Result<(), Stop> {
        self.events += 1;
        sink.take_event(event)?;
        Ok(())
    }

    /// Says something, once.
    fn notice(&mut self, key: String, time: f64, message: String, sink: &mut dyn Sink) -> Result<(), Stop> {
        if self.said.insert(key) {
            sink.notice(&Notice { time, message })?;
        }
        Ok(())
    }
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
