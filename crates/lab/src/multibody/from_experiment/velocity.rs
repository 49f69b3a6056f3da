//! Initial velocities of joints, from those that bodies are given.

use gedanken_experiment::Object;
use gedanken_math::Vec3;
use gedanken_math::rotation::to_body;
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::{BodyId, JointKind};
use gedanken_multibody::state::State;
use gedanken_multibody::tree::kinematics::Kinematics;

/// Relative difference of velocities from which on it is told.
const NOTABLE: f64 = 1e-6;

/// Sets the velocities of joints so that bodies move as they are given, as far as joints let them. `objects`
/// come with their bodies, carriers first.
pub(super) fn set<'o>(
    model: &Model,
    state: &mut State,
    objects: impl Iterator<Item = (usize, &'o Object)>,
    notices: &mut Vec<String>,
) {
    let (description, topology) = (&model.description, &model.topology);
    let mut kinematics = Kinematics::default();
    kinematics.place(description, topology, state);
    for (index, object) in objects {
        let given = |name: &str| {
            Vec3::from_array(object.attribute(name).and_then(|it| it.vector()).unwrap_or_default())
        };
        let (velocity, spin) = (given("velocity"), given("angular_velocity"));
        let body = BodyId::new(index);
        let place = kinematics.poses[index];
        // Velocities of the bodies before this one are known.
        kinematics.set_velocities(description, topology, state);
        let carried = kinematics.velocities[index];
        let missing_spin = spin - carried.angular;
        for number in topology.joints_of[index].clone() {
            let first = topology.freedom_of[number];
            match description.joints[number].kind {
                JointKind::Free => {
                    state.velocities[first..first + 3].copy_from_slice(&velocity.to_array());
                    let turned = to_body(place.rotation, spin).to_array();
                    state.velocities[first + 3..first + 6].copy_from_slice(&turned);
                }
                JointKind::Ball => {
                    let turned = to_body(place.rotation, missing_spin).to_array();
                    state.velocities[first..first + 3].copy_from_slice(&turned);
                }
                JointKind::Hinge => {
                    state.velocities[first] = missing_spin.dot(kinematics.axes[first].angular);
                }
                JointKind::Slide => {
                    let missing = velocity - kinematics.velocity_at(body, place.translation);
                    state.velocities[first] = missing.dot(kinematics.axes[first].linear);
                }
            }
        }
        kinematics.set_velocities(description, topology, state);
        let off: f64 = (kinematics.velocity_at(body, place.translation) - velocity).length()
            + (kinematics.velocities[index].angular - spin).length();
        let size: f64 = 1.0 + velocity.length() + spin.length();
        if off / size > NOTABLE {
            notices.push(format!(
                "`{}` cannot start with the velocity that it is given: its joints let it move as far as they can",
                object.name
            ));
        }
    }
}
