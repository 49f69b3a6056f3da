//! Conditions of the surroundings: C = 0, or C ≥ 0 from one side. Their slopes are given by centres of mass, and
//! become rows of freedoms here.

use super::pair;
use super::place::Place;
use super::rows::{RowKind, Rows};
use crate::model::{BodyId, Softness};
use crate::surroundings::OutsideRow;
use crate::tree::spatial::Motion;

/// Appends the rows of a condition that is kept at zero.
pub(crate) fn push_equality(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    (number, bodies): (usize, [BodyId; 2]),
) {
    let found = place.outside.iter().filter(|row| row.number == number);
    push(place, rows, (RowKind::Equality, owner), softness, bodies, found);
}

/// Appends the rows of a condition that is kept from being negative, where it has come to its bound.
pub(crate) fn push_inequality(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    (number, bodies): (usize, [BodyId; 2]),
) {
    for row in place.outside.iter().filter(|row| row.number == number && row.value < 0.0) {
        let one = core::iter::once(row);
        push(place, rows, (RowKind::Inequality, owner), softness, bodies, one);
    }
}

fn push<'r>(
    place: &Place<'_>,
    rows: &mut Rows,
    (kind, owner): (RowKind, usize),
    softness: Softness,
    bodies: [BodyId; 2],
    found: impl Iterator<Item = &'r OutsideRow> + Clone,
) {
    let count = found.clone().count();
    if count == 0 {
        return;
    }
    let points = bodies.map(|body| place.kinematics.centres[body.index()]);
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(kind, owner, columns, count, softness);
    let first = rows.blocks[number].first;
    for (k, row) in found.enumerate() {
        let [one, other] = row.slopes;
        let along = |[a, b]: [Motion; 2]| {
            let of_first = one.linear.dot(a.linear) + one.angular.dot(a.angular);
            of_first + other.linear.dot(b.linear) + other.angular.dot(b.angular)
        };
        pair::fill(place, rows, (number, k), bodies, points, |motions| [along(motions)]);
        rows.push_given(first + k, row.rate, row.rate);
        rows.positions[first + k] = row.value;
        rows.drifts[first + k] =
            row.drift + along([place.drift(bodies[0], points[0]), place.drift(bodies[1], points[1])]);
        rows.diagonal[first + k] = weight(place, bodies, row.slopes);
    }
}

/// Inverse inertia that a row feels, from those of the two bodies.
fn weight(place: &Place<'_>, bodies: [BodyId; 2], slopes: [Motion; 2]) -> f64 {
    let weights = &place.model.initial.body_inverse_weights;
    let of = |side: usize| {
        let [translation, rotation] = weights[bodies[side].index()];
        slopes[side].linear.length_squared() * translation + slopes[side].angular.length_squared() * rotation
    };
    of(0) + of(1)
}
