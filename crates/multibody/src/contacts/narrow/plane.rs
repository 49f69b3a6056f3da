//! Contacts of a plane with the other shapes, but for hulls.

use super::ShapeContact;
use super::placed::{Placed, TINY, direction};
use gedanken_math::Vec3;

/// Contact of a plane and a ball.
pub(super) fn sphere(plane: &Placed, ball: Vec3, radius: f64, margin: f64) -> Option<ShapeContact> {
    let normal = plane.z();
    let height = (ball - plane.centre).dot(normal);
    if height > margin + radius {
        return None;
    }
    let distance = height - radius;
    let position = ball + normal * (-distance / 2.0 - radius);
    Some(ShapeContact { position, normal, tangent: Vec3::ZERO, distance })
}

/// Contacts of a plane and a capsule: at both ends of the axis, with tangents along it.
pub(super) fn capsule(
    plane: &Placed,
    capsule: &Placed,
    radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) {
    let axis = capsule.z();
    let half = axis * half_length;
    for end in [capsule.centre + half, capsule.centre - half] {
        out.extend(sphere(plane, end, radius, margin).map(|c| ShapeContact { tangent: axis, ..c }));
    }
}

/// Contact of a plane and an ellipsoid, at its lowest point.
pub(super) fn ellipsoid(
    plane: &Placed,
    ellipsoid: &Placed,
    semi_axes: Vec3,
    margin: f64,
) -> Option<ShapeContact> {
    let normal = plane.z();
    // The unit ball's farthest point is along the scaled direction.
    let (on_ball, _) = direction(ellipsoid.vector_to_shape(-normal) * semi_axes);
    contact_at(plane, ellipsoid.point_to_world(on_ball * semi_axes), margin)
}

/// Contacts of a plane and a cylinder: the lowest point of either rim, and two more on the lower one that
/// complete an equilateral triangle.
pub(super) fn cylinder(
    plane: &Placed,
    cylinder: &Placed,
    radius: f64,
    half_length: f64,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) {
    let normal = plane.z();
    let mut axis = cylinder.z();
    let mut along = normal.dot(axis);
    if along > 0.0 {
        axis = -axis;
        along = -along;
    }
    let height = (cylinder.centre - plane.centre).dot(normal);
    // From the axis to the lowest point of a rim.
    let down = axis * along - normal;
    let squared = down.length_squared();
    let to_rim =
        if squared >= TINY * TINY { down * (radius / squared.sqrt()) } else { cylinder.axes.x_axis * radius };
    let rim_height = to_rim.dot(normal);
    let half = axis * half_length;
    along *= half_length;

    let mut add = |from_centre: Vec3, distance: f64| {
        let position = cylinder.centre + from_centre + normal * (-distance * 0.5);
        out.push(ShapeContact { position, normal, tangent: Vec3::ZERO, distance });
    };
    let lowest = height + along + rim_height;
    if lowest > margin {
        return;
    }
    add(to_rim + half, lowest);
    let other_rim = height - along + rim_height;
    if other_rim <= margin {
        add(to_rim - half, other_rim);
    }
    let corner = height + along - rim_height * 0.5;
    if corner <= margin {
        let sideways = direction(to_rim.cross(half)).0 * (radius * 3.0f64.sqrt() / 2.0);
        add(sideways + half - to_rim * 0.5, corner);
        add(half - sideways - to_rim * 0.5, corner);
    }
}

/// Contacts of a plane and a box: the first four corners, counted in binary, that are below the margin and
/// not above the centre.
pub(super) fn cuboid(
    plane: &Placed,
    cuboid: &Placed,
    half_sides: Vec3,
    margin: f64,
    out: &mut Vec<ShapeContact>,
) {
    let normal = plane.z();
    let height = (cuboid.centre - plane.centre).dot(normal);
    let mut left = 4;
    for index in 0..8 {
        let corner = cuboid.axes * super::corner(index, half_sides);
        let above_centre = normal.dot(corner);
        let distance = height + above_centre;
        if distance > margin || above_centre > 0.0 {
            continue;
        }
        let position = corner + cuboid.centre + normal * (-distance / 2.0);
        out.push(ShapeContact { position, normal, tangent: Vec3::ZERO, distance });
        left -= 1;
        if left == 0 {
            return;
        }
    }
}

/// Contact of a plane and a point of another shape's surface.
pub(super) fn contact_at(plane: &Placed, point: Vec3, margin: f64) -> Option<ShapeContact> {
    let normal = plane.z();
    let distance = normal.dot(point - plane.centre);
    let position = point + normal * (-0.5 * distance);
    (distance <= margin).then_some(ShapeContact { position, normal, tangent: Vec3::ZERO, distance })
}
