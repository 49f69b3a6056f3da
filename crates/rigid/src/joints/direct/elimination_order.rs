//! The order of elimination, and what it fills in.
//!
//! Two constraints know each other if they share a body that moves: the graph of J M⁻¹ Jᵀ. Eliminating a
//! constraint makes all of its neighbours know each other. Taking always one with the fewest neighbours eats
//! a tree from its leaves to the root without filling in anything, and turns to loops when nothing else is
//! left (minimum degree, @tinney1967). Of equals it is the one that became so first: then the branches of a
//! tree, or both ends of a chain, are eaten in turn, and what is next does not have to wait for the numbers
//! of what was last.
//!
//! A body with many joints would make all of these know each other from the start. Such a *hub* stays in the
//! system as an unknown of its own, six numbers, which knows its constraints while these do not know each
//! other (@baraff1996).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A movable body with more constraints than this is a hub.
pub(super) const HUB_DEGREE: usize = 6;

/// The graph while it is eaten, kept to avoid allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// By node: the neighbours that are not yet eliminated, in order.
    neighbours: Vec<Vec<u32>>,
    gone: Vec<bool>,
    /// Number of neighbours, turn since when, and node.
    heap: BinaryHeap<Reverse<(u32, u32, u32)>>,
    union: Vec<u32>,
}

impl Graph {
    /// A graph of this many nodes without edges.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.neighbours.iter_mut().for_each(Vec::clear);
        self.neighbours.resize_with(nodes.max(self.neighbours.len()), Vec::new);
        self.gone.clear();
        self.gone.resize(nodes, false);
    }

    /// Two nodes know each other.
    pub(super) fn connect(&mut self, a: u32, b: u32) {
        for (a, b) in [(a, b), (b, a)] {
            let list = &mut self.neighbours[a as usize];
            if let Err(place) = list.binary_search(&b) {
                list.insert(place, b);
            }
        }
    }

    /// Eats the graph: calls `eliminated` with every node and the neighbours it has when its turn comes.
    /// `after` names, for nodes that cannot go first, those of which one has to be gone before; nobody has to
    /// be before, if there are none.
    pub(super) fn eat(
        &mut self,
        after: impl Fn(u32) -> [Option<u32>; 2],
        mut eliminated: impl FnMut(u32, &[u32]),
    ) {
        self.heap.clear();
        for node in 0..self.gone.len() as u32 {
            if after(node) == [None, None] {
                self.heap.push(Reverse((self.neighbours[node as usize].len() as u32, 0, node)));
            }
        }
        let mut turn = 0;
        while let Some(Reverse((degree, _, node))) = self.heap.pop() {
            let k = node as usize;
            if self.gone[k] || self.neighbours[k].len() != degree as usize {
                continue;
            }
            self.gone[k] = true;
            turn += 1;
            let mine = std::mem::take(&mut self.neighbours[k]);
            for &other in &mine {
                self.join(other, node, &mine);
                let may = after(other);
                if may == [None, None] || may.iter().flatten().any(|&before| self.gone[before as usize]) {
                    self.heap.push(Reverse((self.neighbours[other as usize].len() as u32, turn, other)));
                }
            }
            eliminated(node, &mine);
            self.neighbours[k] = mine;
        }
    }

    /// `other` knows all of `mine` but itself, and `node` no more.
    fn join(&mut self, other: u32, node: u32, mine: &[u32]) {
        let list = &mut self.neighbours[other as usize];
        self.union.clear();
        let (mut a, mut b) = (list.iter().copied().peekable(), mine.iter().copied().peekable());
        while let Some(next) = match (a.peek(), b.peek()) {
            (Some(&x), Some(&y)) => Some(x.min(y)),
            (x, y) => x.or(y).copied(),
        } {
            a.next_if_eq(&next);
            b.next_if_eq(&next);
            if next != node && next != other {
                self.union.push(next);
            }
        }
        list.clear();
        list.extend_from_slice(&self.union);
    }
}
