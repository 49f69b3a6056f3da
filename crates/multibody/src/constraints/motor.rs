//! Motors: a coordinate is driven at a speed, by a force of at most the largest. One row, like that of dry
//! friction against a target that moves.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{pair, slide};
use crate::model::{Motor, MotorCoordinate, Mount};
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;
use gedanken_math::rotation::axes;

/// Appends the rows of motors.
pub(crate) fn push_all(place: &Place<'_>, rows: &mut Rows) {
    for (owner, motor) in place.model.description.motors.iter().enumerate() {
        let number = match motor.coordinate {
            MotorCoordinate::Joint(joint) => {
                let freedom = place.model.topology.freedom_of[joint.index()];
                let columns = rows.columns.len();
                rows.columns.push(freedom);
                let number = rows.push(RowKind::Motor, owner, columns, 1, motor.softness);
                let block = rows.blocks[number];
                rows.values[block.values] = 1.0;
                rows.diagonal[block.first] = place.model.initial.freedom_inverse_weights[freedom];
                number
            }
            MotorCoordinate::Hinge { first, second } => {
                push_pair(place, rows, (owner, motor), [first, second], |axis, _, [one, other]| {
                    axis.dot(one.angular - other.angular)
                })
            }
            MotorCoordinate::Slide { first, second } => {
                push_pair(place, rows, (owner, motor), [first, second], slide::shift_rate)
            }
        };
        let row = rows.blocks[number].first;
        rows.friction_losses[row] = motor.largest_force;
        rows.push_given(row, -motor.speed, -motor.speed);
    }
}

/// Appends the row of a motor between two bodies; `rate` is that of the coordinate, from the axis, the first
/// point as seen from the second, and how both move.
fn push_pair(
    place: &Place<'_>,
    rows: &mut Rows,
    (owner, motor): (usize, &Motor),
    mounts: [Mount; 2],
    rate: impl Fn(Vec3, Vec3, [Motion; 2]) -> f64,
) -> usize {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let axis = axes(place.kinematics.poses[bodies[0].index()].rotation * mounts[0].frame.rotation)[2];
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Motor, owner, columns, 1, motor.softness);
    let apart = points[0] - points[1];
    pair::fill(place, rows, (number, 0), bodies, points, |motions| [rate(axis, apart, motions)]);
    let turns = matches!(motor.coordinate, MotorCoordinate::Hinge { .. });
    rows.diagonal[rows.blocks[number].first] =
        if turns { place.rotation_weight(bodies) } else { place.translation_weight(bodies) };
    number
}
