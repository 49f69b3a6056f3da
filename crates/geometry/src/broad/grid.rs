//! Uniform grid: the cell of a point is ⌊x/s⌋, and a box is stored in every cell that it covers.
//!
//! Cells live in a hash table and hold linked lists, so space is unbounded and empty cells cost nothing. Two
//! boxes, or a box and a region, may share many cells; they meet in the one whose coordinates are the larger
//! of their lowest ones. An entry tells along which axes its box begins in its cell, so that all other cells
//! are passed over without a look at the box. A box over more than 64 cells goes to a list of large boxes that
//! every search looks through, so that a huge box costs one entry. A search over more cells than there are
//! boxes looks through the boxes instead.

use super::{Index, MAX_ID};
use crate::bounds::Aabb;
use gedanken_math::Vec3;

/// Maximum number of cells that a box may cover before it counts as large.
const MAX_CELLS_PER_BOX: f64 = 64.0;
const NONE: u32 = u32::MAX;

type Coordinates = [i64; 3];

/// Place where a box is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Filed {
    Nowhere,
    InCells,
    Large,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    at: Coordinates,
    /// First entry; NONE for a slot of the table that is not in use.
    head: u32,
}

const VACANT: Cell = Cell { at: [0; 3], head: NONE };

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Id of the box, and above its bits one for each axis along which the box begins in this cell.
    named: u32,
    next: u32,
}

/// Number of bits of an id.
const ID_BITS: u32 = MAX_ID.trailing_zeros();

impl Entry {
    fn id(self) -> u32 {
        self.named & (MAX_ID - 1)
    }
}

/// Returns a bit for each axis along which two cells have the same coordinate, above those of an id.
fn same_axes(a: Coordinates, b: Coordinates) -> u32 {
    let bit = |k: usize| u32::from(a[k] == b[k]) << (ID_BITS + k as u32);
    bit(0) | bit(1) | bit(2)
}

#[derive(Debug, Clone)]
pub(super) struct UniformGrid {
    cell: f64,
    /// Open addressing with linear probing; its length is a power of two, at most half in use.
    table: Vec<Cell>,
    used: usize,
    entries: Vec<Entry>,
    free: u32,
    /// Places of the boxes, by id.
    filed: Vec<Filed>,
    large: Vec<u32>,
    count: usize,
}

/// Calls `visit` for all cells from `low` to `high`.
#[inline]
fn for_cells(low: Coordinates, high: Coordinates, mut visit: impl FnMut(Coordinates)) {
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            for z in low[2]..=high[2] {
                visit([x, y, z]);
            }
        }
    }
}

/// Returns ⌊x⌋, or the last number in its direction. A call of the mathematical library would take most of
/// the time of a search.
#[inline]
fn floor(x: f64) -> i64 {
    let towards_zero = x as i64;
    towards_zero.saturating_sub(i64::from(towards_zero as f64 > x))
}

impl UniformGrid {
    pub(super) fn new(cell: f64) -> Self {
        Self {
            cell,
            table: vec![VACANT; 16],
            used: 0,
            entries: Vec::new(),
            free: NONE,
            filed: Vec::new(),
            large: Vec::new(),
            count: 0,
        }
    }

    /// Returns the cell of a point. Beyond 2⁶³ cells all points share the last one: the conversion saturates,
    /// and stays monotone.
    fn at(&self, point: Vec3) -> Coordinates {
        (point / self.cell).to_array().map(floor)
    }

    /// Returns the lowest and the highest cell of a box, and the number of cells between them.
    fn span(&self, aabb: &Aabb) -> (Coordinates, Coordinates, f64) {
        let (low, high) = (self.at(aabb.min), self.at(aabb.max));
        let count = (0..3).map(|k| high[k].saturating_sub(low[k]) as f64 + 1.0).product();
        (low, high, count)
    }

    /// Returns the slot of a cell, or the vacant one where it belongs.
    fn slot(&self, at: Coordinates) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = home(at, mask);
        while self.table[slot].head != NONE && self.table[slot].at != at {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn file(&mut self, id: u32, aabb: &Aabb) {
        let (low, high, count) = self.span(aabb);
        if count > MAX_CELLS_PER_BOX {
            self.filed[id as usize] = Filed::Large;
            self.large.push(id);
            return;
        }
        self.filed[id as usize] = Filed::InCells;
        for_cells(low, high, |at| {
            if 2 * (self.used + 1) > self.table.len() {
                self.widen();
            }
            let slot = self.slot(at);
            let head = self.table[slot].head;
            self.used += usize::from(head == NONE);
            let entry = Entry { named: id | same_axes(at, low), next: head };
            let head = if self.free == NONE {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            } else {
                let place = self.free;
                self.free = self.entries[place as usize].next;
                self.entries[place as usize] = entry;
                place
            };
            self.table[slot] = Cell { at, head };
        });
    }

    fn unfile(&mut self, id: u32, aabb: &Aabb) {
        if self.filed[id as usize] == Filed::Large {
            self.large.retain(|&other| other != id);
        } else {
            let (low, high, _) = self.span(aabb);
            for_cells(low, high, |at| self.unlink(at, id));
        }
        self.filed[id as usize] = Filed::Nowhere;
    }

    fn unlink(&mut self, at: Coordinates, id: u32) {
        let slot = self.slot(at);
        let (mut before, mut place) = (NONE, self.table[slot].head);
        while place != NONE && self.entries[place as usize].id() != id {
            (before, place) = (place, self.entries[place as usize].next);
        }
        if place == NONE {
            return;
        }
        let next = self.entries[place as usize].next;
        if before != NONE {
            self.entries[before as usize].next = next;
        } else if next != NONE {
            self.table[slot].head = next;
        } else {
            self.vacate(slot);
        }
        self.entries[place as usize].next = self.free;
        self.free = place;
    }

    /// Empties a slot, and moves up the following ones that probing would no longer find.
    fn vacate(&mut self, mut hole: usize) {
        let mask = self.table.len() - 1;
        self.used -= 1;
        let mut slot = hole;
        loop {
            slot = (slot + 1) & mask;
            let cell = self.table[slot];
            if cell.head == NONE {
                break;
            }
            // It may move to the hole unless its home lies between the hole and itself.
            let home = home(cell.at, mask);
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(hole) & mask) {
                self.table[hole] = cell;
                hole = slot;
            }
        }
        self.table[hole] = VACANT;
    }

    fn widen(&mut self) {
        let wider = vec![VACANT; 2 * self.table.len()];
        for cell in core::mem::replace(&mut self.table, wider) {
            if cell.head != NONE {
                let slot = self.slot(cell.at);
                self.table[slot] = cell;
            }
        }
    }
}

/// Returns the slot at which probing for a cell starts: three odd multipliers and a mix, so that neighbours
/// spread.
fn home(at: Coordinates, mask: usize) -> usize {
    let [x, y, z] = at.map(|k| k as u64);
    let mixed = x.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ y.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(21)
        ^ z.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(42);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ (mixed >> 32)) as usize & mask
}

impl Index for UniformGrid {
    fn insert(&mut self, id: u32, tight: &Aabb) {
        if id as usize >= self.filed.len() {
            self.filed.resize(id as usize + 1, Filed::Nowhere);
        }
        self.count += 1;
        self.file(id, tight);
    }

    fn update(&mut self, id: u32, old: &Aabb, new: &Aabb) -> bool {
        let (before, after) = (self.span(old), self.span(new));
        if before != after {
            self.unfile(id, old);
            self.file(id, new);
        }
        true
    }

    fn remove(&mut self, id: u32, old: &Aabb) {
        self.count -= 1;
        self.unfile(id, old);
    }

    fn stored(&self, _id: u32, tight: &Aabb) -> Aabb {
        *tight
    }

    fn search(&self, boxes: &[Aabb], region: &Aabb, propose: &mut dyn FnMut(u32)) {
        self.large.iter().for_each(|&id| propose(id));
        let (low, high, count) = self.span(region);
        if count > self.count as f64 {
            for (id, filed) in (0..).zip(&self.filed) {
                if *filed == Filed::InCells {
                    propose(id);
                }
            }
            return;
        }
        for_cells(low, high, |at| {
            let mut place = self.table[self.slot(at)].head;
            // Along the other axes the region begins in this cell, and whatever is in it meets it here.
            let begins = !same_axes(at, low) & (7 << ID_BITS);
            while place != NONE {
                let entry = self.entries[place as usize];
                if entry.named & begins == begins && boxes[entry.id() as usize].intersects(region) {
                    propose(entry.id());
                }
                place = entry.next;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::floor;

    #[test]
    fn a_floor_is_that_of_the_standard_library() {
        let ends = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1e18, -1e18, 9.3e18, -9.3e18, 1e300, -1e300];
        let near = ends.iter().flat_map(|x: &f64| [x.next_down(), *x, x.next_up()]);
        for x in near.chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]) {
            assert_eq!(floor(x), x.floor() as i64, "{x}");
        }
    }
}
