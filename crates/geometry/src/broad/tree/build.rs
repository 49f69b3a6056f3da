//! A tree built anew from the top: its nodes lie in memory as they are visited.

use super::small_box::SmallBox;
use super::{LEAF, NONE, Node, Tree};
use crate::bounds::Aabb;
use gedanken_algebra::Vec3;

/// A leaf to build with: its centre at hand, for it is looked at on every level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    centre: Vec3,
    id: u32,
}

impl Tree {
    /// Builds the tree anew from its leaves and those that wait, splitting at the middle of the longest axis of their
    /// centres.
    pub(super) fn build(&mut self) {
        self.inserted = 0;
        let mut leaves = core::mem::take(&mut self.leaves);
        leaves.clear();
        let leaf = |id: u32| Leaf { centre: self.fat[id as usize].centre(), id };
        self.visit_settled(|_| true, &mut |id| leaves.push(leaf(id)));
        self.look_through_waiting(&mut |id| leaves.push(leaf(id)));
        let all = leaves.iter().fold(Aabb::EMPTY, |all, leaf| all.with(leaf.centre));
        self.move_origin(&all);
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
                let aabb = self.small(&self.fat[id as usize]);
                self.hang(place, id | LEAF, &aabb);
                continue;
            }
            let node = self.nodes.len() as u32;
            self.nodes.push(Node { boxes: [SmallBox::EMPTY; 2], children: [NONE; 2], place });
            self.hang(place, node, &SmallBox::EMPTY);
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
