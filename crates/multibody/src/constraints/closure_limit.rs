//! Limits of a hinge or slide that closes a loop: of the angle about, or the shift along, the z axis of the first frame.
//! One row while a limit is passed.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{pair, slide};
use crate::model::{BodyId, Mount, Softness};
use gedanken_math::Vec3;
use gedanken_math::rotation::axes;
use std::f64::consts::{PI, TAU};

/// Two frames, in the world.
struct Frames {
    bodies: [BodyId; 2],
    points: [Vec3; 2],
    axes: [[Vec3; 3]; 2],
}

impl Frames {
    fn new(place: &Place<'_>, mounts: [Mount; 2]) -> Self {
        let turned =
            |mount: Mount| place.kinematics.poses[mount.body.index()].rotation * mount.frame.rotation;
        Self {
            bodies: mounts.map(|mount| mount.body),
            points: mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation)),
            axes: mounts.map(|mount| axes(turned(mount))),
        }
    }

    /// Appends a row without values.
    fn push_row(&self, place: &Place<'_>, rows: &mut Rows, owner: usize, softness: Softness) -> usize {
        let columns = rows.columns.len();
        pair::push_columns(place.model, self.bodies, false, &mut rows.columns);
        rows.push(RowKind::Inequality, owner, columns, 1, softness)
    }
}

/// How far a value is beyond the limit that it passes, negative, and the sign of its growth away from that limit.
fn passed(value: f64, [low, high]: [f64; 2]) -> Option<(f64, f64)> {
    let sides = [(value - low, 1.0), (high - value, -1.0)];
    sides.into_iter().find(|(distance, _)| *distance < 0.0)
}

/// Appends the row of an angle that passes one of its limits.
pub(crate) fn push_angle(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    mounts: [Mount; 2],
    [low, high]: [f64; 2],
) {
    let frames = Frames::new(place, mounts);
    let [[x, _, z], [other_x, other_y, _]] = frames.axes;
    // Counted from the middle of the limits, so that whole turns are told apart where it is farthest from both.
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let turned = libm::atan2(x.dot(other_y), x.dot(other_x)) - middle;
    let turned = turned - TAU * ((turned + PI) / TAU).floor();
    let Some((distance, sign)) = passed(turned, [-half, half]) else { return };
    let axis = z * sign;
    let bodies = frames.bodies;
    let number = frames.push_row(place, rows, owner, softness);
    let row = rows.blocks[number].first;
    let [spin, spin_other] = bodies.map(|body| place.kinematics.velocities[body.index()].angular);
    let [bias, bias_other] = bodies.map(|body| place.drift(body, Vec3::ZERO).angular);
    rows.positions[row] = distance;
    rows.drifts[row] = (bias - bias_other).dot(axis) + (spin - spin_other).dot(spin.cross(axis));
    rows.diagonal[row] = place.rotation_weight(bodies);
    pair::fill(place, rows, (number, 0), bodies, frames.points, |[one, other]| {
        [(one.angular - other.angular).dot(axis)]
    });
}

/// Appends the row of a shift that passes one of its limits.
pub(crate) fn push_shift(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    mounts: [Mount; 2],
    limits: [f64; 2],
) {
    let frames = Frames::new(place, mounts);
    let axis = frames.axes[0][2];
    let shift = axis.dot(frames.points[0] - frames.points[1]);
    let Some((distance, sign)) = passed(shift, limits) else { return };
    let number = frames.push_row(place, rows, owner, softness);
    slide::fill_shift(place, rows, (number, 0), (frames.bodies, frames.points), axis * sign);
    rows.positions[rows.blocks[number].first] = distance;
}
