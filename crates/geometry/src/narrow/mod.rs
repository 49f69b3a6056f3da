//! Narrow phase: closest points of two shapes, overlap, penetration depth and contact points.
//!
//! One entry per query: [`distance`], [`contact`], [`intersects`], [`manifolds`]. Each sends a pair of shapes
//! to the routine for it: closed forms for balls, capsules and half-spaces, GJK ([`gjk`]) for the distance
//! and EPA ([`epa`]) for the depth of all other convex pairs, with Newton's method on round rims. Compounds
//! and meshes are queried part by part and triangle by triangle; the closest or deepest answer wins, the
//! first one of equals. Manifolds of the shapes most common in heaps (balls, boxes, half-spaces) have closed
//! forms of their own.
//!
//! Conventions: normals are of unit length and point from A to B; all points are in the world; touching
//! counts as contact, with a depth of zero. Shapes whose gap is positive but below the rounding of their
//! coordinates touch.

pub mod closed_form;
mod contact;
mod dispatch;
mod edge_normal;
pub mod epa;
mod feature;
pub mod gjk;
mod manifold;
mod manifolds;
mod refine_rims;
mod simplex;
mod triangle;

pub use contact::{Contact, Distance, QueryError, Separation};
pub use feature::{Feature, FeatureKind};
pub use manifold::{Manifold, ManifoldPoint};
pub use manifolds::{manifolds, pressing_manifolds};
pub use simplex::{Simplex, Vertex};

use crate::shape::{Convex, Shape};
use gedanken_math::Pose;

/// Memory for queries, lent by the caller and reused: queries allocate nothing.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(crate) simplex: Simplex,
    pub(crate) polytope: epa::Polytope,
    clip: manifold::Clip,
}

/// Returns the closest points of two shapes if they are apart, their contact if they touch or overlap.
///
/// # Errors
/// [`QueryError::BadPose`] for a pose that is not finite, [`QueryError::Unsupported`] for pairs without a
/// distance (two half-spaces, two meshes, a mesh and a half-space), [`QueryError::Unsettled`] where rounding
/// forbids an answer.
pub fn distance(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    scratch: &mut Scratch,
) -> Result<Distance, QueryError> {
    gjk::finite(pose_a, pose_b)?;
    let mut nearest = dispatch::Nearest::any();
    dispatch::closest(a, pose_a, b, pose_b, scratch, &mut nearest)?;
    let found = nearest.found.ok_or(dispatch::unsupported("distance", a, b))?;
    Ok(found.distance())
}

/// Returns the same for two bounded convex bodies that are not among the [`Shape`]s; `None` if they are
/// farther than `within` apart.
///
/// # Errors
/// As [`distance`], but for unsupported pairs.
pub fn convex_distance<A: Convex + ?Sized, B: Convex + ?Sized>(
    a: &A,
    pose_a: &Pose,
    b: &B,
    pose_b: &Pose,
    within: f64,
    scratch: &mut Scratch,
) -> Result<Option<Distance>, QueryError> {
    gjk::finite(pose_a, pose_b)?;
    let found = dispatch::convex(a, pose_a, b, pose_b, within, scratch)?;
    Ok(found.filter(|closest| closest.gap <= within).map(contact::Closest::distance))
}

/// The contact of two shapes; `None` if they are apart.
///
/// # Errors
/// As [`distance`].
pub fn contact(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    scratch: &mut Scratch,
) -> Result<Option<Contact>, QueryError> {
    gjk::finite(pose_a, pose_b)?;
    let mut nearest = dispatch::Nearest::within(0.0);
    dispatch::closest(a, pose_a, b, pose_b, scratch, &mut nearest)?;
    Ok(nearest.found.and_then(|found| match found.distance() {
        Distance::Overlapping(contact) => Some(contact),
        Distance::Separated(_) => None,
    }))
}

/// Returns `true` if two shapes overlap or touch.
///
/// # Errors
/// As [`distance`].
pub fn intersects(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    scratch: &mut Scratch,
) -> Result<bool, QueryError> {
    gjk::finite(pose_a, pose_b)?;
    dispatch::intersects(a, pose_a, b, pose_b, scratch)
}
