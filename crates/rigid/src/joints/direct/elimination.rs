//! The elimination: J M⁻¹ Jᵀ in blocks, factorised as L D Lᵀ in the order of the tree.
//!
//! Everything that depends on which bodies are joined (order, places of blocks, which block changes which) is
//! worked out once, in [`Elimination::plan`]; a factorisation then runs through flat lists. Rows that depend
//! on rows before them are found on the way, by pivots that vanish: they get multiplier zero.

use super::blocks::{invert, multiply, subtract_image, subtract_product, subtract_transposed};
use super::elimination_order::{Graph, HUB_DEGREE};
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::to_world;
use gedanken_math::{Twist, Vec3};

/// No node, no body.
const NONE: u32 = u32::MAX;

/// A block below the diagonal: of the column's node and a later one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The later node.
    pub(super) node: u32,
    /// Offset of its numbers: as many rows as the later node has, as many columns as the earlier one.
    pub(super) at: u32,
}

/// Update of a block of two later nodes by the elimination of one: target −= L K′ᵀ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Update {
    /// The entry of the latest node.
    pub(super) one: u32,
    /// The entry of the other one.
    pub(super) two: u32,
    /// Offset of the changed block, among the diagonal ones if both are the same node.
    pub(super) target: u32,
}

/// Contribution of a body to the block of two constraints that hold it: J M⁻¹ Jᵀ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    pub(super) target: u32,
    /// The later constraint, and which of its ends.
    pub(super) one: (u32, u32),
    /// The earlier constraint, and which of its ends.
    pub(super) two: (u32, u32),
}

/// A constraint that holds a hub: the hub's motion is an unknown, and J itself is the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    pub(super) target: u32,
    pub(super) constraint: u32,
    pub(super) end: u32,
    /// `true` if the hub is the later of the two, so that the block is Jᵀ.
    pub(super) hub_later: bool,
}

/// The matrix of one set of constraints, and its factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Elimination {
    graph: Graph,
    pub(super) constraints: usize,
    /// By node, constraints first, then hubs: how many numbers it has, and where they begin in a vector.
    pub(super) size: Vec<u32>,
    pub(super) at: Vec<u32>,
    pub(super) diagonal_at: Vec<u32>,
    /// By hub: the body.
    pub(super) hubs: Vec<u32>,
    /// The nodes in order of elimination, and the place of each.
    pub(super) order: Vec<u32>,
    place: Vec<u32>,
    /// By place: where its entries and updates begin.
    pub(super) columns: Vec<[u32; 2]>,
    pub(super) entries: Vec<Entry>,
    pub(super) updates: Vec<Update>,
    pub(super) fills: Vec<Fill>,
    pub(super) ties: Vec<Tie>,
    /// By constraint and end: whether the body is movable and no hub.
    pub(super) light: Vec<[bool; 2]>,
    /// By body: how many constraints hold it, its hub, and the first of its constraint ends; then those
    /// ends.
    held: Vec<u32>,
    hub_of: Vec<u32>,
    held_at: Vec<u32>,
    holders: Vec<(u32, u32)>,
    diagonal: Vec<f64>,
    blocks: Vec<f64>,
    low: Vec<f64>,
    inverse: Vec<f64>,
    scale: Vec<f64>,
    /// By constraint, in bits: the rows that do not depend on others.
    pub(super) kept: Vec<u8>,
}

impl Elimination {
    /// Works out the order for constraints of these sizes between these bodies (`None` is the world).
    pub(super) fn plan(&mut self, sizes: &[u32], ends: &[[u32; 2]], movable: &[bool], hubs: bool) {
        self.constraints = sizes.len();
        self.count(ends, movable, if hubs { HUB_DEGREE } else { usize::MAX });
        self.size.clear();
        self.size.extend_from_slice(sizes);
        self.size.resize(sizes.len() + self.hubs.len(), 6);
        self.at.clear();
        self.diagonal_at.clear();
        let (mut at, mut diagonal) = (0, 0);
        for size in &self.size {
            self.at.push(at);
            self.diagonal_at.push(diagonal);
            at += size;
            diagonal += size * size;
        }
        self.at.push(at);
        self.diagonal.resize(diagonal as usize, 0.0);
        self.inverse.resize(diagonal as usize, 0.0);
        self.scale.resize(at as usize, 0.0);
        let numbers = self.eat(ends);
        self.blocks.resize(numbers as usize, 0.0);
        self.low.resize(numbers as usize, 0.0);
        self.list_updates();
        self.list_fills(ends);
        self.kept.resize(sizes.len(), 0);
    }

    /// Constraints by body.
    fn count(&mut self, ends: &[[u32; 2]], movable: &[bool], most: usize) {
        let moves = |mover: u32| movable.get(mover as usize).copied().unwrap_or(false);
        self.held.clear();
        self.held.resize(movable.len(), 0);
        for &mover in ends.iter().flatten().filter(|&&mover| moves(mover)) {
            self.held[mover as usize] += 1;
        }
        self.hubs.clear();
        self.hub_of.clear();
        self.held_at.clear();
        let mut total = 0;
        for (mover, &held) in self.held.iter().enumerate() {
            self.held_at.push(total);
            total += held;
            let hub = held as usize > most;
            self.hub_of.push(if hub { (self.constraints + self.hubs.len()) as u32 } else { NONE });
            if hub {
                self.hubs.push(mover as u32);
            }
        }
        self.held_at.push(total);
        self.holders.clear();
        self.holders.resize(total as usize, (0, 0));
        self.held.fill(0);
        self.light.clear();
        for (c, pair) in ends.iter().enumerate() {
            for (end, &mover) in pair.iter().enumerate().filter(|(_, mover)| moves(**mover)) {
                let m = mover as usize;
                self.holders[(self.held_at[m] + self.held[m]) as usize] = (c as u32, end as u32);
                self.held[m] += 1;
            }
            self.light.push(pair.map(|mover| moves(mover) && self.hub_of[mover as usize] == NONE));
        }
    }

    fn holders_of(&self, mover: usize) -> &[(u32, u32)] {
        &self.holders[self.held_at[mover] as usize..self.held_at[mover + 1] as usize]
    }

    /// The order, and the blocks it makes; how many numbers these have.
    fn eat(&mut self, ends: &[[u32; 2]]) -> u32 {
        let mut graph = std::mem::take(&mut self.graph);
        graph.clear(self.size.len());
        for mover in 0..self.hub_of.len() {
            let (hub, holders) = (self.hub_of[mover], self.holders_of(mover));
            for (k, &(c, _)) in holders.iter().enumerate() {
                if hub == NONE {
                    holders[..k].iter().for_each(|&(other, _)| graph.connect(c, other));
                } else {
                    graph.connect(c, hub);
                }
            }
        }
        self.order.clear();
        self.columns.clear();
        self.entries.clear();
        let (size, hub_of, light) = (&self.size, &self.hub_of, &self.light);
        // A constraint that holds nothing but hubs has no mass of its own before one of them is gone.
        let after = |node: u32| match light.get(node as usize) {
            Some([false, false]) => ends[node as usize]
                .map(|mover| hub_of.get(mover as usize).copied().filter(|&hub| hub != NONE)),
            _ => [None, None],
        };
        let (order, columns, entries) = (&mut self.order, &mut self.columns, &mut self.entries);
        let mut at = 0;
        graph.eat(after, |node, later| {
            order.push(node);
            columns.push([entries.len() as u32, 0]);
            for &other in later {
                entries.push(Entry { node: other, at });
                at += size[node as usize] * size[other as usize];
            }
        });
        debug_assert_eq!(order.len(), size.len(), "every node has its turn");
        columns.push([entries.len() as u32, 0]);
        self.place.clear();
        self.place.resize(order.len(), 0);
        for (place, &node) in order.iter().enumerate() {
            self.place[node as usize] = place as u32;
        }
        self.graph = graph;
        at
    }

    /// Offset of the block of two nodes.
    fn block(&self, one: u32, two: u32) -> u32 {
        let (a, b) = (self.place[one as usize], self.place[two as usize]);
        let (early, late) = if a < b { (a, two) } else { (b, one) };
        let column = &self.entries
            [self.columns[early as usize][0] as usize..self.columns[early as usize + 1][0] as usize];
        column[column.binary_search_by_key(&late, |entry| entry.node).expect("neighbours have a block")].at
    }

    fn list_updates(&mut self) {
        let mut updates = std::mem::take(&mut self.updates);
        updates.clear();
        for place in 0..self.order.len() {
            self.columns[place][1] = updates.len() as u32;
            let range = self.columns[place][0]..self.columns[place + 1][0];
            for one in range.clone() {
                for two in range.clone() {
                    let [a, b] = [one, two].map(|entry| self.entries[entry as usize].node);
                    if self.place[a as usize] >= self.place[b as usize] {
                        let target = if a == b { self.diagonal_at[a as usize] } else { self.block(a, b) };
                        updates.push(Update { one, two, target });
                    }
                }
            }
        }
        self.columns[self.order.len()][1] = updates.len() as u32;
        self.updates = updates;
    }

    fn list_fills(&mut self, ends: &[[u32; 2]]) {
        let (mut fills, mut ties) = (std::mem::take(&mut self.fills), std::mem::take(&mut self.ties));
        fills.clear();
        ties.clear();
        for mover in (0..self.hub_of.len()).filter(|&mover| self.hub_of[mover] == NONE) {
            let holders = self.holders_of(mover);
            for (k, &one) in holders.iter().enumerate() {
                for &two in holders[..k].iter().filter(|two| two.0 != one.0) {
                    let late = self.place[one.0 as usize] > self.place[two.0 as usize];
                    let (one, two) = if late { (one, two) } else { (two, one) };
                    fills.push(Fill { target: self.block(one.0, two.0), one, two });
                }
            }
        }
        for (c, pair) in ends.iter().enumerate() {
            for (end, &mover) in pair.iter().enumerate() {
                let hub = self.hub_of.get(mover as usize).copied().unwrap_or(NONE);
                if hub != NONE {
                    let hub_later = self.place[hub as usize] > self.place[c];
                    let target = self.block(c as u32, hub);
                    ties.push(Tie { target, constraint: c as u32, end: end as u32, hub_later });
                }
            }
        }
        (self.fills, self.ties) = (fills, ties);
    }

    /// Length of a vector: one number per row, then six per hub.
    pub(super) fn len(&self) -> usize {
        self.at.last().map_or(0, |&len| len as usize)
    }

    /// Number of entries of the blocks below the diagonal.
    pub(super) fn block_numbers(&self) -> usize {
        self.blocks.len()
    }

    /// Number of entries of the diagonal blocks.
    pub(super) fn diagonal_numbers(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of products of a factorisation, to leading order.
    pub(super) fn cost(&self) -> usize {
        let size = |node: u32| self.size[node as usize] as usize;
        let mut cost = 0;
        for place in 0..self.order.len() {
            let k = size(self.order[place]);
            let updates = &self.updates[self.columns[place][1] as usize..self.columns[place + 1][1] as usize];
            let product = |update: &Update| {
                k * [update.one, update.two]
                    .iter()
                    .map(|&e| size(self.entries[e as usize].node))
                    .product::<usize>()
            };
            cost += k * k * k + updates.iter().map(product).sum::<usize>();
        }
        cost
    }

    /// The rows of a constraint that do not depend on others, in bits.
    pub(super) fn kept(&self, constraint: usize) -> u8 {
        self.kept[constraint]
    }

    /// Puts the numbers in: J and M⁻¹Jᵀ by row and end.
    pub(super) fn assemble(&mut self, jacobian: &[[Twist; 2]], push: &[[Twist; 2]], movers: &[SolverBody]) {
        self.blocks.fill(0.0);
        for c in 0..self.constraints {
            let (n, at, light) = (self.size[c] as usize, self.at[c] as usize, self.light[c]);
            let block = &mut self.diagonal[self.diagonal_at[c] as usize..][..n * n];
            let (jacobian, push) = (&jacobian[at..at + n], &push[at..at + n]);
            for i in 0..n {
                for j in 0..=i {
                    let of = |end: usize| jacobian[i][end].dot(push[j][end]);
                    let sum = match light {
                        [true, true] => of(0) + of(1),
                        [true, false] => of(0),
                        [false, true] => of(1),
                        [false, false] => 0.0,
                    };
                    (block[i * n + j], block[j * n + i]) = (sum, sum);
                }
                // Pivots are compared with the whole diagonal, hubs included, though hubs are not in the
                // block.
                self.scale[at + i] = if light == [true, true] {
                    block[i * n + i]
                } else {
                    jacobian[i][0].dot(push[i][0]) + jacobian[i][1].dot(push[i][1])
                };
            }
        }
        for fill in &self.fills {
            let ((one, end), (two, other)) = (fill.one, fill.two);
            let [m, n] = [one, two].map(|c| self.size[c as usize] as usize);
            let [i, j] = [one, two].map(|c| self.at[c as usize] as usize);
            let block = &mut self.blocks[fill.target as usize..][..m * n];
            for (row, numbers) in jacobian[i..i + m].iter().zip(block.chunks_exact_mut(n)) {
                for (column, number) in push[j..j + n].iter().zip(numbers) {
                    *number += row[end as usize].dot(column[other as usize]);
                }
            }
        }
        for tie in &self.ties {
            let (n, at) =
                (self.size[tie.constraint as usize] as usize, self.at[tie.constraint as usize] as usize);
            let block = &mut self.blocks[tie.target as usize..][..6 * n];
            for (i, row) in jacobian[at..at + n].iter().enumerate() {
                let Twist { linear: l, angular: w } = row[tie.end as usize];
                for (k, number) in [l.x, l.y, l.z, w.x, w.y, w.z].into_iter().enumerate() {
                    block[if tie.hub_later { k * n + i } else { i * 6 + k }] += number;
                }
            }
        }
        for (k, &mover) in self.hubs.iter().enumerate() {
            let node = self.constraints + k;
            let block = &mut self.diagonal[self.diagonal_at[node] as usize..][..36];
            // A hub is an unknown of its own: its rows are J ties and −M, so that its constraints stay
            // uncoupled.
            minus_mass(&movers[mover as usize], block);
            for i in 0..6 {
                self.scale[self.at[node] as usize + i] = -block[i * 7];
            }
        }
    }

    /// Factorises on the open rows (bits by constraint). False if rows vanish while a hub that they hold is
    /// still to come: then they may come back, and the plan without hubs tells.
    pub(super) fn factor(&mut self, open: &[u8]) -> bool {
        for place in 0..self.order.len() {
            let node = self.order[place] as usize;
            let (n, at) = (self.size[node] as usize, self.diagonal_at[node] as usize);
            let inverse = &mut self.inverse[at..at + n * n];
            let scale = &self.scale[self.at[node] as usize..][..n];
            let diagonal = &mut self.diagonal[at..at + n * n];
            let [begin, updates] = self.columns[place].map(|x| x as usize);
            let [end, updates_end] = self.columns[place + 1].map(|x| x as usize);
            let entries = &self.entries[begin..end];
            if node < self.constraints {
                self.kept[node] = invert(diagonal, scale, open[node], inverse);
                let waits = |entry: &Entry| entry.node as usize >= self.constraints;
                if self.kept[node] != open[node] && entries.iter().any(waits) {
                    return false;
                }
            } else {
                diagonal.iter_mut().for_each(|x| *x = -*x);
                invert(diagonal, scale, 0b11_1111, inverse);
                inverse.iter_mut().for_each(|x| *x = -*x);
            }
            for entry in entries {
                let (m, at) = (self.size[entry.node as usize] as usize, entry.at as usize);
                multiply(&mut self.low[at..at + m * n], &self.blocks[at..at + m * n], inverse, [m, n]);
            }
            for update in &self.updates[updates..updates_end] {
                let [one, two] = [update.one, update.two].map(|entry| self.entries[entry as usize]);
                let [i, j] = [one, two].map(|entry| self.size[entry.node as usize] as usize);
                let (low, target) = (&self.low[one.at as usize..][..i * n], update.target as usize);
                if one.node == two.node {
                    let high = &self.blocks[two.at as usize..][..j * n];
                    subtract_product(&mut self.diagonal[target..target + i * j], low, high, [i, j, n]);
                } else {
                    // Blocks of later columns lie behind.
                    let (before, behind) = self.blocks.split_at_mut(target);
                    subtract_product(
                        &mut behind[..i * j],
                        low,
                        &before[two.at as usize..][..j * n],
                        [i, j, n],
                    );
                }
            }
        }
        true
    }

    /// Solves for the multipliers in place; rows that are closed or depend on others get zero.
    pub(super) fn solve(&self, x: &mut [f64]) {
        for place in 0..self.order.len() {
            let node = self.order[place] as usize;
            let mut mine = [0.0; 6];
            let (n, at) = (self.size[node] as usize, self.at[node] as usize);
            mine[..n].copy_from_slice(&x[at..at + n]);
            for entry in &self.entries[self.columns[place][0] as usize..self.columns[place + 1][0] as usize] {
                let (m, at) =
                    (self.size[entry.node as usize] as usize, self.at[entry.node as usize] as usize);
                subtract_image(&mut x[at..at + m], &self.low[entry.at as usize..][..m * n], &mine[..n]);
            }
        }
        for place in (0..self.order.len()).rev() {
            let node = self.order[place] as usize;
            let mut mine = [0.0; 6];
            let (n, at) = (self.size[node] as usize, self.at[node] as usize);
            let inverse = &self.inverse[self.diagonal_at[node] as usize..][..n * n];
            subtract_image(&mut mine[..n], inverse, &x[at..at + n]);
            for entry in &self.entries[self.columns[place][0] as usize..self.columns[place + 1][0] as usize] {
                let (m, at) =
                    (self.size[entry.node as usize] as usize, self.at[entry.node as usize] as usize);
                let low = &self.low[entry.at as usize..][..m * n];
                // `mine` is minus the solution so far, hence the later ones with the opposite sign.
                let mut theirs = [0.0; 6];
                theirs[..m].iter_mut().zip(&x[at..at + m]).for_each(|(t, x)| *t = -x);
                subtract_transposed(&mut mine[..n], low, &theirs[..m]);
            }
            x[at..at + n].iter_mut().zip(mine).for_each(|(x, mine)| *x = -mine);
        }
    }
}

/// −M of a body in the world frame.
fn minus_mass(mover: &SolverBody, block: &mut [f64]) {
    block.fill(0.0);
    let axes = Vec3::AXES.map(|axis| to_world(mover.pose.rotation, axis));
    for i in 0..3 {
        block[i * 7] = -mover.mass;
        for j in 0..3 {
            block[(3 + i) * 6 + 3 + j] =
                -(0..3).fold(0.0, |sum, k| sum + mover.moments[k] * axes[k][i] * axes[k][j]);
        }
    }
}
