//! Distance: two points keep their distance. One row along the line between them.

use super::rows::{RowKind, Rows};
use super::softness::TINY;
use super::{Place, pair};
use crate::model::{BodyId, Softness};
use gedanken_math::Vec3;

/// Appends the row of a distance.
pub(crate) fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    ends: [(BodyId, Vec3); 2],
    length: f64,
) {
    let bodies = ends.map(|(body, _)| body);
    let points = ends.map(|(body, offset)| place.kinematics.point(body, offset));
    let apart = points[0] - points[1];
    let distance = apart.length();
    // Points that coincide have no line between them; any direction parts them.
    let normal = if distance > TINY { apart * (1.0 / distance) } else { Vec3::Z };
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 1, softness);
    let block = rows.blocks[number];
    for at in 0..block.width {
        let freedom = rows.columns[block.columns + at];
        let [one, other] = pair::column_pair(place.model, place.kinematics, freedom, bodies, points);
        rows.values[block.values + at] = normal.dot(one.linear - other.linear);
    }
    let rate = place.kinematics.velocity_at(bodies[0], points[0])
        - place.kinematics.velocity_at(bodies[1], points[1]);
    let across = rate - normal * normal.dot(rate);
    let bias = place.drift(bodies[0], points[0]).linear - place.drift(bodies[1], points[1]).linear;
    rows.positions[block.first] = distance - length;
    rows.drifts[block.first] = normal.dot(bias) + across.length_squared() / distance.max(TINY);
    rows.diagonal[block.first] = place.translation_weight(bodies);
}
