//! Contacts of two capsules.

use super::ShapeContact;
use super::placed::{Placed, TINY};
use super::sphere::{self, Ball, clamp};
use gedanken_math::Vec3;

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
    /// The ball about the point of the axis at this share of its half.
    fn ball(&self, half_axis: Vec3, share: f64) -> Ball {
        Ball::of(&self.placed, half_axis * share + self.placed.centre, self.radius)
    }
}

/// Contacts of two capsules: one at the nearest points of their axes, or up to two if these are parallel.
pub(super) fn capsule(first: &Capsule, second: &Capsule, margin: f64, out: &mut Vec<ShapeContact>) {
    let a = first.placed.z() * first.half_length;
    let b = second.placed.z() * second.half_length;
    let between = first.placed.centre - second.placed.centre;
    let (aa, ab, bb) = (a.dot(a), -a.dot(b), b.dot(b));
    let (u, v) = (-a.dot(between), b.dot(between));
    let determinant = aa * bb - ab * ab;
    if determinant.abs() < TINY {
        return parallel(first, second, margin, out);
    }
    let mut x = (bb * u - ab * v) / determinant;
    let mut y = (aa * v - ab * u) / determinant;
    if x > 1.0 {
        x = 1.0;
        y = (v - ab) / bb;
    } else if x < -1.0 {
        x = -1.0;
        y = (v + ab) / bb;
    }
    if y > 1.0 {
        y = 1.0;
        x = clamp((u - ab) / aa, 1.0);
    } else if y < -1.0 {
        y = -1.0;
        x = clamp((u + ab) / aa, 1.0);
    }
    out.extend(sphere::sphere(&first.ball(a, x), &second.ball(b, y), margin));
}

/// Contacts of parallel capsules: at the ends of the first axis, then at those of the second, two at most.
fn parallel(first: &Capsule, second: &Capsule, margin: f64, out: &mut Vec<ShapeContact>) {
    let a = first.placed.z() * first.half_length;
    let b = second.placed.z() * second.half_length;
    let between = first.placed.centre - second.placed.centre;
    let (aa, ab, bb) = (a.dot(a), -a.dot(b), b.dot(b));
    let (u, v) = (-a.dot(between), b.dot(between));
    let before = out.len();
    for (x, y) in [
        (1.0, clamp((v - ab) / bb, 1.0)),
        (-1.0, clamp((v + ab) / bb, 1.0)),
        (clamp((u - ab) / aa, 1.0), 1.0),
        (clamp((u + ab) / aa, 1.0), -1.0),
    ] {
        out.extend(sphere::sphere(&first.ball(a, x), &second.ball(b, y), margin));
        // The second end of the first axis is tried even where the first one touches.
        if out.len() - before >= 2 {
            return;
        }
    }
}
