//! Universal closure: two frames share their origins, and the z axis of the first stays across that of the
//! second. Three rows of position, one of direction: z₁ · z₂.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{connect, hinge, pair};
use crate::model::{Mount, Softness};
use gedanken_math::rotation::axes;

/// Appends the rows of a universal closure.
pub(crate) fn push(place: &Place<'_>, rows: &mut Rows, owner: usize, softness: Softness, mounts: [Mount; 2]) {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 4, softness);
    connect::fill_position(place, rows, number, bodies, points);
    let [one, other] = mounts
        .map(|mount| axes(place.kinematics.poses[mount.body.index()].rotation * mount.frame.rotation)[2]);
    hinge::fill_direction(place, rows, (number, 3), bodies, [one, other]);
}
