//! A dynamic tree of boxes.
//!
//! A node holds the boxes of its two children side by side, so that a step down or a search touches one node
//! per level. They are small boxes ([`Aabb32`]), and a node is one cache line. A leaf goes where it adds
//! the least surface area, the measure of how often a node is visited (@goldsmith1987), by one walk down that
//! never turns back; on the way up, a node swaps a child with a grandchild where that saves area
//! (@kopta2012). When as many leaves have moved as there are, the tree is built anew from the top: a cost of
//! one insertion per move, and the nodes lie in memory as they are visited.
//!
//! Stored boxes are fat: a box may move within its margin and nothing happens. A box that leaps farther than
//! its margin would leave any fat box again, so it is stored as it is.
//!
//! Boxes that changed wait until the next frame; a search in between looks through those that wait, unless
//! they are taken in before. In a large tree most of the time is spent waiting for the memory of the lowest
//! levels, so what a frame does follows memory. What hangs in the tree for those that wait is taken out in
//! the order of nodes. They are taken in as neighbours after neighbours: one finds the path of the other
//! still in the cache, and its walk down starts at the lowest node above the last one that holds it, not at
//! the root. Nodes are handed out in order, too. A few at a time fetch the nodes that they will need, are
//! taken in and look for partners, from their places upwards ([`group`]).
//!
//! Places: a child is named by 2·node + side.

mod aabb32;
mod batch;
mod build;
mod links;
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

/// The margin of a box that moves, as a part of its largest size.
const MARGIN: f64 = 0.1;
/// No node, no place.
const NONE: u32 = u32::MAX;
/// In place of a place: the leaf does not hang in the tree.
const LOOSE: u32 = u32::MAX - 1;
/// Marks a child that is a leaf; the rest is its id.
const LEAF: u32 = 1 << 31;

/// The stored box is the true one, and is not kept a second time.
const EXACT: u8 = 1;
/// The leaf waits to be taken in; what hangs in the tree under its id, if anything does, is out of date.
const WAITING: u8 = 2;
/// The leaf is in the list of those that wait, though it may wait no more.
const LISTED: u8 = 4;
/// The leaf hangs in the tree and looks for partners, together with all others that have this mark.
const JOINING: u8 = 8;

/// Two children; a cache line.
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
    /// What small boxes are about: somewhere among them.
    origin: Vec3,
    /// By id: the place of the leaf, NONE for the root, LOOSE for those that do not hang in the tree.
    places: Vec<u32>,
    /// By id: EXACT and so on.
    status: Vec<u8>,
    /// All that are LISTED.
    waiting: Vec<u32>,
    /// By id: the stored box, where it is not the true one.
    fat: Vec<Aabb>,
    count: usize,
    /// Insertions since the tree was last built.
    inserted: usize,
    /// `true` if leaves were taken in since the last frame, without a look for partners.
    unmet: bool,
    /// For finding partners: nodes still to be seen, and for which leaf of a group.
    queue: Vec<(u32, u32)>,
    /// For taking leaves in and finding their partners.
    members: Vec<Member>,
    /// For taking leaves out: places and ids.
    order: Vec<u64>,
    /// For building: all ids.
    ids: Vec<u32>,
    /// For building: leaves in the order of their places.
    leaves: Vec<Leaf>,
    /// For building: ranges of leaves still to be split, and the place of each.
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
    /// Returns `true` if so many leaves have moved since the tree was built, or are about to, that it pays to
    /// build it anew.
    fn is_stale(&self) -> bool {
        !self.waiting.is_empty() && self.inserted + self.waiting.len() >= self.count
    }

    /// The small box of a leaf.
    fn leaf_box(&self, boxes: &[Aabb], id: u32) -> Aabb32 {
        self.small(&self.stored(id, &boxes[id as usize]))
    }

    /// A box as nodes store it.
    fn small(&self, aabb: &Aabb) -> Aabb32 {
        Aabb32::around(aabb, self.origin)
    }

    /// Has small boxes made about the middle of this one from now on; the tree must be empty.
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

    /// Returns `true` if a leaf waits; an id whose box was never finite is not in the table.
    fn waits(&self, id: u32) -> bool {
        self.status.get(id as usize).is_some_and(|status| status & WAITING != 0)
    }

    /// Returns `true` if a leaf hangs in the tree, if only with a box that is out of date.
    fn hangs(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|&place| place != LOOSE)
    }

    fn look_through_waiting(&self, propose: &mut dyn FnMut(u32)) {
        self.waiting.iter().filter(|&&id| self.waits(id)).for_each(|&id| propose(id));
    }
}
