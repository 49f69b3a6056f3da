//! Contacts of a ball with balls, capsules, cylinders and boxes.

use super::placed::{Placed, TINY, direction};
use super::{ShapeContact, plane};
use gedanken_math::Vec3;

/// A ball, with the axis that gives a normal where two centres coincide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    /// Centre in the world.
    pub(super) centre: Vec3,
    /// Radius.
    pub(super) radius: f64,
    /// The z axis of the shape it belongs to.
    pub(super) axis: Vec3,
}

impl Ball {
    /// The ball of this radius about a point of a placed shape.
    pub(super) fn of(shape: &Placed, centre: Vec3, radius: f64) -> Self {
        Self { centre, radius, axis: shape.z() }
    }
}

/// Contact of two balls.
pub(super) fn sphere(first: &Ball, second: &Ball, margin: f64) -> Option<ShapeContact> {
    let squared = (first.centre - second.centre).length_squared();
    let reach = margin + first.radius + second.radius;
    if squared > reach * reach {
        return None;
    }
    let distance = squared.sqrt() - first.radius - second.radius;
    let (mut normal, apart) = direction(second.centre - first.centre);
    if apart < TINY {
        normal = direction(first.axis.cross(second.axis)).0;
    }
    let position = normal * (first.radius + distance / 2.0) + first.centre;
    Some(ShapeContact { position, normal, tangent: Vec3::ZERO, distance })
}

/// Contact of a ball and a capsule.
pub(super) fn capsule(
    ball: &Ball,
    capsule: &Placed,
    radius: f64,
    half_length: f64,
    margin: f64,
) -> Option<ShapeContact> {
    let axis = capsule.z();
    let along = clamp(axis.dot(ball.centre - capsule.centre), half_length);
    sphere(ball, &Ball::of(capsule, axis * along + capsule.centre, radius), margin)
}

/// Contact of a ball and a cylinder: its side, its end or its rim, whichever is nearest.
pub(super) fn cylinder(
    ball: &Ball,
    cylinder: &Placed,
    radius: f64,
    half_length: f64,
    margin: f64,
) -> Option<ShapeContact> {
    let axis = cylinder.z();
    let from_centre = ball.centre - cylinder.centre;
    let height = axis.dot(from_centre);
    let on_axis = axis * height;
    let across = from_centre - on_axis;
    let across_squared = across.length_squared();
    let mut beside = height.abs() < half_length;
    let mut over_end = across_squared < radius * radius;
    if beside && over_end {
        // The centre is inside: the nearer surface decides.
        let to_end = half_length - height.abs();
        let to_side = radius - across_squared.sqrt();
        (beside, over_end) = if to_end < to_side { (false, true) } else { (true, false) };
    }
    if beside {
        return sphere(ball, &Ball::of(cylinder, on_axis + cylinder.centre, radius), margin);
    }
    let side = if height > 0.0 { 1.0 } else { -1.0 };
    if over_end {
        let mut end = *cylinder;
        end.axes.z_axis *= side;
        end.centre += axis * (side * half_length);
        let contact = plane::sphere(&end, ball.centre, ball.radius, margin)?;
        return Some(ShapeContact { normal: -contact.normal, ..contact });
    }
    let to_rim = across * (radius / across_squared.sqrt());
    let rim = axis * (side * half_length) + to_rim + cylinder.centre;
    sphere(ball, &Ball::of(cylinder, rim, 0.0), margin)
}

/// Contact of a ball and a box.
pub(super) fn cuboid(ball: &Ball, cuboid: &Placed, half_sides: Vec3, margin: f64) -> Option<ShapeContact> {
    let centre = cuboid.vector_to_shape(ball.centre - cuboid.centre);
    let nearest = Vec3::new(
        clamp(centre.x, half_sides.x),
        clamp(centre.y, half_sides.y),
        clamp(centre.z, half_sides.z),
    );
    let (to_box, apart) = direction(nearest - centre);
    if apart - ball.radius > margin {
        return None;
    }
    let (inward, gap, middle) = if apart <= TINY {
        let (inward, depth) = nearest_face(centre, half_sides);
        (inward, -depth, centre + inward * ((ball.radius - depth) / 2.0))
    } else {
        (to_box, apart, nearest * 0.5 + (centre + to_box * ball.radius) * 0.5)
    };
    Some(ShapeContact {
        position: cuboid.point_to_world(middle),
        normal: cuboid.axes * inward,
        tangent: Vec3::ZERO,
        distance: gap - ball.radius,
    })
}

/// Returns the inward normal of the face nearest to a point inside a box, and its distance; of equals the
/// first one, with lower faces before upper ones.
fn nearest_face(point: Vec3, half_sides: Vec3) -> (Vec3, f64) {
    let mut best = (Vec3::ZERO, f64::INFINITY);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let depth = (side * half_sides[axis] - point[axis]).abs();
            if depth < best.1 {
                let mut inward = Vec3::ZERO;
                inward[axis] = -side;
                best = (inward, depth);
            }
        }
    }
    best
}

/// Clamps a coordinate to ±`limit`.
pub(super) fn clamp(value: f64, limit: f64) -> f64 {
    value.max(-limit).min(limit)
}
