//! Quality of the contact solution, case 27: the residuals that solvers report, at rest in a stack and in a
//! heap. Variational steps have residuals of their own, and are measured in the stack only: a heap takes them
//! minutes.

use crate::exact::Random;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{RigidScene, STEP, advance, ball, brick, cuboid};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::Body;
use gedanken_rigid::contacts::Report;

/// Ten boxes on each other.
fn stack() -> Result<RigidScene, MeasureError> {
    let mut scene = RigidScene::new(0.0, 0.5).on_ground(0.0)?;
    for k in 0..10 {
        scene = scene.with(format!("box {k}"), brick(Vec3::ONE, Pose::at(Vec3::Z * (0.5 + f64::from(k))))?);
    }
    Ok(scene)
}

/// Boxes and balls thrown into a bin.
fn heap() -> Result<RigidScene, MeasureError> {
    let mut scene = RigidScene::new(0.0, 0.5).on_ground(0.0)?;
    let wall = cuboid(Vec3::new(0.5, 4.0, 8.0))?;
    for k in 0..4 {
        let turn = Quat::from_rotation_z(0.5 * std::f64::consts::PI * f64::from(k));
        let pose = Pose::new(turn, turn * (Vec3::X * 1.25) + Vec3::Z * 4.0);
        scene = scene.with(format!("wall {k}"), Body::fixed(wall.clone(), pose));
    }
    let mut random = Random(27);
    for k in 0..30 {
        let place = random.vector(0.3) + Vec3::Z * (0.6 + 0.25 * f64::from(k));
        let turn = Quat::from_scaled_axis(random.vector(1.0)).normalize();
        let body = if k % 2 == 0 {
            brick(Vec3::new(0.5, 0.4, 0.3), Pose::new(turn, place))?
        } else {
            ball(0.2, place)?
        };
        scene = scene.with(format!("thing {k}"), body);
    }
    Ok(scene)
}

/// Four residuals of a report.
type Residuals = fn(&Report) -> [f64; 4];

/// The largest residuals in the last half second.
fn residuals_of(
    scene: RigidScene,
    method: Method,
    steps: usize,
    residuals: Residuals,
) -> Result<[f64; 4], MeasureError> {
    let mut run = scene.run(method)?;
    advance(&mut run, STEP, steps)?;
    let mut worst = [0.0_f64; 4];
    for _ in 0..120 {
        run.step(STEP)?;
        for (worst, now) in worst.iter_mut().zip(residuals(&run.report())) {
            *worst = worst.max(now);
        }
    }
    Ok(worst)
}

/// Names and values of the residuals of velocities.
const OF_VELOCITIES: ([&str; 4], Residuals) =
    (["Signorini, m/s", "cone, m/s", "dissipation, m/s", "overlap, m"], |report| {
        [report.signorini, report.cone, report.dissipation, report.overlap]
    });

/// Names and values of the residuals of a variational step, without units.
const OF_STEPS: ([&str; 4], Residuals) =
    (["stationarity", "feasibility", "complementarity", "friction residual"], |report| {
        let residuals = report.variational;
        [residuals.stationarity, residuals.feasibility, residuals.complementarity, residuals.friction]
    });

/// Case 27.
pub(crate) fn residuals(case: &mut CaseRun<'_>) {
    type Made = fn() -> Result<RigidScene, MeasureError>;
    let scenes: [(&str, Made, usize); 2] = [("stack of 10", stack, 240), ("heap of 30", heap, 720)];
    for method in Method::solvers() {
        let is_variational = Method::VARIATIONAL.contains(&method);
        let (names, values) = if is_variational { OF_STEPS } else { OF_VELOCITIES };
        for (name, made, steps) in &scenes[..if is_variational { 1 } else { 2 }] {
            let note = format!("largest in ½ s, after {} s, h = 1/240", steps / 240);
            let targets = names.map(|what| Target::of(format!("{name}: {what}")).noting(note.clone()));
            case.measure(method, targets, || residuals_of(made()?, method, *steps, values));
        }
    }
}
