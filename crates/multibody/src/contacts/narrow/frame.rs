//! Frames of contacts: the normal and two tangents.

use super::placed::direction;
use gedanken_math::Vec3;

/// Completes a normal to a right-handed frame: normal, first tangent, second tangent.
///
/// The first tangent is the part of `tangent` across the normal. If `tangent` is shorter than ½, y takes its
/// place, or z where the normal is within 60° of ±y: as in MuJoCo, so that friction acts along the same
/// axes. A `tangent` along the normal gives x its turn, and one that is across the normal if x is not.
#[must_use]
pub fn frame(normal: Vec3, tangent: Vec3) -> [Vec3; 3] {
    let (normal, _) = direction(normal);
    let hint = if tangent.length_squared() >= 0.25 { tangent } else { default_tangent(normal) };
    let (mut first, length) = direction(hint - normal * normal.dot(hint));
    // What is left of a hint along the normal is rounding, or x in its stead, which need not be across.
    if first.dot(normal).abs() > ACROSS {
        let hint = if length < ACROSS { default_tangent(normal) } else { first };
        first = direction(hint - normal * normal.dot(hint)).0;
    }
    [normal, first, normal.cross(first)]
}

/// Largest cosine between a normal and its tangent that is left as it is.
const ACROSS: f64 = 1e-9;

/// Returns y, or z where the normal is within 60° of ±y.
fn default_tangent(normal: Vec3) -> Vec3 {
    if normal.y < 0.5 && normal.y > -0.5 { Vec3::Y } else { Vec3::Z }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_orthonormal(frame: [Vec3; 3]) -> bool {
        let [n, t, b] = frame;
        let unit = |v: Vec3| (v.length() - 1.0).abs() < 1e-12;
        unit(n) && unit(t) && unit(b) && n.dot(t).abs() < 1e-8 && (n.cross(t) - b).length() < 1e-12
    }

    #[test]
    fn frames_along_their_hints_are_still_frames() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.36, 0.48, 0.8)] {
            for hint in [axis, -axis, Vec3::ZERO, axis * (1.0 + 1e-15), axis + Vec3::splat(1e-13)] {
                let made = frame(axis, hint);
                assert!(is_orthonormal(made), "{axis} {hint}: {made:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn frames_are_orthonormal(
            v in prop::array::uniform3(-1.0..1.0f64), w in prop::array::uniform3(-2.0..2.0f64),
        ) {
            let (v, w) = (Vec3::from_array(v), Vec3::from_array(w));
            prop_assert!(is_orthonormal(frame(v, w)));
            prop_assert!(is_orthonormal(frame(v, v)));
        }
    }
}
