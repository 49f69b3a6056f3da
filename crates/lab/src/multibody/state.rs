//! The state of a run as words, and back.

use super::MultibodyMechanism;
use crate::run::options::Stop;
use crate::run::words::{Hash, Words, WordsReader};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::state::State;
use gedanken_multibody::surroundings::Surroundings as _;

/// Hash of a state: all that decides how it goes on.
pub(super) fn hash(state: &State) -> u64 {
    let mut hash = Hash::new();
    let lists = [&state.coordinates, &state.velocities, &state.controls, &state.warm_start];
    lists.into_iter().flatten().for_each(|number| hash.word(number.to_bits()));
    for body in &state.prescribed {
        scalars(&body.pose).iter().for_each(|number| hash.word(number.to_bits()));
    }
    hash.value()
}

pub(super) fn save(mechanism: &MultibodyMechanism<'_>, to: &mut Words) {
    let state = mechanism.run.state();
    let lists = [&state.coordinates, &state.velocities, &state.controls, &state.warm_start];
    lists.into_iter().flatten().for_each(|number| to.real(*number));
    state.prescribed.iter().flat_map(|body| scalars(&body.pose)).for_each(|number| to.real(number));
    let ledger = mechanism.run.ledger();
    for number in [
        ledger.damping,
        ledger.actuators,
        ledger.friction_loss,
        ledger.limits,
        ledger.normal,
        ledger.friction,
        ledger.motors,
        ledger.prescribed,
        ledger.inequalities,
        mechanism.last_step,
    ] {
        to.real(number);
    }
    ledger.equalities.iter().chain(&ledger.laws).for_each(|number| to.real(*number));
    to.index(mechanism.touching.len());
    mechanism.touching.iter().flatten().for_each(|place| to.index(*place));
}

pub(super) fn load(
    mechanism: &mut MultibodyMechanism<'_>,
    time: f64,
    from: &mut WordsReader<'_>,
) -> Result<(), Stop> {
    let objects = mechanism.bodies.len();
    let state = mechanism.run.state_mut();
    state.time = time;
    let State { coordinates, velocities, controls, warm_start, prescribed, .. } = state;
    for list in [coordinates, velocities, controls, warm_start] {
        for number in list {
            *number = from.real()?;
        }
    }
    for body in prescribed.iter_mut() {
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = from.real()?;
        }
        let [x, y, z, w, i, j, k] = numbers;
        body.pose = Pose::new(Quat::from_xyzw(i, j, k, w), Vec3::new(x, y, z));
    }
    // Velocities of bodies that are told how to move follow from the time.
    mechanism.outside.prescribe(time, prescribed);
    let ledger = mechanism.run.ledger_mut();
    for number in [
        &mut ledger.damping,
        &mut ledger.actuators,
        &mut ledger.friction_loss,
        &mut ledger.limits,
        &mut ledger.normal,
        &mut ledger.friction,
        &mut ledger.motors,
        &mut ledger.prescribed,
        &mut ledger.inequalities,
        &mut mechanism.last_step,
    ] {
        *number = from.real()?;
    }
    for number in ledger.equalities.iter_mut().chain(&mut ledger.laws) {
        *number = from.real()?;
    }
    mechanism.touching.clear();
    for _ in 0..from.length()? {
        let pair = [from.index(objects)?, from.index(objects)?];
        mechanism.touching.insert(pair);
    }
    Ok(())
}

fn scalars(pose: &Pose) -> [f64; 7] {
    let (at, q) = (pose.translation, pose.rotation);
    [at.x, at.y, at.z, q.w, q.x, q.y, q.z]
}
