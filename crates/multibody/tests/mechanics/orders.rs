//! Orders of the integrators, fitted to errors at falling steps.

use crate::support::build::{body, model, near_state, tree};
use crate::support::dice::Dice;
use crate::support::slopes::{distance, order};
use gedanken_math::Vec3;
use gedanken_multibody::model::{Actuator, BodyId, Description, Integrator, Joint, JointId, JointKind};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::state::State;

/// Poses of all bodies after `time`.
fn after(
    description: &Description,
    start: &State,
    integrator: Integrator,
    time: f64,
    steps: u32,
) -> Vec<f64> {
    let mut description = description.clone();
    description.settings.integrator = integrator;
    description.settings.time_step = time / f64::from(steps);
    let mut run = Simulation::new(model(description));
    *run.state_mut() = start.clone();
    for _ in 0..steps {
        run.step().expect("a step");
    }
    run.evaluate().expect("an acceleration");
    let kinematics = &run.dynamics().kinematics;
    let rotations = kinematics.rotations.iter().flat_map(|rotation| rotation.to_cols_array());
    let mut found: Vec<f64> = rotations.collect();
    found.extend(kinematics.centres.iter().flat_map(|centre| centre.to_array()));
    found.extend(&run.state().velocities);
    found
}

fn fitted(description: &Description, start: &State, integrator: Integrator, steps: [u32; 4]) -> f64 {
    let time = 0.2;
    let exact = after(description, start, Integrator::RungeKutta, time, 3200);
    let errors = steps.map(|steps| {
        let found = after(description, start, integrator, time, steps);
        (time / f64::from(steps), distance(&found, &exact))
    });
    order(&errors)
}

fn driven(seed: u64) -> (Description, State) {
    let mut dice = Dice::new(seed);
    let mut description = tree(&mut dice);
    for joint in &mut description.joints {
        joint.stiffness = dice.between(0.0, 5.0);
        joint.damping = dice.between(0.0, 1.0);
    }
    description.actuators.push(Actuator {
        gear: [1.0, 0.5, -0.3, 0.2, 0.1, 0.7],
        bias: [0.0, 0.0, -0.4],
        ..Actuator::motor("", JointId::new(0))
    });
    let mut start = near_state(&model(description.clone()), &mut dice);
    start.controls[0] = 1.0;
    (description, start)
}

#[test]
fn runge_kutta_has_order_four_on_trees() {
    for seed in 0..12 {
        let (description, start) = driven(seed);
        let found = fitted(&description, &start, Integrator::RungeKutta, [40, 60, 80, 120]);
        assert!((found - 4.0).abs() < 0.3, "seed {seed}: order {found}");
    }
}

#[test]
fn runge_kutta_has_order_four_in_free_rotation() {
    let mut description = Description::new("free");
    description.bodies.push(body("body", BodyId::WORLD, 1.0, Vec3::new(0.1, 0.2, 0.25)));
    description.joints.push(Joint::new("free", BodyId::new(1), JointKind::Free));
    let mut start = model(description.clone()).initial_state();
    start.velocities.copy_from_slice(&[1.0, -2.0, 0.5, 3.0, 5.0, -2.0]);
    let found = fitted(&description, &start, Integrator::RungeKutta, [20, 40, 60, 80]);
    assert!((found - 4.0).abs() < 0.2, "order {found}");
}

#[test]
fn all_others_have_order_one() {
    let integrators =
        [Integrator::SemiImplicit, Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast];
    for seed in 0..8 {
        let (description, start) = driven(seed);
        for integrator in integrators {
            let found = fitted(&description, &start, integrator, [400, 800, 1200, 1600]);
            assert!((found - 1.0).abs() < 0.1, "seed {seed}, {integrator:?}: order {found}");
        }
    }
}
