//! Slide closure: two frames keep parallel axes, and the origin of the second stays on the z axis of the
//! first. Two rows of position across the axis, three of rotation.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{pair, weld};
use crate::model::{BodyId, Mount, Softness};
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;
use gedanken_math::rotation::axes;

/// Appends the rows of a slide closure.
pub(crate) fn push(place: &Place<'_>, rows: &mut Rows, owner: usize, softness: Softness, mounts: [Mount; 2]) {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 5, softness);
    let frame = axes(place.kinematics.poses[bodies[0].index()].rotation * mounts[0].frame.rotation);
    for (k, across) in frame.into_iter().take(2).enumerate() {
        fill_shift(place, rows, (number, k), (bodies, points), across);
    }
    weld::fill_rotation(place, rows, number, 2, mounts, 1.0);
}

/// Fills in one row of position of a block: how far the first point is from the second along an axis of the first body.
pub(super) fn fill_shift(
    place: &Place<'_>,
    rows: &mut Rows,
    (number, from): (usize, usize),
    (bodies, points): ([BodyId; 2], [Vec3; 2]),
    axis: Vec3,
) {
    let spin = place.kinematics.velocities[bodies[0].index()].angular;
    let drifts = [place.drift(bodies[0], points[0]), place.drift(bodies[1], points[1])];
    let apart = points[0] - points[1];
    let apart_rate = place.kinematics.velocity_at(bodies[0], points[0])
        - place.kinematics.velocity_at(bodies[1], points[1]);
    let turned = spin.cross(axis);
    let row = rows.blocks[number].first + from;
    rows.positions[row] = axis.dot(apart);
    rows.drifts[row] = drifts[0].angular.dot(axis.cross(apart))
        + spin.dot(turned.cross(apart))
        + 2.0 * turned.dot(apart_rate)
        + axis.dot(drifts[0].linear - drifts[1].linear);
    rows.diagonal[row] = place.translation_weight(bodies);
    pair::fill(place, rows, (number, from), bodies, points, |motions| [shift_rate(axis, apart, motions)]);
}

/// Rate of a shift along an axis of the first body, while two points that are `apart` move like this.
pub(super) fn shift_rate(axis: Vec3, apart: Vec3, [one, other]: [Motion; 2]) -> f64 {
    one.angular.dot(axis.cross(apart)) + axis.dot(one.linear - other.linear)
}
