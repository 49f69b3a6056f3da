//! Distance: two points keep their distance. One row along the line between them.

use super::pair;
use super::place::Place;
use super::rows::{RowKind, Rows};
use super::softness::TINY;
use crate::model::{BodyId, Softness};
use crate::tree::spatial::Motion;
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
    let line = Line::new(place, ends);
    let columns = rows.columns.len();
    pair::push_columns(place.model, line.bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 1, softness);
    let row = rows.blocks[number].first;
    pair::fill(place, rows, (number, 0), line.bodies, line.points, |motions| [line.rate(motions)]);
    rows.positions[row] = line.distance - length;
    rows.drifts[row] = line.drift(place);
    rows.diagonal[row] = place.translation_weight(line.bodies);
}

/// The line between two points.
pub(super) struct Line {
    pub(super) bodies: [BodyId; 2],
    pub(super) points: [Vec3; 2],
    pub(super) distance: f64,
    /// Unit vector from the second point to the first.
    normal: Vec3,
}

impl Line {
    pub(super) fn new(place: &Place<'_>, ends: [(BodyId, Vec3); 2]) -> Self {
        let points = ends.map(|(body, offset)| place.kinematics.point(body, offset));
        let apart = points[0] - points[1];
        let distance = apart.length();
        // Points that coincide have no line between them; any direction parts them.
        let normal = if distance > TINY { apart * (1.0 / distance) } else { Vec3::Z };
        Self { bodies: ends.map(|(body, _)| body), points, distance, normal }
    }

    /// Rate of the distance while the points move like this.
    pub(super) fn rate(&self, [one, other]: [Motion; 2]) -> f64 {
        self.normal.dot(one.linear - other.linear)
    }

    /// Second rate of the distance without accelerations of freedoms.
    pub(super) fn drift(&self, place: &Place<'_>) -> f64 {
        let Self { bodies, points, normal, .. } = *self;
        let rate = place.kinematics.velocity_at(bodies[0], points[0])
            - place.kinematics.velocity_at(bodies[1], points[1]);
        let across = rate - normal * normal.dot(rate);
        let bias = place.drift(bodies[0], points[0]).linear - place.drift(bodies[1], points[1]).linear;
        normal.dot(bias) + across.length_squared() / self.distance.max(TINY)
    }
}
