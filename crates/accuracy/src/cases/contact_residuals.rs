//! How well contacts are solved, case 27: the residuals that solvers report, at rest in a stack and in a
//! heap.

use crate::Method;
use crate::exact::Random;
use crate::measurement::{Sheet, Target, Trouble};
use crate::rigid_scene::{H, Stage, ball, brick, cuboid, go};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::Body;

/// Ten boxes on each other.
fn stack() -> Result<Stage, Trouble> {
    let mut stage = Stage::new(0.0, 0.5).on_ground(0.0)?;
    for k in 0..10 {
        stage = stage.with(format!("box {k}"), brick(Vec3::ONE, Pose::at(Vec3::Z * (0.5 + f64::from(k))))?);
    }
    Ok(stage)
}

/// Boxes and balls thrown into a bin.
fn heap() -> Result<Stage, Trouble> {
    let mut stage = Stage::new(0.0, 0.5).on_ground(0.0)?;
    let wall = cuboid(Vec3::new(0.5, 4.0, 8.0))?;
    for k in 0..4 {
        let turn = Quat::from_rotation_z(0.5 * std::f64::consts::PI * f64::from(k));
        let pose = Pose::new(turn, turn * (Vec3::X * 1.25) + Vec3::Z * 4.0);
        stage = stage.with(format!("wall {k}"), Body::fixed(wall.clone(), pose));
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
        stage = stage.with(format!("thing {k}"), body);
    }
    Ok(stage)
}

/// The largest Signorini, cone and dissipation residuals, m/s, and the largest overlap, m, in the last half
/// second.
fn residuals_of(stage: Stage, solver: &str, steps: usize) -> Result<[f64; 4], Trouble> {
    let mut run = stage.run(solver)?;
    go(&mut run, H, steps)?;
    let mut worst = [0.0_f64; 4];
    for _ in 0..120 {
        run.step(H)?;
        let report = run.report();
        for (worst, now) in
            worst.iter_mut().zip([report.signorini, report.cone, report.dissipation, report.overlap])
        {
            *worst = worst.max(now);
        }
    }
    Ok(worst)
}

/// Case 27.
pub(crate) fn residuals(sheet: &mut Sheet<'_>) {
    type Made = fn() -> Result<Stage, Trouble>;
    let scenes: [(&str, Made, usize); 2] = [("stack of 10", stack, 240), ("heap of 30", heap, 720)];
    for method in Method::solvers() {
        for (name, made, steps) in scenes {
            let note = format!("largest in ½ s, after {} s, h = 1/240", steps / 240);
            let targets = ["Signorini, m/s", "cone, m/s", "dissipation, m/s", "overlap, m"]
                .map(|what| Target::of(format!("{name}: {what}")).noting(note.clone()));
            sheet.measure(method, targets, || residuals_of(made()?, method.name(), steps));
        }
    }
}
