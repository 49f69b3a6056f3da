//! Sweep and prune: boxes sorted by their lower end along one axis.
//!
//! Boxes overlap only if their intervals on every axis do. With w the longest interval, all that reach into
//! [l, h] begin in [l − w, h]: a contiguous run of the sorted list. One long box would make every run long,
//! so boxes over 8 times the mean length are listed apart and tested in every search; there are never more
//! than an eighth of all. Boxes that changed are pending until the next frame sorts and merges them: O(n + m
//! log m), however far they went.
//!
//! In three dimensions a run holds some n^(2/3) boxes at fixed density: this is the method for small or long
//! scenes.

use super::Index;
use crate::bounds::Aabb;
use gedanken_math::Vec3;

/// Length, in units of the mean, above which a box is long.
const LONG_BOX_RATIO: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// Neither sorted nor pending.
    Absent,
    /// In the sorted list.
    Sorted,
    /// Pending; the sorted list may hold an outdated entry.
    Waiting,
    /// Removed while pending.
    Cancelled,
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
    id: u32,
}

impl Interval {
    fn new(id: u32, aabb: &Aabb, axis: usize) -> Self {
        Self { low: aabb.min[axis], high: aabb.max[axis], id }
    }

    fn precedes(&self, other: &Self) -> core::cmp::Ordering {
        self.low.total_cmp(&other.low).then(self.id.cmp(&other.id))
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct SweepAndPrune {
    axis: usize,
    sorted: Vec<Interval>,
    /// States by id.
    states: Vec<State>,
    waiting: Vec<u32>,
    /// Ids of long boxes in the sorted list.
    long: Vec<u32>,
    /// Longest interval of a box that is not long.
    longest: f64,
    news: Vec<Interval>,
}

impl SweepAndPrune {
    fn wait(&mut self, id: u32) {
        let state = &mut self.states[id as usize];
        if matches!(*state, State::Absent | State::Sorted) {
            self.waiting.push(id);
        }
        *state = State::Waiting;
    }

    /// Returns the axis along which the centres spread most.
    fn widest(&self, boxes: &[Aabb]) -> usize {
        let present =
            || self.states.iter().zip(boxes).filter(|(s, _)| matches!(s, State::Sorted | State::Waiting));
        let weight = 1.0 / present().count().max(1) as f64;
        let mean = present().fold(Vec3::ZERO, |sum, (_, b)| sum + b.centre() * weight);
        let spread = present().fold(Vec3::ZERO, |sum, (_, b)| {
            let d = b.centre() - mean;
            sum + d * d * weight
        });
        if spread.x >= spread.y && spread.x >= spread.z {
            0
        } else if spread.y >= spread.z {
            1
        } else {
            2
        }
    }
}

impl Index for SweepAndPrune {
    fn insert(&mut self, id: u32, _tight: &Aabb) {
        if id as usize >= self.states.len() {
            self.states.resize(id as usize + 1, State::Absent);
        }
        self.wait(id);
    }

    fn update(&mut self, id: u32, _old: &Aabb, _new: &Aabb) -> bool {
        self.wait(id);
        true
    }

    fn remove(&mut self, id: u32, _old: &Aabb) {
        let state = &mut self.states[id as usize];
        *state = if *state == State::Waiting { State::Cancelled } else { State::Absent };
    }

    fn settle(&mut self, boxes: &[Aabb], fresh: &[u32]) {
        if fresh.is_empty() {
            return;
        }
        let Self { sorted, states, .. } = self;
        sorted.retain(|interval| states[interval.id as usize] == State::Sorted);
        if 2 * self.waiting.len() > self.sorted.len() {
            // So much is new that the axis may be chosen, and all be sorted, again.
            let axis = self.widest(boxes);
            if axis != self.axis {
                self.axis = axis;
                for interval in &mut self.sorted {
                    *interval = Interval::new(interval.id, &boxes[interval.id as usize], axis);
                }
                self.sorted.sort_unstable_by(Interval::precedes);
            }
        }
        let Self { axis, sorted, states, waiting, long, longest, news } = self;
        for id in waiting.drain(..) {
            let state = &mut states[id as usize];
            if *state == State::Waiting {
                *state = State::Sorted;
                news.push(Interval::new(id, &boxes[id as usize], *axis));
            } else {
                *state = State::Absent;
            }
        }
        news.sort_unstable_by(Interval::precedes);
        // From the back, in place: the larger of the two last ones goes to the end.
        let mut left = sorted.len();
        let mut end = left + news.len();
        sorted.resize(end, Interval { low: 0.0, high: 0.0, id: 0 });
        while let Some(new) = news.last() {
            end -= 1;
            if left > 0 && sorted[left - 1].precedes(new).is_gt() {
                left -= 1;
                sorted[end] = sorted[left];
            } else {
                sorted[end] = *new;
                news.pop();
            }
        }
        let length = |interval: &Interval| interval.high - interval.low;
        let weight = LONG_BOX_RATIO / sorted.len().max(1) as f64;
        let limit = sorted.iter().fold(0.0, |sum, interval| sum + length(interval) * weight);
        long.clear();
        *longest = 0.0;
        for interval in sorted.iter() {
            if length(interval) > limit {
                long.push(interval.id);
            } else {
                *longest = longest.max(length(interval));
            }
        }
    }

    fn stored(&self, _id: u32, tight: &Aabb) -> Aabb {
        *tight
    }

    fn search(&self, boxes: &[Aabb], region: &Aabb, propose: &mut dyn FnMut(u32)) {
        let present = |id: u32| self.states[id as usize] == State::Sorted;
        self.long.iter().copied().filter(|&id| present(id)).for_each(&mut *propose);
        self.waiting
            .iter()
            .filter(|&&id| self.states[id as usize] == State::Waiting)
            .for_each(|&id| propose(id));
        let (low, high) = (region.min[self.axis], region.max[self.axis]);
        // The longest interval may be longer than its rounded length.
        let from = low - self.longest * (1.0 + 4.0 * f64::EPSILON);
        let start = self.sorted.partition_point(|interval| interval.low < from);
        for interval in &self.sorted[start..] {
            if interval.low > high {
                break;
            }
            let short = interval.high - interval.low <= self.longest;
            if interval.high >= low
                && short
                && present(interval.id)
                && boxes[interval.id as usize].intersects(region)
            {
                propose(interval.id);
            }
        }
    }
}
