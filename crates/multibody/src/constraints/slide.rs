//! Slide closure: two frames keep parallel axes, and the origin of the second stays on the z axis of the
//! first. Two rows of position across the axis, three of rotation.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{pair, weld};
use crate::model::{Mount, Softness};
use gedanken_math::rotation::axes;

/// Appends the rows of a slide closure.
pub(crate) fn push(place: &Place<'_>, rows: &mut Rows, owner: usize, softness: Softness, mounts: [Mount; 2]) {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 5, softness);
    let block = rows.blocks[number];
    let frame = axes(place.kinematics.poses[bodies[0].index()].rotation * mounts[0].frame.rotation);
    let spin = place.kinematics.velocities[bodies[0].index()].angular;
    let drifts = [place.drift(bodies[0], points[0]), place.drift(bodies[1], points[1])];
    let apart = points[0] - points[1];
    let apart_rate = place.kinematics.velocity_at(bodies[0], points[0])
        - place.kinematics.velocity_at(bodies[1], points[1]);
    let inverse_weight = place.translation_weight(bodies);
    for (k, across) in frame.into_iter().take(2).enumerate() {
        let row = block.first + k;
        let turned = spin.cross(across);
        rows.positions[row] = across.dot(apart);
        rows.drifts[row] = drifts[0].angular.dot(across.cross(apart))
            + spin.dot(turned.cross(apart))
            + 2.0 * turned.dot(apart_rate)
            + across.dot(drifts[0].linear - drifts[1].linear);
        rows.diagonal[row] = inverse_weight;
        pair::fill(place, rows, (number, k), bodies, points, |[one, other]| {
            [one.angular.dot(across.cross(apart)) + across.dot(one.linear - other.linear)]
        });
    }
    weld::fill_rotation(place, rows, number, 2, mounts, 1.0);
}
