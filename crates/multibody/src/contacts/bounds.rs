//! Boxes around geoms, along the world's axes.

use crate::model::GeomShape;
use gedanken_math::{Mat3, Pose, Vec3};

/// Relative widening of a box: above the rounding of the narrow phase, so that no touching pair is lost.
const SLACK: f64 = 1e-11;

/// A box along the world's axes, and a ball about the same centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    /// Smallest coordinates of the box.
    pub(super) min: Vec3,
    /// Largest coordinates of the box.
    pub(super) max: Vec3,
    /// Centre of both.
    pub(super) centre: Vec3,
    /// Radius of the ball.
    radius: f64,
}

impl Bounds {
    /// The box around a shape, widened by `margin`; a plane has none.
    pub(super) fn new(shape: &GeomShape, pose: &Pose, margin: f64) -> Option<Self> {
        let axes = Mat3::from_quat(pose.rotation);
        let mut centre = pose.translation;
        let (reach, radius) = match *shape {
            GeomShape::Plane => return None,
            GeomShape::Sphere { radius } => (Vec3::splat(radius), radius),
            GeomShape::Capsule { radius, half_length } => {
                (axes.z_axis.abs() * half_length + Vec3::splat(radius), radius + half_length)
            }
            GeomShape::Cylinder { radius, half_length } => {
                let along = axes.z_axis;
                let across = (Vec3::ONE - along * along).max(Vec3::ZERO);
                let across = Vec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt());
                // 1 − z² has lost the digits of a thin sine: the widening must stand for them.
                let reach = along.abs() * half_length + across * radius + Vec3::splat(1e-7 * radius);
                (reach, (radius * radius + half_length * half_length).sqrt())
            }
            GeomShape::Ellipsoid { semi_axes } => {
                let [x, y, z] =
                    [axes.x_axis * semi_axes.x, axes.y_axis * semi_axes.y, axes.z_axis * semi_axes.z];
                let squared = x * x + y * y + z * z;
                (Vec3::new(squared.x.sqrt(), squared.y.sqrt(), squared.z.sqrt()), semi_axes.max_element())
            }
            GeomShape::Box { half_sides } => (turned(&axes, half_sides), half_sides.length()),
            GeomShape::Hull(ref hull) => {
                let inner = hull.aabb();
                centre = pose.translation + axes * ((inner.min + inner.max) * 0.5);
                let half = (inner.max - inner.min) * 0.5;
                (turned(&axes, half), half.length())
            }
        };
        let slack = SLACK * (centre.abs().max_element() + reach.max_element());
        let wider = margin.max(0.0) + slack;
        let reach = reach + Vec3::splat(wider);
        Some(Self { min: centre - reach, max: centre + reach, centre, radius: radius + wider })
    }

    /// The same with x, y and z in the place of `axis` and the two after it.
    pub(super) fn turned(&self, axis: usize) -> Self {
        let turn = |v: Vec3| Vec3::new(v[axis], v[(axis + 1) % 3], v[(axis + 2) % 3]);
        Self { min: turn(self.min), max: turn(self.max), centre: turn(self.centre), ..*self }
    }

    /// Returns `true` if two boxes overlap along y and z.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.min.y <= other.max.y
            && other.min.y <= self.max.y
            && self.min.z <= other.max.z
            && other.min.z <= self.max.z
    }

    /// Returns `true` if the balls overlap.
    pub(super) fn balls_overlap(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (self.centre - other.centre).length_squared() <= reach * reach
    }

    /// Returns `true` if some of the box is at most `margin` above a plane.
    pub(super) fn reaches(&self, origin: Vec3, normal: Vec3, margin: f64) -> bool {
        let half = (self.max - self.min) * 0.5;
        let height = normal.dot(self.centre - origin);
        let slack = SLACK * (self.centre.abs().max_element() + origin.abs().max_element());
        let lowest = height - half.dot(normal.abs());
        // A height that overflowed must not lose a pair.
        lowest <= margin + slack || lowest.is_nan()
    }
}

/// Reach of a turned box along the world's axes.
fn turned(axes: &Mat3, half: Vec3) -> Vec3 {
    axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z
}
