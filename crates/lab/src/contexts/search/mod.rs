//! Search for contacts: pairs whose boxes meet, and the first contact of each.
//!
//! Boxes hold for a part of a frame, searches reach to its end. A pair is searched when its boxes meet for
//! the first time since one of the two has changed its motion, and from that change on: the result depends on
//! the two motions alone, not on the time of the search.

pub(crate) mod band;
pub(crate) mod boxes;
pub(crate) mod pairs;
pub(crate) mod returns;

use super::Engine;
use super::first_contact::{
    Basis, Found, MAX_PROVEN_STEPS, Meeting, Relation, Scales, SearchError, first_contact,
};
use super::ids::{ActorId, Id, Table};
use super::trajectory::Trajectory;
use super::trajectory::bounds::{Bounds, Mover, Placed};
use super::world::World;
use crate::run::events::Events;
use crate::run::options::Stop;
use band::{Band, Bands};
use boxes::{Boxes, Prospect};
use gedanken_experiment::Simulation;
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::value::Value;
use pairs::{Bond, Bonds, Entry, EntryKind, Queue, Searched};
use rayon::prelude::*;
use returns::Returns;
use std::collections::BTreeSet;

/// State of the search.
#[derive(Debug)]
pub(crate) struct Search {
    /// Resolution of time in this frame, s.
    pub(crate) tick: f64,
    pub(crate) bands: Bands,
    pub(crate) queue: Queue,
    boxes: Boxes,
    /// Time since which each actor moves as it does, or the beginning of the frame, s. Its pairs are searched
    /// from then on.
    since: Table<ActorId, f64>,
    searched: Searched,
    /// Bonds of pairs that touch or overlap.
    pub(crate) bonds: Bonds,
    pub(crate) returns: Returns,
    /// Actors whose size has changed since the beginning.
    pub(crate) reshaped: BTreeSet<ActorId>,
    /// Scratch memory for the neighbours of an actor, and for the pairs of a frame.
    others: Vec<u32>,
    near: Vec<(ActorId, ActorId)>,
}

/// Number of pairs from which on threads share the work.
const MIN_PARALLEL_PAIRS: usize = 128;
/// Number of pairs that threads search before it is looked at whether the run was cancelled.
const PAIRS_BETWEEN_LOOKS: usize = 4096;
/// Resolution of time, relative to the frame.
const RELATIVE_TICK: f64 = 1e-12;

impl Search {
    pub(crate) fn new(world: &World<'_>, simulation: &Simulation) -> Self {
        let count = world.layout.len();
        let bands = Bands { tolerance: simulation.context_settings().and_then(|it| it.touching_tolerance) };
        Self {
            tick: RELATIVE_TICK,
            bands,
            queue: Queue::default(),
            boxes: Boxes::new(world, simulation.initial_time, bands),
            since: Table::filled(simulation.initial_time, count),
            searched: Searched::new(count),
            bonds: Bonds::new(&world.layout.is_static),
            returns: Returns::default(),
            reshaped: BTreeSet::new(),
            others: Vec::new(),
            near: Vec::new(),
        }
    }

    /// Sets the tick for a frame that ends at `t`.
    pub(crate) fn set_tick(&mut self, t: f64, frame: f64) {
        self.tick = (4.0 * f64::EPSILON * t.abs()).max(RELATIVE_TICK * frame);
    }

    /// Begins a frame: every pair is to be searched anew, with boxes that hold.
    pub(crate) fn refresh(&mut self, world: &World<'_>, from: f64, to: f64) {
        self.queue.clear();
        self.searched.clear();
        self.since.fill(from);
        self.boxes.refresh(world, from, to);
    }

    /// Removes the bonds of pairs that have come apart.
    pub(crate) fn remove_separated_bonds(&mut self, world: &World<'_>) {
        let free = self.bonds.all().filter(|it| it.2.bond != Bond::Together);
        let parted: Vec<_> = free.filter(|it| self.searched.have_separated(world, it.0, it.1)).collect();
        parted.into_iter().for_each(|(a, b, _)| self.bonds.part(a, b));
    }

    /// Returns all pairs whose boxes meet.
    pub(crate) fn pairs(&mut self) -> Vec<(ActorId, ActorId)> {
        let mut pairs = Vec::new();
        self.boxes.pairs(&mut pairs);
        pairs
    }

    /// Returns `true` if a pair whose boxes meet at `now` is to be searched at once. For a later search it
    /// queues a reminder.
    fn wants(&mut self, world: &World<'_>, a: ActorId, b: ActorId, now: f64) -> bool {
        if world.layout.is_static[a] && world.layout.is_static[b] {
            return false;
        }
        let bond = self.bonds.get(a, b);
        // Bounds of motions contain the rounding of coordinates.
        let touch = self.band(world, a, b).least();
        let prospect = match bond {
            // The search is for their separation.
            Some(Bond::Together) => Prospect::Now,
            _ => self.boxes.prospect(a, b, now, touch),
        };
        if prospect == Prospect::Apart || !self.searched.note(world, a, b) {
            return false;
        }
        if let Prospect::Later(time) = prospect {
            let versions = [a, b].map(|it| world.actors[it].version);
            self.queue.push(Entry { time, a, b, versions, kind: EntryKind::Reminder });
            return false;
        }
        // True of most pairs that have just collided, and decided without a search.
        let parts = bond.is_some_and(|it| it != Bond::Together) && self.boxes.separate(a, b, now, touch);
        if parts {
            self.searched.note_separation(world, a, b);
        }
        !parts
    }

    /// Touch band of a pair: that of its bond, if it has one.
    pub(crate) fn band(&self, world: &World<'_>, a: ActorId, b: ActorId) -> Band {
        let band = self.bands.of(world, a, b);
        if let Some(link) = self.bonds.link(a, b) {
            return band.at_least(link.band);
        }
        // What lies in the wider band of one tile must not run into the edge of the next.
        let wider = |it: ActorId| self.bonds.widest_held(it);
        band.at_least(wider(a).max(wider(b)).max(self.returns.band((a, b))))
    }

    /// Time from which on a pair is searched.
    fn since(&self, a: ActorId, b: ActorId) -> f64 {
        self.since[a].max(self.since[b])
    }

    /// Queues a reminder if the box of an actor expires before the end of the frame.
    fn remind(&mut self, world: &World<'_>, actor: ActorId, to: f64) {
        let time = self.boxes.until(actor);
        if time < to {
            let versions = [world.actors[actor].version; 2];
            self.queue.push(Entry { time, a: actor, b: actor, versions, kind: EntryKind::Reminder });
        }
    }

    /// Returns the first contact of two actors, the first by name first; `None` if they stay together.
    fn find(
        &self,
        world: &World<'_>,
        a: ActorId,
        b: ActorId,
        from: f64,
        to: f64,
        scratch: &mut Scratch,
    ) -> Option<Sought> {
        let relation = match self.bonds.get(a, b) {
            None => Relation::Apart,
            Some(Bond::Leaving) => Relation::Leaving,
            Some(Bond::Inside) => Relation::Inside,
            Some(Bond::Together) => return None,
        };
        let trajectory = |actor| Enclosed { trajectory: Trajectory { world, actor }, boxes: &self.boxes };
        let (mut one, mut other) = (trajectory(a), trajectory(b));
        let scales =
            Scales { band: self.band(world, a, b), depth: self.bands.of(world, a, b), tick: self.tick };
        let found = first_contact(&mut one, &mut other, relation, from, to, scales, scratch);
        Some((relation, found))
    }
}

/// An actor whose box is known, so that its bounds need not be computed again.
struct Enclosed<'w, 'e> {
    trajectory: Trajectory<'w, 'e>,
    boxes: &'w Boxes,
}

impl Mover for Enclosed<'_, '_> {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        match self.boxes.place(self.trajectory.actor, t) {
            Some(known) => Ok(known.clone()),
            None => self.trajectory.place(t),
        }
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        self.boxes.bounds(self.trajectory.actor, from, to).or_else(|| self.trajectory.bounds(from, to))
    }
}

/// Relation of a pair before the search, and the result.
type Sought = (Relation, Result<Found, SearchError>);

impl Engine<'_> {
    /// Searches for the first contact of every pair up to `to`, at the beginning of a frame. Each search
    /// depends on nothing but the state, so threads may share the work; results are taken in the order of the
    /// pairs.
    pub(super) fn search_all(&mut self, from: f64, to: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let (world, search) = (&self.world, &mut self.search);
        let mut pairs = std::mem::take(&mut search.near);
        search.boxes.pairs(&mut pairs);
        pairs.retain(|&(a, b)| !world.cancel.is_asked() && search.wants(world, a, b, from));
        world.cancel.check()?;
        match &self.pool {
            Some(pool) if pairs.len() >= MIN_PARALLEL_PAIRS => {
                let search = &self.search;
                let mut all: Vec<Option<Sought>> = Vec::with_capacity(pairs.len());
                // In slices, so that a run with very many pairs can be stopped between two of them.
                for slice in pairs.chunks(PAIRS_BETWEEN_LOOKS) {
                    self.world.cancel.check()?;
                    pool.install(|| {
                        let slice = slice.par_iter().with_min_len(MIN_PARALLEL_PAIRS / 4);
                        let find = |scratch: &mut Scratch, &(a, b): &(ActorId, ActorId)| {
                            search.find(world, a, b, from, to, scratch)
                        };
                        all.par_extend(slice.map_init(Scratch::default, find));
                    });
                }
                for (&(a, b), found) in pairs.iter().zip(all) {
                    self.queue_found(a, b, from, to, found, sink)?;
                }
            }
            _ => {
                for &(a, b) in &pairs {
                    self.world.cancel.check()?;
                    self.search_pair(a, b, from, to, sink)?;
                }
            }
        }
        self.search.near = pairs;
        for actor in self.search.since.ids() {
            self.search.remind(&self.world, actor, to);
        }
        Ok(())
    }

    /// Searches for the first contacts of actors whose motion has changed at `now`, with any other.
    pub(super) fn search_for(
        &mut self,
        actors: &[ActorId],
        now: f64,
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        for &actor in actors {
            self.world.cancel.check()?;
            let place = self.known_place(actor, now);
            let search = &mut self.search;
            search.since[actor] = now;
            search.searched.forget(actor);
            search.boxes.disturb(actor);
            search.boxes.enclose(&self.world, actor, now, to, place);
        }
        for &actor in actors {
            self.search_around(actor, now, to, sink)?;
        }
        Ok(())
    }

    /// Searches as a reminder of the queue asks for.
    pub(super) fn search_again(&mut self, entry: &Entry, to: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let &Entry { time: now, a, b, .. } = entry;
        if a == b {
            self.search.boxes.renew(&self.world, a, now, to);
            self.search_around(a, now, to, sink)
        } else {
            self.search_pair(a, b, self.search.since(a, b), to, sink)
        }
    }

    fn search_around(
        &mut self,
        actor: ActorId,
        now: f64,
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let mut others = std::mem::take(&mut self.search.others);
        self.search.boxes.around(actor, &mut others);
        for &other in &others {
            self.world.cancel.check()?;
            let other = ActorId::new(other as usize);
            let (a, b) = (actor.min(other), actor.max(other));
            if self.search.wants(&self.world, a, b, now) {
                self.search_pair(a, b, self.search.since(a, b), to, sink)?;
            }
        }
        self.search.others = others;
        self.search.remind(&self.world, actor, to);
        Ok(())
    }

    /// Searches for the first contact of two actors from `from` on.
    pub(super) fn search_pair(
        &mut self,
        a: ActorId,
        b: ActorId,
        from: f64,
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let found = self.search.find(&self.world, a, b, from, to, &mut self.scratch);
        self.queue_found(a, b, from, to, found, sink)
    }

    /// Queues the result of the search for a pair.
    fn queue_found(
        &mut self,
        a: ActorId,
        b: ActorId,
        from: f64,
        to: f64,
        found: Option<Sought>,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let Some((relation, found)) = found else { return self.search_separation(a, b, from, to) };
        let found = found.map_err(|error| match error {
            SearchError::Law(told) => told,
            SearchError::Distance(error) => self.no_distance(a, b, from, &error),
        })?;
        let world = &self.world;
        let versions = [a, b].map(|it| world.actors[it].version);
        let frame = self.frame_length();
        let mut push =
            |time: f64, kind: EntryKind| self.search.queue.push(Entry { time, a, b, versions, kind });
        match found.meeting {
            Meeting::None { apart } => {
                if apart && relation != Relation::Apart {
                    self.search.searched.note_separation(world, a, b);
                }
            }
            // A pair that enters the touch band so late may cross it or pass by: the next frame decides. A
            // graze must not become a collision because a frame ends in it.
            Meeting::Touch { time } if to - time < 0.5 * frame => {
                if relation != Relation::Apart {
                    self.search.searched.note_separation(world, a, b);
                }
            }
            Meeting::Touch { time } => push(time, EntryKind::Touch),
            Meeting::Impact { time, jump: false } => push(time, EntryKind::Contact),
            Meeting::Impact { time, jump: true } => push(time, EntryKind::Jump),
        }
        match found.basis {
            Basis::Proven => Ok(()),
            Basis::Sampled => self.notice_sampled([a, b], from, sink),
            Basis::Exhausted => self.notice_exhausted([a, b], found.proven_until, to, sink),
        }
    }

    /// Gives a notice, once for each law, that contacts are sampled.
    fn notice_sampled(&mut self, pair: [ActorId; 2], t: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        for actor in pair {
            let Some(laws) = self.world.laws_of(actor) else { continue };
            if laws.motion.swept().is_some() || laws.motion.program.is_none() {
                continue;
            }
            let context = &self.world.experiment.contexts[laws.context.index()].name;
            let because = laws.motion.sampled.as_deref().unwrap_or("its laws have no bounds");
            let name = &self.world.layout.names[actor];
            let key = format!("sampled {context}");
            let message = format!(
                "contacts of `{name}` in `{context}` are sampled, not proven, because {because}: very short ones can be missed, fewer with a higher `frame rate`"
            );
            sink.notice(key, t, message)?;
        }
        Ok(())
    }

    /// Gives a notice, once for each pair, that a proof did not end.
    fn notice_exhausted(
        &mut self,
        pair: [ActorId; 2],
        from: f64,
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let [one, other] = pair.map(|it| &self.world.layout.names[it]);
        let [from_told, to] = [from, to].map(Value::Real);
        let message = format!(
            "contacts of `{one}` and `{other}` from t = {from_told} to {to} are sampled, not proven: they move too fast for their size to prove anything in {MAX_PROVEN_STEPS} steps; this may happen again later, and is told once; a higher `frame rate` divides the work"
        );
        sink.notice(format!("exhausted {one} {other}"), from, message)
    }

    /// Searches for the time at which two that are together come apart: the first at which free fall would
    /// separate them. A pair that would separate and press again within a frame has not left.
    fn search_separation(&mut self, a: ActorId, b: ActorId, from: f64, to: f64) -> Result<(), Stop> {
        let world = &self.world;
        let [still, other] = [a, b].map(|actor| Trajectory { world, actor }.bounds(from, to));
        if let (Some(a), Some(b)) = (still, other)
            && [a.slowest, a.fastest, b.slowest].iter().all(|it| *it == b.fastest)
            && a.spin + b.spin + a.growth + b.growth == 0.0
        {
            return Ok(());
        }
        let versions = [a, b].map(|it| world.actors[it].version);
        if !self.is_released(a, b, to)? {
            return Ok(());
        }
        let (mut held, mut released) = (from, to);
        while released - held > self.search.tick {
            let middle = held.midpoint(released);
            if middle <= held || middle >= released {
                break;
            }
            if self.is_released(a, b, middle)? { released = middle } else { held = middle }
        }
        self.search.queue.push(Entry { time: released, a, b, versions, kind: EntryKind::Separation });
        Ok(())
    }
}
