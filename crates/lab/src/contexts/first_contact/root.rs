//! Time and kind of a contact: the zero of the signed separation between two snapshots, and the decision if a
//! pair in the touch band overlaps, separates again, or does neither.
//!
//! The decision climbs a ladder of snapshots at growing distances in time, until the separation leaves the
//! band. The first rung is where the fastest motion that the bounds allow has just crossed the band: before
//! it they cannot have overlapped and separated again. Each next rung is twice as far.
//!
//! Limits: 64 doublings reach any time; a rung is at most 1/32 of the rest, so that there are no more than
//! 64 + 32 + 64.

use super::{Continuity, Meeting, Search, SearchError, Snapshot};
use std::ops::ControlFlow::{self, Break, Continue};

/// An instant and the separation there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) time: f64,
    pub(super) gap: f64,
}

impl From<&Snapshot> for Point {
    fn from(snapshot: &Snapshot) -> Self {
        Self { time: snapshot.time, gap: snapshot.gap }
    }
}

/// Maximum number of snapshots for one root. Every third halves the bracket, and 64 halvings of any interval
/// of doubles of one sign and scale reach neighbours; the time resolution ends it far earlier.
const MAX_ROOT_STEPS: u32 = 3 * 64;
/// Fall of the separation within one tick, relative to its mean rate over the bracket, that counts as a jump
/// where nothing is known of the laws.
const JUMP_STEEPNESS: f64 = 1e6;

impl Search<'_> {
    /// Narrows a bracket with s ≥ 0 at its left end and s < 0 at its right one down to one tick.
    ///
    /// The secant through the ends aims a little to the left of the zero, then a little to the right, so that
    /// a straight line takes two snapshots; every third snapshot halves the bracket, which bounds their
    /// number for any function. Times at which a law fails lie beyond the contact and count as overlap.
    pub(super) fn root(&mut self, left: Point, right: Point) -> Result<(Point, Point), SearchError> {
        let tick = self.tick;
        let (mut left, mut right) = (left, right);
        for round in 0..MAX_ROOT_STEPS {
            let width = right.time - left.time;
            if width <= tick {
                break;
            }
            let zero = left.time + width * (left.gap / (left.gap - right.gap));
            let aim = match round % 3 {
                0 => zero - 0.4 * tick,
                1 => zero + 0.4 * tick,
                _ => f64::NAN,
            };
            let aim = if aim > left.time && aim < right.time { aim } else { left.time + 0.5 * width };
            if !(aim > left.time && aim < right.time) {
                break;
            }
            match self.snapshot(aim) {
                Ok(snapshot) if snapshot.gap >= 0.0 => left = Point::from(&snapshot),
                Ok(snapshot) => right = Point::from(&snapshot),
                Err(_) => right = Point { time: aim, gap: right.gap },
            }
        }
        Ok((left, right))
    }

    /// Returns the impact of two objects that are apart at one snapshot and overlap at the next.
    pub(super) fn crossing(
        &mut self,
        before: &Snapshot,
        at: &Snapshot,
        step: Continuity,
    ) -> Result<Meeting, SearchError> {
        if step == Continuity::Jump {
            return Ok(Meeting::Impact { time: at.time, jump: true });
        }
        let (left, right) = self.root(before.into(), at.into())?;
        // Without bounds, a fall that does not shrink with its interval counts as a jump.
        let steep = |fall: f64, width: f64, than: f64| fall / width > JUMP_STEEPNESS * than;
        let jump = step == Continuity::Unknown
            && left.gap > self.touch
            && right.gap < -self.touch
            && at.time - before.time > right.time - left.time
            && steep(
                left.gap - right.gap,
                right.time - left.time,
                (before.gap - at.gap) / (at.time - before.time),
            );
        Ok(Meeting::Impact { time: if jump { right.time } else { left.time }, jump })
    }
}

/// Largest distance of two rungs, relative to the rest of the interval.
const WIDEST_RUNG: f64 = 1.0 / 32.0;
/// Number of ticks ahead for which the bounds of the first rung are computed.
const FIRST_RUNG_TICKS: f64 = 1024.0;

impl Search<'_> {
    /// Follows a pair from its first snapshot in the band. `before` is a snapshot at which they were apart.
    /// Returns the result of the search or, after a graze, the snapshot from which it continues.
    pub(super) fn classify_touch(
        &mut self,
        before: Option<Snapshot>,
        at: Snapshot,
    ) -> Result<ControlFlow<Meeting, Snapshot>, SearchError> {
        let impact = |time| Ok(Break(Meeting::Impact { time, jump: false }));
        let touch = self.touch;
        let floor = if before.is_some() { -self.depth } else { self.floor_from(&at) };
        let start = Point::from(&at);
        // The last point known to lie outside: the left end of a bracket.
        let mut outer = if at.gap >= 0.0 { Some(start) } else { before.as_ref().map(Point::from) };
        let mut rung = self.first_rung(&at);
        let widest = (WIDEST_RUNG * (self.to - at.time)).max(rung);
        let mut last = at.time;
        while last < self.to {
            let next = self.end(last, rung);
            let there = match self.snapshot(next) {
                Ok(snapshot) => snapshot,
                Err(error) => match self.before_failure(last, next)? {
                    Some(snapshot) => snapshot,
                    // They touch up to where the law ends. If they have met, that is the reason; a law that
                    // fails at once has none.
                    None => match outer {
                        Some(outer) => return impact(outer.time),
                        None => return Err(error),
                    },
                },
            };
            if there.gap > touch {
                return Ok(Continue(there));
            }
            if there.gap < floor {
                let time = match outer {
                    Some(outer) => self.root(outer, Point::from(&there))?.0.time,
                    None => start.time,
                };
                return impact(time);
            }
            if there.gap >= 0.0 {
                outer = Some(Point::from(&there));
            }
            last = there.time;
            rung = (2.0 * rung).min(widest);
        }
        Ok(Break(Meeting::Touch { time: start.time }))
    }

    /// Earliest time at which the separation can have crossed the band, and a little more, but at least one
    /// tick.
    fn first_rung(&mut self, at: &Snapshot) -> f64 {
        let tick = self.tick;
        let end = self.end(at.time, FIRST_RUNG_TICKS * tick);
        match self.approach(at.time, end, &at.a, &at.b) {
            Some(ahead) => {
                let crossing = (at.gap + 2.0 * self.touch) / ahead.fastest_change();
                crossing.min(ahead.span).max(tick)
            }
            None => tick,
        }
    }

    /// Returns the first snapshot out of the band on halvings of the way to `failed`, where a law fails;
    /// `None` if they stay in the band up to the tick before the failure.
    fn before_failure(&mut self, last: f64, failed: f64) -> Result<Option<Snapshot>, SearchError> {
        let (mut last, mut failed) = (last, failed);
        // Halvings down to one tick: see `root`.
        for _ in 0..64 {
            let middle = last + 0.5 * (failed - last);
            if failed - last <= self.tick || middle <= last || middle >= failed {
                break;
            }
            match self.snapshot(middle) {
                Ok(snapshot) if snapshot.gap.abs() > self.touch => return Ok(Some(snapshot)),
                Ok(snapshot) => last = snapshot.time,
                Err(_) => failed = middle,
            }
        }
        Ok(None)
    }
}
