//! Hinge closure: two frames share their origins and their z axes. Three rows of position, two of direction:
//! x₁ · z₂ and y₁ · z₂.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{connect, pair};
use crate::model::{BodyId, Mount, Softness};
use gedanken_math::Vec3;
use gedanken_math::rotation::axes;

/// Appends the rows of a hinge closure.
pub(crate) fn push(place: &Place<'_>, rows: &mut Rows, owner: usize, softness: Softness, mounts: [Mount; 2]) {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 5, softness);
    connect::fill_position(place, rows, number, bodies, points);
    let frames =
        mounts.map(|mount| axes(place.kinematics.poses[mount.body.index()].rotation * mount.frame.rotation));
    for (k, across) in frames[0].into_iter().take(2).enumerate() {
        fill_direction(place, rows, (number, 3 + k), bodies, [across, frames[1][2]]);
    }
}

/// Fills in one row of direction of a block: an axis of the first body stays across one of the second.
pub(super) fn fill_direction(
    place: &Place<'_>,
    rows: &mut Rows,
    (number, from): (usize, usize),
    bodies: [BodyId; 2],
    [across, axis]: [Vec3; 2],
) {
    let [spin, spin_other] = bodies.map(|body| place.kinematics.velocities[body.index()].angular);
    let [bias, bias_other] = bodies.map(|body| place.drift(body, Vec3::ZERO).angular);
    let normal = across.cross(axis);
    let normal_rate = spin.cross(across).cross(axis) + across.cross(spin_other.cross(axis));
    let row = rows.blocks[number].first + from;
    rows.positions[row] = across.dot(axis);
    rows.drifts[row] = (bias - bias_other).dot(normal) + (spin - spin_other).dot(normal_rate);
    rows.diagonal[row] = place.rotation_weight(bodies);
    pair::fill(place, rows, (number, from), bodies, [Vec3::ZERO; 2], |[one, other]| {
        [(one.angular - other.angular).dot(normal)]
    });
}
