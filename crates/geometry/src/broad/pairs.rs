//! Pairs of the last frame, kept in order and updated.
//!
//! A pair is one number, a · 2³² + 2b + touching with a < b: sorting numbers sorts pairs. The list holds
//! every pair whose *stored* boxes intersect; the last bit is set if the true boxes do. A frame drops the
//! pairs of boxes whose stored box changed, merges new pairs, and compares again only where a true box moved.

use super::{FRESH, MAX_ID, MOVED};
use crate::bounds::Aabb;

/// Returns a pair of ids as a number, the last bit 0.
pub(super) fn key(one: u32, other: u32) -> u64 {
    (u64::from(one.min(other)) << 32) | (u64::from(one.max(other)) << 1)
}

fn ids(key: u64) -> (u32, u32) {
    // The lower half holds 2b + 1 < 2³² because ids are below 2²⁴.
    const { assert!(MAX_ID <= 1 << 31) };
    ((key >> 32) as u32, (key as u32) >> 1)
}

#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    kept: Vec<u64>,
    found: Vec<u64>,
    scratch: Vec<u64>,
}

impl Pairs {
    /// Adds a pair of stored boxes that is not in the list.
    pub(super) fn found(&mut self, one: u32, other: u32, touching: bool) {
        self.found.push(key(one, other) | u64::from(touching));
    }

    /// Updates the list, and writes the pairs that touch to `out`.
    pub(super) fn merge(&mut self, boxes: &[Aabb], flags: &[u8], out: &mut Vec<(u32, u32)>) {
        let Self { kept, found, scratch } = self;
        found.sort_unstable();
        scratch.clear();
        scratch.reserve(kept.len() + found.len());
        // All are written, and those that do not touch are written over: which of them do is hard to guess.
        out.resize(kept.len() + found.len(), (0, 0));
        let mut touching = 0;
        let mut emit = |key: u64| {
            scratch.push(key);
            out[touching] = ids(key);
            touching += (key & 1) as usize;
        };
        let mut news = found.iter().copied().peekable();
        for &pair in kept.iter() {
            let (a, b) = ids(pair);
            let changed = flags[a as usize] | flags[b as usize];
            if changed & FRESH != 0 {
                continue;
            }
            while let Some(new) = news.next_if(|&new| new < pair) {
                emit(new);
            }
            if changed & MOVED != 0 {
                emit((pair & !1) | u64::from(boxes[a as usize].intersects(&boxes[b as usize])));
            } else {
                emit(pair);
            }
        }
        news.for_each(&mut emit);
        out.truncate(touching);
        found.clear();
        core::mem::swap(kept, scratch);
    }

    /// Adds a touching pair of which one box is not in the index.
    pub(super) fn apart(&mut self, key: u64) {
        self.found.push(key);
    }

    /// Merges the pairs with unbounded boxes into `out`.
    pub(super) fn merge_apart(&mut self, out: &mut Vec<(u32, u32)>) {
        self.found.sort_unstable();
        // From the back, in place: the larger of the two last ones goes to the end.
        let mut left = out.len();
        let total = left + self.found.len();
        out.resize(total, (0, 0));
        let mut end = total;
        while let Some(&new) = self.found.last() {
            end -= 1;
            if left > 0 && out[left - 1] > ids(new) {
                left -= 1;
                out[end] = out[left];
            } else {
                out[end] = ids(new);
                self.found.pop();
            }
        }
    }
}
