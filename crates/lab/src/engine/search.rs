//! The search for contacts: boxes around what objects do, pairs whose boxes meet, and the first contact of each pair.
//!
//! Boxes may hold for several frames: an object that meets nobody is not looked at again before its box has run out. They
//! only say who cannot meet, so that how long they hold changes no result.

use super::bonds::{Bond, Bonds};
use super::flight::Flight;
use super::impact::{Basis, Found, Meeting, Relation, Scales, Trouble, first_contact, keep_away};
use super::laws::Laws;
use super::motion::{Bounds, Mover, Placed};
use super::queue::{Entry, Queue, What};
use super::world::World;
use super::{Engine, Stop};
use crate::experiment::Simulation;
use crate::recording::Sink;
use gedanken_algebra::Vec3;
use gedanken_geometry::Solid;
use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_geometry::narrow::Scratch;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Everything that the search keeps.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) scales: Scales,
    pub(crate) queue: Queue,
    boxes: Manager,
    /// Until when the box of each actor holds.
    until: Vec<f64>,
    /// The bounds that a box was made from, as long as it holds.
    bounds: Vec<Option<Bounds>>,
    /// Where actors are at the start of the search under way, and which search that was.
    places: Vec<(u64, Option<Placed>)>,
    /// Counts searches.
    searches: u64,
    /// How many boxes have changed since the broad phase was last made ready for questions.
    unsettled: usize,
    /// For how many frames a box is made.
    patience: Vec<u16>,
    /// Pairs whose boxes meet, in order.
    pairs: Vec<(u32, u32)>,
    stale: bool,
    /// Pairs that touch or overlap, and what is settled about it.
    pub(crate) bonds: Bonds,
    /// Settled pairs that come apart in this frame, with the versions they had.
    parted: Vec<((usize, usize), [u32; 2])>,
    touching_tolerance: Option<f64>,
    /// Those whose size has changed since the beginning.
    pub(crate) reshaped: BTreeSet<usize>,
    neighbours: Vec<u32>,
}

/// What was sought, and what was found.
type Sought = (Relation, Result<Found, Trouble>);

/// Changed boxes that a question looks through one by one; beyond, they are sorted in first.
const UNSETTLED: usize = 64;
/// Pairs from which on threads share the work.
const WIDE: usize = 128;
/// Objects whose boxes are made at once, if there are so many.
const MANY: usize = 16;
/// The touch band, relative to the largest coordinate.
pub(crate) const TOUCH: f64 = 1e-12;
/// The resolution of time, relative to the frame.
const TICK: f64 = 1e-12;
/// Frames that a box holds for, at most.
const MOST_PATIENT: u16 = 32;

impl Search {
    pub(crate) fn new(world: &World<'_>, simulation: &Simulation) -> Self {
        let count = world.cast.len();
        let boxes = Manager::new(BroadPhase::Tree).expect("a tree needs no size");
        let mut search = Self {
            scales: Scales { touch: TOUCH, tick: TICK },
            queue: Queue::default(),
            boxes,
            until: vec![f64::NEG_INFINITY; count],
            bounds: vec![None; count],
            places: vec![(0, None); count],
            searches: 0,
            unsettled: 0,
            patience: vec![1; count],
            pairs: Vec::new(),
            stale: true,
            bonds: Bonds::new(&world.cast.is_static),
            parted: Vec::new(),
            touching_tolerance: simulation.touching_tolerance,
            reshaped: BTreeSet::new(),
            neighbours: Vec::new(),
        };
        for actor in (0..count).filter(|&it| world.cast.is_static[it]) {
            let placed = Flight { world, actor }.stored();
            search.put(actor, placed.shape.bounds(&placed.pose));
            search.bounds[actor] = Flight { world, actor }.bounds(simulation.initial_time, f64::INFINITY);
            search.until[actor] = f64::INFINITY;
        }
        search
    }

    /// What counts as small in a frame that begins with what is stored and ends at `t`.
    pub(crate) fn scales(&mut self, world: &World<'_>, t: f64, frame: f64) {
        self.scales.tick = (4.0 * f64::EPSILON * t.abs()).max(TICK * frame);
        self.scales.touch = self.touching_tolerance.unwrap_or_else(|| TOUCH * world.largest());
    }

    fn put(&mut self, actor: usize, aabb: Aabb) {
        let id = actor as u32;
        let put = if self.boxes.get(id).is_some() {
            self.boxes.update(id, aabb)
        } else {
            self.boxes.insert(id, aabb)
        };
        put.expect("ids are numbered from zero and boxes are checked");
        self.unsettled += 1;
        self.stale = true;
    }

    /// Makes boxes from `from` to at least `to` for all whose boxes have run out.
    pub(crate) fn refresh(&mut self, world: &World<'_>, from: f64, to: f64) {
        let mut lonely = vec![true; self.until.len()];
        for &(a, b) in &self.pairs {
            (lonely[a as usize], lonely[b as usize]) = (false, false);
        }
        for class in &world.cast.classes {
            let mut rows = 0..0;
            while rows.end < class.members.len() {
                let first = class.members[rows.end];
                let laws = world.actors[first].laws;
                let patience = self.patience[first];
                let due = self.until[first] < to;
                let same = |actor: usize| {
                    world.actors[actor].laws == laws
                        && self.patience[actor] == patience
                        && (self.until[actor] < to) == due
                        && lonely[actor] == lonely[first]
                };
                let start = rows.end;
                let end = (start..class.members.len()).find(|&row| !same(class.members[row]));
                rows = start..end.unwrap_or(class.members.len());
                if !due {
                    continue;
                }
                let lasting = lonely[first] && world.laws_of(first).is_none_or(Laws::is_lasting);
                let patience = if lasting { (patience * 2).min(MOST_PATIENT) } else { 1 };
                let until = from + (to - from) * f64::from(patience);
                let members = &class.members[rows.clone()];
                let boxes = (lasting && members.len() >= MANY).then(|| world.reach(members, from, until));
                match boxes.flatten() {
                    Some(boxes) => {
                        for (&actor, (least, greatest)) in members.iter().zip(boxes) {
                            let reach = Vec3::splat(world.actors[actor].radius + self.scales.touch);
                            self.put(actor, Aabb::new(least - reach, greatest + reach));
                            self.bounds[actor] = None;
                            self.until[actor] = until;
                        }
                    }
                    None => members.iter().for_each(|&actor| self.enclose(world, actor, from, until)),
                }
                members.iter().for_each(|&actor| self.patience[actor] = patience);
            }
        }
    }

    /// Makes a box for an actor.
    pub(crate) fn enclose(&mut self, world: &World<'_>, actor: usize, from: f64, until: f64) {
        if world.cast.is_static[actor] {
            return;
        }
        let bounds = Flight { world, actor }.bounds(from, until);
        self.bounds[actor] = bounds;
        let aabb = match bounds {
            Some(bounds) if bounds.radius.is_finite() => {
                let reach = Vec3::splat(bounds.radius + self.scales.touch);
                Aabb::new(bounds.least - reach, bounds.greatest + reach)
            }
            _ => Aabb::INFINITE,
        };
        self.put(actor, aabb);
        self.until[actor] = until;
    }

    /// Pairs that have come apart are like any others from now on.
    pub(crate) fn settle_parted(&mut self, world: &World<'_>) {
        for (pair, versions) in std::mem::take(&mut self.parted) {
            if [pair.0, pair.1].map(|it| world.actors[it].version) == versions
                && self.bonds.get(pair.0, pair.1) == Some(Bond::Free)
            {
                self.bonds.set(pair.0, pair.1, None);
            }
        }
    }

    /// Those whose boxes meet that of an actor, in order.
    pub(crate) fn around(&mut self, actor: usize) -> Vec<usize> {
        let id = actor as u32;
        let Some(&region) = self.boxes.get(id) else { return Vec::new() };
        if self.unsettled > UNSETTLED {
            self.boxes.settle();
            self.unsettled = 0;
        }
        let mut found = std::mem::take(&mut self.neighbours);
        self.boxes.region(&region, &mut found).expect("the box of an actor is valid");
        let others = found.iter().filter(|&&it| it != id).map(|&it| it as usize).collect();
        self.neighbours = found;
        others
    }

    /// Finds where an actor is at the start of the search under way, for all pairs that it is in.
    fn place(&mut self, world: &World<'_>, actor: usize, from: f64) {
        if self.places[actor].0 != self.searches {
            self.places[actor] = (self.searches, Flight { world, actor }.place(from).ok());
        }
    }

    /// Whether the bounds of two boxes tell at once that two actors without a bond do not meet: most pairs of a gas.
    fn keep_away(&self, a: usize, b: usize, from: f64, to: f64) -> bool {
        let placed = |it: usize| match &self.places[it] {
            (search, Some(placed)) if *search == self.searches && self.until[it] >= to => Some(placed),
            _ => None,
        };
        match (placed(a), &self.bounds[a], placed(b), &self.bounds[b]) {
            (Some(one), Some(bounds), Some(other), Some(others)) => {
                keep_away((one, bounds), (other, others), to - from, self.scales)
            }
            _ => false,
        }
    }

    /// The first contact of two actors, the first by name first; `None` if there is nothing to look for.
    fn find(
        &self,
        world: &World<'_>,
        a: usize,
        b: usize,
        from: f64,
        to: f64,
        scratch: &mut Scratch,
    ) -> Option<Sought> {
        if world.cast.is_static[a] && world.cast.is_static[b] {
            return None;
        }
        let relation = match self.bonds.get(a, b) {
            None if self.keep_away(a, b, from, to) => return None,
            None => Relation::Apart,
            Some(Bond::Free) => Relation::Settled,
            Some(Bond::Together) => return None,
        };
        let (mut one, mut other) = (Flight { world, actor: a }, Flight { world, actor: b });
        let found = first_contact(&mut one, &mut other, relation, from, to, self.scales, scratch);
        Some((relation, found))
    }

    /// All pairs whose boxes meet.
    pub(crate) fn pairs(&mut self) -> &[(u32, u32)] {
        if std::mem::take(&mut self.stale) {
            self.boxes.pairs(&mut self.pairs);
            self.unsettled = 0;
        }
        &self.pairs
    }
}

impl Engine<'_> {
    /// Looks for the first contact of every pair from `from` to `to`. Each search depends on nothing but the state, so that
    /// threads may share the work; what they find is taken in the order of the pairs.
    pub(super) fn search_all(&mut self, from: f64, to: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        self.search.pairs();
        self.search.searches += 1;
        let pairs = std::mem::take(&mut self.search.pairs);
        for &(a, b) in &pairs {
            self.search.place(&self.world, a as usize, from);
            self.search.place(&self.world, b as usize, from);
        }
        match &self.pool {
            Some(pool) if pairs.len() >= WIDE => {
                let (world, search) = (&self.world, &self.search);
                let found: Vec<Option<Sought>> = pool.install(|| {
                    let pairs = pairs.par_iter().with_min_len(WIDE / 4);
                    let find = |scratch: &mut Scratch, &(a, b): &(u32, u32)| {
                        search.find(world, a as usize, b as usize, from, to, scratch)
                    };
                    pairs.map_init(Scratch::default, find).collect()
                });
                for (&(a, b), found) in pairs.iter().zip(found) {
                    self.take(a as usize, b as usize, from, to, found, sink)?;
                }
            }
            _ => {
                for &(a, b) in &pairs {
                    self.look_for(a as usize, b as usize, from, to, sink)?;
                }
            }
        }
        self.search.pairs = pairs;
        Ok(())
    }

    /// Looks for the first contact of these actors with anybody.
    pub(super) fn search_for(
        &mut self,
        actors: &[usize],
        from: f64,
        to: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        for &actor in actors {
            self.search.enclose(&self.world, actor, from, to);
            self.search.patience[actor] = 1;
        }
        self.search.searches += 1;
        for &actor in actors {
            self.search.place(&self.world, actor, from);
            for other in self.search.around(actor) {
                // Two of them meet once.
                if other > actor || !actors.contains(&other) {
                    self.search.place(&self.world, other, from);
                    self.look_for(actor.min(other), actor.max(other), from, to, sink)?;
                }
            }
        }
        Ok(())
    }

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
        let Some((relation, found)) = found else {
            return match self.search.bonds.get(a, b) {
                Some(Bond::Together) => self.look_for_parting(a, b, from, to),
                _ => Ok(()),
            };
        };
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
                    self.search.parted.push(((a, b), versions));
                }
            }
            // Whoever comes into the touch band so late may go through it or pass by: the next frame sees which. A graze must
            // not become a collision because a frame ends in it.
            Meeting::Touch { time } if to - time < 0.5 * frame => {
                if relation == Relation::Settled {
                    self.search.parted.push(((a, b), versions));
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

    /// Looks for the time when two that are together come apart: who leaves and comes back within a frame has not left.
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
