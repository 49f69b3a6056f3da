//! A dynamic tree of boxes.
//!
//! A node holds the boxes of its two children side by side, so that a step down or a search touches one node
//! per level. They are boxes in `f32` ([`Aabb32`]), and a node is one cache line. A leaf is inserted where it
//! adds the least surface area, the measure of how often a node is visited (@goldsmith1987), by one descent
//! without backtracking. On the way up, a node swaps a child with a grandchild where that saves area
//! (@kopta2012). When as many leaves have moved as there are, the tree is rebuilt from the top: that costs
//! one insertion per move, and orders the nodes in memory as they are visited.
//!
//! Stored boxes are fat: a box may move within its margin without a change of the tree. A box that leaps
//! farther than its margin would leave any fat box again, so it is stored exactly.
//!
//! Boxes that changed are pending until the next frame; a search in between scans the pending ones, unless
//! they are inserted before. In a large tree most of the time is spent waiting for the memory of the lowest
//! levels, so a frame works in the order of memory. Outdated leaves are removed in the order of their nodes.
//! Pending leaves are inserted in Morton order: each finds the path of the last one still in the cache, and
//! its descent starts at the lowest node above the last one that holds it, not at the root. Nodes are
//! allocated in order, too. A batch of leaves prefetches the nodes that it will need, is inserted and looks
//! for partners, from its places upwards ([`batch`]).
//!
//! Places: a child is named by 2·node + side.

mod aabb32;
mod batch;
mod build;
mod insertion;
mod search;
mod sibling;

use super::Index;
use super::pairs::Pairs;
use crate::bounds::Aabb;
use crate::ray::Ray;
use aabb32::Aabb32;
use batch::Member;
use build::Leaf;
use gedanken_math::Vec3;

/// Margin of a box that moves, as a part of its largest size.
const MARGIN: f64 = 0.1;
/// Index that means no node or no place.
const NONE: u32 = u32::MAX;
/// Place of a leaf that is not in the tree.
const LOOSE: u32 = u32::MAX - 1;
/// Bit of a child that is a leaf; the other bits are its id.
const LEAF: u32 = 1 << 31;

/// Status: the stored box is the true one, and is not kept a second time.
const EXACT: u8 = 1;
/// Status: the leaf is pending. A leaf of this id in the tree is outdated.
const WAITING: u8 = 2;
/// Status: the leaf is in the list of pending ones, though it may no longer be pending.
const LISTED: u8 = 4;
/// Status: the leaf is in the tree and looks for partners, together with all others that have this bit.
const JOINING: u8 = 8;

/// A node with two children; one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Node {
    boxes: [Aabb32; 2],
    children: [u32; 2],
    /// The place of this node in its parent.
    place: u32,
}

impl Node {
    const EMPTY: Self = Self { boxes: [Aabb32::EMPTY; 2], children: [NONE; 2], place: NONE };
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes not in use.
    free: Vec<u32>,
    /// A node, a leaf or nothing.
    root: u32,
    /// The box of the root, if it is a leaf.
    root_box: Aabb32,
    /// Origin of the `f32` boxes: a point among them.
    origin: Vec3,
    /// Places of the leaves by id: NONE for the root, LOOSE for those that are not in the tree.
    places: Vec<u32>,
    /// Status by id: EXACT and so on.
    status: Vec<u8>,
    /// All ids that are LISTED.
    waiting: Vec<u32>,
    /// Stored boxes by id, where they are not the true ones.
    fat: Vec<Aabb>,
    count: usize,
    /// Insertions since the tree was last built.
    inserted: usize,
    /// `true` if leaves were inserted since the last frame without a search for partners.
    unmet: bool,
    /// Scratch of the search for partners: nodes still to be visited, and for which leaf of a batch.
    queue: Vec<(u32, u32)>,
    /// Scratch of the insertion of batches.
    members: Vec<Member>,
    /// Scratch of the removal of leaves: places and ids.
    order: Vec<u64>,
    /// Scratch of the build: all ids.
    ids: Vec<u32>,
    /// Scratch of the build: leaves in the order of their places.
    leaves: Vec<Leaf>,
    /// Scratch of the build: ranges of leaves still to be split, and the place of each.
    ranges: Vec<(u32, u32, u32)>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            root: NONE,
            root_box: Aabb32::EMPTY,
            origin: Vec3::ZERO,
            places: Vec::new(),
            status: Vec::new(),
            waiting: Vec::new(),
            fat: Vec::new(),
            count: 0,
            inserted: 0,
            unmet: false,
            queue: Vec::new(),
            members: Vec::new(),
            order: Vec::new(),
            ids: Vec::new(),
            leaves: Vec::new(),
            ranges: Vec::new(),
        }
    }
}

impl Index for Tree {
    fn insert(&mut self, id: u32, _tight: &Aabb) {
        let i = id as usize;
        if i >= self.places.len() {
            self.places.resize(i + 1, LOOSE);
            self.fat.resize(i + 1, Aabb::EMPTY);
            self.status.resize(i + 1, 0);
        }
        self.status[i] |= EXACT;
        self.count += 1;
        self.wait(id);
    }

    fn update(&mut self, id: u32, old: &Aabb, new: &Aabb) -> bool {
        let i = id as usize;
        let exact = self.status[i] & EXACT != 0;
        let stored = if exact { old } else { &self.fat[i] };
        if stored.contains(new) {
            if exact {
                self.fat[i] = *old;
                self.status[i] &= !EXACT;
            }
            return false;
        }
        let margin = MARGIN * new.size().max_element();
        let leap = (new.min - old.min).abs().max((new.max - old.max).abs()).max_element();
        if leap > margin {
            self.status[i] |= EXACT;
        } else {
            self.fat[i] = new.fattened(margin);
            self.status[i] &= !EXACT;
        }
        self.wait(id);
        true
    }

    fn remove(&mut self, id: u32, _old: &Aabb) {
        self.count -= 1;
        self.status[id as usize] &= !WAITING;
        self.detach(id);
    }

    fn take_in_waiting(&mut self, boxes: &[Aabb]) {
        if self.is_stale() {
            self.build(boxes);
        } else {
            let waiting = core::mem::take(&mut self.waiting);
            self.take_in(boxes, &waiting, |_, _| {});
            self.waiting = waiting;
        }
        self.forget_waiting();
        self.unmet = true;
    }

    fn meet(&mut self, boxes: &[Aabb], _flags: &[u8], fresh: &[u32], pairs: &mut Pairs) {
        if self.is_stale() || self.unmet {
            self.take_in_waiting(boxes);
            self.unmet = false;
            self.meet_all(boxes, fresh, pairs);
        } else {
            // A group meets those that were there and those that came before it: every pair once, its paths
            // still hot.
            self.take_in(boxes, fresh, |tree, group| tree.meet_group(boxes, group, pairs));
            self.forget_waiting();
        }
    }

    fn stored(&self, id: u32, tight: &Aabb) -> Aabb {
        if self.status[id as usize] & EXACT != 0 { *tight } else { self.fat[id as usize] }
    }

    fn search(&self, _boxes: &[Aabb], region: &Aabb, propose: &mut dyn FnMut(u32)) {
        self.look_through_waiting(propose);
        let region = self.small(region);
        self.visit_settled(|stored| stored.intersects(&region), propose);
    }

    fn search_ray(&self, _boxes: &[Aabb], ray: &Ray, t_max: f64, propose: &mut dyn FnMut(u32)) {
        self.look_through_waiting(propose);
        self.visit_settled(|stored| stored.shown(self.origin).cast_ray(ray, t_max).is_some(), propose);
    }
}

impl Tree {
    /// Returns `true` if so many leaves have moved since the last build, or are about to, that a new build
    /// pays.
    fn is_stale(&self) -> bool {
        !self.waiting.is_empty() && self.inserted + self.waiting.len() >= self.count
    }

    /// Returns the `f32` box of a leaf.
    fn leaf_box(&self, boxes: &[Aabb], id: u32) -> Aabb32 {
        self.small(&self.stored(id, &boxes[id as usize]))
    }

    /// Returns a box as nodes store it.
    fn small(&self, aabb: &Aabb) -> Aabb32 {
        Aabb32::around(aabb, self.origin)
    }

    /// Sets the origin of the `f32` boxes to the centre of this one; the tree must be empty.
    fn move_origin(&mut self, all: &Aabb) {
        let centre = all.centre();
        self.origin = if centre.is_finite() { centre } else { Vec3::ZERO };
    }

    fn forget_waiting(&mut self) {
        for id in self.waiting.drain(..) {
            self.status[id as usize] &= !(WAITING | LISTED);
        }
    }

    fn wait(&mut self, id: u32) {
        let status = &mut self.status[id as usize];
        if *status & LISTED == 0 {
            self.waiting.push(id);
        }
        *status |= WAITING | LISTED;
    }

    /// Returns `true` if a leaf is pending; an id whose box was never finite is not in the table.
    fn waits(&self, id: u32) -> bool {
        self.status.get(id as usize).is_some_and(|status| status & WAITING != 0)
    }

    /// Returns `true` if a leaf is in the tree, if only with an outdated box.
    fn hangs(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|&place| place != LOOSE)
    }

    fn look_through_waiting(&self, propose: &mut dyn FnMut(u32)) {
        self.waiting.iter().filter(|&&id| self.waits(id)).for_each(|&id| propose(id));
    }
}
