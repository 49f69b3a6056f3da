//! Islands: sets of bodies that contacts or joints connect, and that are therefore solved together.
//!
//! Immovable bodies connect nothing: a hundred balls on one floor are a hundred islands. Islands are numbered
//! by their smallest row, and everything in them is in order, so that they can be solved side by side with
//! the same bits.

use super::contact_table::Contacts;
use crate::joints::constraint::Constraint;
use crate::world::World;
use gedanken_dynamics::{Life, Mass, Rule, Table, memory, read, read_table, write_table};
use std::ops::Range;
use std::sync::Arc;

/// One island.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Island {
    /// Its place in [`Islands::rows`].
    pub rows: Range<usize>,
    /// Its place in [`Islands::touches`].
    pub touches: Range<usize>,
    /// Its place in [`Islands::constraints`].
    pub constraints: Range<usize>,
}

impl Island {
    /// Returns `true` if it is moved by a contact solver.
    #[must_use]
    pub(crate) fn is_touching(&self) -> bool {
        !self.touches.is_empty()
    }
}

/// All islands that have more to them than one free body.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Islands {
    /// The islands, by their smallest row.
    pub islands: Vec<Island>,
    /// The movable bodies, island by island.
    pub rows: Vec<u32>,
    /// The numbers of the contacts, island by island.
    pub touches: Vec<u32>,
    /// The numbers of the constraints, island by island.
    pub constraints: Vec<u32>,
    /// By row: the island of the body; [`NONE`] for those that are free or immovable.
    pub of_row: Vec<u32>,
}

/// In no island.
pub(crate) const NONE: u32 = u32::MAX;

impl Islands {
    /// Returns `true` if the body in a row is moved by a contact solver.
    #[must_use]
    pub(crate) fn is_touching(&self, row: usize) -> bool {
        self.of_row[row] != NONE && self.islands[self.of_row[row] as usize].is_touching()
    }

    /// Returns `true` if the body in a row is free: no contact, no joint.
    #[must_use]
    pub(crate) fn is_free(&self, row: usize) -> bool {
        self.of_row[row] == NONE
    }
}

impl Table for Islands {
    const NAME: &'static str = "islands";
    const LIFE: Life = Life::Step;
}

/// Memory for finding islands.
#[derive(Debug, Default)]
struct Finder {
    parent: Vec<u32>,
    linked: Vec<bool>,
    counts: Vec<u32>,
    /// The rows of all contacts, one behind the other: contacts themselves are large, and are walked through
    /// once.
    touching: Vec<[u32; 2]>,
}

impl Finder {
    fn root(&mut self, row: u32) -> u32 {
        let mut row = row;
        while self.parent[row as usize] != row {
            let grandparent = self.parent[self.parent[row as usize] as usize];
            self.parent[row as usize] = grandparent;
            row = grandparent;
        }
        row
    }

    /// Joins two rows; the smaller root wins, so that the result does not depend on the order.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }
}

/// Finds the islands of the present contacts and of all constraints.
pub(crate) fn rule(world: &Arc<World>) -> Rule {
    let ends: Vec<[u32; 2]> = world.constraints().iter().map(|c| rows_of(&**c)).collect();
    let view = (read::<Mass>(), read_table::<Contacts>(), write_table::<Islands>(), memory::<Finder>());
    Rule::new("islands", view, move |_, (mass, contacts, islands, finder)| {
        let count = mass.len();
        let movable = |row: u32| mass[row as usize].si() > 0.0;
        finder.parent.clear();
        finder.parent.extend(0..count as u32);
        finder.linked.clear();
        finder.linked.resize(count, false);
        // Taken out of the finder, whose `join` borrows it as a whole.
        let mut touching = std::mem::take(&mut finder.touching);
        touching.clear();
        touching.extend(contacts.touches.iter().map(|touch| [touch.a, touch.b]));
        for &[a, b] in touching.iter().chain(&ends) {
            for row in [a, b].into_iter().filter(|&row| movable(row)) {
                finder.linked[row as usize] = true;
            }
            // Immovable bodies do not connect islands, or all that stands on one floor would be one.
            if movable(a) && movable(b) {
                finder.join(a, b);
            }
        }
        islands.of_row.clear();
        islands.of_row.resize(count, NONE);
        islands.islands.clear();
        // A root is the smallest row of its island, so it is met before all others of it.
        for row in 0..count as u32 {
            if finder.linked[row as usize] {
                let root = finder.root(row);
                if root == row {
                    islands.of_row[row as usize] = islands.islands.len() as u32;
                    islands.islands.push(Island::default());
                } else {
                    islands.of_row[row as usize] = islands.of_row[root as usize];
                }
            }
        }
        let Islands { islands, rows, touches, constraints, of_row } = islands;
        let island_of = |[a, b]: [u32; 2]| {
            let place = of_row[a as usize];
            (if place == NONE { of_row[b as usize] } else { place }) as usize
        };
        let linked = (0..count as u32).filter(|&row| of_row[row as usize] != NONE);
        distribute(
            islands,
            rows,
            linked,
            |row| of_row[row as usize] as usize,
            &mut finder.counts,
            |island| &mut island.rows,
        );
        let all = 0..touching.len() as u32;
        distribute(
            islands,
            touches,
            all,
            |k| island_of(touching[k as usize]),
            &mut finder.counts,
            |island| &mut island.touches,
        );
        let all = 0..ends.len() as u32;
        distribute(
            islands,
            constraints,
            all,
            |k| island_of(ends[k as usize]),
            &mut finder.counts,
            |island| &mut island.constraints,
        );
        finder.touching = touching;
    })
}

/// The rows of a constraint's bodies; the world's row stands for a missing one.
pub(crate) fn rows_of(constraint: &dyn Constraint) -> [u32; 2] {
    let (a, b) = constraint.bodies();
    [a.row() as u32, b.map_or(0, |b| b.row() as u32)]
}

/// Sorts items by island, in their own order inside of each, and tells each island its range.
fn distribute(
    islands: &mut [Island],
    out: &mut Vec<u32>,
    items: impl Iterator<Item = u32> + Clone,
    island_of: impl Fn(u32) -> usize,
    counts: &mut Vec<u32>,
    range: impl Fn(&mut Island) -> &mut Range<usize>,
) {
    counts.clear();
    counts.resize(islands.len() + 1, 0);
    let mut total = 0;
    for item in items.clone() {
        counts[island_of(item) + 1] += 1;
        total += 1;
    }
    for k in 1..counts.len() {
        counts[k] += counts[k - 1];
    }
    for (k, island) in islands.iter_mut().enumerate() {
        *range(island) = counts[k] as usize..counts[k + 1] as usize;
    }
    out.clear();
    out.resize(total, 0);
    for item in items {
        let place = &mut counts[island_of(item)];
        out[*place as usize] = item;
        *place += 1;
    }
}
