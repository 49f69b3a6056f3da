//! Ropes: slack they do nothing, taut they hold with a force that gives way like any soft constraint.

use crate::support::build::{at, body, constant_softness, model};
use gedanken_math::Vec3;
use gedanken_multibody::model::{
    Body, BodyId, Description, Inequality, InequalityKind, Integrator, Joint, JointKind,
};
use gedanken_multibody::simulation::Simulation;

const G: f64 = 9.81;

/// A ball below a hook, on a rope of length 1.
fn ball(height: f64, side: f64, integrator: Integrator) -> Simulation {
    let mut description = Description::new("rope");
    description.settings.integrator = integrator;
    description.settings.time_step = 1e-3;
    description
        .bodies
        .push(Body { pose: at(side, 0.0, height), ..body("ball", BodyId::WORLD, 2.0, Vec3::splat(0.01)) });
    description.joints.push(Joint::new("", BodyId::new(1), JointKind::Free));
    description.inequalities.push(Inequality {
        name: "rope".to_owned(),
        kind: InequalityKind::Rope {
            first: (BodyId::WORLD, Vec3::ZERO),
            second: (BodyId::new(1), Vec3::ZERO),
            length: 1.0,
        },
        softness: constant_softness(0.9, 0.02, 1.0),
    });
    Simulation::new(model(description))
}

#[test]
fn a_slack_rope_lets_fall() {
    let mut run = ball(-0.2, 0.0, Integrator::RungeKutta);
    for _ in 0..300 {
        run.step().expect("a step");
        assert!(run.dynamics().rows.is_empty());
    }
    let expected = -0.2 - 0.5 * G * 0.09;
    assert!((run.state().coordinates[2] - expected).abs() < 1e-12, "{}", run.state().coordinates[2]);
}

#[test]
fn a_taut_rope_carries_the_weight() {
    let mut run = ball(-1.0, 0.0, Integrator::SemiImplicit);
    for _ in 0..3000 {
        run.step().expect("a step");
    }
    let force = run.dynamics().solver.constraint_forces[2];
    assert!((force / (2.0 * G) - 1.0).abs() < 1e-9, "{force}");
    // (1 − d) g = d² k r with k = 1 / (d² T²), whatever hangs there.
    let sunk = -1.0 - run.state().coordinates[2];
    assert!((sunk / (0.1 * G * 4e-4) - 1.0).abs() < 1e-6, "{sunk}");
}

#[test]
fn a_ball_thrown_up_leaves_its_rope() {
    // Released above the horizontal it falls freely until the rope is taut, then swings.
    let mut run = ball(0.3, 0.5, Integrator::RungeKutta);
    let free = (libm::sqrt(0.75) + 0.3) * 2.0 / G;
    let steps = (libm::sqrt(free) / 1e-3) as usize;
    for step in 0..2 * steps {
        run.step().expect("a step");
        assert_eq!(run.dynamics().rows.is_empty(), step < steps, "step {step}");
        if step > steps {
            break;
        }
    }
    let rows = &run.dynamics().rows;
    assert_eq!(rows.len(), 1);
    assert!(run.dynamics().solver.forces[0] > 0.0, "a rope pulls");
}
