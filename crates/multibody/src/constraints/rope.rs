//! Rope: two points are at most a length apart. One row along the line between them, while it is taut; it
//! only pulls.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{distance, pair};
use crate::model::{BodyId, Softness};
use gedanken_math::Vec3;

/// Appends the row of a rope that is taut.
pub(crate) fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    ends: [(BodyId, Vec3); 2],
    length: f64,
) {
    let line = distance::Line::new(place, ends);
    if line.distance <= length {
        return;
    }
    let columns = rows.columns.len();
    pair::push_columns(place.model, line.bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Inequality, owner, columns, 1, softness);
    let row = rows.blocks[number].first;
    // What is left of the rope is kept from being negative.
    pair::fill(place, rows, (number, 0), line.bodies, line.points, |motions| [-line.rate(motions)]);
    rows.positions[row] = length - line.distance;
    rows.drifts[row] = -line.drift(place);
    rows.diagonal[row] = place.translation_weight(line.bodies);
}
