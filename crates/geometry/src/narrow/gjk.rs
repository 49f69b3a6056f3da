//! GJK: the distance of two convex bodies from their farthest points alone (@gilbert1988)
//! (@vandenbergen2003).
//!
//! The distance of A and B is that of the origin to A ⊖ B. A simplex in A ⊖ B walks towards the origin: its
//! closest point v gives the next direction -v, and the farthest vertex w that way either joins the simplex
//! or proves v closest, for
//!
//!   v·w / |v|  ≤  distance  ≤  |v|.
//!
//! The walk ends when this duality gap is down to rounding; the proof comes with the answer. It walks on
//! cores (see [`Convex`]) and adds the margins afterwards, so spheres and capsules are exact. All in A's
//! frame, so that far-away bodies lose no digits; the simplex can be kept from one query to the next, which
//! saves steps and changes the answer by rounding only. Nothing is allocated.

use super::contact::QueryError;
use super::simplex::{Difference, Simplex, Vertex};
use crate::shape::Convex;
use gedanken_math::{Pose, Vec3};

/// Maximum number of steps. Polytopes need about ten, round rims some dozens.
pub const MAX_ITERATIONS: u32 = 256;
/// Relative duality gap at which the walk has converged.
const CONVERGED: f64 = 1e-13;
/// Relative duality gap that is accepted where rounding stops the walk ...
const ACCEPTED: f64 = 1e-10;
/// ... and the same relative to the bodies' extent.
const ACCEPTED_OF_SIZE: f64 = 1e-11;
/// Distance from the origin, relative to the bodies' extent, at which v has lost its direction if rounding
/// stops the walk.
const TOUCHING: f64 = 1e-8;
/// Relative gap, and squared distance relative to the squared extent, above which the walk cannot be at its
/// end, so that convergence need not be tested.
const UNCONVERGED_GAP: f64 = 1e-3;
const UNCONVERGED_OF_SIZE: f64 = 1e-12;
/// Maximum number of steps in which neither the gap nor v shrinks by the progress ratio, before the walk ends
/// at rounding.
const MAX_STALLED_STEPS: u32 = 6;
const PROGRESS_RATIO: f64 = 0.9;
/// Rounding of a vertex, relative to the bodies' extent.
pub(crate) const VERTEX_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Two cores that do not overlap, in A's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreGap {
    /// Unit direction from A to B.
    pub normal: Vec3,
    /// The distance of the cores.
    pub distance: f64,
    /// The closest point of A's core, in A's frame.
    pub point_a: Vec3,
    /// The closest point of B's core, in A's frame.
    pub point_b: Vec3,
}

/// Result of GJK.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cores {
    /// The cores are apart.
    Apart(CoreGap),
    /// The cores overlap or touch to rounding; the simplex left in the cache holds the origin.
    Overlap,
}

/// Returns the closest points of two cores. The walk starts from the simplex in `cache` and leaves its last
/// one there.
pub fn distance<A: Convex + ?Sized, B: Convex + ?Sized>(
    a: &A,
    pose_a: &Pose,
    b: &B,
    pose_b: &Pose,
    cache: &mut Simplex,
) -> Result<Cores, QueryError> {
    finite(pose_a, pose_b)?;
    let found = walk(&Difference::new(a, pose_a, b, pose_b), cache, f64::INFINITY);
    let (cores, left) = found.expect("no distance is above infinity");
    left.map_or(Ok(cores), |gap| Err(unsettled(gap)))
}

/// Returns the error of a walk that rounding stopped too far from its end.
pub(crate) fn unsettled(gap: f64) -> QueryError {
    QueryError::Unsettled { query: "the distance", iterations: MAX_ITERATIONS, error: gap }
}

/// Returns `true` if this gap between lower and upper bound may be left where the cores are `distance` apart.
pub(crate) fn is_accepted(gap: f64, distance: f64, size: f64) -> bool {
    gap <= ACCEPTED * distance + ACCEPTED_OF_SIZE * size
}

/// Returns `true` if two bodies overlap or touch, margins included. Stops at the first separating plane. Does
/// not walk at all where balls inside the bodies overlap or balls around them do not.
pub fn intersects<A: Convex + ?Sized, B: Convex + ?Sized>(
    a: &A,
    pose_a: &Pose,
    b: &B,
    pose_b: &Pose,
    cache: &mut Simplex,
) -> Result<bool, QueryError> {
    finite(pose_a, pose_b)?;
    let difference = Difference::new(a, pose_a, b, pose_b);
    if let Some(answer) = difference.decided_by_balls() {
        return Ok(answer);
    }
    let margin = difference.margin();
    match run(&difference, cache, Question::IsWithin(margin)) {
        Walk::Overlap => Ok(true),
        Walk::Beyond | Walk::Apart { .. } => Ok(false),
        Walk::Stopped { gap, .. } => Err(unsettled(gap)),
    }
}

pub(crate) fn finite(pose_a: &Pose, pose_b: &Pose) -> Result<(), QueryError> {
    if !pose_a.is_finite() {
        return Err(QueryError::BadPose { which: "A" });
    }
    if !pose_b.is_finite() {
        return Err(QueryError::BadPose { which: "B" });
    }
    Ok(())
}

/// Query of a walk.
#[derive(Clone, Copy)]
enum Question {
    /// The closest points, unless they are farther apart than this.
    ClosestWithin(f64),
    /// Decides only whether the distance is above this.
    IsWithin(f64),
}

enum Walk {
    Overlap,
    /// The distance is above the bound of the query.
    Beyond,
    Apart {
        v: Vec3,
    },
    /// Rounding left a gap that is too large for an answer.
    Stopped {
        v: Vec3,
        gap: f64,
    },
}

/// Returns the closest points, and the gap that was left if it is too large for an answer; `None` once the
/// distance is proved to be above `within`.
pub(crate) fn walk<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    simplex: &mut Simplex,
    within: f64,
) -> Option<(Cores, Option<f64>)> {
    let (v, left) = match run(difference, simplex, Question::ClosestWithin(within)) {
        Walk::Overlap => return Some((Cores::Overlap, None)),
        Walk::Beyond => return None,
        Walk::Apart { v } => (v, None),
        Walk::Stopped { v, gap } => (v, Some(gap)),
    };
    let distance = v.length();
    let (point_a, b) = simplex.witnesses();
    let point_b = difference.b_to_a(b);
    Some((Cores::Apart(CoreGap { normal: -v / distance, distance, point_a, point_b }), left))
}

fn extent(size: f64, vertex: &Vertex) -> f64 {
    size.max(vertex.a.abs().max_element()).max(vertex.w.abs().max_element())
}

#[inline]
fn run<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    simplex: &mut Simplex,
    question: Question,
) -> Walk {
    let (beyond, enough) = match question {
        Question::ClosestWithin(bound) => (bound, 0.0),
        Question::IsWithin(bound) => (bound, bound),
    };
    let mut size = 0.0f64;
    // The first direction of a cold start is only a guess: v is not yet a point of the difference.
    let mut cold = simplex.len == 0;
    let mut v = difference.centres();
    if cold {
        if v == Vec3::ZERO {
            v = Vec3::X;
        }
    } else {
        for k in 0..simplex.len {
            let old = simplex.vertices[k];
            simplex.vertices[k] = difference.vertex(old.a, old.b);
            size = extent(size, &simplex.vertices[k]);
        }
        let Some(closest) = simplex.solve(false) else { return Walk::Overlap };
        v = closest;
    }
    let mut best = Best { gap: f64::INFINITY, v, simplex: Simplex::EMPTY };
    // The gap and |v|² of the last step.
    let (mut stalled, mut last) = (0, (f64::INFINITY, f64::INFINITY));
    for _ in 0..MAX_ITERATIONS {
        let squared = v.length_squared();
        let touching = enough + VERTEX_ROUNDING * size;
        if !cold && squared <= touching * touching {
            return Walk::Overlap;
        }
        let vertex = difference.support(-v);
        size = extent(size, &vertex);
        let along = v.dot(vertex.w);
        let apart = beyond + VERTEX_ROUNDING * size;
        if along > 0.0 && along * along > squared * apart * apart {
            return Walk::Beyond;
        }
        if cold {
            cold = false;
        } else if squared - along <= UNCONVERGED_GAP * squared || squared <= UNCONVERGED_OF_SIZE * size * size
        {
            let length = squared.sqrt();
            // |v| is an upper bound only as far as v is in the simplex; the weights say where the simplex
            // really is.
            let gap = length.max(simplex.point().length()) - along / length;
            if gap <= CONVERGED * length + VERTEX_ROUNDING * size {
                return Walk::Apart { v };
            }
            // A walk along a rim may leap, and then closes the gap once more from far away: as long as it
            // does, or v gets shorter, it is under way.
            let closing =
                gap < best.gap || gap < PROGRESS_RATIO * last.0 || squared < PROGRESS_RATIO * last.1;
            if gap < best.gap {
                best = Best { gap, v, simplex: *simplex };
            }
            last = (gap, squared);
            stalled = if closing { 0 } else { stalled + 1 };
            if stalled > MAX_STALLED_STEPS || simplex.holds(vertex.w) {
                return best.settle(simplex, size);
            }
        }
        let full = simplex.len == 3;
        simplex.push(vertex);
        let Some(next) = simplex.solve(full) else { return Walk::Overlap };
        v = next;
    }
    if best.gap < f64::INFINITY { best.settle(simplex, size) } else { Walk::Stopped { v, gap: best.gap } }
}

/// Best point so far. Near the end |v| cannot decide: turning v by the angle δ lowers it by δ² only, but the
/// gap by δ.
struct Best {
    gap: f64,
    v: Vec3,
    simplex: Simplex,
}

impl Best {
    /// Ends a walk that rounding stopped: with an answer if the remaining gap is small. Cores so close that
    /// the direction of v is rounding count as touching; the expanding polytope finds the normal of such a
    /// contact.
    fn settle(&self, simplex: &mut Simplex, size: f64) -> Walk {
        *simplex = self.simplex;
        let (v, gap) = (self.v, self.gap);
        if is_accepted(gap, v.length(), size) {
            Walk::Apart { v }
        } else if v.length() <= TOUCHING * size {
            Walk::Overlap
        } else {
            Walk::Stopped { v, gap }
        }
    }
}
