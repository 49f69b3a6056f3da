//! First contact of two moving objects: proven by bounds, or sampled where there are none.
//!
//! The signed separation s(t) of two objects is their distance while they are apart and minus their depth
//! while they overlap. The search goes from left to right and knows three states:
//!
//! ```text
//! apart (s > touch)      advance: steps in which no contact can lie     ─► near, or none
//! near (|s| ≤ touch)     classify: snapshots at growing time distances  ─► overlap: root of s, an impact
//!                                                                          apart again: a graze, no event
//!                                                                          neither: a touch
//! overlap (s < −touch)   wait until they are apart                      ─► apart, or none
//! leaving (|s| ≤ touch)  wait until they are apart or overlap           ─► apart, impact, or none
//! ```
//!
//! `approach` bounds how long two objects must stay apart, `advance` steps and waits by it, `root` decides
//! the kind and the time of a contact, `sampled` replaces the proof where laws have no bounds.
//!
//! Every decision is a pure function of the two motions, the interval and the scales. Every loop is bounded:
//! a search makes at most [`MAX_PROVEN_STEPS`] proven steps and follows up [`MAX_GRAZES`] grazes, then it
//! goes on in samples, as [`Basis`] says. A proof that ran out of steps is none: the run says from when to when
//! nothing is proven.

mod advance;
mod approach;
mod root;
mod sampled;
#[cfg(test)]
mod tests;

use super::search::band::Band;
use super::touch::closest::separation;
use super::trajectory::bounds::{Mover, Placed};
use approach::Approach;
use gedanken_geometry::narrow::{QueryError, Scratch};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::Vec3;
use std::ops::ControlFlow::{Break, Continue};

/// Maximum number of proven steps of one search; beyond it, the rest is sampled, and the run says so. A ball
/// needs five; a box that tumbles away from a floor some hundred; one that turns a hundred times in the
/// interval some thousand.
pub(crate) const MAX_PROVEN_STEPS: u32 = 1 << 16;
/// Maximum number of grazes that one search follows up. After that each one costs the rest of its cell of
/// samples: a pair that trembles at the edge of the touch band would else graze at every tick.
const MAX_GRAZES: u32 = 64;
/// Largest overlap at the start of a search, in touch bands, that counts as a contact that has just begun.
const MAX_LATE_OVERLAP_BANDS: f64 = 4.0;
/// Maximum number of halvings of an interval that has no bounds.
const MAX_HALVINGS: u32 = 6;

/// Lengths and times that count as small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// Touch band: surfaces closer than this touch.
    pub(crate) band: Band,
    /// Largest overlap that is no impact. It is narrower than the band of a pair that is held in a wide one: a
    /// gap may be wide to hold a contact, an overlap may not.
    pub(crate) depth: Band,
    /// Resolution of time, s.
    pub(crate) tick: f64,
}

/// Relation of two objects before the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Unknown, or apart: their first contact counts.
    Apart,
    /// Touching, and coming apart: a contact counts after they have been apart by more than the touch band,
    /// or if they overlap before that.
    Leaving,
    /// Overlapping: only a contact after they have been apart by more than the touch band counts.
    Inside,
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    /// They do not touch, or only graze.
    None {
        /// `true` if they were apart by more than the touch band at any time.
        apart: bool,
    },
    /// They touch at `time` and overlap after it.
    ///
    /// Without a jump their gap at `time` is not negative and closes within one tick, unless they are in the
    /// touch band, slightly overlapping, from the start. With a jump they overlap at `time`, and were apart
    /// one tick before.
    Impact {
        /// Time of the contact, s.
        time: f64,
        /// `true` if a law made them overlap by a jump.
        jump: bool,
    },
    /// They come into the touch band at `time`, and no snapshot shows them leave it or overlap until the end.
    /// This includes pairs that come so late that the interval ends before they overlap.
    Touch {
        /// Time at which they enter the band, s.
        time: f64,
    },
}

/// Certainty of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    /// Proven: no earlier contact was missed.
    Proven,
    /// There are bounds, but too wide ones to end within [`MAX_PROVEN_STEPS`]: the rest was sampled.
    Exhausted,
    /// A law has no bounds: the rest was sampled.
    Sampled,
}

/// Result of a search, and its certainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// First contact.
    pub(crate) meeting: Meeting,
    /// Certainty.
    pub(crate) basis: Basis,
    /// Time until which nothing was missed, s: the end of the search, or where the proof ended.
    pub(crate) proven_until: f64,
}

/// Failure of a search. The caller knows the names and spans for a diagnostic.
#[derive(Clone, Debug)]
pub(crate) enum SearchError {
    /// A law failed.
    Law(Box<Diagnostic>),
    /// There is no distance between these shapes, or rounding forbids an answer.
    Distance(QueryError),
}

/// Returns the first contact of `a` and `b` between `from` and `to`.
///
/// # Errors
/// A law that failed on the way to the first contact, or a distance that does not exist.
pub(crate) fn first_contact(
    a: &mut dyn Mover,
    b: &mut dyn Mover,
    relation: Relation,
    from: f64,
    to: f64,
    scales: Scales,
    scratch: &mut Scratch,
) -> Result<Found, SearchError> {
    let Scales { band, depth, tick } = scales;
    let mut search = Search {
        a,
        b,
        from,
        to,
        touch: band.least(),
        depth: depth.least(),
        tick,
        scratch,
        basis: Basis::Proven,
        proven_until: to,
        steps: 0,
        looked_at: from,
        pace: 0.0,
    };
    let meeting = search.run(relation, band, depth)?;
    Ok(Found { meeting, basis: search.basis, proven_until: search.proven_until })
}

/// Shapes, poses and separation of two objects at one instant.
#[derive(Clone, Debug)]
struct Snapshot {
    time: f64,
    /// Signed separation s.
    gap: f64,
    /// Unit normal, from A to B.
    normal: Vec3,
    /// Reach of A from its origin along the normal, and of B from its own against it.
    reach: [f64; 2],
    /// Angular velocity of the normal since the snapshot before; zero if there was none.
    turn: Vec3,
    a: Placed,
    b: Placed,
}

impl Snapshot {
    /// Offset from the origin of A to that of B.
    fn offset(&self) -> Vec3 {
        self.b.pose.translation - self.a.pose.translation
    }

    /// Returns the same snapshot, with the angular velocity of the normal since `earlier`.
    fn after(self, earlier: &Self) -> Self {
        // The sine of the angle is as good as the angle where that is small; elsewhere the normal has jumped.
        let small = self.normal.dot(earlier.normal) > 0.9;
        let turn = earlier.normal.cross(self.normal) / (self.time - earlier.time);
        Self { turn: if small && turn.is_finite() { turn } else { Vec3::ZERO }, ..self }
    }
}

/// End of a wait for two objects to be apart.
#[derive(Debug)]
enum Wait {
    /// They are apart.
    Apart(Box<Snapshot>),
    /// They are not apart up to the end.
    Together,
    /// They were leaving, and overlap from `time` on.
    Back { time: f64 },
}

/// Two snapshots between which a contact begins.
#[derive(Debug)]
struct ContactBracket {
    /// Last snapshot at which they are apart.
    before: Snapshot,
    /// First snapshot at which they touch or overlap.
    at: Snapshot,
    step: Continuity,
}

/// Continuity of the motion between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continuity {
    /// It is continuous.
    Steady,
    /// Some law jumps between them, and they are one tick apart.
    Jump,
    /// Nothing is known.
    Unknown,
}

struct Search<'s> {
    a: &'s mut dyn Mover,
    b: &'s mut dyn Mover,
    from: f64,
    to: f64,
    /// Width of the touch band where they move.
    touch: f64,
    /// Largest overlap that is no impact.
    depth: f64,
    /// Resolution of time, s.
    tick: f64,
    scratch: &'s mut Scratch,
    basis: Basis,
    proven_until: f64,
    /// Number of proven steps so far.
    steps: u32,
    /// Time to which the proof had come when its pace was last looked at, s.
    looked_at: f64,
    /// Its pace then, s per step.
    pace: f64,
}

impl Search<'_> {
    fn run(&mut self, relation: Relation, band: Band, depth: Band) -> Result<Meeting, SearchError> {
        let (a, b) = (self.a.place(self.from), self.b.place(self.from));
        let (a, b) = (a.map_err(SearchError::Law)?, b.map_err(SearchError::Law)?);
        let mut whole = self.approach(self.from, self.to, &a, &b);
        let farthest = [&a, &b].map(|it| it.pose.translation.abs().max_element());
        let farthest = whole.as_ref().map_or(farthest[0].max(farthest[1]), |it| it.farthest);
        self.touch = band.at(farthest);
        self.depth = depth.at(farthest).min(self.touch);
        let touch = self.touch;
        // Most pairs of a gas end here, with one place and one bound each.
        if whole.as_ref().is_some_and(|approach| approach.keeps_away(touch)) {
            return Ok(Meeting::None { apart: true });
        }
        let mut here = self.measure(self.from, a, b)?;
        // A pair that overlaps from the start has never met: no contact counts until they have been apart. A
        // pair that came into the band when the last frame ended may be a little deeper now.
        let inside = here.gap < -MAX_LATE_OVERLAP_BANDS * touch;
        if inside || (relation != Relation::Apart && here.gap <= touch) {
            let leaves = relation == Relation::Leaving && here.gap >= -touch;
            match self.wait_until_apart(here, leaves, whole.take())? {
                Wait::Apart(apart) => here = *apart,
                Wait::Together => return Ok(Meeting::None { apart: false }),
                Wait::Back { time } => return Ok(Meeting::Impact { time, jump: false }),
            }
        }
        let mut grazes = 0;
        // Every round but the last is a graze. After so many of them every round takes a cell of the samples.
        loop {
            let (before, at) = if here.gap > touch {
                match self.advance(here, whole.take())? {
                    None => return Ok(Meeting::None { apart: true }),
                    Some(ContactBracket { before, at, step }) if at.gap < -touch => {
                        return self.crossing(&before, &at, step);
                    }
                    Some(near) => (Some(near.before), near.at),
                }
            } else {
                (None, here)
            };
            match self.classify_touch(before, at)? {
                Break(meeting) => return Ok(meeting),
                Continue(after) if grazes < MAX_GRAZES => here = after,
                Continue(after) => {
                    self.rests_on(Basis::Exhausted, after.time);
                    if after.time >= self.to {
                        return Ok(Meeting::None { apart: true });
                    }
                    here =
                        self.snapshot(self.end(after.time, (self.to - self.from) / sampled::SAMPLE_CELLS))?;
                    if here.gap < -touch {
                        return self.crossing(&after, &here, Continuity::Unknown);
                    }
                }
            }
            grazes += 1;
        }
    }

    /// Returns the snapshot at `time`.
    fn snapshot(&mut self, time: f64) -> Result<Snapshot, SearchError> {
        let (a, b) = (self.a.place(time), self.b.place(time));
        let (a, b) = (a.map_err(SearchError::Law)?, b.map_err(SearchError::Law)?);
        self.measure(time, a, b)
    }

    fn measure(&mut self, time: f64, a: Placed, b: Placed) -> Result<Snapshot, SearchError> {
        let found = separation(&a, &b, self.scratch);
        let (gap, normal, point_a, point_b) = found.map_err(SearchError::Distance)?;
        if gap.is_nan() {
            return Err(SearchError::Distance(QueryError::Unsettled {
                query: "the distance",
                iterations: 0,
                error: gap,
            }));
        }
        let reach = [normal.dot(point_a - a.pose.translation), normal.dot(b.pose.translation - point_b)];
        Ok(Snapshot { time, gap, normal, reach, turn: Vec3::ZERO, a, b })
    }

    /// Returns the relative motion of the objects, now placed at `from`, until `to`; `None` without bounds.
    fn approach(&mut self, from: f64, to: f64, a: &Placed, b: &Placed) -> Option<Approach> {
        let bounds_a = self.a.bounds(from, to)?;
        let bounds_b = self.b.bounds(from, to)?;
        Approach::new(&bounds_a, &bounds_b, a, b, to - from)
    }

    /// Returns the relative motion in an interval that starts at a snapshot and has the length `span` or,
    /// where there are no bounds for it, is up to 2^6 times shorter but not below that fraction of the whole
    /// search. `None` without any.
    fn ahead(&mut self, here: &Snapshot, span: f64) -> Option<Approach> {
        let shortest = libm::ldexp(self.to - self.from, -(MAX_HALVINGS as i32));
        let mut span = span;
        for _ in 0..=MAX_HALVINGS {
            let end = self.end(here.time, span);
            if let Some(approach) = self.approach(here.time, end, &here.a, &here.b) {
                return Some(approach);
            }
            span *= 0.5;
            if span < shortest {
                break;
            }
        }
        None
    }

    /// `time` + `span`, at least the next instant, at most the end of the search.
    fn end(&self, time: f64, span: f64) -> f64 {
        (time + span).max(time.next_up()).min(self.to)
    }

    /// Separation below which a pair that has come from this snapshot, in the touch band, overlaps by its
    /// motion. What overlaps already counts by what is added.
    fn floor_from(&self, here: &Snapshot) -> f64 {
        if here.gap >= -self.depth { -self.depth } else { here.gap - self.depth }
    }

    /// Lowers the certainty of the result from `time` on.
    fn rests_on(&mut self, basis: Basis, time: f64) {
        self.basis = self.basis.max(basis);
        self.proven_until = self.proven_until.min(time);
    }
}
