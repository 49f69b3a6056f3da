//! Searches through the whole tree: regions, rays, all leaves.

use super::aabb32::Aabb32;
use super::{LEAF, NONE, Node, Tree};

/// Maximum number of pending nodes of a search; a new tree needs one for each level.
const STACK_SIZE: usize = 64;

impl Tree {
    /// Proposes the leaves below boxes that are met, but for pending ones.
    pub(super) fn visit_settled(&self, met: impl Fn(&Aabb32) -> bool, propose: &mut dyn FnMut(u32)) {
        self.visit(met, &mut |id| {
            if !self.waits(id) {
                propose(id);
            }
        });
    }

    /// Proposes all leaves below boxes that are met. A box that is met makes every box around it met.
    fn visit(&self, met: impl Fn(&Aabb32) -> bool, propose: &mut dyn FnMut(u32)) {
        if self.root == NONE {
            return;
        }
        if self.root & LEAF != 0 {
            if met(&self.root_box) {
                propose(self.root & !LEAF);
            }
            return;
        }
        // Both boxes of a node are looked at before either is followed: their comparisons overlap, and
        // nothing climbs back.
        let mut open = [self.root; STACK_SIZE];
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
                } else if count < STACK_SIZE {
                    open[count] = child;
                    count += 1;
                } else {
                    // A tree so deep that there is no room: rare, and slower.
                    self.visit_below((index << 1) | side as u32, &met, propose);
                }
            }
        }
    }

    /// Proposes the same from a place downwards.
    fn visit_below(
        &self,
        top: u32,
        met: &impl Fn(&Aabb32) -> bool,
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
}
