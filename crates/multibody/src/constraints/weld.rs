//! Weld: two frames coincide. Three rows of position, three of rotation: the vector part of the quaternion
//! between the frames, times the torque scale.

use super::place::Place;
use super::rows::{RowKind, Rows};
use super::{connect, pair};
use crate::model::{BodyId, Mount, Softness};
use gedanken_math::{Quat, Vec3};

/// Appends the rows of a weld.
pub(crate) fn push(
    place: &Place<'_>,
    rows: &mut Rows,
    owner: usize,
    softness: Softness,
    mounts: [Mount; 2],
    torque_scale: f64,
) {
    let bodies = mounts.map(|mount| mount.body);
    let points = mounts.map(|mount| place.kinematics.point(mount.body, mount.frame.translation));
    let columns = rows.columns.len();
    pair::push_columns(place.model, bodies, false, &mut rows.columns);
    let number = rows.push(RowKind::Equality, owner, columns, 6, softness);
    connect::fill_position(place, rows, number, bodies, points);
    fill_rotation(place, rows, number, 3, mounts, torque_scale);
}

fn vector(q: Quat) -> Vec3 {
    Vec3::new(q.x, q.y, q.z)
}

fn pure(v: Vec3) -> Quat {
    Quat::from_xyzw(v.x, v.y, v.z, 0.0)
}

/// Fills in three rows of rotation of a block, from its row `from` on.
pub(super) fn fill_rotation(
    place: &Place<'_>,
    rows: &mut Rows,
    number: usize,
    from: usize,
    mounts: [Mount; 2],
    scale: f64,
) {
    let block = rows.blocks[number];
    let bodies = mounts.map(|mount| mount.body);
    let [one, other] =
        mounts.map(|mount| place.kinematics.poses[mount.body.index()].rotation * mount.frame.rotation);
    let inverse = other.conjugate();
    // Of e = q₂⁻¹ q₁ the vector part; its rate is that of ½ q₂⁻¹ (ω₁ − ω₂) q₁.
    let error = vector(inverse * one) * scale;
    let rate_of = |relative: Vec3| vector(inverse * pure(relative) * one) * (0.5 * scale);
    let drift = rotation_drift(place, bodies, [one, inverse]) * scale;
    let inverse_weight = place.rotation_weight(bodies);
    for k in 0..3 {
        let row = block.first + from + k;
        rows.positions[row] = error[k];
        rows.drifts[row] = drift[k];
        rows.diagonal[row] = inverse_weight;
    }
    pair::fill(place, rows, (number, from), bodies, [Vec3::ZERO; 2], |[one, other]| {
        rate_of(one.angular - other.angular).to_array()
    });
}

/// J̇ v of the vector part, by the product rule.
fn rotation_drift(place: &Place<'_>, bodies: [BodyId; 2], [one, inverse]: [Quat; 2]) -> Vec3 {
    let [spin, spin_other] = bodies.map(|body| place.kinematics.velocities[body.index()].angular);
    let relative = pure(spin - spin_other);
    let bias = pure(place.drift(bodies[0], Vec3::ZERO).angular - place.drift(bodies[1], Vec3::ZERO).angular);
    let one_rate = pure(spin) * one * 0.5;
    let inverse_rate = inverse * pure(spin_other) * -0.5;
    let terms = [inverse_rate * relative * one, inverse * bias * one, inverse * relative * one_rate];
    (vector(terms[0]) + vector(terms[1]) + vector(terms[2])) * 0.5
}
