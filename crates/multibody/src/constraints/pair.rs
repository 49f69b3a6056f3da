//! Relative motion of two bodies, column by column; and what prescribed bodies add to it.

use super::place::Place;
use super::rows::Rows;
use crate::compile::Model;
use crate::model::BodyId;
use crate::tree::jacobian::column;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;

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
    points: [Vec3; 2],
) -> [Motion; 2] {
    core::array::from_fn(|side| {
        if moves(model, freedom, bodies[side]) {
            column(kinematics, &model.topology, freedom, points[side])
        } else {
            Motion::ZERO
        }
    })
}

/// Motion of two points that prescribed bodies give them, all joints at rest.
pub(crate) struct GivenMotion {
    /// Of both points.
    pub(crate) all: [Motion; 2],
    /// Of those that belong to a prescribed body itself, or to one that is fixed to it: no freedom moves them.
    pub(crate) direct: [Motion; 2],
}

/// Motion that prescribed bodies give two points; `None` where there is none.
pub(crate) fn given(place: &Place<'_>, bodies: [BodyId; 2], points: [Vec3; 2]) -> Option<GivenMotion> {
    let topology = &place.model.topology;
    if bodies.iter().all(|body| topology.driver[body.index()].is_none()) {
        return None;
    }
    let velocity = |side: usize, counts: bool| {
        let body = bodies[side].index();
        match topology.driver[body].filter(|_| counts) {
            Some(_) => {
                let root = topology.root_of[body].index();
                let motion = place.kinematics.velocities[root];
                let offset = points[side] - place.kinematics.references[root];
                Motion { angular: motion.angular, linear: motion.at(offset) }
            }
            None => Motion::ZERO,
        }
    };
    let stands = |side: usize| topology.last_freedom[bodies[side].index()].is_none();
    Some(GivenMotion {
        all: core::array::from_fn(|side| velocity(side, true)),
        direct: core::array::from_fn(|side| velocity(side, stands(side))),
    })
}

/// Acceleration of a point that the accelerations of a prescribed body alone give it, its velocities left out.
pub(crate) fn given_acceleration(place: &Place<'_>, body: BodyId, point: Vec3) -> Motion {
    let Some(driver) = place.model.topology.driver[body.index()] else { return Motion::ZERO };
    let given = &place.state.prescribed[driver];
    let turned = given.angular_acceleration.cross(point - given.pose.translation);
    Motion { angular: given.angular_acceleration, linear: given.acceleration + turned }
}

/// Fills in `N` rows of a block, from its row `from` on: entries of J, and the rates that prescribed bodies give.
/// `rates` are those of the rows while two points move like this.
pub(crate) fn fill<const N: usize>(
    place: &Place<'_>,
    rows: &mut Rows,
    (number, from): (usize, usize),
    bodies: [BodyId; 2],
    points: [Vec3; 2],
    rates: impl Fn([Motion; 2]) -> [f64; N],
) {
    let block = rows.blocks[number];
    for at in 0..block.width {
        let freedom = rows.columns[block.columns + at];
        let found = rates(column_pair(place.model, place.kinematics, freedom, bodies, points));
        for (k, rate) in found.into_iter().enumerate() {
            rows.values[block.values + (from + k) * block.width + at] = rate;
        }
    }
    if let Some(given) = given(place, bodies, points) {
        let (all, direct) = (rates(given.all), rates(given.direct));
        for k in 0..N {
            rows.push_given(block.first + from + k, all[k], direct[k]);
        }
    }
}
