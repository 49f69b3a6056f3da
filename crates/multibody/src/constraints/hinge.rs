//! Hinge closure: two frames share their origins and their z axes. Three rows of position, two of direction:
//! x₁ · z₂ and y₁ · z₂.

use super::rows::{RowKind, Rows};
use super::{Place, connect, pair};
use crate::model::{Mount, Softness};
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
    let block = rows.blocks[number];
    let frames =
        mounts.map(|mount| axes(place.kinematics.poses[mount.body.index()].rotation * mount.frame.rotation));
    let [spin, spin_other] = bodies.map(|body| place.kinematics.velocities[body.index()].angular);
    let [bias, bias_other] = bodies.map(|body| place.drift(body, Vec3::ZERO).angular);
    let axis = frames[1][2];
    let inverse_weight = place.rotation_weight(bodies);
    for (k, across) in frames[0].into_iter().take(2).enumerate() {
        let normal = across.cross(axis);
        let normal_rate = spin.cross(across).cross(axis) + across.cross(spin_other.cross(axis));
        let row = block.first + 3 + k;
        rows.positions[row] = across.dot(axis);
        rows.drifts[row] = (bias - bias_other).dot(normal) + (spin - spin_other).dot(normal_rate);
        rows.diagonal[row] = inverse_weight;
        for at in 0..block.width {
            let freedom = rows.columns[block.columns + at];
            let motions = pair::column_pair(place.model, place.kinematics, freedom, bodies, points);
            let relative = motions[0].angular - motions[1].angular;
            rows.values[block.values + (3 + k) * block.width + at] = relative.dot(normal);
        }
    }
}
