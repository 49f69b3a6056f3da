//! Jacobians: how a point or a frame of a body moves with v.

use super::kinematics::Kinematics;
use super::spatial::Motion;
use super::topology::Topology;
use crate::model::BodyId;
use gedanken_math::Vec3;

/// Column of the Jacobian of a point of a tree: its velocity, and the angular velocity, per unit of a
/// freedom.
#[must_use]
pub fn column(kinematics: &Kinematics, topology: &Topology, freedom: usize, point: Vec3) -> Motion {
    let axis = kinematics.axes[freedom];
    let reference = kinematics.references[topology.body_of[freedom].index()];
    Motion { angular: axis.angular, linear: axis.at(point - reference) }
}

/// The Jacobian of a point of a body in full: three rows of translation, three of rotation.
#[must_use]
pub fn dense(kinematics: &Kinematics, topology: &Topology, body: BodyId, point: Vec3) -> [Vec<f64>; 6] {
    let mut rows: [Vec<f64>; 6] = core::array::from_fn(|_| vec![0.0; topology.freedoms]);
    for freedom in topology.chain(body) {
        let Motion { angular, linear } = column(kinematics, topology, freedom, point);
        for k in 0..3 {
            rows[k][freedom] = linear[k];
            rows[k + 3][freedom] = angular[k];
        }
    }
    rows
}

/// Acceleration of a point of a body that v and prescribed motions alone give it: J̇ v of translation and of
/// rotation, and what a prescribed root adds.
#[must_use]
pub fn rate_times_speed(
    kinematics: &Kinematics,
    topology: &Topology,
    speeds: &[f64],
    body: BodyId,
    point: Vec3,
) -> Motion {
    let mut spatial = Motion::ZERO;
    for freedom in topology.chain(body) {
        spatial += kinematics.axis_rates[freedom] * speeds[freedom];
    }
    if let Some(driver) = topology.driver[body.index()] {
        spatial += kinematics.prescribed[driver];
    }
    let offset = point - kinematics.references[body.index()];
    let velocity = kinematics.velocities[body.index()];
    // A spatial acceleration is that of the space at the reference point, not of a point that moves on.
    let linear = spatial.at(offset) + velocity.angular.cross(velocity.at(offset));
    Motion { angular: spatial.angular, linear }
}
