//! The search for contacts: pairs whose boxes meet, and the first contact of each.
//!
//! Boxes hold for a part of a frame, searches reach to its end. A pair is searched when its boxes meet for
//! the first time since one of the two has changed, and from that change on: what is found depends on the two
//! motions alone, not on when it is looked for.

pub(crate) mod boxes;
pub(crate) mod extent;
pub(crate) mod queue;
pub(crate) mod searched_pairs;

use super::first_contact::{Basis, Found, Meeting, Relation, Scales, Trouble, first_contact};
use super::touch::bonds::{Bond, Bonds};
use super::trajectory::Flight;
use super::trajectory::motion::{Bounds, Mover, Placed};
use super::world::World;
use super::{Engine, Stop};
use boxes::{Boxes, Prospect};
use gedanken_experiment::Simulation;
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_recording::Sink;
use queue::{Entry, Queue, What};
use rayon::prelude::*;
use searched_pairs::Searched;
use std::collections::BTreeSet;

/// Everything that the search keeps.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) scales: Scales,
    pub(crate) queue: Queue,
    boxes: Boxes,
    /// Since when each actor moves as it does, or the beginning of the frame: from then on its pairs are
    /// searched.
    since: Vec<f64>,
    searched: Searched,
    /// Pairs that touch or overlap, and what is settled about it.
    pub(crate) bonds: Bonds,
    touching_tolerance: Option<f64>,
    /// Those whose size has changed since the beginning.
    pub(crate) reshaped: BTreeSet<usize>,
    /// Memory for those around an actor.
    others: Vec<u32>,
}

/// Pairs from which on threads share the work.
const WIDE: usize = 128;
/// The touch band, relative to the largest coordinate.
pub(crate) const TOUCH: f64 = 1e-12;
/// The resolution of time, relative to the frame.
const TICK: f64 = 1e-12;

impl Search {
    pub(crate) fn new(world: &World<'_>, simulation: &Simulation) -> Self {
        let count = world.cast.len();
        Self {
            scales: Scales { touch: TOUCH, tick: TICK },
            queue: Queue::default(),
            boxes: Boxes::new(world, simulation.initial_time),
            since: vec![simulation.initial_time; count],
            searched: Searched::new(count),
            bonds: Bonds::new(&world.cast.is_static),
            touching_tolerance: simulation.context_settings().and_then(|it| it.touching_tolerance),
            reshaped: BTreeSet::new(),
            others: Vec::new(),
        }
    }

    /// What counts as small in a frame that begins with what is stored and ends at `t`.
    pub(crate) fn scales(&mut self, world: &World<'_>, t: f64, frame: f64) {
        self.scales.tick = (4.0 * f64::EPSILON * t.abs()).max(TICK * frame);
        self.scales.touch = self.touching_tolerance.unwrap_or_else(|| TOUCH * world.largest());
    }

    /// Begins a frame: everything is to be looked for anew, with boxes that hold.
    pub(crate) fn refresh(&mut self, world: &World<'_>, from: f64, to: f64) {
        self.queue.clear();
        self.searched.clear();
        self.since.fill(from);
        self.boxes.refresh(world, from, to, self.scales.touch);
    }

    /// Pairs that have come apart are like any others from now on.
    pub(crate) fn settle_parted(&mut self, world: &World<'_>) {
        let free = self.bonds.all().filter(|it| it.2 == Bond::Free);
        let parted: Vec<_> = free.filter(|it| self.searched.have_parted(world, it.0, it.1)).collect();
        parted.into_iter().for_each(|(a, b, _)| self.bonds.set(a, b, None));
    }

    /// All pairs whose boxes meet.
    pub(crate) fn pairs(&mut self) -> &[(u32, u32)] {
        self.boxes.pairs()
    }

    /// Whether a pair whose boxes meet at `now` is to be searched at once. If later, there will be a
    /// reminder.
    fn wants(&mut self, world: &World<'_>, a: usize, b: usize, now: f64) -> bool {
        if world.cast.is_static[a] && world.cast.is_static[b] {
            return false;
        }
        let touch = self.scales.touch;
        let bond = self.bonds.get(a, b);
        let prospect = match bond {
            // Their parting is looked for.
            Some(Bond::Together) => Prospect::Now,
            _ => self.boxes.prospect(a, b, now, touch),
        };
        if prospect == Prospect::Apart || !self.searched.note(world, a, b) {
            return false;
        }
        if let Prospect::Later(time) = prospect {
            let versions = [a, b].map(|it| world.actors[it].version);
            self.queue.push(Entry { time, a, b, versions, what: What::Look });
            return false;
        }
        // Most pairs that have just met.
        let parts = bond == Some(Bond::Free) && self.boxes.part(a, b, now, touch);
        if parts {
            self.searched.note_parting(world, a, b);
        }
        !parts
    }

    /// From when on a pair is searched.
    fn since(&self, a: usize, b: usize) -> f64 {
        self.since[a].max(self.since[b])
    }

    /// Asks to be reminded when the box of an actor runs out before the end of the frame.
    fn remind(&mut self, world: &World<'_>, actor: usize, to: f64) {
        let time = self.boxes.until(actor);
        if time < to {
            let versions = [world.actors[actor].version; 2];
            self.queue.push(Entry { time, a: actor, b: actor, versions, what: What::Look });
        }
    }

    /// The first contact of two actors, the first by name first; `None` if they stay together.
    fn find(
        &self,
        world: &World<'_>,
        a: usize,
        b: usize,
        from: f64,
        to: f64,
        scratch: &mut Scratch,
    ) -> Option<Sought> {
        let relation = match self.bonds.get(a, b) {
            None => Relation::Apart,
            Some(Bond::Free) => Relation::Settled,
            Some(Bond::Together) => return None,
        };
        let flight = |actor| Enclosed { flight: Flight { world, actor }, boxes: &self.boxes };
        let (mut one, mut other) = (flight(a), flight(b));
        let found = first_contact(&mut one, &mut other, relation, from, to, self.scales, scratch);
        Some((relation, found))
    }
}

/// An actor whose box is known: what it was made from need not be found again.
struct Enclosed<'w, 'e> {
    flight: Flight<'w, 'e>,
    boxes: &'w Boxes,
}

impl Mover for Enclosed<'_, '_> {
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>> {
        self.flight.place(t)
    }

    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds> {
        self.boxes.bounds(self.flight.actor, from, to).or_else(|| self.flight.bounds(from, to))
    }
}

/// What was sought, and what was found.
type Sought = (Relation, Result<Found, Trouble>);

impl Engine<'_> {
    /// Looks for the first contact of every pair up to `to`, at the beginning of a frame. Each search depends
    /// on nothing but the state, so that threads may share the work; what they find is taken in the order of
    /// the pairs.
    pub(super) fn search_all(&mut self, from: f64, to: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (world, search) = (&self.world, &mut self.search);
        let pairs = search.pairs().iter().map(|&(a, b)| (a as usize, b as usize));
        let mut pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.retain(|&(a, b)| search.wants(world, a, b, from));
        match &self.pool {
            Some(pool) if pairs.len() >= WIDE => {
                let search = &self.search;
                let found: Vec<Option<Sought>> = pool.install(|| {
                    let pairs = pairs.par_iter().with_min_len(WIDE / 4);
                    let find = |scratch: &mut Scratch, &(a, b): &(usize, usize)| {
                        search.find(world, a, b, from, to, scratch)
                    };
                    pairs.map_init(Scratch::default, find).collect()
                });
                for (&(a, b), found) in pairs.iter().zip(found) {
                    self.take(a, b, from, to, found, sink)?;
                }
            }
            _ => {
                for (a, b) in pairs {
                    self.look_for(a, b, from, to, sink)?;
                }
            }
        }
        for actor in 0..self.search.since.len() {
            self.search.remind(&self.world, actor, to);
        }
        Ok(())
    }

    /// Looks for the first contact of these actors, whose motion has changed at `now`, with anybody.
    pub(super) fn search_for(
        &mut self,
        actors: &[usize],
        now: f64,
        to: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let search = &mut self.search;
        for &actor in actors {
            search.since[actor] = now;
            search.searched.forget(actor);
            search.boxes.disturb(actor);
            search.boxes.enclose(&self.world, actor, now, to, search.scales.touch);
        }
        for &actor in actors {
            self.search_around(actor, now, to, sink)?;
        }
        Ok(())
    }

    /// Goes on looking, as an entry of the queue asks for.
    pub(super) fn search_on(&mut self, entry: &Entry, to: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let &Entry { time: now, a, b, .. } = entry;
        if a == b {
            self.search.boxes.renew(&self.world, a, now, to, self.search.scales.touch);
            self.search_around(a, now, to, sink)
        } else {
            self.look_for(a, b, self.search.since(a, b), to, sink)
        }
    }

    fn search_around(&mut self, actor: usize, now: f64, to: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let mut others = std::mem::take(&mut self.search.others);
        self.search.boxes.around(actor, &mut others);
        for &other in &others {
            let (a, b) = (actor.min(other as usize), actor.max(other as usize));
            if self.search.wants(&self.world, a, b, now) {
                self.look_for(a, b, self.search.since(a, b), to, sink)?;
            }
        }
        self.search.others = others;
        self.search.remind(&self.world, actor, to);
        Ok(())
    }

    /// Looks for the first contact of two actors from `from` on.
    pub(super) fn look_for(
        &mut self,
        a: usize,
        b: usize,
        from: f64,
        to: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let found = self.search.find(&self.world, a, b, from, to, &mut self.scratch);
        self.take(a, b, from, to, found, sink)
    }

    /// Takes in what the search for a pair has found.
    fn take(
        &mut self,
        a: usize,
        b: usize,
        from: f64,
        to: f64,
        found: Option<Sought>,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let Some((relation, found)) = found else { return self.look_for_parting(a, b, from, to) };
        let found = found.map_err(|trouble| match trouble {
            Trouble::Law(told) => told,
            Trouble::Distance(error) => self.no_distance(a, b, from, &error),
        })?;
        let world = &self.world;
        let versions = [a, b].map(|it| world.actors[it].version);
        let frame = self.frame_length();
        let mut push = |time: f64, what: What| self.search.queue.push(Entry { time, a, b, versions, what });
        match found.meeting {
            Meeting::None { apart } => {
                if apart && relation == Relation::Settled {
                    self.search.searched.note_parting(world, a, b);
                }
            }
            // Whoever comes into the touch band so late may go through it or pass by: the next frame sees
            // which. A graze must not become a collision because a frame ends in it.
            Meeting::Touch { time } if to - time < 0.5 * frame => {
                if relation == Relation::Settled {
                    self.search.searched.note_parting(world, a, b);
                }
            }
            Meeting::Impact { time, jump: false } | Meeting::Touch { time } => push(time, What::Meet),
            Meeting::Impact { time, jump: true } => push(time, What::Jump),
        }
        if found.basis == Basis::Sampled {
            self.tell_sampled([a, b], from, sink)?;
        }
        Ok(())
    }

    /// Says, once for each law, that contacts are sampled.
    fn tell_sampled(&mut self, pair: [usize; 2], t: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        for actor in pair {
            let Some(laws) = self.world.laws_of(actor) else { continue };
            if laws.motion.swept().is_some() || laws.motion.program.is_none() {
                continue;
            }
            let context = &self.world.experiment.contexts[laws.context].name;
            let because = laws.motion.sampled.as_deref().unwrap_or("its laws have no bounds");
            let name = &self.world.cast.names[actor];
            let key = format!("sampled {context}");
            let message = format!(
                "contacts of `{name}` in `{context}` are sampled, not proven, because {because}: very short ones can be missed, fewer with a higher `frame rate`"
            );
            self.notice(key, t, message, sink)?;
        }
        Ok(())
    }

    /// Looks for the time when two that are together come apart: who leaves and comes back within a frame has
    /// not left.
    fn look_for_parting(&mut self, a: usize, b: usize, from: f64, to: f64) -> Result<(), Stop> {
        let world = &self.world;
        let [still, other] = [a, b].map(|actor| Flight { world, actor }.bounds(from, to));
        if let (Some(a), Some(b)) = (still, other)
            && [a.slowest, a.fastest, b.slowest].iter().all(|it| *it == b.fastest)
            && a.spin + b.spin + a.growth + b.growth == 0.0
        {
            return Ok(());
        }
        let versions = [a, b].map(|it| world.actors[it].version);
        let band = self.search.scales.touch;
        if self.gap(a, b, to)? <= band {
            return Ok(());
        }
        let (mut inside, mut outside) = (from, to);
        while outside - inside > self.search.scales.tick {
            let middle = inside.midpoint(outside);
            if middle <= inside || middle >= outside {
                break;
            }
            if self.gap(a, b, middle)? <= band { inside = middle } else { outside = middle }
        }
        self.search.queue.push(Entry { time: outside, a, b, versions, what: What::Part });
        Ok(())
    }
}
