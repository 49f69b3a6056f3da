//! Closest parts of two objects: the narrow phase, and a way around its rounding.

use super::features::FLAT_SINE;
use super::{COORDINATE_ROUNDING, EQUAL_TOLERANCE, sine};
use crate::contexts::trajectory::bounds::Placed;
use gedanken_geometry::narrow::{Distance, Manifold, QueryError, Scratch, distance, manifolds};
use gedanken_geometry::{Shape, Solid};
use gedanken_math::{Pose, Vec3};

/// Distance by which a body is pulled back, relative to its size.
const PULL_BACK: f64 = 1e-3;
/// Maximum number of guesses of a normal.
const MAX_NORMAL_GUESSES: u32 = 64;

/// Two convex parts as the narrow phase reports them.
#[derive(Debug)]
pub(crate) struct Closest {
    /// Numbers of the parts in the two objects.
    pub(crate) parts: [u32; 2],
    /// Unit normal, from A to B.
    pub(crate) normal: Vec3,
    /// Points at which they are closest, or deepest in each other.
    pub(crate) point_a: Vec3,
    pub(crate) point_b: Vec3,
}

/// Returns the separation of two objects: the gap, negative if they overlap, the unit normal from A to B, and
/// the closest points of A and B.
///
/// # Errors
/// Those of [`distance`], but less often.
pub(crate) fn separation(
    a: &Placed,
    b: &Placed,
    scratch: &mut Scratch,
) -> Result<(f64, Vec3, Vec3, Vec3), QueryError> {
    match distance(&a.shape, &a.pose, &b.shape, &b.pose, scratch) {
        Ok(Distance::Separated(it)) => Ok((it.distance, it.normal, it.point_a, it.point_b)),
        Ok(Distance::Overlapping(it)) => Ok((-it.depth, it.normal, it.point_a, it.point_b)),
        Err(error @ QueryError::Unsettled { .. }) => {
            let found = pulled_back(a, b, scratch).ok_or(error)?;
            let Closest { normal, point_a, point_b, .. } = found[0];
            Ok((normal.dot(point_b - point_a), normal, point_a, point_b))
        }
        Err(error) => Err(error),
    }
}

/// Returns all parts that are about as close as the closest; at least one.
///
/// # Errors
/// Those of [`distance`].
pub(crate) fn closest(a: &Placed, b: &Placed, scratch: &mut Scratch) -> Result<Vec<Closest>, QueryError> {
    Ok(match seen(a, b, scratch) {
        Ok((gap, found)) if has_rim([a, b]) && gap.abs() <= FLAT_SINE * size_of(a, b) => {
            pulled_back(a, b, scratch).unwrap_or(found)
        }
        Ok((_, found)) => found,
        Err(error @ QueryError::Unsettled { .. }) => pulled_back(a, b, scratch).ok_or(error)?,
        Err(error) => return Err(error),
    })
}

/// Returns the closest points of a ball and another ball, or a box, by a closed form. `None` for all other
/// pairs.
///
/// # Errors
/// Those of [`distance`].
pub(crate) fn closest_to_ball(
    a: &Placed,
    b: &Placed,
    scratch: &mut Scratch,
) -> Result<Option<Closest>, QueryError> {
    match (&a.shape, &b.shape) {
        (Shape::Sphere(_), Shape::Sphere(_) | Shape::Cuboid(_)) | (Shape::Cuboid(_), Shape::Sphere(_)) => {
            let (_, normal, point_a, point_b) = separation(a, b, scratch)?;
            Ok(Some(Closest { parts: [0; 2], normal, point_a, point_b }))
        }
        _ => Ok(None),
    }
}

/// Returns the gap of two objects, and all parts that are about as close as the closest; at least one.
fn seen(a: &Placed, b: &Placed, scratch: &mut Scratch) -> Result<(f64, Vec<Closest>), QueryError> {
    let (gap, place) = match distance(&a.shape, &a.pose, &b.shape, &b.pose, scratch)? {
        Distance::Separated(it) => (it.distance, it.point_a),
        Distance::Overlapping(it) => (-it.depth, it.point_a),
    };
    let band = FLAT_SINE * size_of(a, b) + COORDINATE_ROUNDING * place.abs().max_element();
    let mut found = Vec::new();
    manifolds(&a.shape, &a.pose, &b.shape, &b.pose, gap.max(0.0) + band, scratch, &mut found)?;
    let closest = |it: &Manifold| {
        let deepest = it.points()[0];
        Closest { parts: it.parts, normal: it.normal, point_a: deepest.point_a, point_b: deepest.point_b }
    };
    if found.is_empty() {
        // The same query within a bound that it meets: only rounding could have lost what was found without.
        return Err(QueryError::Unsettled { query: "the contact", iterations: 0, error: band });
    }
    Ok((gap, found.iter().map(closest).collect()))
}

/// Returns `true` if two convex shapes may meet on a round rim.
fn has_rim(pair: [&Placed; 2]) -> bool {
    pair.iter().all(|it| it.shape.convex().is_some())
        && pair.iter().any(|it| matches!(it.shape, Shape::Cylinder(_) | Shape::Cone(_)))
}

/// Size of the smaller one.
fn size_of(a: &Placed, b: &Placed) -> f64 {
    let [a, b] = [a, b].map(|it| it.shape.bounds(&it.pose).size().length());
    a.min(b)
}

/// Returns the closest parts of round rims that touch, where rounding stops the narrow phase or costs it half
/// of its digits: B is pulled back, and the query is made there. `None` if that does not converge either.
///
/// Two bodies that touch stay closest at the same points, along the same normal, if one is pulled back along
/// it. So the normal of bodies pulled back by h along a guess is a better guess, by a factor of about h /
/// size, and the limit is the answer.
fn pulled_back(a: &Placed, b: &Placed, scratch: &mut Scratch) -> Option<Vec<Closest>> {
    let [from, to] = [a, b].map(|it| it.shape.bounds(&it.pose).centre());
    let mut least = PULL_BACK * size_of(a, b);
    let mut normal = (to - from).try_normalize().unwrap_or(Vec3::X);
    let mut back = least;
    for _ in 0..MAX_NORMAL_GUESSES {
        let pose = Pose::new(b.pose.rotation, b.pose.translation + normal * back);
        match seen(a, &Placed { shape: b.shape.clone(), pose }, scratch) {
            Ok((gap, found)) if gap > 0.0 => {
                let better = found[0].normal;
                // A direction over this distance is known as well as its ends.
                let noise =
                    EQUAL_TOLERANCE + COORDINATE_ROUNDING * found[0].point_a.abs().max_element() / back;
                if sine(better, normal) <= noise {
                    let there = |it: Closest| Closest { point_b: it.point_b - normal * back, ..it };
                    return Some(found.into_iter().map(there).collect());
                }
                normal = better;
                back = least.max(0.25 * back);
            }
            Ok(_) => back *= 4.0,
            Err(_) => {
                back *= 4.0;
                least = back;
            }
        }
    }
    None
}
