//! Samples and the minima between them, where nothing can be proven.
//!
//! The interval has 64 cells; a contact between two samples shows as a minimum of the separation, which
//! golden sections follow down. A contact that begins and ends within one cell can be missed: the result says
//! that it rests on samples.
//!
//! Bounds: 65 samples for a scan and 60 snapshots for each of at most 64 minima.

use super::root::Point;
use super::{ContactBracket, Continuity, Search, SearchError, Snapshot};

/// Number of cells of an interval.
pub(super) const SAMPLE_CELLS: f64 = 64.0;
/// Maximum number of snapshots for one minimum.
const MAX_MINIMUM_STEPS: u32 = 60;
/// Width of a bracket, in ticks, at which a minimum is found.
const MINIMUM_WIDTH_TICKS: f64 = 1024.0;
/// 1/φ, the golden section.
const INVERSE_GOLDEN_RATIO: f64 = 0.618_033_988_749_894_8;

impl Search<'_> {
    /// Steps from a snapshot at which they are apart to the next sample, or minimum between samples, at which
    /// they are not.
    pub(super) fn scan(&mut self, here: Snapshot) -> Result<Option<ContactBracket>, SearchError> {
        let cell = (self.to - self.from) / SAMPLE_CELLS;
        let near = |before, at| Ok(Some(ContactBracket { before, at, step: Continuity::Unknown }));
        let mut earlier: Option<Snapshot> = None;
        let mut last = here;
        while last.time < self.to {
            let next = self.end(last.time, cell.max(self.tick));
            let there = match self.snapshot(next) {
                Ok(snapshot) => snapshot,
                Err(error) => return self.up_to_failure(last, next, error),
            };
            if there.gap <= self.touch {
                return near(last, there);
            }
            if let Some(first) = earlier.take()
                && first.gap > last.gap
                && last.gap <= there.gap
                && let Some(found) = self.minimum(&first, &last, &there)?
            {
                return near(first, found);
            }
            earlier = Some(last);
            last = there;
        }
        Ok(None)
    }

    /// Follows the minimum between three snapshots down, until one is in the touch band or below.
    fn minimum(
        &mut self,
        first: &Snapshot,
        middle: &Snapshot,
        last: &Snapshot,
    ) -> Result<Option<Snapshot>, SearchError> {
        let (mut left, mut lowest, mut right) = (first.time, Point::from(middle), last.time);
        for _ in 0..MAX_MINIMUM_STEPS {
            if right - left <= MINIMUM_WIDTH_TICKS * self.tick {
                break;
            }
            // Into the larger part, at the golden section of it.
            let leftwards = lowest.time - left > right - lowest.time;
            let aim = if leftwards {
                lowest.time - (1.0 - INVERSE_GOLDEN_RATIO) * (lowest.time - left)
            } else {
                lowest.time + (1.0 - INVERSE_GOLDEN_RATIO) * (right - lowest.time)
            };
            if !(aim > left && aim < right) || aim == lowest.time {
                break;
            }
            // A law that fails here fails before any contact that is known.
            let snapshot = self.snapshot(aim)?;
            if snapshot.gap <= self.touch {
                return Ok(Some(snapshot));
            }
            let point = Point::from(&snapshot);
            if point.gap < lowest.gap {
                if leftwards {
                    right = lowest.time
                } else {
                    left = lowest.time
                }
                lowest = point;
            } else if leftwards {
                left = aim;
            } else {
                right = aim;
            }
        }
        Ok(None)
    }

    /// Approaches `failed`, where a law fails, by halves: only contacts before it count.
    fn up_to_failure(
        &mut self,
        last: Snapshot,
        failed: f64,
        error: SearchError,
    ) -> Result<Option<ContactBracket>, SearchError> {
        let (mut last, mut failed, mut error) = (last, failed, error);
        // Halvings down to one tick: see `root`.
        for _ in 0..64 {
            let middle = last.time + 0.5 * (failed - last.time);
            if failed - last.time <= self.tick || middle <= last.time || middle >= failed {
                break;
            }
            match self.snapshot(middle) {
                Ok(at) if at.gap <= self.touch => {
                    return Ok(Some(ContactBracket { before: last, at, step: Continuity::Unknown }));
                }
                Ok(snapshot) => last = snapshot,
                Err(earlier) => (failed, error) = (middle, earlier),
            }
        }
        Err(error)
    }
}
