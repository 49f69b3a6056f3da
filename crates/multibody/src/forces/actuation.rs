//! Forces of actuators at their joints.

use crate::compile::Model;
use crate::model::{Actuator, JointKind};
use crate::state::State;
use crate::tree::kinematics::{quaternion, rotation_vector};
use gedanken_math::Vec3;
use gedanken_math::rotation::to_body;

/// An actuator at an instant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Transmission {
    /// Length.
    pub length: f64,
    /// Rate of the length.
    pub rate: f64,
    /// First freedom it acts on.
    pub first: usize,
    /// Number of freedoms it acts on.
    pub count: usize,
    /// Force of each freedom per force of the actuator.
    pub moment: [f64; 6],
    /// Length of a whole turn, where lengths that differ by one are the same.
    pub period: Option<f64>,
}

/// Length, rate and moments of an actuator.
#[must_use]
pub fn transmission(model: &Model, actuator: &Actuator, state: &State) -> Transmission {
    let number = actuator.joint.index();
    let joint = &model.description.joints[number];
    let at = model.topology.coordinate_of[number];
    let first = model.topology.freedom_of[number];
    let count = joint.kind.freedoms();
    let gear = &actuator.gear;
    let mut moment = *gear;
    let mut length = 0.0;
    let mut period = None;
    // Gears of the parent's frame are turned into the body's, in which angular velocity is measured.
    let mut turn = |from: usize, quaternion_at: usize| {
        let axis = Vec3::new(gear[from], gear[from + 1], gear[from + 2]);
        if actuator.is_gear_in_parent {
            let turned = to_body(quaternion(&state.coordinates, quaternion_at), axis);
            moment[from..from + 3].copy_from_slice(&turned.to_array());
        }
        axis
    };
    match joint.kind {
        JointKind::Slide | JointKind::Hinge => length = gear[0] * state.coordinates[at],
        JointKind::Ball => {
            // A rotation vector is the same in both frames.
            let axis = turn(0, at);
            length = rotation_vector(quaternion(&state.coordinates, at)).dot(axis);
            period = Some(core::f64::consts::TAU * axis.length());
        }
        JointKind::Free => {
            turn(3, at + 3);
        }
    }
    let rate = (0..count).map(|k| moment[k] * state.velocities[first + k]).sum();
    Transmission { length, rate, first, count, moment, period }
}

/// Force of an actuator, and its derivative by the rate of the length.
#[must_use]
pub fn force(model: &Model, number: usize, it: &Transmission, state: &State) -> (f64, f64) {
    let actuator = &model.description.actuators[number];
    let clamps = !model.description.settings.disabled.control_clamping;
    let control = match actuator.control_range.filter(|_| clamps) {
        Some([low, high]) => state.controls[number].max(low).min(high),
        None => state.controls[number],
    };
    let control = match it.period.filter(|&period| actuator.is_servo && period > 0.0) {
        Some(period) => control - period * libm::round((control - it.length) / period),
        None => control,
    };
    let affine = |numbers: &[f64; 3]| numbers[0] + numbers[1] * it.length + numbers[2] * it.rate;
    let force = affine(&actuator.gain) * control + affine(&actuator.bias);
    let slope = actuator.gain[2] * control + actuator.bias[2];
    match actuator.force_range {
        Some([low, _]) if force <= low => (low, 0.0),
        Some([_, high]) if force >= high => (high, 0.0),
        _ => (force, slope),
    }
}

/// Writes forces of all actuators, with gravity compensation where joints ask for it.
pub fn actuate(model: &Model, state: &State, compensation: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let settings = &model.description.settings;
    // Without any actuator there is nobody to compensate, as in MuJoCo.
    if settings.disabled.actuation || model.description.actuators.is_empty() {
        return;
    }
    for (number, actuator) in model.description.actuators.iter().enumerate() {
        let it = transmission(model, actuator, state);
        let (force, _) = force(model, number, &it, state);
        for k in 0..it.count {
            out[it.first + k] += it.moment[k] * force;
        }
    }
    for (number, joint) in model.description.joints.iter().enumerate() {
        let first = model.topology.freedom_of[number];
        if joint.compensates_by_actuators {
            for freedom in first..first + joint.kind.freedoms() {
                out[freedom] += compensation[freedom];
            }
        }
        if let Some([low, high]) = joint.actuator_force_range {
            out[first] = out[first].max(low).min(high);
        }
    }
}
