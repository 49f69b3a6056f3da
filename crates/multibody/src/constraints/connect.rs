//! Connect: two points coincide. Three rows along the world's axes.

use super::pair;
use super::place::Place;
use super::rows::{RowKind, Rows};
use crate::model::{BodyId, Softness};
use gedanken_math::Vec3;

/// Appends the rows of a connect.
pub(crate) fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    ends: [(BodyId, Vec3); 2],
) {
    let bodies = ends.map(|(body, _)| body);
    let points = ends.map(|(body, offset)| place.kinematics.point(body, offset));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 3, softness);
    fill_position(place, rows, number, bodies, points);
}

/// Fills in three rows of position of a block: the difference of two points, from the second to the first.
pub(super) fn fill_position(
    place: &Place<'_>,
    rows: &mut Rows,
    number: usize,
    bodies: [BodyId; 2],
    points: [Vec3; 2],
) {
    let block = rows.blocks[number];
    let drift = place.drift(bodies[0], points[0]).linear - place.drift(bodies[1], points[1]).linear;
    let difference = points[0] - points[1];
    let inverse_weight = place.translation_weight(bodies);
    for k in 0..3 {
        rows.positions[block.first + k] = difference[k];
        rows.drifts[block.first + k] = drift[k];
        rows.diagonal[block.first + k] = inverse_weight;
    }
    pair::fill(place, rows, (number, 0), bodies, points, |[one, other]| {
        (one.linear - other.linear).to_array()
    });
}
