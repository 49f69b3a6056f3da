//! Limits of joints: of a hinge or slide, its value; of a ball, its angle of rotation. One row for each side
//! that is reached.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::softness::TINY;
use crate::model::{Joint, JointKind};
use crate::tree::kinematics::{quaternion, rotation_vector};
use gedanken_math::Vec3;

/// Appends the rows of limits that are reached.
pub(crate) fn push_all(place: &Place<'_>, rows: &mut Rows) {
    for (number, joint) in place.model.description.joints.iter().enumerate() {
        let Some([low, high]) = joint.limits else { continue };
        let at = place.model.topology.coordinate_of[number];
        let freedom = place.model.topology.freedom_of[number];
        match joint.kind {
            JointKind::Slide | JointKind::Hinge => {
                let value = place.state.coordinates[at];
                for (distance, direction) in [(value - low, 1.0), (high - value, -1.0)] {
                    if distance < joint.limit_margin {
                        push(place, rows, (number, joint), distance, &[(freedom, direction)]);
                    }
                }
            }
            JointKind::Ball => {
                let turned = rotation_vector(quaternion(&place.state.coordinates, at));
                let angle = turned.length();
                let distance = low.max(high) - angle;
                if distance < joint.limit_margin {
                    // Without rotation any axis will do.
                    let axis = if angle > TINY { turned * (1.0 / angle) } else { Vec3::X };
                    let columns = [(freedom, -axis.x), (freedom + 1, -axis.y), (freedom + 2, -axis.z)];
                    push(place, rows, (number, joint), distance, &columns);
                }
            }
            JointKind::Free => {}
        }
    }
}

fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    (owner, joint): (usize, &Joint),
    distance: f64,
    entries: &[(usize, f64)],
) {
    let columns = rows.columns.len();
    rows.columns.extend(entries.iter().map(|&(column, _)| column));
    let number = rows.push(RowKind::Limit, owner, columns, 1, joint.limit_softness);
    let block = rows.blocks[number];
    for (at, &(_, value)) in entries.iter().enumerate() {
        rows.values[block.values + at] = value;
    }
    rows.positions[block.first] = distance;
    rows.margins[block.first] = joint.limit_margin;
    rows.diagonal[block.first] = place.model.initial.freedom_inverse_weights[entries[0].0];
}
