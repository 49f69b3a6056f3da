//! Bodies of revolution about a common axis: their overlap is the same all around, so no polytope can prove a direction
//! best. But h(n) depends on the polar angle of n alone, so the smallest overlap is that of the cross-sections through the
//! axis: polygons, extruded far enough that leaving sideways never pays.

use super::contact::{Closest, QueryError};
use super::gjk::NOISE;
use super::{Scratch, pair};
use crate::shape::{Convex, Shape};
use gedanken_algebra::{Pose, Vec3, rotation};

/// A cross-section in the plane of x and z, symmetric about z, between y = -width and y = width.
struct Prism {
    corners: [Vec3; 4],
    width: f64,
    margin: f64,
}

impl Prism {
    /// The cross-section of a body of revolution.
    fn of(shape: &Shape) -> Option<Self> {
        let at = |x: f64, z: f64| Vec3::new(x, 0.0, z);
        let (corners, margin) = match shape {
            Shape::Sphere(s) => ([Vec3::ZERO; 4], s.radius()),
            Shape::Capsule(s) => {
                let half = s.half_length();
                ([at(0.0, half), at(0.0, -half), at(0.0, half), at(0.0, -half)], s.radius())
            }
            Shape::Cylinder(s) => {
                let (r, h) = (s.radius(), s.half_height());
                ([at(r, h), at(-r, h), at(r, -h), at(-r, -h)], 0.0)
            }
            Shape::Cone(s) => {
                let (r, apex) = (s.radius(), at(0.0, s.apex_z()));
                ([at(r, s.base_z()), at(-r, s.base_z()), apex, apex], 0.0)
            }
            _ => return None,
        };
        let extent = corners.iter().map(|corner| corner.length()).fold(margin, f64::max);
        Some(Self { corners, width: 16.0 * extent, margin })
    }
}

impl Convex for Prism {
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let flat = Vec3::new(direction.x, 0.0, direction.z);
        let mut best = self.corners[0];
        for &corner in &self.corners[1..] {
            if corner.dot(flat) > best.dot(flat) {
                best = corner;
            }
        }
        best + Vec3::Y * if direction.y < 0.0 { -self.width } else { self.width }
    }
    fn margin(&self) -> f64 {
        self.margin
    }
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

/// The closest points of two bodies of revolution about a common axis; `None` if they are none.
pub(super) fn closest(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    within: f64,
    scratch: &mut Scratch,
) -> Result<Option<Closest>, QueryError> {
    let (Some(section_a), Some(section_b)) = (Prism::of(a), Prism::of(b)) else { return Ok(None) };
    let a_from_b = pose_a.to(pose_b);
    let axis = a_from_b.vector_to_world(Vec3::Z);
    let aside = |v: Vec3| v.x.abs().max(v.y.abs());
    let size = section_a.width + section_b.width;
    // A ball has every axis.
    let parallel = aside(axis) <= NOISE || [a, b].iter().any(|shape| matches!(shape, Shape::Sphere(_)));
    if !parallel || aside(a_from_b.translation) > NOISE * size {
        return Ok(None);
    }
    let turn =
        if axis.z < 0.0 { rotation::about_axis(0, std::f64::consts::PI) } else { Pose::IDENTITY.rotation };
    let aligned = Pose::new(pose_a.rotation * turn, pose_b.translation);
    let Some(mut found) = pair::convex(&section_a, pose_a, &section_b, &aligned, within, scratch)? else {
        return Ok(None);
    };
    // Both witnesses may be shifted sideways by the same length: back into the cross-section.
    let back = Vec3::Y * pose_a.point_to_body(0.5 * (found.point_a + found.point_b)).y;
    found.point_a -= pose_a.vector_to_world(back);
    found.point_b -= pose_a.vector_to_world(back);
    Ok(Some(found))
}
