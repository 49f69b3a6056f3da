//! The sums over pairs, in tiles of 8 × 8 bodies.
//!
//! With d = r_c - r_r from a row body r to a column body c, q = d·d + ε² and w = q^(-3/2):
//!
//! a_r += m_c w d      a_c -= m_r w d      (the third law: one w serves both)
//!
//! Columns lie in the lanes, rows are broadcast, and the eight rows of a tile advance in lockstep: a single
//! row is a chain of some thirty dependent operations, and one after the other they fill the processor's
//! window long before its arithmetic units (lockstep is 1.2 to 1.5 times as fast, at every width).
//!
//! What [`Attract`] and [`Pull`] leave behind are accelerations divided by [`UNIT`](super::powers::UNIT).

use super::lanes::{BLOCK, Column, Keep, Lanes, each};
use super::powers::{inverse_cubes, inverse_roots};
use super::width::Job;
use std::ops::Range;

/// Eight bodies. Unused lanes of the last block hold zeros.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) x: Column,
    pub(super) y: Column,
    pub(super) z: Column,
    pub(super) mass: Column,
}

/// A vector for each body of a block. Unused lanes hold anything, NaN included.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Field {
    pub(super) x: Column,
    pub(super) y: Column,
    pub(super) z: Column,
}

/// Bodies in blocks of which all but the last are full.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) len: usize,
}

/// One share of the mutual attraction: the rows of blocks dealt to `task`, against all later bodies.
pub(super) struct Attract<'a> {
    pub(super) bodies: Bodies<'a>,
    pub(super) softening_squared: f64,
    pub(super) task: usize,
    pub(super) tasks: usize,
    /// Number of the row, from 0.
    pub(super) rounds: Range<usize>,
    /// Overwritten by the first round, added to by the others.
    pub(super) out: &'a mut [Field],
}

/// The pull of bodies on others that do not pull back.
pub(super) struct Pull<'a> {
    pub(super) bodies: Bodies<'a>,
    pub(super) softening_squared: f64,
    pub(super) targets: &'a [Block],
    /// Overwritten.
    pub(super) out: &'a mut [Field],
}

/// Σ m_r m_c q^(-1/2) over the pairs with r in block `row` and c > r.
pub(super) struct Bind<'a> {
    pub(super) bodies: Bodies<'a>,
    pub(super) softening_squared: f64,
    pub(super) row: usize,
}

impl Job for Attract<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { bodies, softening_squared, task, tasks, rounds, out } = self;
        if rounds.start == 0 {
            out.fill(Field::default());
        }
        for row in dealt_rows(bodies.blocks.len(), task, tasks).skip(rounds.start).take(rounds.len()) {
            attract_row::<V>(bodies, softening_squared, row, out);
        }
    }
}

impl Job for Pull<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { bodies, softening_squared, targets, out } = self;
        for (columns, out) in targets.iter().zip(out) {
            for part in 0..V::PARTS {
                let mut a = [V::splat(0.0); 3];
                for rows in bodies.full() {
                    a = pull::<V>(Tile { rows, columns, part, softening_squared }, Whole, a);
                }
                if let Some((rows, count)) = bodies.partial() {
                    a = pull::<V>(Tile { rows, columns, part, softening_squared }, &ROWS[count], a);
                }
                out.store(part, a);
            }
        }
    }
}

impl Job for Bind<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<V: Lanes>(self) -> f64 {
        let Self { bodies, softening_squared, row } = self;
        let Row { rows, count, full, partial } = bodies.row(row);
        let mut own = [[0.0; BLOCK]; BLOCK];
        let mut later = [[0.0; BLOCK]; BLOCK];
        for part in 0..V::PARTS {
            let zero = [V::splat(0.0); BLOCK];
            let mut sums = zero;
            for columns in full {
                sums = bind::<V>(Tile { rows, columns, part, softening_squared }, Whole, sums);
            }
            if let Some((columns, count)) = partial {
                sums = bind::<V>(Tile { rows, columns, part, softening_squared }, &COLUMNS[count], sums);
            }
            let within = Tile { rows, columns: rows, part, softening_squared };
            let within = bind::<V>(within, &OTHERS[count], zero);
            for r in 0..BLOCK {
                sums[r].store(&mut later[r], part);
                within[r].store(&mut own[r], part);
            }
        }
        // Within a block each pair was met twice.
        (0..count).fold(0.0, |sum, r| sum + rows.mass[r] * (total(&later[r]) + 0.5 * total(&own[r])))
    }
}

/// A block and what lies beyond it.
struct Row<'a> {
    rows: &'a Block,
    /// Number of bodies in the block.
    count: usize,
    /// The full blocks after it.
    full: &'a [Block],
    /// The partial block after it, and how many bodies that holds.
    partial: Option<(&'a Block, usize)>,
}

impl<'a> Bodies<'a> {
    fn full(&self) -> &'a [Block] {
        &self.blocks[..self.len / BLOCK]
    }

    /// The last block, if it is not full, and how many bodies it holds.
    fn partial(&self) -> Option<(&'a Block, usize)> {
        self.blocks.get(self.len / BLOCK).map(|block| (block, self.len % BLOCK))
    }

    fn row(&self, row: usize) -> Row<'a> {
        Row {
            rows: &self.blocks[row],
            count: (self.len - row * BLOCK).min(BLOCK),
            full: self.full().get(row + 1..).unwrap_or_default(),
            partial: self.partial().filter(|_| row < self.full().len()),
        }
    }
}

impl Field {
    #[inline(always)]
    fn load<V: Lanes>(&self, part: usize) -> [V; 3] {
        [V::load(&self.x, part), V::load(&self.y, part), V::load(&self.z, part)]
    }

    #[inline(always)]
    fn store<V: Lanes>(&mut self, part: usize, [x, y, z]: [V; 3]) {
        x.store(&mut self.x, part);
        y.store(&mut self.y, part);
        z.store(&mut self.z, part);
    }
}

/// Eight rows against some lanes of eight columns.
#[derive(Clone, Copy)]
struct Tile<'a> {
    rows: &'a Block,
    columns: &'a Block,
    part: usize,
    softening_squared: f64,
}

/// Mask of the pairs of a tile that count. By index: distances cannot tell an unused lane from a body at the
/// origin.
trait Mask: Copy {
    fn keep<V: Lanes>(self, row: usize, part: usize, values: V) -> V;
}

/// All of them.
#[derive(Clone, Copy)]
struct Whole;

impl Mask for Whole {
    #[inline(always)]
    fn keep<V: Lanes>(self, _: usize, _: usize, values: V) -> V {
        values
    }
}

impl Mask for &[Keep; BLOCK] {
    #[inline(always)]
    fn keep<V: Lanes>(self, row: usize, part: usize, values: V) -> V {
        values.keep(&self[row], part)
    }
}

/// `ROWS[k]`: the first k rows.
static ROWS: [[Keep; BLOCK]; BLOCK + 1] = masks(true, false, true);
/// `COLUMNS[k]`: the first k columns.
static COLUMNS: [[Keep; BLOCK]; BLOCK + 1] = masks(false, true, true);
/// `OTHERS[k]`: the first k rows and columns, without the diagonal.
static OTHERS: [[Keep; BLOCK]; BLOCK + 1] = masks(true, true, false);

const fn masks(limit_rows: bool, limit_columns: bool, diagonal: bool) -> [[Keep; BLOCK]; BLOCK + 1] {
    let mut table = [[[0; BLOCK]; BLOCK]; BLOCK + 1];
    let mut i = 0;
    while i < (BLOCK + 1) * BLOCK * BLOCK {
        let (k, row, column) = (i / (BLOCK * BLOCK), i / BLOCK % BLOCK, i % BLOCK);
        let kept = (row < k || !limit_rows) && (column < k || !limit_columns) && (row != column || diagonal);
        table[k][row][column] = if kept { u64::MAX } else { 0 };
        i += 1;
    }
    table
}

/// The sum of a row's eight partial sums, as a tree.
#[inline(always)]
fn total(p: &Column) -> f64 {
    ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

/// Rows shrink as we go down the triangle, so they are dealt to and fro: 0 1 2 3, 3 2 1 0, 0 1 2 3.
fn dealt_rows(blocks: usize, task: usize, tasks: usize) -> impl Iterator<Item = usize> {
    (0..blocks)
        .step_by(tasks)
        .enumerate()
        .map(move |(round, first)| first + if round % 2 == 0 { task } else { tasks - 1 - task })
        .filter(move |row| *row < blocks)
}

/// Attraction between the bodies of one block, and between them and all later ones.
#[inline(always)]
fn attract_row<V: Lanes>(bodies: Bodies<'_>, softening_squared: f64, row: usize, out: &mut [Field]) {
    let Row { rows, count, full, partial } = bodies.row(row);
    let (out, later) = out[row..].split_first_mut().expect("a field for each block");
    let mut sums = [Field::default(); BLOCK];
    for part in 0..V::PARTS {
        let mut a = [[V::splat(0.0); 3]; BLOCK];
        for (columns, out) in full.iter().zip(later.iter_mut()) {
            a = attract::<V>(Tile { rows, columns, part, softening_squared }, Whole, a, out);
        }
        if let (Some((columns, count)), Some(out)) = (partial, later.last_mut()) {
            a = attract::<V>(Tile { rows, columns, part, softening_squared }, &COLUMNS[count], a, out);
        }
        for r in 0..BLOCK {
            sums[r].store(part, a[r]);
        }
        let within = Tile { rows, columns: rows, part, softening_squared };
        let own = pull::<V>(within, &OTHERS[count], out.load(part));
        out.store(part, own);
    }
    for (r, sum) in sums.iter().enumerate() {
        out.x[r] += total(&sum.x);
        out.y[r] += total(&sum.y);
        out.z[r] += total(&sum.z);
    }
}

/// One tile off the diagonal, both ways: returns the rows' sums, updates the columns'.
#[inline(always)]
fn attract<V: Lanes>(
    tile: Tile<'_>,
    mask: impl Mask,
    mut sums: [[V; 3]; BLOCK],
    out: &mut Field,
) -> [[V; 3]; BLOCK] {
    let Tile { rows, columns, part, .. } = tile;
    let (d, q) = separations::<V>(tile);
    let w = inverse_cubes(q);
    let mass = V::load(&columns.mass, part);
    let [mut x, mut y, mut z] = out.load::<V>(part);
    for r in 0..BLOCK {
        let ([dx, dy, dz], w) = (d[r], mask.keep(r, part, w[r]));
        let to_row = w * mass;
        sums[r] = [sums[r][0] + dx * to_row, sums[r][1] + dy * to_row, sums[r][2] + dz * to_row];
        let to_column = w * V::splat(rows.mass[r]);
        (x, y, z) = (x - dx * to_column, y - dy * to_column, z - dz * to_column);
    }
    out.store(part, [x, y, z]);
    sums
}

/// One tile, one way: the rows pull on the columns, whose sums are returned.
#[inline(always)]
fn pull<V: Lanes>(tile: Tile<'_>, mask: impl Mask, [mut x, mut y, mut z]: [V; 3]) -> [V; 3] {
    let (d, q) = separations::<V>(tile);
    let w = inverse_cubes(q);
    for r in 0..BLOCK {
        let ([dx, dy, dz], w) = (d[r], mask.keep(r, tile.part, w[r]));
        let to_column = w * V::splat(tile.rows.mass[r]);
        (x, y, z) = (x - dx * to_column, y - dy * to_column, z - dz * to_column);
    }
    [x, y, z]
}

/// One tile of potentials: adds Σ m_c q^(-1/2) to the rows' sums.
#[inline(always)]
fn bind<V: Lanes>(tile: Tile<'_>, mask: impl Mask, sums: [V; BLOCK]) -> [V; BLOCK] {
    let (_, q) = separations::<V>(tile);
    let inverse = inverse_roots(q);
    let mass = V::load(&tile.columns.mass, tile.part);
    each!(r => sums[r] + mask.keep(r, tile.part, inverse[r]) * mass)
}

/// d = r_c - r_r and q = d·d + ε².
#[inline(always)]
fn separations<V: Lanes>(tile: Tile<'_>) -> ([[V; 3]; BLOCK], [V; BLOCK]) {
    let Tile { rows, columns, part, softening_squared } = tile;
    let (x, y, z) = (V::load(&columns.x, part), V::load(&columns.y, part), V::load(&columns.z, part));
    let d = each!(r => [x - V::splat(rows.x[r]), y - V::splat(rows.y[r]), z - V::splat(rows.z[r])]);
    let square = V::splat(softening_squared);
    let q = each!(r => d[r][0] * d[r][0] + d[r][1] * d[r][1] + d[r][2] * d[r][2] + square);
    (d, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_deal_every_row_once() {
        for blocks in 0..100 {
            for tasks in 1..10 {
                let mut dealt = vec![0; blocks];
                for task in 0..tasks {
                    for row in dealt_rows(blocks, task, tasks) {
                        dealt[row] += 1;
                    }
                }
                assert_eq!(dealt, vec![1; blocks], "{blocks} blocks, {tasks} tasks");
            }
        }
    }
}
