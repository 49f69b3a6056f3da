//! Convex hulls from points: the exact polytope first, then its faces to rounding.
//!
//! Two stages, each a function of the *set* of points alone, so that neither their order nor repetitions
//! change a bit:
//!
//! 1. quickhull (@barber1996) on the exact sign of the determinant (@shewchuk1997). No tolerance anywhere:
//!    the result is the convex hull of the given numbers, triangle by triangle. Exactly coplanar triangles
//!    are one face, vertices in the inside of a face or of an edge are none: what remains are the extreme
//!    points and the true faces.
//! 2. faces that are coplanar to rounding become one ([`rounding`]): a cube that was rotated has six faces
//!    again, not twelve, and a rotated grid eight vertices, not hundreds.
//!
//! Invariant: the surface is closed, every edge has two faces, V − E + F = 2; every input point is on or
//! below every face, exactly after the first stage and by no more than a few [`rounding`]s after the second.

mod area;
mod half_edges;
mod merge;
mod orientation;
mod quickhull;
mod simplex;

use crate::error::ShapeError;
pub(crate) use area::{area_vector, six_volumes};
use gedanken_math::Vec3;
pub use half_edges::HalfEdges;
use std::borrow::Cow;

/// A closed surface of convex polygons.
#[derive(Debug, Clone)]
pub struct Polytope {
    /// The vertices, in increasing order of (x, y, z).
    pub vertices: Vec<Vec3>,
    /// Faces and their connections.
    pub surface: HalfEdges,
}

/// Returns the largest distance from a plane of a point that was meant to lie in it: 16 ε times the largest
/// coordinate.
///
/// A point that is rotated and moved in floating point is wrong by at most 4 roundings, ε/2 of the largest
/// coordinate each, in every coordinate: by √3 · 4 · √3 · ε/2 = 6 ε from its plane; the plane itself, laid
/// through such points, is wrong by as much where it is not extended, and by twice as much elsewhere.
#[must_use]
pub fn rounding(points: &[Vec3]) -> f64 {
    16.0 * f64::EPSILON * largest_coordinate(points)
}

/// The convex hull of the points: the first stage alone, without any tolerance.
///
/// Coordinates smaller than 2⁻³⁰⁰ of the largest count as zero, so that no determinant can underflow. Points
/// that span no volume to [`rounding`] are refused.
pub fn exact(points: &[Vec3]) -> Result<Polytope, ShapeError> {
    check(points)?;
    let within_range = within_range(points);
    let triangles = quickhull::hull(&within_range)?;
    let (used, surface) = merge::exactly_coplanar(&within_range, triangles).canonical(points);
    // Adding zero makes -0 and 0, which are equal, the same bits.
    let vertices = used.into_iter().map(|i| points[i as usize] + Vec3::ZERO).collect();
    Ok(Polytope { vertices, surface })
}

/// The convex hull of the points, with faces merged that are coplanar to [`rounding`].
pub fn convex(points: &[Vec3]) -> Result<Polytope, ShapeError> {
    convex_within(points, 0.0)
}

/// The convex hull of the points, with faces merged that are coplanar to `flatness` times the largest
/// coordinate, or to [`rounding`] if that is more.
///
/// For points that were rounded before they came here: coordinates stored as `f32` make a hundred slivers of
/// what was one face.
pub fn convex_within(points: &[Vec3], flatness: f64) -> Result<Polytope, ShapeError> {
    let exact = exact(points)?;
    // Near one, so that squares of areas are numbers; powers of two change nothing else.
    let exponent = exponent(&exact.vertices);
    let near_one: Vec<Vec3> = exact.vertices.iter().map(|&v| scaled(v, exponent)).collect();
    let delta = rounding(&near_one).max(flatness * largest_coordinate(&near_one));
    let Some(surface) = merge::nearly_coplanar(&near_one, &exact.surface, delta) else {
        return Ok(exact);
    };
    let (used, surface) = surface.canonical(&exact.vertices);
    Ok(Polytope { vertices: used.into_iter().map(|i| exact.vertices[i as usize]).collect(), surface })
}

/// Refuses points without a hull: too few of them, or coordinates that are not finite.
fn check(points: &[Vec3]) -> Result<(), ShapeError> {
    if let Some(index) = points.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite { shape: "convex hull", field: "point", index });
    }
    match points.len() {
        0 => Err(ShapeError::NoPoints),
        n @ 1..4 => Err(ShapeError::TooFewPoints(n)),
        _ => Ok(()),
    }
}

/// The points, scaled by a power of two if products of three coordinates could overflow or underflow.
///
/// The bits of a coordinate above 2⁻³⁰⁰ reach down to 2⁻³⁵³, those of a product of three to 2⁻¹⁰⁵⁹: above the
/// last bit of an f64, 2⁻¹⁰⁷⁴, so every error term of the exact predicate is itself a number.
fn within_range(points: &[Vec3]) -> Cow<'_, [Vec3]> {
    let tiny = libm::ldexp(1.0, -300);
    let huge = libm::ldexp(1.0, 300);
    let fits = |x: f64| x == 0.0 || (tiny..huge).contains(&x.abs());
    if points.iter().all(|p| fits(p.x) && fits(p.y) && fits(p.z)) {
        return Cow::Borrowed(points);
    }
    let exponent = exponent(points);
    let flushed = |x: f64| if x.abs() < tiny { 0.0 } else { x };
    let fitted = |p: &Vec3| {
        let p = scaled(*p, exponent);
        Vec3::new(flushed(p.x), flushed(p.y), flushed(p.z))
    };
    Cow::Owned(points.iter().map(fitted).collect())
}

fn largest_coordinate(points: &[Vec3]) -> f64 {
    points.iter().fold(Vec3::ZERO, |most, p| most.max(p.abs())).max_element()
}

/// The power of two just above the largest coordinate.
fn exponent(points: &[Vec3]) -> i32 {
    libm::frexp(largest_coordinate(points)).1
}

/// The point divided by two to that power.
fn scaled(p: Vec3, exponent: i32) -> Vec3 {
    Vec3::new(libm::ldexp(p.x, -exponent), libm::ldexp(p.y, -exponent), libm::ldexp(p.z, -exponent))
}
