//! Conservative advancement: steps in which no contact can lie, from a pair that is apart to its first
//! snapshot within the touch band; and the wait of a pair that overlaps until it is apart.
//!
//! Bounds over a short interval are sharper than over a long one, so the look-ahead matters more than
//! anything else. A body that gains speed from rest has a bound that grows with the look-ahead h as c(h) ~ h;
//! the step gap / c(h) is longest where it equals h, at the geometric mean of the step and the look-ahead
//! first tried. Near a contact the bound of the last step tells the time that is left: looking ahead twice
//! that far makes the gap shrink quadratically, as in Newton's method.
//!
//! A pair that touches or overlaps waits: no contact counts before it has been apart. As long as the bounds
//! keep them together the wait takes one step. Otherwise snapshots follow at growing distances in time, from
//! one tick up to 1/256 of the interval: a pair that leaves fast is seen at once, and one that comes back
//! sooner than that has not left.
//!
//! Limits: at most [`MAX_PROVEN_STEPS`] steps in one search, two look-aheads each; a wait takes at most 64
//! doublings and 256 steps.

use super::approach::{Approach, ConvexPiece, ShapePair};
use super::{Basis, ContactBracket, Continuity, MAX_PROVEN_STEPS, Search, SearchError, Snapshot, Wait};
use gedanken_geometry::Shape;
use gedanken_geometry::narrow::{self, Distance};
use gedanken_math::Pose;

/// Number of steps after which the pace of a proof is looked at.
const STEPS_BETWEEN_LOOKS: u32 = 4096;
/// Pace of a proof, in units of its pace at the last look, at which it gathers.
const GATHERED_PACE: f64 = 1.2;
/// Maximum number of pairs of parts for which two compounds are treated part by part.
const MAX_PART_PAIRS: usize = 256;

impl Search<'_> {
    /// Steps from a snapshot at which they are apart to the next at which they are not; `None` if there is
    /// none up to the end. `whole` is the approach up to the end, if it is known already.
    pub(super) fn advance(
        &mut self,
        here: Snapshot,
        whole: Option<Approach>,
    ) -> Result<Option<ContactBracket>, SearchError> {
        let Self { touch, tick, to, .. } = *self;
        let mut here = here;
        let mut known = whole;
        let mut span = to - here.time;
        while here.time < to {
            if self.is_hopeless(here.time) {
                self.rests_on(Basis::Exhausted, here.time);
                return self.scan(here);
            }
            self.steps += 1;
            let Some(mut ahead) = known.take().or_else(|| self.ahead(&here, span)) else {
                self.rests_on(Basis::Sampled, here.time);
                return self.scan(here);
            };
            let mut safe = self.apart_for(&ahead, &here);
            if safe < 0.25 * ahead.span && ahead.span > tick {
                let nearer = if ahead.steady { (safe * ahead.span).sqrt() } else { 0.0625 * ahead.span };
                if let Some(sharper) = self.ahead(&here, nearer.max(tick)) {
                    let again = self.apart_for(&sharper, &here);
                    // An infinite time is meant for the span of its own bounds.
                    if again.min(sharper.span) >= safe {
                        (ahead, safe) = (sharper, again);
                    }
                }
            }
            if !ahead.steady && safe == 0.0 && ahead.span > 2.0 * tick {
                // A jump lies ahead, and where it leads to is too near: look at less, down to one tick.
                span = 0.0625 * ahead.span;
                continue;
            }
            let clear = safe >= ahead.span;
            let end = self.end(here.time, ahead.span);
            if clear && end >= to {
                return Ok(None);
            }
            // One tick is never refused: what happens within it is decided at its end.
            let next = if clear { end } else { self.end(here.time, safe.max(tick)) };
            let there = self.snapshot(next)?.after(&here);
            if there.gap <= touch {
                let step = if ahead.steady { Continuity::Steady } else { Continuity::Jump };
                return Ok(Some(ContactBracket { before: here, at: there, step }));
            }
            span = if safe.is_infinite() {
                // No contact was possible: look four times as far.
                4.0 * ahead.span
            } else {
                let opening = if there.gap > here.gap { 4.0 } else { 2.0 };
                opening * safe.max(tick) * (there.gap / here.gap)
            };
            span = span.max(tick).min(to - next);
            here = there;
        }
        Ok(None)
    }

    /// Returns `true` if the proof, which has come to `time`, will not end within [`MAX_PROVEN_STEPS`] at the
    /// pace that it has now. That is looked at now and then, so that a proof that stands still costs little. One
    /// that gathers pace goes on: two bodies that start close together and part take short steps at first.
    fn is_hopeless(&mut self, time: f64) -> bool {
        if self.steps >= MAX_PROVEN_STEPS {
            return true;
        }
        if self.steps == 0 || !self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            return false;
        }
        let pace = (time - self.looked_at) / f64::from(STEPS_BETWEEN_LOOKS);
        let is_behind = (self.to - time) > pace * f64::from(MAX_PROVEN_STEPS - self.steps);
        let gathers = pace >= GATHERED_PACE * self.pace;
        (self.looked_at, self.pace) = (time, pace);
        is_behind && !gathers
    }

    /// Time for which they must stay apart; for compounds, part by part.
    fn apart_for(&mut self, ahead: &Approach, here: &Snapshot) -> f64 {
        let whole = ahead.apart_for(here, self.touch);
        if whole >= ahead.span || !ahead.steady || ahead.pair != ShapePair::Any {
            return whole;
        }
        whole.max(self.parts_apart_for(ahead, here).unwrap_or(0.0))
    }

    /// Time for which all convex parts of two compounds stay apart, by a plane between each two. `None` for
    /// anything else.
    fn parts_apart_for(&mut self, ahead: &Approach, here: &Snapshot) -> Option<f64> {
        let (a, b) = (&here.a, &here.b);
        if count(&a.shape)? * count(&b.shape)? > MAX_PART_PAIRS {
            return None;
        }
        let mut least = f64::INFINITY;
        for (shape_a, pose_a) in parts(&a.shape, a.pose) {
            for (shape_b, pose_b) in parts(&b.shape, b.pose) {
                let found = narrow::distance(shape_a, &pose_a, shape_b, &pose_b, self.scratch).ok()?;
                let Distance::Separated(apart) = found else { return Some(0.0) };
                let reach = [
                    apart.normal.dot(apart.point_a - a.pose.translation),
                    apart.normal.dot(b.pose.translation - apart.point_b),
                ];
                let touch = self.touch;
                let mut time = ahead.plane_for(apart.distance, apart.normal, reach, touch);
                if time < ahead.span && ahead.turns_about() {
                    let piece_a = ConvexPiece { shape: shape_a, pose: &pose_a };
                    let piece_b = ConvexPiece { shape: shape_b, pose: &pose_b };
                    time = time.max(ahead.turning_for(here, piece_a, piece_b, apart.normal, touch));
                }
                least = least.min(time);
            }
        }
        Some(least)
    }
}

/// Number of convex parts of a shape; `None` if it is not made of such.
fn count(shape: &Shape) -> Option<usize> {
    match shape {
        Shape::Compound(compound) => Some(compound.parts().len()),
        Shape::Mesh(_) => None,
        _ => Some(1),
    }
}

/// Convex parts of a shape, each with its pose in the world.
fn parts(shape: &Shape, pose: Pose) -> impl Iterator<Item = (&Shape, Pose)> {
    let (one, many) = match shape {
        Shape::Compound(compound) => (None, compound.parts()),
        other => (Some((other, pose)), Default::default()),
    };
    one.into_iter().chain(many.iter().map(move |part| (&part.shape, pose * part.pose)))
}

/// Longest step that is not proven, relative to the interval.
const LONGEST_UNPROVEN_STEP: f64 = 1.0 / 256.0;

impl Search<'_> {
    /// Waits until they are apart by more than the touch band or, if they are in it and leave each other,
    /// overlap. `whole` is their approach up to the end, if it has bounds.
    pub(super) fn wait_until_apart(
        &mut self,
        here: Snapshot,
        leaves: bool,
        whole: Option<Approach>,
    ) -> Result<Wait, SearchError> {
        let Self { touch, tick, from, to, .. } = *self;
        let longest = (LONGEST_UNPROVEN_STEP * (to - from)).max(tick);
        let mut here = here;
        let mut ahead = whole.or_else(|| self.ahead(&here, to - here.time));
        let mut until = ahead.as_ref().map_or(here.time, |ahead| here.time + ahead.span);
        let mut step = tick;
        let floor = self.floor_from(&here);
        while here.time < to {
            if here.time >= until && ahead.is_some() {
                ahead = self.ahead(&here, to - here.time);
                until = ahead.as_ref().map_or(here.time, |ahead| here.time + ahead.span);
            }
            if ahead.is_none() {
                self.rests_on(Basis::Sampled, here.time);
            }
            let left = until - here.time;
            let proven = ahead.as_ref().map_or(0.0, |ahead| ahead.together_for(&here, touch)).min(left);
            // Together they may yet be deeper than the band.
            if proven >= to - here.time && !leaves {
                return Ok(Wait::Together);
            }
            let next = self.end(here.time, if leaves { step } else { proven.max(step) });
            let there = self.snapshot(next)?;
            if there.gap > touch {
                return Ok(Wait::Apart(Box::new(there)));
            }
            if leaves && there.gap < floor {
                let outer = (here.gap >= 0.0).then(|| self.root((&here).into(), (&there).into()));
                return Ok(Wait::Back { time: outer.transpose()?.map_or(here.time, |(left, _)| left.time) });
            }
            here = there;
            step = (2.0 * step).min(longest);
        }
        Ok(Wait::Together)
    }
}
