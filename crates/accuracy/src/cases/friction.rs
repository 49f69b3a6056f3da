//! Boxes and friction: cases 3, 4 and 5.

use crate::Method;
use crate::exact::G;
use crate::experiment_run::Told;
use crate::measurement::{Sheet, Target, Trouble};
use crate::rigid_scene::{H, Stage, brick, down, farthest, go, out_of, place, threshold, tilted};
use gedanken_math::{Pose, Quat, Vec3};
use std::f64::consts::PI;

const BRICK: Vec3 = Vec3::new(0.5, 0.5, 0.2);

/// How far boxes slide on the flat, in twelve directions, from the same speed.
fn ways(solver: &str, mu: f64, speed: f64) -> Result<Vec<f64>, Trouble> {
    let along = |k: usize| {
        let (sin, cos) = libm::sincos(PI / 6.0 * k as f64 + 0.1);
        Vec3::new(cos, sin, 0.0)
    };
    let start = |k: usize| along(k) * 3.0 + Vec3::Z * (0.5 * BRICK.z);
    let mut stage = Stage::new(0.0, mu).on_ground(0.0)?;
    for k in 0..12 {
        let body = brick(BRICK, Pose::at(start(k)))?.with_velocity(along(k) * speed);
        stage = stage.with(format!("box {k}"), body);
    }
    let mut run = stage.run(solver)?;
    go(&mut run, H, (1.5 * speed / (mu * G) / H) as usize)?;
    (0..12).map(|k| Ok((place(&run, run.world().id(&format!("box {k}"))?) - start(k)).length())).collect()
}

/// Where a box is that starts up a slope, along it, when it has stopped.
fn up(solver: &str, theta: f64, mu: f64, speed: f64) -> Result<f64, Trouble> {
    let start = out_of(theta) * (0.5 * BRICK.z);
    let body = brick(BRICK, Pose::new(tilted(theta), start))?.with_velocity(down(theta) * -speed);
    let mut run = Stage::new(0.0, mu).on_ground(theta)?.with("box", body).run(solver)?;
    go(&mut run, H, (2.0 / H) as usize)?;
    Ok((place(&run, run.world().id("box")?) - start).length())
}

/// Case 3.
pub(crate) fn stopping(sheet: &mut Sheet<'_>) {
    let (mu, speed) = (0.4, 4.0);
    let exact = speed * speed / (2.0 * mu * G);
    // The measures of the experiment are sums over three boxes, and one of twice the speed.
    let targets = [
        Target::of("way in 3 directions, m").near(3.0 * exact, 1e-3).noting("stopping.lab; sum of three"),
        Target::of("way at twice the speed, m").near(4.0 * exact, 1e-3).noting("stopping.lab"),
    ];
    sheet.measure(Method::Contexts, targets, || {
        let told = Told::by("stopping", &[])?;
        Ok([told.measure("each_way_the_same")?, told.measure("four_times_as_far")?])
    });
    let theta = 15.0_f64.to_radians();
    let uphill = speed * speed / (2.0 * G * (libm::sin(theta) + mu * libm::cos(theta)));
    for method in Method::solvers() {
        let targets = [
            Target::of("way in the worst of 12 directions, m").near(exact, 1e-3).noting("h = 1/240"),
            Target::of("difference between directions, part").within(0.0, 1e-3).noting("h = 1/240"),
        ];
        sheet.measure(method, targets, || {
            let found = ways(method.name(), mu, speed)?;
            let most = found.iter().fold(f64::MIN, |most, s| most.max(*s));
            let least = found.iter().fold(f64::MAX, |least, s| least.min(*s));
            Ok([farthest(found, exact), (most - least) / exact])
        });
        let target = Target::of("way up a slope of 15°, m").near(uphill, 1e-3).noting("h = 1/240");
        sheet.measure(method, [target], || Ok([up(method.name(), theta, mu, speed)?]));
    }
}

/// Case 4.
pub(crate) fn at_rest(sheet: &mut Sheet<'_>) {
    let target = Target::of("drift, m").within(0.0, 1e-9).noting("ramp.lab, 2 s");
    sheet.measure(Method::Contexts, [target], || Ok([Told::by("ramp", &[])?.measure("held")?]));
    let seconds = sheet.choose(60, 3);
    let (theta, mu) = (20.0_f64.to_radians(), 0.5);
    for method in Method::solvers() {
        let target =
            Target::of("drift, m").within(0.0, 1e-9).long().noting(format!("{seconds} s, h = 1/240"));
        sheet.measure(method, [target], || {
            let start = out_of(theta) * (0.5 * BRICK.z);
            let body = brick(BRICK, Pose::new(tilted(theta), start))?;
            let mut run = Stage::new(0.0, mu).on_ground(theta)?.with("box", body).run(method.name())?;
            let id = run.world().id("box")?;
            let mut worst = 0.0_f64;
            for _ in 0..240 * seconds {
                run.step(H)?;
                worst = worst.max((place(&run, id) - start).length());
            }
            Ok([worst])
        });
    }
}

/// Whether a box that is pushed for half a second along an angle has slid.
fn slips(solver: &str, mu: f64, push: Vec3, turn: f64) -> Result<bool, Trouble> {
    let start = Vec3::Z * (0.5 * BRICK.z);
    let body = brick(BRICK, Pose::new(Quat::from_rotation_z(turn), start))?;
    let mut run = Stage::new(0.0, mu).on_ground(0.0)?.with("box", body).run(solver)?;
    let id = run.world().id("box")?;
    // It stands before it is pushed: from nothing, the first step finds all forces anew.
    go(&mut run, H, 10)?;
    let start = place(&run, id);
    for _ in 0..120 {
        let centre = place(&run, id);
        run.apply_force(id, push, centre)?;
        run.step(H)?;
    }
    // An excess of 1e-4 of the force slides 5e-5 m in this time.
    Ok((place(&run, id) - start).length() > 2e-5)
}

/// Case 5. The solvers have circular cones; none of them has a pyramid.
pub(crate) fn cone(sheet: &mut Sheet<'_>) {
    let (mu, count) = (0.4, sheet.choose(24, 5));
    for method in Method::solvers() {
        let target = Target::of("force at which it slips / (μ m g), worst angle")
            .near(1.0, 1e-3)
            .long()
            .noting(format!("{count} angles, h = 1/240"));
        sheet.measure(method, [target], || {
            let mut found = Vec::new();
            for k in 0..count {
                let (sin, cos) = libm::sincos(2.0 * PI * f64::from(k) / f64::from(count) + 0.05);
                let along = Vec3::new(cos, sin, 0.0) * (mu * G);
                let slips = |part: f64| slips(method.name(), mu, along * part, 0.3);
                found.push(threshold(0.9, 1.1, 11, slips)?);
            }
            Ok([farthest(found, 1.0)])
        });
    }
}
