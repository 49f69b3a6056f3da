//! Pendula: the period at 90°, the small modes of two, and energy in free fall.

use super::rotation::complete_elliptic;
use crate::support::build::{at, body, hinge, model, state, tree};
use crate::support::dice::Dice;
use crate::support::energy::total;
use gedanken_math::Vec3;
use gedanken_multibody::model::{BodyId, Description, Integrator, JointKind};
use gedanken_multibody::simulation::Simulation;

const G: f64 = 9.81;

/// A chain of point masses on massless rods of length 1, about y.
fn pendulum(links: usize, step: f64) -> Simulation {
    let mut description = Description::new("pendulum");
    description.settings.integrator = Integrator::RungeKutta;
    description.settings.time_step = step;
    for index in 1..=links {
        let mut link = body("link", BodyId::new(index - 1), 1.0, Vec3::ZERO);
        link.pose = if index == 1 { at(0.0, 0.0, 0.0) } else { at(0.0, 0.0, -1.0) };
        link.inertia_pose = at(0.0, 0.0, -1.0);
        description.bodies.push(link);
        description.joints.push(hinge("", BodyId::new(index), Vec3::Y));
    }
    Simulation::new(model(description))
}

/// Times at which the first coordinate passes zero, by cubics through values and slopes.
pub(super) fn crossings(
    run: &mut Simulation,
    read: impl Fn(&Simulation) -> [f64; 2],
    count: usize,
) -> Vec<f64> {
    let h = run.model().description.settings.time_step;
    let mut found = Vec::new();
    let mut last = read(run);
    while found.len() < count {
        let start = run.state().time;
        run.step().expect("a step");
        let next = read(run);
        if last[0] * next[0] < 0.0 {
            let value = |s: f64| {
                let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
                last[0] * (1.0 - a) + next[0] * a + h * b * ((1.0 - s) * last[1] - s * next[1])
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if value(middle) * last[0] > 0.0 { low = middle } else { high = middle }
            }
            found.push(start + low * h);
        }
        last = next;
    }
    found
}

#[test]
fn a_pendulum_from_the_horizontal_keeps_its_period() {
    let expected = 4.0 / G.sqrt() * complete_elliptic(0.5);
    assert!((expected - 2.367842).abs() < 1e-6);
    let mut run = pendulum(1, 2e-3);
    run.state_mut().coordinates[0] = std::f64::consts::FRAC_PI_2;
    let times = crossings(&mut run, |run| [run.state().coordinates[0], run.state().velocities[0]], 21);
    let period = (times[20] - times[0]) / 10.0;
    assert!((period / expected - 1.0).abs() < 1e-6, "{period} instead of {expected}");
}

#[test]
fn two_pendula_have_their_small_modes() {
    for sign in [1.0, -1.0_f64] {
        // Mode: the second angle, measured from the first, is ±√2 − 1 of it.
        let expected = ((2.0 - sign * 2_f64.sqrt()) * G).sqrt();
        let mut run = pendulum(2, 2e-3);
        run.state_mut().coordinates.copy_from_slice(&[1e-5, 1e-5 * (sign * 2_f64.sqrt() - 1.0)]);
        let times = crossings(&mut run, |run| [run.state().coordinates[0], run.state().velocities[0]], 21);
        let frequency = std::f64::consts::PI * 20.0 / (times[20] - times[0]);
        assert!((frequency / expected - 1.0).abs() < 1e-5, "{frequency} instead of {expected}");
    }
}

#[test]
fn figures_in_free_fall_keep_their_energy() {
    let mut tried = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut description = tree(&mut dice);
        if description.joints[0].kind != JointKind::Free || description.joints.len() < 4 {
            continue;
        }
        tried += 1;
        description.settings.integrator = Integrator::RungeKutta;
        let model = model(description);
        let start = state(&model, &mut dice);
        let mut run = Simulation::new(model.clone());
        *run.state_mut() = start.clone();
        let before = total(&model, &start);
        for _ in 0..500 {
            run.step().expect("a step");
        }
        // Relative to the kinetic energy that free fall of a second gives.
        let mass: f64 = model.description.bodies.iter().map(|body| body.mass).sum();
        let drift = (total(&model, run.state()) - before) / (0.5 * mass * G * G);
        assert!(drift.abs() < 1e-8, "seed {seed}: {drift:e}");
    }
    assert!(tried > 5, "only {tried} figures");
}
