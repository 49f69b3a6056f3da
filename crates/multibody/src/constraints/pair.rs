//! Relative motion of two bodies, column by column.

use crate::compile::Model;
use crate::model::BodyId;
use crate::tree::jacobian::column;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::Motion;

/// Appends the freedoms that move one of two bodies, in rising order. Those that carry both alike are left
/// out if `skips_common`.
pub(crate) fn push_columns(
    model: &Model,
    [first, second]: [BodyId; 2],
    skips_common: bool,
    columns: &mut Vec<usize>,
) {
    let topology = &model.topology;
    let start = columns.len();
    let mut one = topology.last_freedom[first.index()];
    let mut other = topology.last_freedom[second.index()];
    // Carriers have lower numbers than what they carry, so the higher of two heads is never shared.
    while one.is_some() || other.is_some() {
        if one == other && skips_common {
            break;
        }
        let Some(next) = one.max(other) else { break };
        columns.push(next);
        if one == Some(next) {
            one = topology.parent_freedom[next];
        }
        if other == Some(next) {
            other = topology.parent_freedom[next];
        }
    }
    columns[start..].reverse();
}

/// Returns `true` if a freedom moves a body.
fn moves(model: &Model, freedom: usize, body: BodyId) -> bool {
    let carried = model.topology.subtree_end[freedom];
    model.topology.last_freedom[body.index()].is_some_and(|last| (freedom..carried).contains(&last))
}

/// Motions of two points per unit of a freedom; of a point that it does not move, none.
pub(crate) fn column_pair(
    model: &Model,
    kinematics: &Kinematics,
    freedom: usize,
    bodies: [BodyId; 2],
    points: [gedanken_math::Vec3; 2],
) -> [Motion; 2] {
    core::array::from_fn(|side| {
        if moves(model, freedom, bodies[side]) {
            column(kinematics, &model.topology, freedom, points[side])
        } else {
            Motion::ZERO
        }
    })
}
