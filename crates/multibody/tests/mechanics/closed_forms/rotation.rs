//! Free rotation of an asymmetric body, and the steady precession of a heavy top.

use super::pendula::crossings;
use crate::support::build::{at, body, model};
use crate::support::dice::Dice;
use gedanken_math::rotation::{about_axis, to_world};
use gedanken_math::{Quat, Vec3};
use gedanken_multibody::model::{BodyId, Description, Integrator, Joint, JointKind};
use gedanken_multibody::simulation::Simulation;

/// Complete elliptic integral K of the parameter m = k², by the arithmetic-geometric mean.
pub(super) fn complete_elliptic(m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    for _ in 0..12 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

/// A free body without weight that turns.
fn turning(inertia: Vec3, spin: Vec3, step: f64) -> Simulation {
    let mut description = Description::new("free");
    description.settings.gravity = Vec3::ZERO;
    description.settings.integrator = Integrator::RungeKutta;
    description.settings.time_step = step;
    let mut it = body("body", BodyId::WORLD, 1.0, inertia);
    it.pose.rotation = Dice::new(3).rotation();
    description.bodies.push(it);
    description.joints.push(Joint::new("free", BodyId::new(1), JointKind::Free));
    let mut run = Simulation::new(model(description));
    run.state_mut().velocities[3..6].copy_from_slice(&spin.to_array());
    run
}

/// Angular velocity in the body's frame.
fn spin(run: &Simulation) -> Vec3 {
    Vec3::from_slice(&run.state().velocities[3..6])
}

/// Angular momentum in the world.
fn momentum(run: &Simulation, inertia: Vec3) -> Vec3 {
    let q = &run.state().coordinates[3..7];
    to_world(Quat::from_xyzw(q[1], q[2], q[3], q[0]), inertia * spin(run))
}

#[test]
fn an_asymmetric_body_turns_over_in_its_period() {
    let inertia = Vec3::new(1.0, 2.0, 3.0);
    let start = Vec3::new(0.01, 1.0, 0.02);
    let (energy, square) = ((inertia * start).dot(start), (inertia * start).length_squared());
    // @landau1976, § 37, where L² > 2 T I₂.
    let rate = ((3.0 - 2.0) * (square - energy) / 6.0).sqrt();
    let m = (2.0 - 1.0) * (3.0 * energy - square) / ((3.0 - 2.0) * (square - energy));
    let expected = 4.0 * complete_elliptic(m) / rate;
    assert!((expected - 33.194997).abs() < 1e-6);
    let mut run = turning(inertia, start, 1e-2);
    let read = |run: &Simulation| {
        let w = spin(run);
        [w.y, (inertia.z - inertia.x) * w.z * w.x / inertia.y]
    };
    let times = crossings(&mut run, read, 5);
    let period = (times[4] - times[0]) / 2.0;
    assert!((period / expected - 1.0).abs() < 1e-6, "{period} instead of {expected}");
}

#[test]
fn free_rotation_keeps_energy_and_momentum() {
    let inertia = Vec3::new(1.0, 2.0, 3.0);
    let mut run = turning(inertia, Vec3::new(0.01, 1.0, 0.02), 1e-2);
    let (before, energy) = (momentum(&run, inertia), (inertia * spin(&run)).dot(spin(&run)));
    let (mut worst, mut turned): (f64, f64) = (0.0, 0.0);
    for _ in 0..100_000 {
        run.step().expect("a step");
        worst = worst.max(((inertia * spin(&run)).dot(spin(&run)) / energy - 1.0).abs());
        turned = turned.max((momentum(&run, inertia) - before).length() / before.length());
    }
    assert!(worst < 1e-8, "energy drifts by {worst:e}");
    assert!(turned < 1e-7, "momentum drifts by {turned:e}");
}

#[test]
fn a_heavy_top_precesses_at_both_steady_rates() {
    let (mass, arm, across, along, theta, g) = (1.2, 0.3, 0.02, 0.01, 0.7_f64, 9.81);
    let inertia = across + mass * arm * arm;
    for sign in [-1.0, 1.0] {
        let spin: f64 = 150.0;
        let root = (along * along * spin * spin - 4.0 * inertia * mass * g * arm * libm::cos(theta)).sqrt();
        let precession = (along * spin + sign * root) / (2.0 * inertia * libm::cos(theta));
        let mut description = Description::new("top");
        description.settings.integrator = Integrator::RungeKutta;
        description.settings.time_step = 2.5e-4;
        let mut top = body("top", BodyId::WORLD, mass, Vec3::new(across, across, along));
        top.inertia_pose = at(0.0, 0.0, arm);
        description.bodies.push(top);
        description.joints.push(Joint::new("ball", BodyId::new(1), JointKind::Ball));
        let mut run = Simulation::new(model(description));
        let tilt = about_axis(1, theta);
        run.state_mut().coordinates.copy_from_slice(&[tilt.w, tilt.x, tilt.y, tilt.z]);
        // In the tilted frame the vertical is (−sin θ, 0, cos θ); the axial rate is ω₃ in all.
        run.state_mut().velocities.copy_from_slice(&[-precession * libm::sin(theta), 0.0, spin]);
        let mut turned = 0.0;
        let mut last = 0.0;
        let steps = 2000;
        for _ in 0..steps {
            run.step().expect("a step");
            let q = &run.state().coordinates;
            let axis = to_world(Quat::from_xyzw(q[1], q[2], q[3], q[0]), Vec3::Z);
            assert!((axis.z - libm::cos(theta)).abs() < 1e-6, "nutates to {}", axis.z);
            let angle = libm::atan2(axis.y, axis.x);
            turned += (angle - last + 3.0 * std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
                - std::f64::consts::PI;
            last = angle;
        }
        let found = turned / (f64::from(steps) * 2.5e-4);
        assert!((found / precession - 1.0).abs() < 1e-6, "{found} instead of {precession}");
        let v = &run.state().velocities;
        assert!((v[2] / spin - 1.0).abs() < 1e-12, "the spin about the axis is kept");
        let q = &run.state().coordinates;
        let vertical = gedanken_math::rotation::to_body(Quat::from_xyzw(q[1], q[2], q[3], q[0]), Vec3::Z);
        let momentum = Vec3::new(inertia * v[0], inertia * v[1], along * v[2]).dot(vertical);
        let expected =
            inertia * precession * libm::sin(theta) * libm::sin(theta) + along * spin * libm::cos(theta);
        assert!((momentum / expected - 1.0).abs() < 1e-8, "p_φ is {momentum} instead of {expected}");
    }
}
