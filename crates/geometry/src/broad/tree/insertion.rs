//! Insertion and removal of leaves, and the update of the boxes above them.
//!
//! On the way up, a node swaps a child with a grandchild where that saves surface area (@kopta2012).

use super::aabb32::Aabb32;
use super::{LEAF, LOOSE, NONE, Node, Tree};

impl Tree {
    /// Links a child to a place.
    pub(super) fn hang(&mut self, place: u32, child: u32, aabb: &Aabb32) {
        if place == NONE {
            self.root = child;
            self.root_box = *aabb;
        } else {
            let node = &mut self.nodes[(place >> 1) as usize];
            node.boxes[(place & 1) as usize] = *aabb;
            node.children[(place & 1) as usize] = child;
        }
        self.tell_place(child, place);
    }

    /// Records the place of a child.
    fn tell_place(&mut self, child: u32, place: u32) {
        if child & LEAF != 0 {
            self.places[(child & !LEAF) as usize] = place;
        } else {
            self.nodes[child as usize].place = place;
        }
    }

    /// Inserts a leaf where it costs the least, given the place of one that is not far.
    pub(super) fn attach(&mut self, id: u32, aabb: &Aabb32, near: u32) {
        self.inserted += 1;
        if self.root == NONE {
            self.hang(NONE, id | LEAF, aabb);
            return;
        }
        let (place, sibling, sibling_box) = self.best_sibling(aabb, near);
        let node = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::EMPTY);
            (self.nodes.len() - 1) as u32
        });
        let Node { boxes: [left, right], children, place: above } = &mut self.nodes[node as usize];
        (*left, *right, *children, *above) = (sibling_box, *aabb, [sibling, id | LEAF], place);
        self.tell_place(sibling, node << 1);
        self.tell_place(id | LEAF, (node << 1) | 1);
        self.hang(place, node, &sibling_box.union(aabb));
        self.refit(place, node);
    }

    /// Removes a leaf, if it is in the tree.
    pub(super) fn detach(&mut self, id: u32) {
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
        let Node { boxes, children, place: above } = &self.nodes[node as usize];
        let (sibling, aabb, above) = (children[other], boxes[other], *above);
        self.free.push(node);
        self.hang(above, sibling, &aabb);
        if above != NONE {
            self.shrink(above);
        }
    }

    /// Shrinks the boxes from a place upwards after one below has shrunk, as far as anything changes.
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

    /// Grows the boxes above a node that has grown, as far as anything changes, and rotates on the way.
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

    /// Swaps the other child of `parent` with a child of `node`, its child on `side`, if that makes `node`
    /// smaller.
    fn rotate(&mut self, parent: u32, side: usize, node: u32) {
        let other = side ^ 1;
        // By reference: a copy would have to wait until what was just written has arrived in the cache.
        let (lower, upper) = (&self.nodes[node as usize], &self.nodes[parent as usize]);
        let uncle_box = upper.boxes[other];
        let now = lower.boxes[0].union(&lower.boxes[1]);
        let with = [lower.boxes[1].union(&uncle_box), lower.boxes[0].union(&uncle_box)];
        let area = [with[0].surface_area(), with[1].surface_area()];
        // Which child of the node comes up.
        let up = usize::from(area[1] < area[0]);
        if area[up] < now.surface_area() {
            let (risen, risen_box, uncle) = (lower.children[up], lower.boxes[up], upper.children[other]);
            self.hang((node << 1) | up as u32, uncle, &uncle_box);
            self.hang((parent << 1) | other as u32, risen, &risen_box);
            self.nodes[parent as usize].boxes[side] = with[up];
        } else {
            self.nodes[parent as usize].boxes[side] = now;
        }
    }
}
