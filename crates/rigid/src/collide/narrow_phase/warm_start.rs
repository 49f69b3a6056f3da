//! Warm starts: the impulses of the last step, as far as they last, given to the points of this one that
//! continue those of the last.
//!
//! A point continues the one that was made by the same features. Where features flip (a box that turns on its
//! corner, a face that becomes the other's reference) it continues the nearest point that is left, if that is
//! nearer than any other resting place would be. What an impulse is given to decides how fast a solver
//! converges, not to what.

use crate::collide::contact_table::{Touch, TouchPoint};
use gedanken_math::Vec3;

/// Largest distance of a point from the old one that it continues, in parts of the smaller width of both
/// bodies.
const SAME_POINT_RATIO: f64 = 0.2;

/// Key of a touch; see [`Touch::key`].
type Key = (u32, u32, [u32; 2]);

/// A walk through the contacts of the last step. Keys must be asked for in order.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    left: &'a [Touch],
}

impl<'a> Walk<'a> {
    pub(super) fn new(touches: &'a [Touch]) -> Self {
        Self { left: touches }
    }

    /// The contact of this key, if there was one.
    pub(super) fn find(&mut self, key: Key) -> Option<&'a Touch> {
        let behind = self.left.iter().position(|touch| touch.key() >= key).unwrap_or(self.left.len());
        self.left = &self.left[behind..];
        self.left.first().filter(|touch| touch.key() == key)
    }
}

/// Gives the points of a contact the impulses of those that they continue; `width` is the smaller one of both
/// bodies.
pub(super) fn carry_over(old: &Touch, new: &mut Touch, width: f64) {
    let mut taken = [false; 4];
    let mut settled = [false; 4];
    let n = new.normal;
    let give = |point: &mut TouchPoint, k: usize| {
        point.normal_impulse = old.points[k].normal_impulse * old.lasting;
        let friction = old.points[k].friction_impulse * old.lasting;
        point.friction_impulse = friction - n * n.dot(friction);
    };
    for (settled, point) in settled.iter_mut().zip(new.points_mut()) {
        let same = |k: &usize| !taken[*k] && old.points[*k].features == point.features;
        if let Some(k) = (0..old.points().len()).find(same) {
            give(point, k);
            (taken[k], *settled) = (true, true);
        }
    }
    for (_, point) in settled.iter().zip(new.points_mut()).filter(|(settled, _)| !**settled) {
        let mut best: Option<(f64, usize)> = None;
        for (k, was) in old.points().iter().enumerate().filter(|(k, _)| !taken[*k]) {
            let off = distance(point, was);
            if off <= (SAME_POINT_RATIO * width) * (SAME_POINT_RATIO * width)
                && best.is_none_or(|(least, _)| off < least)
            {
                best = Some((off, k));
            }
        }
        if let Some((_, k)) = best {
            give(point, k);
            taken[k] = true;
        }
    }
}

/// Squared distance of a point from an old one, in the frame of the body on which it moved less.
fn distance(new: &TouchPoint, old: &TouchPoint) -> f64 {
    let off = |new: Vec3, old: Vec3| (new - old).length_squared();
    off(new.arm_a, old.arm_a).min(off(new.arm_b, old.arm_b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_geometry::narrow::Feature;

    fn touch(points: &[(f64, u32, f64)]) -> Touch {
        let mut touch = Touch { normal: Vec3::Z, a: 1, b: 2, ..Touch::BLANK };
        for &(x, vertex, impulse) in points {
            let point = &mut touch.points[usize::from(touch.count)];
            (point.arm_a, point.arm_b) = (Vec3::X * x, Vec3::X * x);
            point.features = [Feature::face(0), Feature::vertex(vertex)];
            point.normal_impulse = impulse;
            point.friction_impulse = Vec3::new(impulse, 0.0, 0.5);
            touch.count += 1;
        }
        touch
    }

    fn impulses(touch: &Touch) -> Vec<f64> {
        touch.points().iter().map(|point| point.normal_impulse).collect()
    }

    #[test]
    fn features_come_first_then_the_nearest_then_nothing() {
        let old = touch(&[(0.0, 1, 1.0), (1.0, 2, 2.0), (2.0, 3, 3.0), (3.0, 4, 4.0)]);
        // The same features in another order, wherever they went.
        let mut new = touch(&[(9.0, 4, 0.0), (8.0, 3, 0.0), (7.0, 2, 0.0), (6.0, 1, 0.0)]);
        carry_over(&old, &mut new, 1.0);
        assert_eq!(impulses(&new), [4.0, 3.0, 2.0, 1.0]);
        // One kept, one that flipped its features where it stood, one from nowhere.
        let mut new = touch(&[(1.01, 9, 0.0), (0.0, 1, 0.0), (1.5, 8, 0.0)]);
        carry_over(&old, &mut new, 1.0);
        assert_eq!(impulses(&new), [2.0, 1.0, 0.0]);
        // No impulse is given twice.
        let mut new = touch(&[(1.01, 9, 0.0), (0.99, 8, 0.0)]);
        carry_over(&old, &mut new, 1.0);
        assert_eq!(impulses(&new), [2.0, 0.0]);
        // Friction stays across the normal.
        assert_eq!(new.points()[0].friction_impulse, Vec3::new(2.0, 0.0, 0.0));
    }

    #[test]
    fn a_walk_finds_every_key_that_is_there() {
        let keys = [(1, 2, [0, 0]), (1, 2, [0, 3]), (1, 5, [0, 0]), (4, 9, [2, 2])];
        let touches = keys.map(|(a, b, parts)| Touch { a, b, parts, ..Touch::BLANK });
        let mut walk = Walk::new(&touches);
        for (key, there) in [
            ((1, 1, [0, 0]), false),
            (keys[0], true),
            ((1, 2, [0, 1]), false),
            (keys[1], true),
            (keys[3], true),
            ((5, 6, [0, 0]), false),
        ] {
            assert_eq!(walk.find(key).map(Touch::key), there.then_some(key));
        }
    }
}
