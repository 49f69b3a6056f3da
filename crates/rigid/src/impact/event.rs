//! Events: meetings to come, in the order in which they are settled.

use std::cmp::Ordering;

/// When two bodies will meet, if nothing else happens to them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Event {
    pub(super) time: f64,
    pub(super) rows: [u32; 2],
    /// The flights for which it was found.
    pub(super) flights: [u32; 2],
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time.then_with(|| self.rows.cmp(&other.rows)).then_with(|| self.flights.cmp(&other.flights))
    }
}
