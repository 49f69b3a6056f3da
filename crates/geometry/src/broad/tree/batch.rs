//! Batches of leaves that are inserted and look for partners together.
//!
//! In a large tree most of the time is spent waiting for memory. A descent waits on every level; the descents
//! of a batch wait together, because each goes one step before any goes two.

use super::aabb32::Aabb32;
use super::{EXACT, JOINING, LEAF, NONE, Node, Tree};
use crate::bounds::Aabb;
use crate::broad::pairs::Pairs;

/// Maximum number of leaves in a batch.
const BATCH_SIZE: usize = 16;
/// Maximum depth of prefetching; a new tree of this depth holds more leaves than there are ids.
const PREFETCHED_LEVELS: usize = 40;

/// A leaf and its `f32` box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    id: u32,
    aabb: Aabb32,
}

impl Tree {
    /// Inserts the pending ones among these, in this order, and shows each batch as soon as it is inserted.
    pub(super) fn take_in(
        &mut self,
        boxes: &[Aabb],
        ids: &[u32],
        mut show: impl FnMut(&mut Self, &[Member]),
    ) {
        let members = self.members(boxes, ids, Self::waits);
        self.detach_waiting(&members);
        // New nodes in the order of memory, which is about that of the leaves since both follow space.
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        // Where the last one went: the next is not far.
        let mut near = NONE;
        for group in members.chunks(BATCH_SIZE) {
            self.fetch(group);
            for Member { id, aabb } in group {
                self.attach(*id, aabb, near);
                near = self.places[*id as usize];
            }
            show(self, group);
        }
        self.members = members;
    }

    /// Returns the wanted leaves with their boxes side by side: the originals are soon out of the cache.
    fn members(&mut self, boxes: &[Aabb], ids: &[u32], wanted: impl Fn(&Self, u32) -> bool) -> Vec<Member> {
        let mut members = core::mem::take(&mut self.members);
        members.clear();
        let wanted = ids.iter().copied().filter(|&id| wanted(self, id));
        members.extend(wanted.map(|id| Member { id, aabb: self.leaf_box(boxes, id) }));
        members
    }

    /// Removes outdated leaves from the tree, in the order of memory.
    fn detach_waiting(&mut self, members: &[Member]) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        let key = |id: u32| (u64::from(self.places[id as usize]) << 32) | u64::from(id);
        order.extend(members.iter().map(|member| key(member.id)));
        order.sort_unstable();
        for batch in order.chunks(2 * BATCH_SIZE) {
            // Seen for no other end than to have the three nodes above each in the cache.
            let above = |place: u32| self.nodes.get((place >> 1) as usize).map_or(NONE, |node| node.place);
            let seen = batch.iter().fold(0, |seen, key| seen ^ above(above(above((key >> 32) as u32))));
            core::hint::black_box(seen);
            for key in batch {
                self.detach(*key as u32);
            }
        }
        self.order = order;
    }

    /// Descends to about the place of each leaf of a batch, all in step, only to bring those nodes into the
    /// cache.
    fn fetch(&self, group: &[Member]) {
        if self.root & LEAF != 0 {
            return;
        }
        let mut at = [self.root; BATCH_SIZE];
        for _ in 0..PREFETCHED_LEVELS {
            let mut all_arrived = LEAF;
            for (at, Member { aabb: wanted, .. }) in at.iter_mut().zip(group) {
                // A leaf that has arrived stays, without a branch: a misprediction would serialise the memory accesses.
                let arrived = *at & LEAF != 0;
                let node = &self.nodes[if arrived { 0 } else { *at as usize }];
                let side = usize::from(node.boxes[1].apart(wanted) < node.boxes[0].apart(wanted));
                let next = node.children[side];
                *at = if arrived { *at } else { next };
                all_arrived &= *at;
            }
            if all_arrived != 0 {
                break;
            }
        }
        // The nodes that will be handed out.
        let handed = self.free.iter().rev().take(group.len());
        let seen = handed.fold(0, |seen, &node| seen ^ self.nodes[node as usize].place);
        // Without a use of the results a compiler may leave out all of it.
        core::hint::black_box((at, seen));
    }

    /// Finds the partners of all fresh leaves when all are in the tree.
    pub(super) fn meet_all(&mut self, boxes: &[Aabb], fresh: &[u32], pairs: &mut Pairs) {
        let members = self.members(boxes, fresh, Self::hangs);
        self.set_joining(&members, true);
        members.chunks(BATCH_SIZE).for_each(|group| self.meet_joining(boxes, group, pairs));
        self.set_joining(&members, false);
        self.members = members;
    }

    /// Finds the partners of a batch that has just been inserted.
    pub(super) fn meet_group(&mut self, boxes: &[Aabb], group: &[Member], pairs: &mut Pairs) {
        self.set_joining(group, true);
        self.meet_joining(boxes, group, pairs);
        self.set_joining(group, false);
    }

    fn set_joining(&mut self, members: &[Member], joining: bool) {
        for member in members {
            let status = &mut self.status[member.id as usize];
            *status = if joining { *status | JOINING } else { *status & !JOINING };
        }
    }

    /// Finds all other leaves whose `f32` box intersects that of one of the batch; of two that join, the
    /// smaller id finds the other. Each searches from its place upwards: a subtree that it does not meet
    /// costs one comparison per level. A subtree that it meets is queued and touched, so that it is in the
    /// cache when its turn comes.
    fn meet_joining(&mut self, boxes: &[Aabb], group: &[Member], pairs: &mut Pairs) {
        let mut queue = core::mem::take(&mut self.queue);
        let mut see = |queue: &mut Vec<(u32, u32)>, which: u32, child: u32, aabb: &Aabb32| {
            if child & LEAF == 0 {
                core::hint::black_box(self.nodes[child as usize].place);
                queue.push((child, which));
                return;
            }
            let Member { id, aabb: region } = group[which as usize];
            let other = child & !LEAF;
            let status = self.status[other as usize];
            if status & JOINING == 0 || id < other {
                let exact = status & self.status[id as usize] & EXACT != 0;
                let known = exact && aabb.surely_intersects(&region);
                pairs.found(id, other, known || boxes[id as usize].intersects(&boxes[other as usize]));
            }
        };
        for (which, Member { id, aabb: region }) in (0..).zip(group) {
            let mut place = self.places[*id as usize];
            while place != NONE {
                let node = &self.nodes[(place >> 1) as usize];
                let side = ((place & 1) ^ 1) as usize;
                if node.boxes[side].intersects(region) {
                    see(&mut queue, which, node.children[side], &node.boxes[side]);
                }
                place = node.place;
            }
        }
        let mut next = 0;
        while let Some(&(index, which)) = queue.get(next) {
            next += 1;
            let region = &group[which as usize].aabb;
            let Node { boxes, children, .. } = &self.nodes[index as usize];
            let met = [boxes[0].intersects(region), boxes[1].intersects(region)];
            for side in 0..2 {
                if met[side] {
                    see(&mut queue, which, children[side], &boxes[side]);
                }
            }
        }
        queue.clear();
        self.queue = queue;
    }
}
