//! Contacts of two capsules.

use super::ShapeContact;
use super::placed::Placed;
use super::sphere::{self, Ball, clamp};

/// A capsule in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capsule {
    /// Where it is.
    pub(super) placed: Placed,
    /// Radius.
    pub(super) radius: f64,
    /// Half of the length of its axis.
    pub(super) half_length: f64,
}

impl Capsule {
    /// The ball about the point of the axis at this distance from its middle.
    fn ball(&self, along: f64) -> Ball {
        Ball::of(&self.placed, self.placed.z() * along + self.placed.centre, self.radius)
    }
}

/// Squared sine of the angle below which two axes are parallel.
const PARALLEL: f64 = 1e-8;

/// Contacts of two capsules: one at the nearest points of their axes, or two if these are parallel.
pub(super) fn capsule(first: &Capsule, second: &Capsule, margin: f64, out: &mut Vec<ShapeContact>) {
    if first.placed.z().cross(second.placed.z()).length_squared() < PARALLEL {
        for (x, y) in overlap(first, second) {
            out.extend(sphere::sphere(&first.ball(x), &second.ball(y), margin));
        }
    } else {
        let (x, y) = nearest(first, second);
        out.extend(sphere::sphere(&first.ball(x), &second.ball(y), margin));
    }
}

/// Returns the nearest points of two axes that are not parallel.
fn nearest(first: &Capsule, second: &Capsule) -> (f64, f64) {
    let (a, b) = (first.placed.z(), second.placed.z());
    let (most_x, most_y) = (first.half_length, second.half_length);
    let between = first.placed.centre - second.placed.centre;
    let cosine = a.dot(b);
    let (u, v) = (-a.dot(between), b.dot(between));
    let mut x = clamp((u + cosine * v) / a.cross(b).length_squared(), most_x);
    let mut y = v + cosine * x;
    if y.abs() > most_y {
        y = clamp(y, most_y);
        x = clamp(u + cosine * y, most_x);
    }
    (x, y)
}

/// Returns the two ends of the part along which parallel axes lie side by side, in the sense of the first.
///
/// An end of the second axis is paired with its projection on the first, and the other way round; axes that
/// do not lie side by side have both pairs at their nearest ends.
fn overlap(first: &Capsule, second: &Capsule) -> [(f64, f64); 2] {
    let (a, b) = (first.placed.z(), second.placed.z());
    let (most_x, most_y) = (first.half_length, second.half_length);
    let between = second.placed.centre - first.placed.centre;
    let cosine = a.dot(b);
    let sense = if cosine < 0.0 { -1.0 } else { 1.0 };
    [-1.0, 1.0].map(|side| {
        let end = a.dot(between) + side * most_y * cosine.abs();
        if side * end < most_x {
            (clamp(end, most_x), side * sense * most_y)
        } else {
            let x = side * most_x;
            (x, clamp(cosine * x - b.dot(between), most_y))
        }
    })
}
