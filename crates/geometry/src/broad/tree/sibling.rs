//! Place of a leaf: where it adds the least surface area (@goldsmith1987), found by one descent without
//! backtracking.

use super::aabb32::Aabb32;
use super::{LEAF, NONE, Tree};

impl Tree {
    /// Returns the lowest node above a place that holds the box, or the root, with its place and its box.
    fn start_near(&self, near: u32, new: &Aabb32) -> (u32, u32, Aabb32) {
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

    /// Returns the place where a new leaf costs the least area, the node or leaf there, and its box.
    ///
    /// A leaf beside a child c of a node costs |c ∪ d| for the new node, and |a ∪ d| − |a| for every a above.
    /// Below c it costs at least |c ∪ d| − |c| + |d|. The descent goes to the cheaper side until neither can
    /// be better than the best.
    pub(super) fn best_sibling(&self, new: &Aabb32, near: u32) -> (u32, u32, Aabb32) {
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
