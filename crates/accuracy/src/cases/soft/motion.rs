//! Motion in the coordinates of joints: cases 16 to 19. Periods are those of the steps of Runge and Kutta; the
//! drift of energy is told for each integrator.

use super::scene::{INTEGRATORS, rotation, start};
use crate::exact::{G, crossings};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use gedanken_math::rotation::to_world;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::{Body, BodyId, Description, Integrator, Joint, JointKind};
use gedanken_multibody::simulation::Simulation;
use std::f64::consts::{PI, TAU};

fn described(integrator: Integrator, step: f64) -> Description {
    let mut description = Description::new("motion");
    description.settings.integrator = integrator;
    description.settings.time_step = step;
    description
}

/// Samples of something after every step.
fn samples(
    run: &mut Simulation,
    steps: usize,
    read: impl Fn(&Simulation) -> f64,
) -> Result<Vec<f64>, MeasureError> {
    let mut found = Vec::with_capacity(steps);
    for _ in 0..steps {
        run.step()?;
        found.push(read(run));
    }
    Ok(found)
}

/// The mean time between rises through zero.
fn mean_period(found: &[f64]) -> Result<f64, MeasureError> {
    match found {
        [first, .., last] => Ok((last - first) / (found.len() - 1) as f64),
        _ => Err("it does not rise through zero twice".into()),
    }
}

/// The largest change of the energy, as a part of `scale`.
fn drift(
    run: &mut Simulation,
    steps: usize,
    scale: f64,
    energy: impl Fn(&Simulation) -> f64,
) -> Result<f64, MeasureError> {
    let before = energy(run);
    let all = samples(run, steps, energy)?;
    Ok(all.into_iter().fold(0.0, |worst: f64, now| worst.max((now - before).abs() / scale)))
}

/// A free body without weight.
fn free(moments: Vec3, spin: Vec3, integrator: Integrator, step: f64) -> Result<Simulation, MeasureError> {
    let mut description = described(integrator, step);
    description.settings.gravity = Vec3::ZERO;
    let body = Body { mass: 1.0, inertia: moments, ..Body::new("body", BodyId::WORLD) };
    description.bodies.push(body);
    description.joints.push(Joint::new("free", BodyId::new(1), JointKind::Free));
    let mut run = start(description)?;
    run.state_mut().velocities[3..6].copy_from_slice(&spin.to_array());
    Ok(run)
}

/// Angular velocity of a free body, in its frame.
fn spin(run: &Simulation) -> Vec3 {
    Vec3::from_slice(&run.state().velocities[3..6])
}

/// Case 16.
pub(crate) fn tumbling(case: &mut CaseRun<'_>, moments: Vec3, omega: Vec3, exact: f64) {
    let target = Target::of("period, s, rk4").near(exact, 1e-6).noting("h = 1/500");
    case.measure(Method::Soft, [target], || {
        let mut run = free(moments, omega, Integrator::RungeKutta, 2e-3)?;
        let found = samples(&mut run, 37_500, |run| spin(run).x)?;
        match crossings(&found, 2e-3)[..] {
            [first, second, ..] => Ok([second - first]),
            _ => Err("ω₁ never rises through zero".into()),
        }
    });
    let steps = case.choose(100_000, 10_000);
    for (name, integrator) in INTEGRATORS {
        let targets = [
            Target::of(format!("largest error of T, part, {name}")),
            Target::of(format!("largest change of L, part, {name}")),
        ];
        let targets = targets.map(|target| target.long().noting(format!("{steps} steps of 0.01 s")));
        case.measure(Method::Soft, targets, || {
            let mut run = free(moments, omega, integrator, 0.01)?;
            let momentum = |run: &Simulation| to_world(rotation(run, 3), moments * spin(run));
            let energy = |run: &Simulation| (moments * spin(run)).dot(spin(run));
            let (t0, l0) = (energy(&run), momentum(&run));
            let mut worst = [0.0_f64; 2];
            for _ in 0..steps {
                run.step()?;
                worst[0] = worst[0].max((energy(&run) / t0 - 1.0).abs());
                worst[1] = worst[1].max((momentum(&run) - l0).length() / l0.length());
            }
            Ok(worst)
        });
    }
}

/// A heavy symmetric top of 1 kg on its tip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Top {
    /// Moments across and along its axis, about its centre.
    pub(crate) moments: [f64; 2],
    /// Distance of its centre from the tip.
    pub(crate) length: f64,
    /// Angle from upright.
    pub(crate) tilt: f64,
    /// Spin about its axis.
    pub(crate) spin: f64,
}

/// Case 17: the precession of a top that was started with the rate `omega`, and its largest changes of E, p_φ and
/// p_ψ.
pub(crate) fn top(case: &mut CaseRun<'_>, targets: [Target; 4], top: Top, omega: f64, seconds: f64) {
    case.measure(Method::Soft, targets, || {
        let h = 1.0 / 4000.0;
        let [across, along] = top.moments;
        let mut description = described(Integrator::RungeKutta, h);
        let body = Body {
            mass: 1.0,
            inertia: Vec3::new(across, across, along),
            inertia_pose: Pose::at(Vec3::Z * top.length),
            ..Body::new("top", BodyId::WORLD)
        };
        description.bodies.push(body);
        description.joints.push(Joint::new("tip", BodyId::new(1), JointKind::Ball));
        let mut run = start(description)?;
        let turn = Quat::from_rotation_y(top.tilt);
        run.state_mut().coordinates.copy_from_slice(&[turn.w, turn.x, turn.y, turn.z]);
        // In the tilted frame the vertical is (-sin θ, 0, cos θ).
        run.state_mut().velocities.copy_from_slice(&[-omega * libm::sin(top.tilt), 0.0, top.spin]);
        let about_tip = across + top.length * top.length;
        let kept = |run: &Simulation| {
            let w = Vec3::from_slice(&run.state().velocities);
            let own = Vec3::new(about_tip * w.x, about_tip * w.y, along * w.z);
            let turn = rotation(run, 0);
            let height = top.length * to_world(turn, Vec3::Z).z;
            [0.5 * own.dot(w) + G * height, to_world(turn, own).z, own.z]
        };
        let (before, mut worst) = (kept(&run), [0.0_f64; 3]);
        let (mut azimuth, mut last) = (0.0, 0.0);
        let steps = (seconds / h) as usize;
        for _ in 0..steps {
            run.step()?;
            let axis = to_world(rotation(&run, 0), Vec3::Z);
            let now = libm::atan2(axis.y, axis.x);
            azimuth += libm::remainder(now - last, TAU);
            last = now;
            for (worst, (now, before)) in worst.iter_mut().zip(kept(&run).into_iter().zip(before)) {
                *worst = worst.max((now / before - 1.0).abs());
            }
        }
        Ok([azimuth / (steps as f64 * h), worst[0], worst[1], worst[2]])
    });
}

/// Points of 1 kg on rods of 1 m without mass, one hanging on the other.
fn points(count: usize, integrator: Integrator, step: f64) -> Result<Simulation, MeasureError> {
    let mut description = described(integrator, step);
    for number in 1..=count {
        let place = if number == 1 { Vec3::ZERO } else { -Vec3::Z };
        let body = Body {
            mass: 1.0,
            inertia: Vec3::ZERO,
            pose: Pose::at(place),
            inertia_pose: Pose::at(-Vec3::Z),
            ..Body::new(format!("point {number}"), BodyId::new(number - 1))
        };
        description.bodies.push(body);
        let hinge = Joint::new(format!("hinge {number}"), BodyId::new(number), JointKind::Hinge);
        description.joints.push(Joint { axis: Vec3::Y, ..hinge });
    }
    start(description)
}

/// Case 18.
pub(crate) fn pendulum(case: &mut CaseRun<'_>, exact: f64, seconds: f64) {
    let h = 1.0 / 500.0;
    let target =
        Target::of("period, s, rk4").near(exact, 1e-6).long().noting(format!("{seconds} s, h = 1/500"));
    case.measure(Method::Soft, [target], || {
        let mut run = points(1, Integrator::RungeKutta, h)?;
        run.state_mut().coordinates[0] = PI / 2.0;
        let found = samples(&mut run, (seconds / h) as usize, |run| run.state().coordinates[0])?;
        Ok([mean_period(&crossings(&found, h))?])
    });
    for (name, integrator) in INTEGRATORS {
        let target = Target::of(format!("largest error of E / m g l, {name}"));
        case.measure(Method::Soft, [target.noting("5000 steps of 1/500 s")], || {
            let mut run = points(1, integrator, h)?;
            run.state_mut().coordinates[0] = PI / 2.0;
            let energy = |run: &Simulation| {
                let (angle, rate) = (run.state().coordinates[0], run.state().velocities[0]);
                0.5 * rate * rate - G * libm::cos(angle)
            };
            Ok([drift(&mut run, 5000, G, energy)?])
        });
    }
}

/// Case 19: a mode of two points, by its ratio of angles from the vertical.
pub(crate) fn double_pendulum(case: &mut CaseRun<'_>, name: &str, omega: f64, ratio: f64) {
    let h = 1e-3;
    let target = Target::of(format!("{name} mode of points, rad/s, rk4")).near(omega, 1e-5);
    case.measure(Method::Soft, [target.noting("10 s, h = 1/1000")], || {
        let mut run = points(2, Integrator::RungeKutta, h)?;
        // The second angle is measured from the first rod.
        run.state_mut().coordinates.copy_from_slice(&[1e-3, 1e-3 * (ratio - 1.0)]);
        let found = samples(&mut run, 10_000, |run| run.state().coordinates[0])?;
        Ok([TAU / mean_period(&crossings(&found, h))?])
    });
}
