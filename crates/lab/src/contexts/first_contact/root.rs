//! The zero of the signed separation between two looks: when an overlap begins.

use super::{Look, Meeting, Search, Step, Trouble};

/// An instant and the separation there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) time: f64,
    pub(super) gap: f64,
}

impl From<&Look> for Point {
    fn from(look: &Look) -> Self {
        Self { time: look.time, gap: look.gap }
    }
}

/// A bound on the looks at one root. Every third halves the bracket, and 64 halvings of any interval of
/// doubles of one sign and scale reach neighbours; the time resolution ends it far earlier.
const LOOKS: u32 = 3 * 64;
/// How many times faster than on average over its bracket a separation must fall within one tick to count as
/// a jump, where nothing is known of the laws.
const STEEP: f64 = 1e6;

impl Search<'_> {
    /// Narrows a bracket with s ≥ 0 at its left end and s < 0 at its right one down to one tick.
    ///
    /// The secant through the ends aims a little to the left of the zero, then a little to the right, so that
    /// a straight line is done with two looks; every third look halves the bracket, which bounds their number
    /// for any function. Times at which a law fails lie beyond the contact and count as overlap.
    pub(super) fn root(&mut self, left: Point, right: Point) -> Result<(Point, Point), Trouble> {
        let tick = self.scales.tick;
        let (mut left, mut right) = (left, right);
        for round in 0..LOOKS {
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
            match self.look(aim) {
                Ok(look) if look.gap >= 0.0 => left = Point::from(&look),
                Ok(look) => right = Point::from(&look),
                Err(_) => right = Point { time: aim, gap: right.gap },
            }
        }
        Ok((left, right))
    }

    /// The impact of two objects that are apart at one look and overlap at the next.
    pub(super) fn crossing(&mut self, before: &Look, at: &Look, step: Step) -> Result<Meeting, Trouble> {
        if step == Step::Jump {
            return Ok(Meeting::Impact { time: at.time, jump: true });
        }
        let (left, right) = self.root(before.into(), at.into())?;
        // Nobody knows the laws, but a fall that does not shrink with its interval is a jump.
        let steep = |fall: f64, width: f64, than: f64| fall / width > STEEP * than;
        let jump = step == Step::Unknown
            && left.gap > self.scales.touch
            && right.gap < -self.scales.touch
            && at.time - before.time > right.time - left.time
            && steep(
                left.gap - right.gap,
                right.time - left.time,
                (before.gap - at.gap) / (at.time - before.time),
            );
        Ok(Meeting::Impact { time: if jump { right.time } else { left.time }, jump })
    }
}
