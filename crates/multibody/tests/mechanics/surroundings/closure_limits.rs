//! Limits of hinges and slides that close loops: how far they give way, where they begin, and their slopes.

use crate::support::build::{at, body, constant_softness, model};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::{
    Actuator, BodyId, Description, Equality, EqualityKind, Inequality, InequalityKind, Joint, JointId,
    JointKind, Mount,
};
use gedanken_multibody::simulation::Simulation;

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.5;
const IMPEDANCE: f64 = 0.9;
const TIME_CONSTANT: f64 = 0.02;

/// A floating body that a closure holds along or about an axis askew in the world, its other end turned by `turn`.
fn held(turn: f64, closure: impl Fn(Mount, Mount) -> (EqualityKind, InequalityKind)) -> Description {
    let mut description = Description::new("held");
    description.settings.time_step = 1e-3;
    description.settings.gravity = Vec3::ZERO;
    description.bodies.push(body("it", BodyId::WORLD, MASS, Vec3::splat(INERTIA)));
    description.joints.push(Joint::new("", BodyId::new(1), JointKind::Free));
    let frame = Pose::new(from_rotation_vector(Vec3::new(0.3, -0.7, 0.2)), at(0.0, 0.0, 0.0).translation);
    let first = Mount { body: BodyId::new(1), frame };
    let turned = Pose::new(frame.rotation * from_rotation_vector(Vec3::Z * turn), frame.translation);
    let second = Mount { body: BodyId::WORLD, frame: turned };
    let softness = constant_softness(IMPEDANCE, TIME_CONSTANT, 1.0);
    let (kind, limits) = closure(first, second);
    description.equalities.push(Equality { name: String::new(), kind, softness, is_active: true });
    description.inequalities.push(Inequality { name: String::new(), kind: limits, softness });
    description
}

fn hinge(limits: [f64; 2]) -> impl Fn(Mount, Mount) -> (EqualityKind, InequalityKind) {
    move |first, second| {
        (EqualityKind::Hinge { first, second }, InequalityKind::Angle { first, second, limits })
    }
}

fn slide(limits: [f64; 2]) -> impl Fn(Mount, Mount) -> (EqualityKind, InequalityKind) {
    move |first, second| {
        (EqualityKind::Slide { first, second }, InequalityKind::Shift { first, second, limits })
    }
}

/// The z axis of the closure, in the world.
fn axis() -> Vec3 {
    from_rotation_vector(Vec3::new(0.3, -0.7, 0.2)) * Vec3::Z
}

/// Pushes along the axis, or turns about it, until all is at rest.
fn pushed(mut description: Description, force: f64, turns: bool) -> Simulation {
    let [x, y, z] = axis().to_array();
    let gear = if turns { [0.0, 0.0, 0.0, x, y, z] } else { [x, y, z, 0.0, 0.0, 0.0] };
    description.actuators.push(Actuator {
        gear,
        is_gear_in_parent: true,
        ..Actuator::motor("", JointId::new(0))
    });
    let mut run = Simulation::new(model(description));
    run.state_mut().controls[0] = force;
    for _ in 0..4000 {
        run.step().expect("a step");
    }
    run
}

/// At rest R f = (1 − d)/d A f is d² k r / d: the mass and d drop out, r = a (1 − d) T² with a = A f.
fn sink(acceleration: f64) -> f64 {
    acceleration * (1.0 - IMPEDANCE) * TIME_CONSTANT * TIME_CONSTANT
}

#[test]
fn a_hinge_that_closes_a_loop_rests_beyond_its_limit_as_far_as_softness_says() {
    // The angle is that of the first frame against the second, which is turned at the start.
    for turn in [0.0, 0.4, -2.5] {
        for (torque, limit) in [(1.5, 0.6), (-1.5, -0.2)] {
            let limits = [-0.2 - turn, 0.6 - turn];
            let run = pushed(held(turn, hinge(limits)), torque, true);
            let [w, x, y, z] = <[f64; 4]>::try_from(&run.state().coordinates[3..7]).expect("a quaternion");
            let angle = 2.0 * libm::atan2(Vec3::new(x, y, z).dot(axis()), w);
            let expected = limit + torque.signum() * sink(torque.abs() / INERTIA);
            assert!((angle - expected).abs() < 1e-9, "{turn} {torque}: {angle} instead of {expected}");
        }
    }
}

#[test]
fn a_slide_that_closes_a_loop_rests_beyond_its_limit_as_far_as_softness_says() {
    for (force, limit) in [(3.0, 0.25), (-3.0, -0.1)] {
        let run = pushed(held(0.0, slide([-0.1, 0.25])), force, false);
        let shift = Vec3::from_array(<[f64; 3]>::try_from(&run.state().coordinates[..3]).expect("three"));
        let expected = limit + force.signum() * sink(force.abs() / MASS);
        assert!((shift.dot(axis()) - expected).abs() < 1e-9, "{force}: {shift:?} instead of {expected}");
        assert!(shift.cross(axis()).length() < 1e-12);
    }
}

#[test]
fn rows_of_limits_are_the_slopes_of_their_violations() {
    for (kind, turns) in [(held(0.0, hinge([0.4, 0.6])), true), (held(0.0, slide([0.4, 0.6])), false)] {
        let model = model(kind);
        let violation = |moved: f64| {
            let mut state = model.initial_state();
            if turns {
                let turned = from_rotation_vector(axis() * moved);
                state.coordinates[3..7].copy_from_slice(&[turned.w, turned.x, turned.y, turned.z]);
            } else {
                let place = axis() * moved;
                state.coordinates[..3].copy_from_slice(&place.to_array());
            }
            state.velocities.copy_from_slice(&[0.2, -0.3, 0.5, 0.7, -0.1, 0.4]);
            let mut dynamics = Dynamics::new(&model);
            dynamics.evaluate(&model, &state).expect("an acceleration");
            let last = dynamics.rows.len() - 1;
            let along: f64 = match turns {
                // Velocities of rotation are in the body's frame, in which the axis stays.
                true => axis().dot(Vec3::new(0.7, -0.1, 0.4)),
                false => axis().dot(Vec3::new(0.2, -0.3, 0.5)),
            };
            (dynamics.rows.positions[last], dynamics.rows.velocities[last], along)
        };
        let h = 1e-5;
        let slope = (violation(0.2 + h).0 - violation(0.2 - h).0) / (2.0 * h);
        let (at, rate, along) = violation(0.2);
        assert!((at + 0.2).abs() < 1e-12 && (slope - 1.0).abs() < 1e-9, "{at} {slope}");
        // What a slide's body turns also shifts it, by how far it has moved along an axis that turns with it.
        assert!((rate - along).abs() < 1e-12, "{rate} {along}");
    }
}
