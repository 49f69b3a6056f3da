//! What a pair in the touch band does next: overlap, part again, or neither.
//!
//! Looks at growing distances in time, until the separation leaves the band. The first rung is where the
//! fastest motion that the bounds allow has just crossed the band: before it they cannot have overlapped and
//! parted again. Each next rung is twice as far.
//!
//! Bounds: 64 doublings reach any time; a rung is at most 1/32 of the rest, so that there are no more than 64
//! + 32 + 64.

use super::root::Point;
use super::{Look, Meeting, Search, Trouble};
use std::ops::ControlFlow::{self, Break, Continue};

/// The largest part of the rest of the interval between two rungs.
const WIDEST: f64 = 1.0 / 32.0;
/// How many ticks ahead the bounds for the first rung are asked for.
const AHEAD: f64 = 1024.0;

impl Search<'_> {
    /// From the first look in the band, after a look `before` at which they were apart: what the search ends
    /// with or, after a graze, the look from which it goes on.
    pub(super) fn climb(
        &mut self,
        before: Option<Look>,
        at: Look,
    ) -> Result<ControlFlow<Meeting, Look>, Trouble> {
        let impact = |time| Ok(Break(Meeting::Impact { time, jump: false }));
        let touch = self.scales.touch;
        let start = Point::from(&at);
        // The last point known to lie outside: the left end of a bracket.
        let mut outer = if at.gap >= 0.0 { Some(start) } else { before.as_ref().map(Point::from) };
        let mut rung = self.first_rung(&at);
        let widest = (WIDEST * (self.to - at.time)).max(rung);
        let mut last = at.time;
        while last < self.to {
            let next = self.end(last, rung);
            let there = match self.look(next) {
                Ok(look) => look,
                Err(trouble) => match self.before_failure(last, next)? {
                    Some(look) => look,
                    // They touch up to where the law ends. If they have met, that is the reason; a law that
                    // fails at once has none.
                    None => match outer {
                        Some(outer) => return impact(outer.time),
                        None => return Err(trouble),
                    },
                },
            };
            if there.gap > touch {
                return Ok(Continue(there));
            }
            if there.gap < -touch {
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

    /// Where the separation can have crossed the band at the earliest, and a little more, but at least one
    /// tick on.
    fn first_rung(&mut self, at: &Look) -> f64 {
        let tick = self.scales.tick;
        let end = self.end(at.time, AHEAD * tick);
        match self.approach(at.time, end, &at.a, &at.b) {
            Some(ahead) => {
                let crossing = (at.gap + 2.0 * self.scales.touch) / ahead.fastest_change();
                crossing.min(ahead.span).max(tick)
            }
            None => tick,
        }
    }

    /// A law fails at `failed`: the first halving of the way there at which they are out of the band; `None`
    /// if they stay in it up to the tick before the failure.
    fn before_failure(&mut self, last: f64, failed: f64) -> Result<Option<Look>, Trouble> {
        let (mut last, mut failed) = (last, failed);
        // Halvings down to one tick: see `root`.
        for _ in 0..64 {
            let middle = last + 0.5 * (failed - last);
            if failed - last <= self.scales.tick || middle <= last || middle >= failed {
                break;
            }
            match self.look(middle) {
                Ok(look) if look.gap.abs() > self.scales.touch => return Ok(Some(look)),
                Ok(look) => last = look.time,
                Err(_) => failed = middle,
            }
        }
        Ok(None)
    }
}
