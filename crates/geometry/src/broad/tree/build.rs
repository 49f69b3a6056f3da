//! Build of the tree from the top: its nodes lie in memory as they are visited.

use super::aabb32::Aabb32;
use super::{LEAF, NONE, Node, Tree};
use crate::bounds::Aabb;

/// Number of ids per leaf from which it is faster to walk through the tree than through the table.
const MAX_IDS_PER_LEAF: usize = 8;

/// A leaf to build with, its box beside it, for it is read on every level. Aligned, it is moved in two whole
/// registers.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Leaf {
    aabb: Aabb32,
    id: u32,
}

impl Tree {
    /// Rebuilds the tree from its leaves and the pending ones, splitting at the middle of the longest axis of
    /// their centres.
    pub(super) fn build(&mut self, boxes: &[Aabb]) {
        self.inserted = 0;
        let mut leaves = core::mem::take(&mut self.leaves);
        leaves.clear();
        let mut ids = core::mem::take(&mut self.ids);
        ids.clear();
        self.list_present(&mut ids);
        let all = ids.iter().fold(Aabb::EMPTY, |all, &id| all.with(boxes[id as usize].centre()));
        self.move_origin(&all);
        leaves.extend(ids.iter().map(|&id| Leaf { aabb: self.leaf_box(boxes, id), id }));
        self.ids = ids;
        self.root = NONE;
        self.nodes.clear();
        self.free.clear();
        self.ranges.clear();
        if !leaves.is_empty() {
            self.ranges.push((0, leaves.len() as u32, NONE));
        }
        while let Some((from, to, place)) = self.ranges.pop() {
            let part = &mut leaves[from as usize..to as usize];
            if let [Leaf { aabb, id }] = part {
                self.hang(place, *id | LEAF, aabb);
                continue;
            }
            let node = self.nodes.len() as u32;
            self.nodes.push(Node::EMPTY);
            self.hang(place, node, &Aabb32::EMPTY);
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

    /// Lists all leaves in the tree or pending: in the order of ids, which is that of their boxes in memory,
    /// unless the table is mostly empty.
    fn list_present(&self, ids: &mut Vec<u32>) {
        if self.places.len() <= MAX_IDS_PER_LEAF * self.count {
            ids.extend((0..self.places.len() as u32).filter(|&id| self.hangs(id) || self.waits(id)));
        } else {
            self.visit_settled(|_| true, &mut |id| ids.push(id));
            self.look_through_waiting(&mut |id| ids.push(id));
        }
    }
}

/// Splits leaves in two, and returns the number of the first part.
fn split(part: &mut [Leaf]) -> usize {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for Leaf { aabb, .. } in part.iter() {
        for axis in 0..3 {
            let at = aabb.middle(axis);
            low[axis] = if at < low[axis] { at } else { low[axis] };
            high[axis] = if at > high[axis] { at } else { high[axis] };
        }
    }
    let axis = largest([high[0] - low[0], high[1] - low[1], high[2] - low[2]]);
    let middle = low[axis] * 0.5 + high[axis] * 0.5;
    let mut first = 0;
    for i in 0..part.len() {
        // Swapped in any case: a branch would be guessed wrong half of the time.
        let comes_first = part[i].aabb.middle(axis) < middle;
        part.swap(i, first);
        first += usize::from(comes_first);
    }
    // Where the middle leaves nearly all on one side, halving by count keeps the tree shallow.
    if first.min(part.len() - first) * 8 < part.len() {
        first = part.len() / 2;
        let along =
            |a: &Leaf, b: &Leaf| a.aabb.middle(axis).total_cmp(&b.aabb.middle(axis)).then(a.id.cmp(&b.id));
        part.select_nth_unstable_by(first, along);
    }
    first
}

/// Returns the axis of the largest component.
fn largest([x, y, z]: [f32; 3]) -> usize {
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
