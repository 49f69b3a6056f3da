//! Who began and who ceased to touch since the last step.

use gedanken_dynamics::{Life, Table};
use std::cmp::Ordering;

/// Pairs of rows that began or ceased to touch since the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// When that was seen, s.
    pub time: f64,
    /// Pairs that touch now and did not before, in order.
    pub begun: Vec<[u32; 2]>,
    /// Pairs that touched before and do not now, in order.
    pub ended: Vec<[u32; 2]>,
}

impl Table for Changes {
    const NAME: &'static str = "changes";
    const LIFE: Life = Life::Step;
}

impl Changes {
    /// Compares the pairs that touched before with those that touch now, both in order.
    pub(super) fn find(&mut self, time: f64, before: &[[u32; 2]], now: &[[u32; 2]]) {
        self.time = time;
        self.begun.clear();
        self.ended.clear();
        let (mut before, mut now) = (before, now);
        loop {
            let order = match (before.first(), now.first()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.cmp(new),
            };
            if order != Ordering::Greater {
                self.ended.extend(before.first().filter(|_| order.is_lt()));
                before = &before[1..];
            }
            if order != Ordering::Less {
                self.begun.extend(now.first().filter(|_| order.is_gt()));
                now = &now[1..];
            }
        }
    }
}
