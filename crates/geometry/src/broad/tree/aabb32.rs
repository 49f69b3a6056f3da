//! Boxes of half the size, for nodes: corners in `f32` about an origin, rounded outwards.
//!
//! In a large tree most of the time goes into waiting for memory, and two such boxes fit into a cache line
//! with all else that a node holds. Each holds the `f64` box that it is made from, so a search by these boxes
//! misses nothing; the difference is a few 10⁻⁷ of the distance from the origin.

use crate::bounds::Aabb;
use gedanken_math::Vec3;

/// A box in `f32`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aabb32 {
    min: [f32; 3],
    max: [f32; 3],
}

/// Maximum shift of a corner outwards, relative to it: two roundings, and one of the shift.
const RELATIVE_WIDENING: f32 = 4.0 * f32::EPSILON;
/// Maximum shift where numbers are so small that they lose digits.
const MIN_WIDENING: f32 = 16.0 * f32::MIN_POSITIVE;

impl Aabb32 {
    /// No point at all: the neutral element of [`Aabb32::union`].
    pub(super) const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// Returns the smallest box that surely holds this one, shifted by minus the origin.
    pub(super) fn around(aabb: &Aabb, origin: Vec3) -> Self {
        let (min, max) = (aabb.min - origin, aabb.max - origin);
        Self {
            min: [below(min.x), below(min.y), below(min.z)],
            max: [above(max.x), above(max.y), above(max.z)],
        }
    }

    /// Returns a box in `f64` that surely holds this one, shifted back.
    pub(super) fn shown(&self, origin: Vec3) -> Aabb {
        let wide = |corner: [f32; 3]| Vec3::from_array(corner.map(f64::from)) + origin;
        let (min, max) = (wide(self.min).to_array(), wide(self.max).to_array());
        Aabb::new(Vec3::from_array(min.map(f64::next_down)), Vec3::from_array(max.map(f64::next_up)))
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        let axis = [0, 1, 2];
        Self {
            min: axis.map(|i| if other.min[i] < self.min[i] { other.min[i] } else { self.min[i] }),
            max: axis.map(|i| if other.max[i] > self.max[i] { other.max[i] } else { self.max[i] }),
        }
    }

    #[inline]
    pub(super) fn intersects(&self, other: &Self) -> bool {
        // No short circuits: six comparisons cost less than one branch that is guessed wrong.
        (self.min[0] <= other.max[0])
            & (other.min[0] <= self.max[0])
            & (self.min[1] <= other.max[1])
            & (other.min[1] <= self.max[1])
            & (self.min[2] <= other.max[2])
            & (other.min[2] <= self.max[2])
    }

    /// Returns `true` if the boxes that these were made from surely intersect: the overlap is wider than all
    /// rounding.
    pub(super) fn surely_intersects(&self, other: &Self) -> bool {
        let moved = |x: f32| x.abs() * RELATIVE_WIDENING + MIN_WIDENING;
        let past = |min: f32, max: f32| min + moved(min) <= max - moved(max);
        (0..3).all(|i| past(self.min[i], other.max[i]) && past(other.min[i], self.max[i]))
    }

    #[inline]
    pub(super) fn contains(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    /// Twice the centre along an axis.
    #[inline]
    pub(super) fn middle(&self, axis: usize) -> f32 {
        self.min[axis] + self.max[axis]
    }

    #[inline]
    pub(super) fn surface_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| self.max[i] - self.min[i]);
        2.0 * (x * y + y * z + z * x)
    }

    /// Four times the square of the distance between the centres.
    #[inline]
    pub(super) fn apart(&self, other: &Self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| self.middle(i) - other.middle(i));
        x * x + y * y + z * z
    }
}

/// Returns a number in `f32` that is not above any real which rounds to `x`.
fn below(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near } else { near.next_down() }
}

/// Returns a number in `f32` that is not below any real which rounds to `x`.
fn above(x: f64) -> f32 {
    -below(-x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![-10.0..10.0, -1e7..1e7, prop::num::f64::NORMAL, prop::num::f64::SUBNORMAL, Just(0.0)]
    }

    fn boxes() -> impl Strategy<Value = Aabb> {
        prop::array::uniform6(number()).prop_map(|[a, b, c, d, e, f]| {
            let (p, q) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
            Aabb::new(p.min(q), p.max(q))
        })
    }

    proptest! {
        #[test]
        fn a_small_box_holds_its_box(aabb in boxes(), o in prop::array::uniform3(-1e6..1e6)) {
            let origin = Vec3::from_array(o);
            prop_assert!(Aabb32::around(&aabb, origin).shown(origin).contains(&aabb));
        }

        #[test]
        fn small_boxes_miss_nothing_and_know_when_they_are_sure(
            a in boxes(), b in boxes(), shift in prop::array::uniform3(-1e-6..1e-6), o in prop::array::uniform3(-1e6..1e6),
        ) {
            // Far apart, or moved so that they nearly touch.
            let near = Aabb::new(b.min - b.min + a.max, b.max - b.min + a.max).swept(Vec3::from_array(shift));
            for b in [b, near] {
                if !b.is_valid() || !b.is_finite() {
                    continue;
                }
                let origin = Vec3::from_array(o);
                let (x, y) = (Aabb32::around(&a, origin), Aabb32::around(&b, origin));
                prop_assert!(x.intersects(&y) || !a.intersects(&b));
                prop_assert!(a.intersects(&b) || !x.surely_intersects(&y));
            }
        }
    }
}
