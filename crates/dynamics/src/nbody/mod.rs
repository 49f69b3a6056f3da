//! Newton's gravity between point masses by direct summation: exact pairs, no tree, no cut-off.
//!
//! a_i = Σ_{j≠i} G m_j (r_j - r_i) / (|r_j - r_i|² + ε²)^(3/2)
//!
//! V = -Σ_{i<j} G m_i m_j / (|r_j - r_i|² + ε²)^(1/2)
//!
//! The parts: `lanes` (registers), `width` (which registers), `powers` (r⁻¹ and r⁻³), `kernel` (the sums);
//! here are the memory and the splitting of work.
//!
//! Invariants. The same bodies in the same order give the same bits on every machine, at every register
//! width and with any number of threads: the order of every sum follows from the number of bodies alone.
//! After the first call with a given number of bodies nothing is allocated.

mod kernel;
mod lanes;
mod powers;
mod width;

pub use width::Width;

use super::spin_wait;
use kernel::{Attract, Bind, Block, Bodies, Field, Pull};
use lanes::BLOCK;
use powers::UNIT;
use std::array::from_fn;
use std::ops::Range;
use std::sync::Mutex;

/// Blocks below which one thread does it all: waking a second one costs some 10 µs, as much as 10,000 pairs.
const MIN_PARALLEL_BODIES: usize = 64;

/// Blocks of rows in a task, about: 1,000 bodies make eight tasks. Fewer leave one of two threads waiting for
/// the other when it wakes late; more take longer to merge than they save.
const ROWS_PER_TASK: usize = 16;

/// Each task has a buffer as long as the cloud, so their number is bounded; 32 keep 16 threads busy.
const MAX_TASKS: usize = 32;

/// Rows that a task advances by before its thread looks for the task that lags most: the last turns of 1,000
/// bodies take some 5 µs, and so long one of two threads may wait for the other.
const ROUNDS_PER_TURN: usize = 4;

/// Tiles of one-way pull in a task, at least.
const TILES_PER_TASK: usize = 1024;

/// Point masses and the accelerations they give each other; reusable memory, not state.
///
/// Fill it with [`refill`](Self::refill) or [`push`](Self::push), call [`attract`](Self::attract), read
/// [`acceleration`](Self::acceleration), and [`clear`](Self::clear) it for the next step.
///
/// Bodies of mass zero (tracers) feel the others and attract none, not even a body in the same place, and
/// they cost one way only: few masses and many tracers are cheap.
///
/// Without softening, a body in the same place as another that has mass gets an acceleration that is not
/// finite. So does a body whose pull overflows: at distances below 1e-102 or above 1e154, or if a number
/// pushed was not finite. NaN is always [`f64::NAN`], with the same bits. Nothing is repaired: the caller
/// knows the bodies' names and reports.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    slots: Vec<Slot>,
    masses: Group,
    tracers: Group,
    /// Number of bodies with an acceleration: those pushed before the last `attract`.
    attracted: usize,
    /// One field per task, end to end.
    shares: Vec<Field>,
    /// Potential of each block of rows.
    rows: Vec<f64>,
}

/// Position of a body.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Mass(usize),
    Tracer(usize),
}

#[derive(Clone, Debug, Default)]
struct Group {
    len: usize,
    blocks: Vec<Block>,
    field: Vec<Field>,
}

impl Cloud {
    /// An empty cloud.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all bodies, keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.masses.clear();
        self.tracers.clear();
        self.attracted = 0;
    }

    /// Adds a body; the first has index 0.
    #[inline(always)]
    pub fn push(&mut self, position: [f64; 3], mass: f64) {
        let slot = if mass == 0.0 {
            Slot::Tracer(self.tracers.push(position, mass))
        } else {
            Slot::Mass(self.masses.push(position, mass))
        };
        self.slots.push(slot);
    }

    /// Replaces all bodies.
    #[inline]
    pub fn refill(&mut self, bodies: impl Iterator<Item = ([f64; 3], f64)>) {
        self.clear();
        for (position, mass) in bodies {
            self.push(position, mass);
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there is no body.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns `true` if a cloud of so many masses goes wide.
    pub(crate) fn goes_wide(masses: usize) -> bool {
        task_count(masses.div_ceil(BLOCK)) > 1
    }

    /// Finds the acceleration of every body, for the gravitational constant `g` and the softening length ε.
    ///
    /// Large clouds go wide through `rayon::join`, in the thread pool of the caller.
    pub fn attract(&mut self, g: f64, softening: f64, width: Width) {
        let softening_squared = softening * softening;
        let scale = g * UNIT;
        let Self { slots, masses, tracers, attracted, shares, .. } = self;
        *attracted = slots.len();
        let blocks = masses.blocks.len();
        let bodies = Bodies { blocks: &masses.blocks, len: masses.len };

        let tasks = task_count(blocks);
        // Only ever longer: what a task does not overwrite is not read.
        if shares.len() < tasks * blocks {
            shares.resize(tasks * blocks, Field::default());
        }
        let shares = &mut shares[..tasks * blocks];
        let rounds = blocks.div_ceil(tasks);
        take_turns(shares, tasks, rounds.div_ceil(ROUNDS_PER_TURN), &|task, turn, out: &mut [Field]| {
            let rounds = turn * ROUNDS_PER_TURN..(turn + 1) * ROUNDS_PER_TURN;
            width.run(Attract { bodies, softening_squared, task, tasks, rounds, out });
        });
        masses.field.resize(blocks, Field::default());
        let (shares, stride) = (&*shares, blocks.div_ceil(tasks));
        spread(&mut masses.field, stride, 0, &|task, fields: &mut [Field]| {
            for (i, field) in fields.iter_mut().enumerate() {
                let block = task * stride + i;
                *field = shares[block];
                for share in 1..tasks {
                    add(field, &shares[share * blocks + block]);
                }
                finish(field, scale);
            }
        });

        let targets = &tracers.blocks;
        tracers.field.resize(targets.len(), Field::default());
        let rows = TILES_PER_TASK.div_ceil(blocks.max(1));
        spread(&mut tracers.field, rows, 0, &|task, out: &mut [Field]| {
            let targets = &targets[task * rows..][..out.len()];
            width.run(Pull { bodies, softening_squared, targets, out });
            out.iter_mut().for_each(|field| finish(field, scale));
        });
    }

    /// Acceleration of body `index`, as of the last [`attract`](Self::attract).
    ///
    /// # Panics
    ///
    /// If there was no such body then.
    #[inline]
    pub fn acceleration(&self, index: usize) -> [f64; 3] {
        assert!(index < self.attracted, "body {index}: attract() has seen {} bodies", self.attracted);
        let (field, i) = match self.slots[index] {
            Slot::Mass(i) => (&self.masses.field, i),
            Slot::Tracer(i) => (&self.tracers.field, i),
        };
        let (field, lane) = (&field[i / BLOCK], i % BLOCK);
        [field.x[lane], field.y[lane], field.z[lane]]
    }

    /// Potential energy V of the whole cloud; not finite if two masses are in the same place and ε = 0.
    pub fn potential_energy(&mut self, g: f64, softening: f64, width: Width) -> f64 {
        let softening_squared = softening * softening;
        let bodies = Bodies { blocks: &self.masses.blocks, len: self.masses.len };
        self.rows.resize(bodies.blocks.len(), 0.0);
        let stride = if bodies.blocks.len() < MIN_PARALLEL_BODIES { bodies.blocks.len().max(1) } else { 1 };
        spread(&mut self.rows, stride, 0, &|task, rows: &mut [f64]| {
            for (i, out) in rows.iter_mut().enumerate() {
                *out = width.run(Bind { bodies, softening_squared, row: task * stride + i });
            }
        });
        let sum = self.rows.iter().fold(0.0, |sum, row| sum + row);
        one_nan(-g * sum)
    }
}

impl Group {
    fn clear(&mut self) {
        self.len = 0;
        self.blocks.clear();
    }

    #[inline(always)]
    fn push(&mut self, [x, y, z]: [f64; 3], mass: f64) -> usize {
        let lane = self.len % BLOCK;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        let block = self.blocks.last_mut().expect("pushed just now, or not full");
        (block.x[lane], block.y[lane], block.z[lane], block.mass[lane]) = (x, y, z, mass);
        self.len += 1;
        self.len - 1
    }
}

/// Number of tasks that share the attraction between masses: by their number only, never by that of threads,
/// since each task sums into a buffer of its own and the buffers are added up in order. A power of two, so
/// that two or four threads get equal shares.
fn task_count(blocks: usize) -> usize {
    if blocks < MIN_PARALLEL_BODIES { 1 } else { (blocks / ROWS_PER_TASK).next_power_of_two().min(MAX_TASKS) }
}

/// Calls `work` on every run of `stride` items, with the run's number, in parallel where there are several.
fn spread<T: Send>(items: &mut [T], stride: usize, first: usize, work: &(impl Fn(usize, &mut [T]) + Sync)) {
    let runs = items.len().div_ceil(stride.max(1));
    if runs == 0 {
        return;
    }
    if runs == 1 {
        return work(first, items);
    }
    let half = runs / 2;
    let (left, right) = items.split_at_mut(half * stride);
    spin_wait::join(|| spread(left, stride, first, work), || spread(right, stride, first + half, work));
}

/// A task on its way: turns done, and what it sums into.
struct Progress<'a>(usize, &'a mut [Field]);

/// Calls `work` for every task on its share of `fields`, turn after turn, in parallel where there are several
/// tasks.
///
/// A task's turns follow each other, by whichever threads; a thread takes the task that lags most of those
/// that no thread works on: first among its own, whose sums are in its caches, and then among all. So all
/// tasks end together even if one processor is slower, as one that is shared with others is, and the order of
/// sums is still the task's own.
fn take_turns(
    fields: &mut [Field],
    tasks: usize,
    turns: usize,
    work: &(impl Fn(usize, usize, &mut [Field]) + Sync),
) {
    if tasks == 1 {
        return (0..turns).for_each(|turn| work(0, turn, fields));
    }
    let mut shares = fields.chunks_mut(fields.len() / tasks);
    let all: [Mutex<Progress<'_>>; MAX_TASKS] =
        from_fn(|_| Mutex::new(Progress(0, shares.next().unwrap_or_default())));
    let all = &all[..tasks];
    let threads = rayon::current_num_threads().min(tasks);
    spread(&mut [(); MAX_TASKS][..tasks], 1, 0, &|first, _: &mut [()]| {
        // Whoever passes a task over goes on with another and looks again, so none is left behind.
        let free = |task: usize| {
            all[task].try_lock().ok().filter(|progress| progress.0 < turns).map(|progress| (task, progress))
        };
        let lagging = |tasks: Range<usize>| tasks.filter_map(free).min_by_key(|(_, progress)| progress.0);
        let mine = first * threads / tasks;
        let own = (mine * tasks).div_ceil(threads)..((mine + 1) * tasks).div_ceil(threads);
        while let Some((task, mut progress)) = lagging(own.clone()).or_else(|| lagging(0..tasks)) {
            let Progress(turn, share) = &mut *progress;
            work(task, *turn, share);
            *turn += 1;
        }
    });
}

fn add(sum: &mut Field, term: &Field) {
    for lane in 0..BLOCK {
        sum.x[lane] += term.x[lane];
        sum.y[lane] += term.y[lane];
        sum.z[lane] += term.z[lane];
    }
}

/// Brings sums to their unit.
fn finish(field: &mut Field, scale: f64) {
    for value in field.x.iter_mut().chain(&mut field.y).chain(&mut field.z) {
        *value = one_nan(*value * scale);
    }
}

/// The sign and payload of a computed NaN depend on the machine; those of this one do not.
fn one_nan(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_takes_its_turns_in_order() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for (tasks, turns) in [(1, 3), (2, 1), (8, 4), (MAX_TASKS, 7)] {
                let mut fields = vec![Field::default(); tasks * 3];
                pool.install(|| {
                    take_turns(&mut fields, tasks, turns, &|task, turn, share| {
                        assert_eq!((share.len(), share[0].x[0]), (3, turn as f64), "task {task}");
                        share[0].x[0] += 1.0;
                    });
                });
                assert!(fields.chunks(3).all(|share| share[0].x[0] == turns as f64), "{tasks} tasks");
            }
        }
    }
}
