//! Four points that span a volume, to start from; or why there are none.
//!
//! Far apart, so that most of the other points are inside at once: two at the ends of the longest axis, a
//! third far from their line, a fourth far from their plane. Each choice may be rough, but that the four are
//! not coplanar is exact.
//!
//! Points that are all within rounding of one point, line or plane are refused: the volume they span is
//! noise.

use super::orientation::{collinear, side};
use super::rounding;
use crate::error::ShapeError;
use gedanken_math::Vec3;
use std::cmp::Ordering;

/// Four points, the fourth below the plane of the others.
pub(super) fn start(points: &[Vec3]) -> Result<[u32; 4], ShapeError> {
    let noise = rounding(points);
    let (low, high) = ends(points);
    let a = points[low];
    if (points[high] - a).max_element() <= noise
        && points.iter().all(|p| (p - a).abs().max_element() <= noise)
    {
        return Err(ShapeError::AllEqual(points.len()));
    }

    let along = (points[high] - a).normalize();
    // Heights, not squares: those of the smallest numbers vanish.
    let (third, height) = farthest(points, |p| along.cross(p - a).length());
    let b = points[high];
    if height <= noise {
        return Err(ShapeError::AllCollinear(points.len()));
    }
    let third = if collinear(a, b, points[third]) {
        points.iter().position(|&p| !collinear(a, b, p)).ok_or(ShapeError::AllCollinear(points.len()))?
    } else {
        third
    };

    let c = points[third];
    let across = c - a;
    let normal = along.cross(across - along * along.dot(across)).normalize();
    let (fourth, height) = farthest(points, |p| normal.dot(p - a).abs());
    if height <= noise {
        return Err(ShapeError::AllCoplanar(points.len()));
    }
    let fourth = if side([a, b, c], points[fourth]).is_eq() {
        points
            .iter()
            .position(|&p| side([a, b, c], p).is_ne())
            .ok_or(ShapeError::AllCoplanar(points.len()))?
    } else {
        fourth
    };
    let [i, j, k, l] = [low, high, third, fourth].map(|i| i as u32);
    Ok(match side([a, b, c], points[fourth]) {
        Ordering::Greater => [i, k, j, l],
        _ => [i, j, k, l],
    })
}

/// The points at the two ends of the axis along which they reach farthest.
fn ends(points: &[Vec3]) -> (usize, usize) {
    let mut low = [0; 3];
    let mut high = [0; 3];
    for (i, p) in points.iter().enumerate() {
        for k in 0..3 {
            if p[k] < points[low[k]][k] {
                low[k] = i;
            }
            if p[k] > points[high[k]][k] {
                high[k] = i;
            }
        }
    }
    let length = |k: usize| points[high[k]][k] - points[low[k]][k];
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    (low[longest], high[longest])
}

/// The first of the points with the largest value, and the value.
fn farthest(points: &[Vec3], value: impl Fn(Vec3) -> f64) -> (usize, f64) {
    let mut best = (0, -1.0);
    for (i, &p) in points.iter().enumerate() {
        let v = value(p);
        if v > best.1 {
            best = (i, v);
        }
    }
    best
}
