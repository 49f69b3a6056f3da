//! The wait of a pair that touches or overlaps until it is apart: nothing counts meanwhile.
//!
//! As long as the bounds keep them together the wait goes on at once. Otherwise it looks at growing distances
//! in time, from one tick up to 1/256 of the interval: whoever leaves fast is seen at once, and who comes
//! back sooner than that has not left.
//!
//! Bounds: 64 doublings and 256 steps.

use super::approach::Approach;
use super::{Basis, Look, Search, Trouble};

/// The longest step that is not proven, as a part of the interval.
const LONGEST: f64 = 1.0 / 256.0;

impl Search<'_> {
    /// The first look at which they are apart by more than the touch band; `None` if they are not up to the
    /// end. `whole` is their approach up to the end, if it has bounds.
    pub(super) fn leave(&mut self, here: Look, whole: Option<Approach>) -> Result<Option<Look>, Trouble> {
        let Self { scales, from, to, .. } = *self;
        let longest = (LONGEST * (to - from)).max(scales.tick);
        let mut here = here;
        let mut ahead = whole.or_else(|| self.ahead(&here, to - here.time));
        let mut until = ahead.as_ref().map_or(here.time, |ahead| here.time + ahead.span);
        let mut step = scales.tick;
        while here.time < to {
            if here.time >= until && ahead.is_some() {
                ahead = self.ahead(&here, to - here.time);
                until = ahead.as_ref().map_or(here.time, |ahead| here.time + ahead.span);
            }
            if ahead.is_none() {
                self.rests_on(Basis::Sampled);
            }
            let left = until - here.time;
            let proven =
                ahead.as_ref().map_or(0.0, |ahead| ahead.together_for(&here, scales.touch)).min(left);
            if proven >= to - here.time {
                return Ok(None);
            }
            let next = self.end(here.time, proven.max(step));
            here = self.look(next)?;
            if here.gap > scales.touch {
                return Ok(Some(here));
            }
            step = (2.0 * step).min(longest);
        }
        Ok(None)
    }
}
