//! Pairs of actors: the bonds of those that touch, the pairs already searched in this frame, and the queue of
//! what pairs do next.
//!
//! [`Bonds`] live from frame to frame and are part of a keyframe. [`Searched`] and [`Queue`] are made anew in
//! every frame. An entry of the queue holds the versions of its two actors at the time of the search: once
//! one of them has changed its motion, the entry is void and is dropped. A search reaches to the end of the
//! frame, so a pair is searched once until one of the two changes its motion.

use crate::contexts::ids::{ActorId, Table};
use crate::contexts::world::World;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Bond of two objects that touch or overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// They touch and are coming apart. If they come back before they have left the touch band, they meet.
    Leaving,
    /// They overlap freely: from the start, or because no contact context holds. They meet again only after
    /// they have been apart.
    Inside,
    /// They stay together.
    Together,
}

/// Bond of an object with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// The other object.
    pub(crate) other: ActorId,
    pub(crate) bond: Bond,
    /// Touch band. It never shrinks while the bond lives.
    pub(crate) band: f64,
}

/// Bonds of all objects. Pairs without one are apart, as far as is known.
#[derive(Clone, Debug)]
pub(crate) struct Bonds {
    is_static: Table<ActorId, bool>,
    /// Partners of each object that moves, in order. Static objects are in the lists of the others.
    of: Table<ActorId, Vec<Link>>,
}

impl Bonds {
    pub(crate) fn new(is_static: &Table<ActorId, bool>) -> Self {
        Self { is_static: is_static.clone(), of: Table::filled(Vec::new(), is_static.len()) }
    }

    /// Returns the link of two objects, as one of them has it.
    pub(crate) fn link(&self, a: ActorId, b: ActorId) -> Option<&Link> {
        let (owner, other) = if self.is_static[a] { (b, a) } else { (a, b) };
        let place = self.of[owner].binary_search_by_key(&other, |it| it.other).ok()?;
        Some(&self.of[owner][place])
    }

    /// Returns the bond of two objects.
    pub(crate) fn get(&self, a: ActorId, b: ActorId) -> Option<Bond> {
        self.link(a, b).map(|it| it.bond)
    }

    /// Ties two objects, or changes their bond, with a touch band of at least `band`.
    pub(crate) fn tie(&mut self, a: ActorId, b: ActorId, bond: Bond, band: f64) {
        for (owner, other) in [(a, b), (b, a)] {
            if self.is_static[owner] {
                continue;
            }
            let list = &mut self.of[owner];
            match list.binary_search_by_key(&other, |it| it.other) {
                Ok(place) => {
                    let link = &mut list[place];
                    (link.bond, link.band) = (bond, link.band.max(band));
                }
                Err(place) => list.insert(place, Link { other, bond, band }),
            }
        }
    }

    /// Ends the bond of two objects: they are apart.
    pub(crate) fn part(&mut self, a: ActorId, b: ActorId) {
        for (owner, other) in [(a, b), (b, a)] {
            if self.is_static[owner] {
                continue;
            }
            let list = &mut self.of[owner];
            if let Ok(place) = list.binary_search_by_key(&other, |it| it.other) {
                list.remove(place);
            }
        }
    }

    /// Links of an object that moves, in the order of names.
    pub(crate) fn of(&self, actor: ActorId) -> &[Link] {
        &self.of[actor]
    }

    /// Returns `true` if an object stays together with another.
    pub(crate) fn is_held(&self, actor: ActorId) -> bool {
        self.of[actor].iter().any(|it| it.bond == Bond::Together)
    }

    /// Widest touch band of the contacts of an object; 0 if it has none.
    pub(crate) fn widest_held(&self, actor: ActorId) -> f64 {
        let held = self.of[actor].iter().filter(|it| it.bond == Bond::Together);
        held.map(|it| it.band).fold(0.0, f64::max)
    }

    /// Returns `true` if an object stays together with any but `except`.
    pub(crate) fn is_held_by_others(&self, actor: ActorId, except: ActorId) -> bool {
        self.of[actor].iter().any(|it| it.bond == Bond::Together && it.other != except)
    }

    /// Returns all pairs with one of `members` that stay together, each once, in order.
    pub(crate) fn edges(&self, members: &[ActorId]) -> Vec<(ActorId, ActorId)> {
        let mut edges = Vec::new();
        for &member in members.iter().filter(|&&it| !self.is_static[it]) {
            for &Link { other, bond, .. } in &self.of[member] {
                if bond == Bond::Together && (other > member || self.is_static[other]) {
                    edges.push((member.min(other), member.max(other)));
                }
            }
        }
        edges.sort_unstable();
        edges
    }

    /// Returns all objects that stay together with one that moves, directly or through others that move;
    /// itself and static objects included; in order. A static object does not join others.
    pub(crate) fn group(&self, actor: ActorId) -> Vec<ActorId> {
        if !self.is_held(actor) {
            return vec![actor];
        }
        let mut members = std::collections::BTreeSet::from([actor]);
        let mut open = vec![actor];
        while let Some(member) = open.pop() {
            for &Link { other, bond, .. } in &self.of[member] {
                if bond == Bond::Together && members.insert(other) && !self.is_static[other] {
                    open.push(other);
                }
            }
        }
        members.into_iter().collect()
    }

    /// All bonds, each once, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (ActorId, ActorId, Link)> + '_ {
        self.of.entries().flat_map(move |(a, list)| {
            let once = move |it: &&Link| it.other > a || self.is_static[it.other];
            list.iter().filter(once).map(move |link| (a.min(link.other), a.max(link.other), *link))
        })
    }
}

/// A future event of two objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    /// Object that comes first by name.
    pub(crate) a: ActorId,
    pub(crate) b: ActorId,
    pub(crate) versions: [u32; 2],
    pub(crate) kind: EntryKind,
}

/// Kind of a future event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// They touch, and would overlap.
    Contact,
    /// They come to touch each other without overlapping.
    Touch,
    /// A law makes them overlap by a jump.
    Jump,
    /// They were together, and come apart.
    Separation,
    /// No event, but a time to search again: this pair or, if both are one actor, all its pairs, now that its
    /// box has expired.
    Reminder,
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The earliest is the greatest, and of equals the one that comes first by name, since a heap returns its
    /// greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then_with(|| (other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Future events of a frame, the earliest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Entry>,
}

impl Queue {
    /// Begins a new frame.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
    }

    /// Returns the earliest entry that is not void.
    pub(crate) fn next(&mut self, world: &World<'_>) -> Option<Entry> {
        self.next_until(world, f64::INFINITY)
    }

    /// Returns the earliest entry that is not void, unless it is later than `until`.
    pub(crate) fn next_until(&mut self, world: &World<'_>, until: f64) -> Option<Entry> {
        while let Some(entry) = self.heap.peek() {
            let valid = [entry.a, entry.b].map(|it| world.actors[it].version) == entry.versions;
            if valid && entry.time > until {
                return None;
            }
            let entry = self.heap.pop().filter(|_| valid);
            if entry.is_some() {
                return entry;
            }
        }
        None
    }
}

/// A pair that was searched.
#[derive(Clone, Copy, Debug)]
struct Pair {
    other: ActorId,
    /// Versions of the two at the search.
    versions: [u32; 2],
    /// `true` if they had a bond, were not together, and come apart.
    parts: bool,
}

/// Pairs that were searched in this frame, each in the list of one of the two.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    of: Table<ActorId, Vec<Pair>>,
}

impl Searched {
    pub(crate) fn new(actors: usize) -> Self {
        Self { of: Table::filled(Vec::new(), actors) }
    }

    /// Begins a new frame.
    pub(crate) fn clear(&mut self) {
        self.of.iter_mut().for_each(Vec::clear);
    }

    /// Drops the pairs of an actor, whose motion has changed.
    pub(crate) fn forget(&mut self, actor: ActorId) {
        self.of[actor].clear();
    }

    /// Notes that a pair is searched. Returns `true` if that is new.
    pub(crate) fn note(&mut self, world: &World<'_>, a: ActorId, b: ActorId) -> bool {
        let (owner, other) = owned(world, a, b);
        let versions = [a, b].map(|it| world.actors[it].version);
        let list = &mut self.of[owner];
        match list.iter_mut().find(|it| it.other == other) {
            Some(known) if known.versions == versions => return false,
            Some(known) => *known = Pair { other, versions, parts: false },
            None => list.push(Pair { other, versions, parts: false }),
        }
        true
    }

    /// Notes that a pair that is leaving or inside each other, and is being searched, comes apart.
    pub(crate) fn note_separation(&mut self, world: &World<'_>, a: ActorId, b: ActorId) {
        let (owner, other) = owned(world, a, b);
        let known = self.of[owner].iter_mut().find(|it| it.other == other);
        known.into_iter().for_each(|it| it.parts = true);
    }

    /// Returns `true` if two that were leaving or inside each other have come apart. A pair that was not searched has not been
    /// near.
    pub(crate) fn have_separated(&self, world: &World<'_>, a: ActorId, b: ActorId) -> bool {
        let (owner, other) = owned(world, a, b);
        let versions = [a, b].map(|it| world.actors[it].version);
        let known = self.of[owner].iter().find(|it| it.other == other && it.versions == versions);
        known.is_none_or(|it| it.parts)
    }
}

/// Actor in whose list a pair is, and the other. Static actors, which any other may meet, have no list.
fn owned(world: &World<'_>, a: ActorId, b: ActorId) -> (ActorId, ActorId) {
    if world.layout.is_static[a] { (b, a) } else { (a, b) }
}
