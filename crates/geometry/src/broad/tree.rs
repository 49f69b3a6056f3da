//! A dynamic tree of boxes.
//!
//! A node holds the boxes of its two children side by side, so that a step down or a search touches one node per level.
//! A leaf goes where it adds the least surface area, the measure of how often a node is visited (@goldsmith1987), by
//! one walk down that never turns back; on the way up, a node swaps a child with a grandchild where that saves area
//! (@kopta2012). When as many leaves have moved as there are, the tree is built anew from the top: a cost of one
//! insertion per move, and the nodes lie in memory as they are visited.
//!
//! Stored boxes are fat: a box may move within its margin and nothing happens. A box that leaps farther than its margin
//! would leave any fat box again, so it is stored as it is.
//!
//! Boxes that changed wait until the next frame, and are then taken in as neighbours after neighbours, so that one finds
//! the path of the other still in the cache; a search in between looks through those that wait. A leaf looks for partners
//! as soon as it is taken in, from its place upwards. In a large tree most of the time is spent waiting for the memory of
//! the lowest levels: they are fetched for a few leaves at a time, and new nodes are handed out in the order of memory.
//!
//! Places: a child is named by 2·node + side; searches follow these without a stack.

use super::Index;
use super::pairs::Pairs;
use crate::bounds::Aabb;
use crate::ray::Ray;
use gedanken_algebra::Vec3;

/// The margin of a box that moves, as a part of its largest size.
const MARGIN: f64 = 0.1;
/// Leaves that are taken in together.
const BATCH: usize = 8;
/// How deep they are fetched at most; a tree of this depth, built anew, holds more leaves than there are ids.
const FETCHED_LEVELS: usize = 40;
/// No node, no place.
const NONE: u32 = u32::MAX;
/// In place of a place: the leaf waits to be taken in.
const WAITING: u32 = u32::MAX - 1;
/// In place of a place: the leaf was taken away while it waited, and is still listed.
const CANCELLED: u32 = u32::MAX - 2;
/// Marks a child that is a leaf; the rest is its id.
const LEAF: u32 = 1 << 31;

/// Two children; two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Node {
    boxes: [Aabb; 2],
    children: [u32; 2],
    /// The place of this node in its parent.
    place: u32,
}

/// A leaf to build with: its centre at hand, for it is looked at on every level.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    centre: Vec3,
    id: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes not in use.
    free: Vec<u32>,
    /// A node, a leaf or nothing.
    root: u32,
    /// The box of the root, if it is a leaf.
    root_box: Aabb,
    /// By id: the place of the leaf, NONE for the root and for the absent, WAITING or CANCELLED.
    places: Vec<u32>,
    /// All that are WAITING or CANCELLED.
    waiting: Vec<u32>,
    /// By id: the stored box.
    fat: Vec<Aabb>,
    /// By id: whether the stored box is the true one. Then nobody needs to look at that.
    exact: Vec<bool>,
    count: usize,
    /// Insertions since the tree was last built.
    inserted: usize,
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
            root_box: Aabb::EMPTY,
            places: Vec::new(),
            waiting: Vec::new(),
            fat: Vec::new(),
            exact: Vec::new(),
            count: 0,
            inserted: 0,
            leaves: Vec::new(),
            ranges: Vec::new(),
        }
    }
}

impl Index for Tree {
    fn insert(&mut self, id: u32, tight: &Aabb) {
        let i = id as usize;
        if i >= self.places.len() {
            self.places.resize(i + 1, NONE);
            self.fat.resize(i + 1, Aabb::EMPTY);
            self.exact.resize(i + 1, false);
        }
        self.fat[i] = *tight;
        self.exact[i] = true;
        self.count += 1;
        self.wait(id);
    }

    fn update(&mut self, id: u32, old: &Aabb, new: &Aabb) -> bool {
        let i = id as usize;
        if self.fat[i].contains(new) {
            self.exact[i] = false;
            return false;
        }
        let margin = MARGIN * new.size().max_element();
        let leap = (new.min - old.min).abs().max((new.max - old.max).abs()).max_element();
        if self.places[i] != WAITING {
            self.detach(id);
            self.wait(id);
        }
        self.exact[i] = leap > margin;
        self.fat[i] = if leap > margin { *new } else { new.fattened(margin) };
        true
    }

    fn remove(&mut self, id: u32, _old: &Aabb) {
        self.count -= 1;
        if self.places[id as usize] == WAITING {
            self.places[id as usize] = CANCELLED;
        } else {
            self.detach(id);
        }
    }

    fn meet(&mut self, boxes: &[Aabb], flags: &[u8], fresh: &[u32], pairs: &mut Pairs) {
        if self.is_stale() {
            self.build();
            self.forget_waiting();
            self.meet_settled(boxes, flags, fresh, pairs);
            return;
        }
        // Each meets those that were there and those that came before it: every pair once, its path still hot.
        self.take_in(fresh, |tree, id| {
            let (tight, exact) = (&boxes[id as usize], tree.exact[id as usize]);
            tree.visit_neighbours(id, |other| {
                let known = exact && tree.exact[other as usize];
                pairs.found(id, other, known || tight.intersects(&boxes[other as usize]));
            });
        });
        self.forget_waiting();
    }

    fn stored(&self, id: u32, _tight: &Aabb) -> Aabb {
        self.fat[id as usize]
    }

    fn search(&self, _boxes: &[Aabb], region: &Aabb, propose: &mut dyn FnMut(u32)) {
        self.look_through_waiting(propose);
        self.visit(|stored| stored.intersects(region), propose);
    }

    fn search_ray(&self, _boxes: &[Aabb], ray: &Ray, t_max: f64, propose: &mut dyn FnMut(u32)) {
        self.look_through_waiting(propose);
        self.visit(|stored| stored.cast_ray(ray, t_max).is_some(), propose);
    }
}

impl Tree {
    /// Whether so many leaves have moved since the tree was built, or are about to, that it pays to build it anew.
    fn is_stale(&self) -> bool {
        self.inserted + self.waiting.len() > self.count
    }

    /// Takes in all that wait, in the order given, and shows each as soon as it is in.
    fn take_in(&mut self, fresh: &[u32], mut show: impl FnMut(&Self, u32)) {
        // New nodes in the order of memory, which is about that of the leaves since both follow space.
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        for batch in fresh.chunks(BATCH) {
            self.fetch(batch);
            for &id in batch {
                // An id whose box was never finite is not in the table.
                if self.places.get(id as usize) == Some(&WAITING) {
                    self.attach(id);
                    show(self, id);
                }
            }
        }
    }

    /// Walks down to about where each leaf of a batch belongs, all in step, for no other end than to have those nodes in the
    /// cache: a walk waits for memory on every level, but many walks wait together.
    fn fetch(&self, batch: &[u32]) {
        if self.root & LEAF != 0 {
            return;
        }
        let mut centres = [Vec3::ZERO; BATCH];
        for (centre, &id) in centres.iter_mut().zip(batch) {
            *centre = self.fat.get(id as usize).map_or(Vec3::ZERO, |aabb| aabb.min + aabb.max);
        }
        let mut at = [self.root; BATCH];
        for _ in 0..FETCHED_LEVELS {
            let mut all_arrived = LEAF;
            for (at, centre) in at[..batch.len()].iter_mut().zip(&centres) {
                // Who has arrived stays, without a branch: one guessed wrong would end the waiting together.
                let arrived = *at & LEAF != 0;
                let node = &self.nodes[if arrived { 0 } else { *at as usize }];
                let off = |aabb: &Aabb| (aabb.min + aabb.max - *centre).length_squared();
                let side = usize::from(off(&node.boxes[1]) < off(&node.boxes[0]));
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
            if self.places[id as usize] == CANCELLED {
                self.places[id as usize] = NONE;
            }
        }
    }

    fn wait(&mut self, id: u32) {
        let place = &mut self.places[id as usize];
        if *place != CANCELLED {
            self.waiting.push(id);
        }
        *place = WAITING;
    }

    fn look_through_waiting(&self, propose: &mut dyn FnMut(u32)) {
        self.waiting.iter().filter(|&&id| self.places[id as usize] == WAITING).for_each(|&id| propose(id));
    }

    /// Proposes all leaves below boxes that are met. A box that is met makes every box around it met.
    fn visit(&self, met: impl Fn(&Aabb) -> bool, propose: &mut dyn FnMut(u32)) {
        if self.root == NONE {
            return;
        }
        if self.root & LEAF != 0 {
            if met(&self.root_box) {
                propose(self.root & !LEAF);
            }
            return;
        }
        self.visit_below(self.root << 1, &met, propose);
        self.visit_below((self.root << 1) | 1, &met, propose);
    }

    /// The same from a place downwards.
    fn visit_below(&self, top: u32, met: &impl Fn(&Aabb) -> bool, propose: &mut (impl FnMut(u32) + ?Sized)) {
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

    /// Proposes all other leaves whose stored box intersects that of a leaf, from its place upwards: near ones come first,
    /// and what does not meet it costs one comparison per level.
    fn visit_neighbours(&self, id: u32, mut propose: impl FnMut(u32)) {
        let region = &self.fat[id as usize];
        let mut place = self.places[id as usize];
        while place != NONE {
            self.visit_below(place ^ 1, &|stored: &Aabb| stored.intersects(region), &mut propose);
            place = self.nodes[(place >> 1) as usize].place;
        }
    }

    /// Hangs a child into a place.
    fn hang(&mut self, place: u32, child: u32, aabb: &Aabb) {
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

    fn attach(&mut self, id: u32) {
        self.inserted += 1;
        let aabb = self.fat[id as usize];
        if self.root == NONE {
            self.hang(NONE, id | LEAF, &aabb);
            return;
        }
        let (place, sibling, sibling_box) = self.best_sibling(&aabb);
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
        let place = core::mem::replace(&mut self.places[id as usize], NONE);
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

    /// The place where a new leaf costs the least area, what hangs there, and its box.
    ///
    /// A leaf beside a child c of a node costs |c ∪ d| for the new node, and |a ∪ d| − |a| for every a above. Below c it
    /// costs at least |c ∪ d| − |c| + |d|. The walk goes to the cheaper side until neither can be better than the best.
    fn best_sibling(&self, new: &Aabb) -> (u32, u32, Aabb) {
        if self.root & LEAF != 0 {
            return (NONE, self.root, self.root_box);
        }
        let new_area = new.surface_area();
        let top = &self.nodes[self.root as usize];
        let whole = top.boxes[0].union(&top.boxes[1]);
        let direct = whole.union(new).surface_area();
        let mut best = (NONE, self.root, whole);
        let mut best_cost = direct;
        let mut inherited = direct - whole.surface_area();
        let mut index = self.root;
        loop {
            let node = &self.nodes[index as usize];
            let mut bound = [f64::INFINITY; 2];
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
                let off = |aabb: &Aabb| (aabb.centre() - new.centre()).length_squared();
                off(&node.boxes[1]) < off(&node.boxes[0])
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

    /// Builds the tree anew from its leaves and those that wait, splitting at the middle of the longest axis of their
    /// centres.
    fn build(&mut self) {
        self.inserted = 0;
        let mut leaves = core::mem::take(&mut self.leaves);
        leaves.clear();
        let leaf = |id: u32| Leaf { centre: self.fat[id as usize].centre(), id };
        self.visit(|_| true, &mut |id| leaves.push(leaf(id)));
        self.look_through_waiting(&mut |id| leaves.push(leaf(id)));
        self.root = NONE;
        self.nodes.clear();
        self.free.clear();
        self.ranges.clear();
        if !leaves.is_empty() {
            self.ranges.push((0, leaves.len() as u32, NONE));
        }
        while let Some((from, to, place)) = self.ranges.pop() {
            let part = &mut leaves[from as usize..to as usize];
            if let [Leaf { id, .. }] = *part {
                let aabb = self.fat[id as usize];
                self.hang(place, id | LEAF, &aabb);
                continue;
            }
            let node = self.nodes.len() as u32;
            self.nodes.push(Node { boxes: [Aabb::EMPTY; 2], children: [NONE; 2], place });
            self.hang(place, node, &Aabb::EMPTY);
            let middle = from + split(part) as u32;
            self.ranges.push((middle, to, (node << 1) | 1));
            self.ranges.push((from, middle, node << 1));
        }
        // Parents come before their children: from the end, every box is known when it is needed.
        for node in (0..self.nodes.len()).rev() {
            let Node { boxes, place, .. } = &self.nodes[node];
            let (aabb, place) = (boxes[0].union(&boxes[1]), *place);
            if place != NONE {
                self.nodes[(place >> 1) as usize].boxes[(place & 1) as usize] = aabb;
            }
        }
        self.leaves = leaves;
    }
}

/// Parts leaves in two, and tells how many come first.
fn split(part: &mut [Leaf]) -> usize {
    let centres = part.iter().fold(Aabb::EMPTY, |centres, leaf| centres.with(leaf.centre));
    let axis = largest(centres.size());
    let middle = centres.centre()[axis];
    let mut first = 0;
    for i in 0..part.len() {
        if part[i].centre[axis] < middle {
            part.swap(i, first);
            first += 1;
        }
    }
    // Where the middle leaves nearly all on one side, halving by count keeps the tree shallow.
    if first.min(part.len() - first) * 8 < part.len() {
        first = part.len() / 2;
        let along = |a: &Leaf, b: &Leaf| a.centre[axis].total_cmp(&b.centre[axis]).then(a.id.cmp(&b.id));
        part.select_nth_unstable_by(first, along);
    }
    first
}

/// The axis of the largest component.
fn largest(v: Vec3) -> usize {
    if v.x >= v.y && v.x >= v.z {
        0
    } else if v.y >= v.z {
        1
    } else {
        2
    }
}
