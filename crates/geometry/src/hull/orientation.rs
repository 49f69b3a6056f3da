//! Exact orientation: the side of a plane on which a point lies.
//!
//! The sign of (b − a) × (c − a) · (p − a). In floating point, with unit roundoff u, every difference is
//! right to a factor 1 ± u; a product of two differences to 3u, the difference of two products to 4u of the
//! sum of their sizes, its product with a third difference to 6u, the sum of three to 8u of Σᵢ Nᵢ |p − a|ᵢ,
//! where Nₓ = |uᵧ v_z| + |u_z vᵧ| and so on, for u = b − a and v = c − a. With |p − a|ᵢ no larger than the
//! extent of all points, the bound is one number per facet; 16u instead of 8u covers its own rounding. Signs
//! that the bound leaves open are found by adaptive exact arithmetic (@shewchuk1997).

use gedanken_math::Vec3;
use robust::{Coord, Coord3D};
use std::cmp::Ordering;

/// The plane through three points, counter-clockwise seen from above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    a: Vec3,
    /// (b − a) × (c − a), not of unit length.
    normal: Vec3,
    /// Bound on the rounding of a height: heights beyond ± this have the right sign.
    error: f64,
}

impl Plane {
    /// Plane through three points. `extent` is the size of the box of all points that will be tested.
    pub(super) fn new([a, b, c]: [Vec3; 3], extent: Vec3) -> Self {
        let (u, v) = (b - a, c - a);
        let (p, q) = (u.abs(), v.abs());
        let size = Vec3::new(p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x);
        Self { a, normal: u.cross(v), error: 8.0 * f64::EPSILON * size.dot(extent) }
    }

    /// Returns (b − a) × (c − a) · (p − a), rounded.
    pub(super) fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p - self.a)
    }

    /// Returns `true` if a height of this size has the right sign.
    pub(super) fn is_sure(&self, height: f64) -> bool {
        height.abs() > self.error
    }

    /// Returns `true` if the point with this height is strictly above; `corners` are those that the plane was
    /// made from.
    pub(super) fn is_above(&self, height: f64, corners: [Vec3; 3], p: Vec3) -> bool {
        if self.is_sure(height) { height > 0.0 } else { side(corners, p) == Ordering::Greater }
    }
}

/// Returns `Greater` if p is above the plane through a, b, c, which are counter-clockwise seen from there.
/// Exact.
pub(super) fn side([a, b, c]: [Vec3; 3], p: Vec3) -> Ordering {
    let coordinates = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    // The predicate is positive below.
    0.0.partial_cmp(&robust::orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(p)))
        .expect("finite coordinates within range give a finite determinant")
}

/// Returns `true` if three points lie on a line: their shadows on all three coordinate planes do. Exact.
pub(super) fn collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let flat = |f: fn(Vec3) -> Coord<f64>| robust::orient2d(f(a), f(b), f(c)) == 0.0;
    flat(|v| Coord { x: v.x, y: v.y })
        && flat(|v| Coord { x: v.y, y: v.z })
        && flat(|v| Coord { x: v.z, y: v.x })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The determinant of small integers, where i64 is exact.
    fn determinant([a, b, c, p]: [[i64; 3]; 4]) -> i64 {
        let sub = |u: [i64; 3]| [u[0] - a[0], u[1] - a[1], u[2] - a[2]];
        let (u, v, w) = (sub(b), sub(c), sub(p));
        (u[1] * v[2] - u[2] * v[1]) * w[0]
            + (u[2] * v[0] - u[0] * v[2]) * w[1]
            + (u[0] * v[1] - u[1] * v[0]) * w[2]
    }

    proptest! {
        #[test]
        fn the_sign_is_that_of_integers(k in prop::array::uniform4(prop::array::uniform3(-9_i64..10)), e in -30..30) {
            // Scaling by a power of two and a common offset that fits the mantissa keep every point exact.
            let scale = libm::ldexp(1.0, e);
            let [a, b, c, p] = k.map(|q| {
                Vec3::new(q[0] as f64 + 1048576.0, q[1] as f64 - 1048576.0, q[2] as f64) * scale
            });
            let plane = Plane::new([a, b, c], Vec3::splat(18.0 * scale));
            prop_assert_eq!(side([a, b, c], p), determinant(k).cmp(&0));
            prop_assert_eq!(plane.is_above(plane.height(p), [a, b, c], p), determinant(k) > 0);
        }

        #[test]
        fn the_bound_never_decides_wrongly(
            k in prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64)), s in -1.0..2.0_f64, t in -1.0..2.0_f64,
        ) {
            // Points in the plane up to rounding: the hardest ones.
            let [a, b, c] = k.map(Vec3::from_array);
            let p = a + (b - a) * s + (c - a) * t;
            let plane = Plane::new([a, b, c], Vec3::splat(8.0));
            prop_assert_eq!(plane.is_above(plane.height(p), [a, b, c], p), side([a, b, c], p) == Ordering::Greater);
        }
    }
}
