//! When two moving objects first touch: proven by bounds, or sampled where there are none.
//!
//! The signed separation s(t) of two objects is their distance while they are apart and minus their depth
//! while they overlap. The search goes from left to right and knows three states:
//!
//! ```text
//! apart (s > touch)      advance: steps that no contact can lie in      ─► near, or none
//! near (|s| ≤ touch)     ladder: looks at growing distances in time     ─► overlap: root of s, an impact
//!                                                                          apart again: a graze, no event
//!                                                                          neither: a touch
//! overlap (s < −touch)   settled: waits until they are apart            ─► apart, or none
//! ```
//!
//! `approach` and `turn` say how long two objects must stay apart, `advance` walks by it, `ladder` and `root`
//! decide what a contact is and when, `settled` waits for a separation, `sampled` replaces the proof where
//! laws have no bounds.
//!
//! Every decision is a pure function of the two motions, the interval and the scales. Every loop is bounded:
//! a search makes at most [`MAX_PROVEN_STEPS`] proven steps and follows up [`MAX_GRAZES`] grazes, then it goes on in
//! samples, which [`Basis`] tells.

mod advance;
mod approach;
mod root;
mod sampled;
#[cfg(test)]
mod tests;

use super::touch::closest::separation;
use super::trajectory::bounds::{Mover, Placed};
use approach::Approach;
use gedanken_geometry::narrow::{QueryError, Scratch};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::Vec3;
use std::ops::ControlFlow::{Break, Continue};

/// How many steps of one search are proven before it goes on in samples. A ball needs five; a box that
/// tumbles away from a floor some hundred; only motions whose bounds say nothing about their closeness need
/// more.
const MAX_PROVEN_STEPS: u32 = 2048;
/// How many grazes are followed up in one search. After that each one costs the rest of its cell of samples:
/// a pair that trembles at the edge of the touch band would else graze at every tick.
const MAX_GRAZES: u32 = 64;
/// How often an interval is halved in the hope of bounds.
const MAX_HALVINGS: u32 = 6;

/// What counts as small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// Surfaces closer than this touch.
    pub(crate) touch: f64,
    /// The resolution of time.
    pub(crate) tick: f64,
}

/// How two objects have been to each other so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Nothing is known: their first contact counts.
    Apart,
    /// They touch, or overlap, and it is settled: only a contact after they have been apart by more than the
    /// touch band counts.
    Settled,
}

/// How an interval ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    /// They do not touch, or only graze. `apart` tells whether they were apart by more than the touch band at
    /// any time.
    None {
        /// See above.
        apart: bool,
    },
    /// They touch at `time` and overlap after it.
    ///
    /// Without a jump their gap at `time` is not negative and closes within one tick, unless they are in the
    /// touch band, slightly overlapping, from the start. With a jump they overlap at `time`, and were apart
    /// one tick before.
    Impact {
        /// When.
        time: f64,
        /// Whether a law made them overlap by a jump.
        jump: bool,
    },
    /// They come into the touch band at `time`, and are not seen to leave it or to overlap until the end.
    /// This includes pairs that come so late that the interval ends before they overlap.
    Touch {
        /// When.
        time: f64,
    },
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    /// No contact before it was missed.
    Proven,
    /// There are bounds, but too wide ones to end within the patience: the rest was sampled.
    Exhausted,
    /// A law has no bounds: the rest was sampled.
    Sampled,
}

/// The answer to a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// How the interval ends.
    pub(crate) meeting: Meeting,
    /// What that rests on.
    pub(crate) basis: Basis,
}

/// Why a search has no answer. The caller knows the names and places to say it with.
#[derive(Clone, Debug)]
pub(crate) enum SearchError {
    /// A law failed.
    Law(Box<Diagnostic>),
    /// There is no distance between these shapes, or rounding forbids an answer.
    Distance(QueryError),
}

/// The first contact of `a` and `b` between `from` and `to`.
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
    let mut search = Search { a, b, from, to, scales, scratch, basis: Basis::Proven, steps: 0 };
    let meeting = search.run(relation)?;
    Ok(Found { meeting, basis: search.basis })
}

/// How two objects lie at one instant.
#[derive(Clone, Debug)]
struct Snapshot {
    time: f64,
    /// The signed separation s.
    gap: f64,
    /// The unit normal, from A to B.
    normal: Vec3,
    /// How far A reaches from its origin along the normal, and B from its own against it.
    reach: [f64; 2],
    /// How fast the normal turns, by the look before; zero if there was none.
    turn: Vec3,
    a: Placed,
    b: Placed,
}

impl Snapshot {
    /// From the origin of A to that of B.
    fn way(&self) -> Vec3 {
        self.b.pose.translation - self.a.pose.translation
    }

    /// The same look, next after `earlier`.
    fn after(self, earlier: &Self) -> Self {
        // The sine of the angle is as good as the angle where that is small; elsewhere the normal has jumped.
        let small = self.normal.dot(earlier.normal) > 0.9;
        let turn = earlier.normal.cross(self.normal) / (self.time - earlier.time);
        Self { turn: if small && turn.is_finite() { turn } else { Vec3::ZERO }, ..self }
    }
}

/// Two looks between which a contact begins.
#[derive(Debug)]
struct ContactBracket {
    /// The last look at which they are apart.
    before: Snapshot,
    /// The first at which they touch or overlap.
    at: Snapshot,
    step: Continuity,
}

/// What is known of the way from one look to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continuity {
    /// It is continuous.
    Steady,
    /// Some law jumps between them, and they are one tick apart.
    Jump,
    /// Nothing.
    Unknown,
}

struct Search<'s> {
    a: &'s mut dyn Mover,
    b: &'s mut dyn Mover,
    from: f64,
    to: f64,
    scales: Scales,
    scratch: &'s mut Scratch,
    basis: Basis,
    /// How many steps of the proof were made.
    steps: u32,
}

impl Search<'_> {
    fn run(&mut self, relation: Relation) -> Result<Meeting, SearchError> {
        let touch = self.scales.touch;
        let (a, b) = (self.a.place(self.from), self.b.place(self.from));
        let (a, b) = (a.map_err(SearchError::Law)?, b.map_err(SearchError::Law)?);
        let mut whole = self.approach(self.from, self.to, &a, &b);
        // Most pairs of a gas end here, with one place and one bound each.
        if whole.as_ref().is_some_and(|approach| approach.keeps_away(touch)) {
            return Ok(Meeting::None { apart: true });
        }
        let mut here = self.measure(self.from, a, b)?;
        // Whoever overlaps from the start has never met: nothing happens until they have been apart.
        if here.gap < -touch || (relation == Relation::Settled && here.gap <= touch) {
            match self.wait_until_apart(here, whole.take())? {
                Some(apart) => here = apart,
                None => return Ok(Meeting::None { apart: false }),
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
                    self.rests_on(Basis::Exhausted);
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

    /// How they lie at `time`.
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

    /// What the objects, now placed at `from`, can do until `to`; `None` without bounds.
    fn approach(&mut self, from: f64, to: f64, a: &Placed, b: &Placed) -> Option<Approach> {
        let bounds_a = self.a.bounds(from, to)?;
        let bounds_b = self.b.bounds(from, to)?;
        Approach::new(&bounds_a, &bounds_b, a, b, to - from)
    }

    /// The same for an interval that starts at a look and has the length `span` or, where there are no bounds
    /// for it, is up to 2^6 times shorter but not below that part of the whole search. `None` without any.
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

    /// The answer that rests on less wins.
    fn rests_on(&mut self, basis: Basis) {
        self.basis = self.basis.max(basis);
    }
}
