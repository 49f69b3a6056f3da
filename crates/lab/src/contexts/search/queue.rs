//! What will happen next in a frame.
//!
//! An entry knows the versions that its two objects had when it was found: once one of them has changed its
//! motion, it means nothing and is dropped.

use crate::contexts::world::World;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Something that will happen to two objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    /// The one that comes first by name.
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) versions: [u32; 2],
    pub(crate) what: What,
}

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// They touch.
    Meet,
    /// A law made them overlap by a jump.
    Jump,
    /// They were together, and part.
    Part,
    /// Nothing, but it is time to look again: whether the two touch or, if they are one, whom it meets now
    /// that its box has run out.
    Look,
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The earliest is the greatest, and of equals the one that comes first by name, since a heap gives its
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

/// Meetings of a frame, the earliest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Entry>,
}

impl Queue {
    /// A new frame.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
    }

    /// The earliest entry that still means something.
    pub(crate) fn next(&mut self, world: &World<'_>) -> Option<Entry> {
        self.next_until(world, f64::INFINITY)
    }

    /// The same, unless it is later than `until`.
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
