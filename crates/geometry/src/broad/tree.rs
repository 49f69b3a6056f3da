//! A dynamic tree of boxes.
//!
//! A node holds the boxes of its two children side by side, so that a step down or a search touches one node per level. They are
//! small boxes ([`SmallBox`]), and a node is one cache line.
//! A leaf goes where it adds the least surface area, the measure of how often a node is visited (@goldsmith1987), by
//! one walk down that never turns back; on the way up, a node swaps a child with a grandchild where that saves area
//! (@kopta2012). When as many leaves have moved as there are, the tree is built anew from the top: a cost of one
//! insertion per move, and the nodes lie in memory as they are visited.
//!
//! Stored boxes are fat: a box may move within its margin and nothing happens. A box that leaps farther than its margin
//! would leave any fat box again, so it is stored as it is.
//!
//! Boxes that changed wait until the next frame. Then what hangs in the tree for them is taken out in the order of
//! memory, and they are taken in as neighbours after neighbours: one finds the path of the other still in the cache,
//! and its walk down starts at the lowest node above the last one that holds it, not at the root. A search in between
//! looks through those that wait, unless they are taken in before. A leaf looks for partners as soon as it is taken in, from its place upwards. In a
//! large tree most of the time is spent waiting for the memory of the lowest levels: they are fetched for a few leaves
//! at a time, and new nodes are handed out in the order of memory.
//!
//! Places: a child is named by 2·node + side.

mod build;
mod small_box;

use super::Index;
use super::pairs::Pairs;
use crate::bounds::Aabb;
use crate::ray::Ray;
use build::Leaf;
use gedanken_algebra::Vec3;
use small_box::SmallBox;

/// The margin of a box that moves, as a part of its largest size.
const MARGIN: f64 = 0.1;
/// Leaves that are taken in together.
const BATCH: usize = 8;
/// How deep they are fetched at most; a tree of this depth, built anew, holds more leaves than there are ids.
const FETCHED_LEVELS: usize = 40;
/// Nodes that a search can have open; a tree built anew needs one for each level.
const OPEN: usize = 64;
/// No node, no place.
const NONE: u32 = u32::MAX;
/// In place of a place: the leaf does not hang in the tree.
const LOOSE: u32 = u32::MAX - 1;
/// Marks a child that is a leaf; the rest is its id.
const LEAF: u32 = 1 << 31;

/// The stored box is the true one, but for the rounding of small boxes.
const EXACT: u8 = 1;
/// The leaf waits to be taken in; what hangs in the tree under its id, if anything does, is out of date.
const WAITING: u8 = 2;
/// The leaf is in the list of those that wait, though it may wait no more.
const LISTED: u8 = 4;

/// Two children; a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Node {
    boxes: [SmallBox; 2],
    children: [u32; 2],
    /// The place of this node in its parent.
    place: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes not in use.
    free: Vec<u32>,
    /// A node, a leaf or nothing.
    root: u32,
    /// The box of the root, if it is a leaf.
    root_box: SmallBox,
    /// What small boxes are about: somewhere among them.
    origin: Vec3,
    /// By id: the place of the leaf, NONE for the root, LOOSE for those that do not hang in the tree.
    places: Vec<u32>,
    /// By id: EXACT and so on.
    status: Vec<u8>,
    /// All that are LISTED.
    waiting: Vec<u32>,
    /// By id: the stored box.
    fat: Vec<Aabb>,
    count: usize,
    /// Insertions since the tree was last built.
    inserted: usize,
    /// Whether leaves were taken in since the last frame, without a look for partners.
    unmet: bool,
    /// For searching: nodes still to be seen.
    stack: Vec<u32>,
    /// For taking leaves out: places and ids.
    order: Vec<u64>,
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
            root_box: SmallBox::EMPTY,
            origin: Vec3::ZERO,
            places: Vec::new(),
            status: Vec::new(),
            waiting: Vec::new(),
            fat: Vec::new(),
            count: 0,
            inserted: 0,
            unmet: false,
            stack: Vec::new(),
            order: Vec::new(),
            leaves: Vec::new(),
            ranges: Vec::new(),
        }
    }
}

impl Index for Tree {
    fn insert(&mut self, id: u32, tight: &Aabb) {
        let i = id as usize;
        if i >= self.places.len() {
            self.places.resize(i + 1, LOOSE);
            self.fat.resize(i + 1, Aabb::EMPTY);
            self.status.resize(i + 1, 0);
        }
        self.fat[i] = *tight;
        self.status[i] |= EXACT;
        self.count += 1;
        self.wait(id);
    }

    fn update(&mut self, id: u32, old: &Aabb, new: &Aabb) -> bool {
        let i = id as usize;
        if self.fat[i].contains(new) {
            self.status[i] &= !EXACT;
            return false;
        }
        let margin = MARGIN * new.size().max_element();
        let leap = (new.min - old.min).abs().max((new.max - old.max).abs()).max_element();
        if leap > margin {
            self.fat[i] = *new;
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

    fn take_in_waiting(&mut self) {
        if self.is_stale() {
            self.build();
        } else {
            let waiting = self.waiting.clone();
            self.take_in(&waiting, |_, _| {});
        }
        self.forget_waiting();
        self.unmet = true;
    }

    fn meet(&mut self, boxes: &[Aabb], flags: &[u8], fresh: &[u32], pairs: &mut Pairs) {
        if self.is_stale() || self.unmet {
            self.take_in_waiting();
            self.unmet = false;
            self.meet_settled(boxes, flags, fresh, pairs);
            return;
        }
        // Each meets those that were there and those that came before it: every pair once, its path still hot.
        let mut stack = core::mem::take(&mut self.stack);
        self.take_in(fresh, |tree, id| {
            let (tight, status) = (&boxes[id as usize], tree.status[id as usize]);
            tree.visit_neighbours(id, &mut stack, |other, surely| {
                let known = surely && status & tree.status[other as usize] & EXACT != 0;
                pairs.found(id, other, known || tight.intersects(&boxes[other as usize]));
            });
        });
        self.stack = stack;
        self.forget_waiting();
    }

    fn stored(&self, id: u32, _tight: &Aabb) -> Aabb {
        self.fat[id as usize]
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
    /// Whether so many leaves have moved since the tree was built, or are about to, that it pays to build it anew.
    fn is_stale(&self) -> bool {
        self.inserted + self.waiting.len() > self.count
    }

    /// A box as nodes store it.
    fn small(&self, aabb: &Aabb) -> SmallBox {
        SmallBox::around(aabb, self.origin)
    }

    /// Takes in all that wait, in the order given, and shows each as soon as it is in.
    fn take_in(&mut self, fresh: &[u32], mut show: impl FnMut(&Self, u32)) {
        self.detach_waiting();
        if self.root == NONE {
            let all = self.waiting.iter().fold(Aabb::EMPTY, |all, &id| all.union(&self.fat[id as usize]));
            self.move_origin(&all);
        }
        // New nodes in the order of memory, which is about that of the leaves since both follow space.
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        // Where the last one went: the next is not far.
        let mut near = NONE;
        for batch in fresh.chunks(BATCH) {
            self.fetch(batch);
            for &id in batch {
                // An id whose box was never finite is not in the table.
                if self.status.get(id as usize).is_some_and(|status| status & WAITING != 0) {
                    self.attach(id, near);
                    near = self.places[id as usize];
                    show(self, id);
                }
            }
        }
    }

    /// Has small boxes made about the middle of this one from now on; the tree must be empty.
    fn move_origin(&mut self, all: &Aabb) {
        let centre = all.centre();
        self.origin = if centre.is_finite() { centre } else { Vec3::ZERO };
    }

    /// Walks down to about where each leaf of a batch belongs, all in step, for no other end than to have those nodes in the
    /// cache: a walk waits for memory on every level, but many walks wait together.
    fn fetch(&self, batch: &[u32]) {
        if self.root & LEAF != 0 {
            return;
        }
        let mut wanted = [SmallBox::EMPTY; BATCH];
        for (wanted, &id) in wanted.iter_mut().zip(batch) {
            *wanted = self.fat.get(id as usize).map_or(SmallBox::EMPTY, |aabb| self.small(aabb));
        }
        let mut at = [self.root; BATCH];
        for _ in 0..FETCHED_LEVELS {
            let mut all_arrived = LEAF;
            for (at, wanted) in at[..batch.len()].iter_mut().zip(&wanted) {
                // Who has arrived stays, without a branch: one guessed wrong would end the waiting together.
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
        // Without a use of the result a compiler may leave out the walk.
        core::hint::black_box(at);
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

    fn waits(&self, id: u32) -> bool {
        self.status[id as usize] & WAITING != 0
    }

    fn look_through_waiting(&self, propose: &mut dyn FnMut(u32)) {
        self.waiting.iter().filter(|&&id| self.waits(id)).for_each(|&id| propose(id));
    }

    /// Takes out of the tree what is out of date in it, in the order of memory.
    fn detach_waiting(&mut self) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend(
            self.waiting.iter().map(|&id| (u64::from(self.places[id as usize]) << 32) | u64::from(id)),
        );
        order.sort_unstable();
        for batch in order.chunks(2 * BATCH) {
            // Seen for no other end than to have the two nodes above each in the cache: their waits overlap.
            let above = |place: u32| self.nodes.get((place >> 1) as usize).map_or(NONE, |node| node.place);
            let seen = batch.iter().fold(0, |seen, key| seen ^ above(above((key >> 32) as u32)));
            core::hint::black_box(seen);
            for key in batch {
                self.detach(*key as u32);
            }
        }
        self.order = order;
    }

    /// Proposes the leaves below boxes that are met, but for those that wait.
    fn visit_settled(&self, met: impl Fn(&SmallBox) -> bool, propose: &mut dyn FnMut(u32)) {
        self.visit(met, &mut |id| {
            if !self.waits(id) {
                propose(id);
            }
        });
    }

    /// Proposes all leaves below boxes that are met. A box that is met makes every box around it met.
    fn visit(&self, met: impl Fn(&SmallBox) -> bool, propose: &mut dyn FnMut(u32)) {
        if self.root == NONE {
            return;
        }
        if self.root & LEAF != 0 {
            if met(&self.root_box) {
                propose(self.root & !LEAF);
            }
            return;
        }
        // Both boxes of a node are looked at before either is followed: their comparisons overlap, and nothing climbs back.
        let mut open = [self.root; OPEN];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let index = open[count];
            let Node { boxes, children, .. } = &self.nodes[index as usize];
            let is_met = [met(&boxes[0]), met(&boxes[1])];
            for side in 0..2 {
                let child = children[side];
                if !is_met[side] {
                    continue;
                }
                if child & LEAF != 0 {
                    propose(child & !LEAF);
                } else if count < OPEN {
                    open[count] = child;
                    count += 1;
                } else {
                    // A tree so deep that there is no room: rare, and slower.
                    self.visit_below((index << 1) | side as u32, &met, propose);
                }
            }
        }
    }

    /// The same from a place downwards.
    fn visit_below(
        &self,
        top: u32,
        met: &impl Fn(&SmallBox) -> bool,
        propose: &mut (impl FnMut(u32) + ?Sized),
    ) {
        let mut place = top;
        loop {
            let node = &self.nodes[(place >> 1) as usize];
            let side = (place & 1) as usize;
            if met(&node.boxes[side]) {
                let child = node.children[side];
                if child & LEAF == 0 {
                    place = child << 1;
                    continue;
                }
                propose(child & !LEAF);
            }
            // On to the other side, or up to the first node whose other side is still to be seen.
            while place != top && place & 1 != 0 {
                place = self.nodes[(place >> 1) as usize].place;
            }
            if place == top {
                return;
            }
            place |= 1;
        }
    }

    /// Proposes all other leaves whose small box intersects that of a leaf, from its place upwards: near ones come first,
    /// and what does not meet it costs one comparison per level. Also tells whether the stored boxes surely do.
    fn visit_neighbours(&self, id: u32, stack: &mut Vec<u32>, mut propose: impl FnMut(u32, bool)) {
        let region = &self.small(&self.fat[id as usize]);
        let mut place = self.places[id as usize];
        while place != NONE {
            let node = &self.nodes[(place >> 1) as usize];
            let side = ((place & 1) ^ 1) as usize;
            let mut see = |met: bool, child: u32, small: &SmallBox, stack: &mut Vec<u32>| {
                if met {
                    if child & LEAF != 0 {
                        propose(child & !LEAF, small.surely_intersects(region));
                    } else {
                        // Seen for no other end than to be in the cache when its turn comes.
                        core::hint::black_box(self.nodes[child as usize].place);
                        stack.push(child);
                    }
                }
            };
            see(node.boxes[side].intersects(region), node.children[side], &node.boxes[side], stack);
            while let Some(below) = stack.pop() {
                let Node { boxes, children, .. } = &self.nodes[below as usize];
                let met = [boxes[0].intersects(region), boxes[1].intersects(region)];
                see(met[0], children[0], &boxes[0], stack);
                see(met[1], children[1], &boxes[1], stack);
            }
            place = node.place;
        }
    }

    /// Hangs a child into a place.
    fn hang(&mut self, place: u32, child: u32, aabb: &SmallBox) {
        if place == NONE {
            self.root = child;
            self.root_box = *aabb;
        } else {
            let node = &mut self.nodes[(place >> 1) as usize];
            node.boxes[(place & 1) as usize] = *aabb;
            node.children[(place & 1) as usize] = child;
        }
        if child & LEAF != 0 {
            self.places[(child & !LEAF) as usize] = place;
        } else {
            self.nodes[child as usize].place = place;
        }
    }

    fn attach(&mut self, id: u32, near: u32) {
        self.inserted += 1;
        let aabb = self.small(&self.fat[id as usize]);
        if self.root == NONE {
            self.hang(NONE, id | LEAF, &aabb);
            return;
        }
        let (place, sibling, sibling_box) = self.best_sibling(&aabb, near);
        let fresh = Node { boxes: [sibling_box, aabb], children: [sibling, id | LEAF], place: NONE };
        let node = if let Some(node) = self.free.pop() {
            self.nodes[node as usize] = fresh;
            node
        } else {
            self.nodes.push(fresh);
            (self.nodes.len() - 1) as u32
        };
        self.hang(node << 1, sibling, &sibling_box);
        self.hang((node << 1) | 1, id | LEAF, &aabb);
        self.hang(place, node, &sibling_box.union(&aabb));
        self.refit(place, node);
    }

    fn detach(&mut self, id: u32) {
        let place = core::mem::replace(&mut self.places[id as usize], LOOSE);
        if place == LOOSE {
            return;
        }
        if place == NONE {
            self.root = NONE;
            return;
        }
        let node = place >> 1;
        let other = ((place & 1) ^ 1) as usize;
        let Node { boxes, children, place: above } = self.nodes[node as usize];
        self.free.push(node);
        self.hang(above, children[other], &boxes[other]);
        if above != NONE {
            self.shrink(above);
        }
    }

    /// Fits the boxes from a place upwards after one below has shrunk, as far as anything changes.
    fn shrink(&mut self, mut place: u32) {
        loop {
            let node = &self.nodes[(place >> 1) as usize];
            let aabb = node.boxes[0].union(&node.boxes[1]);
            place = node.place;
            if place == NONE {
                return;
            }
            let stored = &mut self.nodes[(place >> 1) as usize].boxes[(place & 1) as usize];
            if *stored == aabb {
                return;
            }
            *stored = aabb;
        }
    }

    /// Fits the boxes above a node that has grown, as far as anything changes, and rotates on the way.
    fn refit(&mut self, mut place: u32, mut node: u32) {
        while place != NONE {
            let (parent, side) = (place >> 1, (place & 1) as usize);
            self.rotate(parent, side, node);
            let Node { boxes, place: above, .. } = &self.nodes[parent as usize];
            let (aabb, above) = (boxes[0].union(&boxes[1]), *above);
            if above != NONE {
                let stored = &mut self.nodes[(above >> 1) as usize].boxes[(above & 1) as usize];
                if *stored == aabb {
                    return;
                }
                *stored = aabb;
            }
            (place, node) = (above, parent);
        }
    }

    /// Swaps the other child of `parent` with a child of `node`, its child on `side`, if that makes `node` smaller.
    fn rotate(&mut self, parent: u32, side: usize, node: u32) {
        let other = side ^ 1;
        let lower = self.nodes[node as usize];
        let upper = &self.nodes[parent as usize];
        let (uncle, uncle_box) = (upper.children[other], upper.boxes[other]);
        let now = lower.boxes[0].union(&lower.boxes[1]);
        let with = [lower.boxes[1].union(&uncle_box), lower.boxes[0].union(&uncle_box)];
        let area = [with[0].surface_area(), with[1].surface_area()];
        // Which child of the node comes up.
        let up = usize::from(area[1] < area[0]);
        if area[up] < now.surface_area() {
            self.hang((node << 1) | up as u32, uncle, &uncle_box);
            self.hang((parent << 1) | other as u32, lower.children[up], &lower.boxes[up]);
            self.nodes[parent as usize].boxes[side] = with[up];
        } else {
            self.nodes[parent as usize].boxes[side] = now;
        }
    }

    /// The lowest node above a place that holds the box, or the root; its place and its box.
    fn start_near(&self, near: u32, new: &SmallBox) -> (u32, u32, SmallBox) {
        let mut node = if near == NONE { self.root } else { near >> 1 };
        loop {
            let above = self.nodes[node as usize].place;
            if above == NONE {
                let top = &self.nodes[node as usize];
                return (node, NONE, top.boxes[0].union(&top.boxes[1]));
            }
            let whole = &self.nodes[(above >> 1) as usize].boxes[(above & 1) as usize];
            if whole.contains(new) {
                return (node, above, *whole);
            }
            node = above >> 1;
        }
    }

    /// The place where a new leaf costs the least area, what hangs there, and its box.
    ///
    /// A leaf beside a child c of a node costs |c ∪ d| for the new node, and |a ∪ d| − |a| for every a above. Below c it
    /// costs at least |c ∪ d| − |c| + |d|. The walk goes to the cheaper side until neither can be better than the best.
    fn best_sibling(&self, new: &SmallBox, near: u32) -> (u32, u32, SmallBox) {
        if self.root & LEAF != 0 {
            return (NONE, self.root, self.root_box);
        }
        let new_area = new.surface_area();
        let (mut index, above, whole) = self.start_near(near, new);
        let direct = whole.union(new).surface_area();
        let mut best = (above, index, whole);
        let mut best_cost = direct;
        let mut inherited = direct - whole.surface_area();
        loop {
            let node = &self.nodes[index as usize];
            let mut bound = [f32::INFINITY; 2];
            let mut growth = [0.0; 2];
            for side in 0..2 {
                let (aabb, child) = (&node.boxes[side], node.children[side]);
                let direct = aabb.union(new).surface_area();
                if direct + inherited < best_cost {
                    best_cost = direct + inherited;
                    best = ((index << 1) | side as u32, child, *aabb);
                }
                if child & LEAF == 0 {
                    growth[side] = direct - aabb.surface_area();
                    bound[side] = inherited + growth[side] + new_area;
                }
            }
            // Where both hold the new box, the nearer centre decides.
            let right = if bound[0] == bound[1] {
                node.boxes[1].apart(new) < node.boxes[0].apart(new)
            } else {
                bound[1] < bound[0]
            };
            let side = usize::from(right);
            if node.children[side] & LEAF != 0 || bound[side] >= best_cost {
                return best;
            }
            inherited += growth[side];
            index = node.children[side];
        }
    }
}
