//! Motors: the torque below the speed, the speed beyond it, and the droop between.

use crate::support::build::{at, body, constant_softness, hinge, model};
use gedanken_math::Vec3;
use gedanken_multibody::model::{
    BodyId, Description, Equality, EqualityKind, Joint, JointId, JointKind, Motor, MotorCoordinate, Mount,
};
use gedanken_multibody::simulation::Simulation;

/// A wheel about y with inertia 0.5, driven at `speed` by at most `torque`.
fn wheel(speed: f64, torque: f64) -> Description {
    let mut description = Description::new("wheel");
    description.settings.time_step = 1e-3;
    description.bodies.push(body("wheel", BodyId::WORLD, 1.0, Vec3::splat(0.5)));
    description.joints.push(hinge("axle", BodyId::new(1), Vec3::Y));
    description.motors.push(Motor {
        name: "motor".to_owned(),
        coordinate: MotorCoordinate::Joint(JointId::new(0)),
        speed,
        largest_force: torque,
        softness: constant_softness(0.9, 0.02, 1.0),
    });
    description
}

#[test]
fn a_motor_gives_its_torque_until_the_speed_is_reached() {
    let mut run = Simulation::new(model(wheel(-3.0, 2.0)));
    for _ in 0..500 {
        run.step().expect("a step");
    }
    // ω̇ = τ / I.
    let found = run.state().velocities[0];
    assert!((found + 2.0 / 0.5 * 0.5).abs() < 1e-9, "{found}");
    for _ in 0..1500 {
        run.step().expect("a step");
    }
    let found = run.state().velocities[0];
    assert!((found + 3.0).abs() < 1e-6, "{found}");
    let work = run.ledger().motors;
    assert!((work / (0.5 * 0.5 * 9.0) - 1.0).abs() < 1e-6, "{work}");
}

#[test]
fn a_loaded_motor_droops_as_softness_says() {
    // With A = 1/I the row gives f = D (−b (v − s)), D = d/((1 − d) A), b = 2/(d T).
    let (d, time_constant, load) = (0.9, 0.02, 0.3);
    let mut description = wheel(3.0, 50.0);
    description.settings.gravity = Vec3::ZERO;
    description.joints[0].friction_loss = load;
    description.joints[0].friction_softness = constant_softness(0.9999, 0.002, 1.0);
    let mut run = Simulation::new(model(description));
    for _ in 0..3000 {
        run.step().expect("a step");
    }
    let droop = load * (1.0 - d) / d / 0.5 * d * time_constant / 2.0;
    let found = run.state().velocities[0];
    assert!((found - (3.0 - droop)).abs() < 1e-3 * droop, "{found} instead of {}", 3.0 - droop);
}

#[test]
fn a_motor_drives_a_hinge_that_closes_a_loop() {
    let mut description = wheel(4.0, 2.0);
    // The wheel floats, and a closure holds it: the motor has no coordinate of its own.
    description.joints.clear();
    description.joints.push(Joint::new("", BodyId::new(1), JointKind::Free));
    let turn = gedanken_math::rotation::from_rotation_vector(Vec3::X * -std::f64::consts::FRAC_PI_2);
    let frame = gedanken_math::Pose::new(turn, at(0.0, 0.0, 0.0).translation);
    let [first, second] = [BodyId::new(1), BodyId::WORLD].map(|body| Mount { body, frame });
    description.equalities.push(Equality {
        name: String::new(),
        kind: EqualityKind::Hinge { first, second },
        softness: constant_softness(0.99, 0.01, 1.0),
        is_active: true,
    });
    description.motors[0].coordinate = MotorCoordinate::Hinge { first, second };
    let mut run = Simulation::new(model(description));
    for _ in 0..2500 {
        run.step().expect("a step");
    }
    let spin = &run.state().velocities[3..6];
    assert!((spin[1] - 4.0).abs() < 1e-6, "{spin:?}");
}
