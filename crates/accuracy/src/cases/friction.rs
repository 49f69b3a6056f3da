//! Boxes and friction: cases 3, 4 and 5.

use super::soft;
use crate::exact::G;
use crate::experiment_run::ExperimentRun;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{
    BACKWARD_EULER, RigidScene, STEP, advance, bisect_threshold, brick, centre_of_mass, downhill, farthest,
    ground_normal, ground_rotation,
};
use gedanken_math::{Pose, Quat, Vec3};
use std::f64::consts::PI;

const BRICK: Vec3 = Vec3::new(0.5, 0.5, 0.2);

/// Distances that boxes slide on a level ground, in twelve directions, from the same speed.
fn ways(method: Method, h: f64, mu: f64, speed: f64) -> Result<Vec<f64>, MeasureError> {
    let along = |k: usize| {
        let (sin, cos) = libm::sincos(PI / 6.0 * k as f64 + 0.1);
        Vec3::new(cos, sin, 0.0)
    };
    let start = |k: usize| along(k) * 3.0 + Vec3::Z * (0.5 * BRICK.z);
    let mut scene = RigidScene::new(0.0, mu).on_ground(0.0)?;
    for k in 0..12 {
        let body = brick(BRICK, Pose::at(start(k)))?.with_velocity(along(k) * speed);
        scene = scene.with(format!("box {k}"), body);
    }
    let mut run = scene.run(method)?;
    advance(&mut run, h, (1.5 * speed / (mu * G) / h) as usize)?;
    (0..12)
        .map(|k| Ok((centre_of_mass(&run, run.world().id(&format!("box {k}"))?) - start(k)).length()))
        .collect()
}

/// Position along the slope at which a box that starts upwards has stopped.
fn up(method: Method, h: f64, theta: f64, mu: f64, speed: f64) -> Result<f64, MeasureError> {
    let start = ground_normal(theta) * (0.5 * BRICK.z);
    let body =
        brick(BRICK, Pose::new(ground_rotation(theta), start))?.with_velocity(downhill(theta) * -speed);
    let mut run = RigidScene::new(0.0, mu).on_ground(theta)?.with("box", body).run(method)?;
    advance(&mut run, h, (2.0 / h) as usize)?;
    Ok((centre_of_mass(&run, run.world().id("box")?) - start).length())
}

/// Case 3.
pub(crate) fn stopping(case: &mut CaseRun<'_>) {
    let (mu, speed) = (0.4, 4.0);
    let exact = speed * speed / (2.0 * mu * G);
    // The measures of the experiment are sums over three boxes, and one of twice the speed.
    let targets = [
        Target::of("way in 3 directions, m").near(3.0 * exact, 1e-3).noting("stopping.lab; sum of three"),
        Target::of("way at twice the speed, m").near(4.0 * exact, 1e-3).noting("stopping.lab"),
    ];
    case.measure(Method::Contexts, targets, || {
        let experiment = ExperimentRun::of_gallery("stopping", &[])?;
        Ok([experiment.measure("each_way_the_same")?, experiment.measure("four_times_as_far")?])
    });
    let theta = 15.0_f64.to_radians();
    let uphill = speed * speed / (2.0 * G * (libm::sin(theta) + mu * libm::cos(theta)));
    for method in Method::solvers() {
        // Backward Euler is short by v₀h/2, which is h μ g/v₀ of the way and more than this tolerance at 1/240.
        let (h, note) =
            if method == BACKWARD_EULER { (5e-4, "h = 1/2000: first order") } else { (STEP, "h = 1/240") };
        let targets = [
            Target::of("way in the worst of 12 directions, m").near(exact, 1e-3).noting(note),
            Target::of("difference between directions, part").within(0.0, 1e-3).noting(note),
        ];
        case.measure(method, targets, || {
            let found = ways(method, h, mu, speed)?;
            let most = found.iter().fold(f64::MIN, |most, s| most.max(*s));
            let least = found.iter().fold(f64::MAX, |least, s| least.min(*s));
            Ok([farthest(found, exact), (most - least) / exact])
        });
        let target = Target::of("way up a slope of 15°, m").near(uphill, 1e-3).noting(note);
        case.measure(method, [target], || Ok([up(method, h, theta, mu, speed)?]));
    }
    soft::stopping(case, mu, speed, theta);
}

/// Case 4.
pub(crate) fn at_rest(case: &mut CaseRun<'_>) {
    let target = Target::of("drift, m").within(0.0, 1e-9).noting("ramp.lab, 2 s");
    case.measure(Method::Contexts, [target], || {
        Ok([ExperimentRun::of_gallery("ramp", &[])?.measure("held")?])
    });
    let seconds = case.choose(60, 3);
    let (theta, mu) = (20.0_f64.to_radians(), 0.5);
    for method in Method::solvers() {
        // Where variational steps stick nothing slides, so that only rounding is left.
        let bound = if Method::VARIATIONAL.contains(&method) { 1e-12 } else { 1e-9 };
        let target =
            Target::of("drift, m").within(0.0, bound).long().noting(format!("{seconds} s, h = 1/240"));
        case.measure(method, [target], || {
            let start = ground_normal(theta) * (0.5 * BRICK.z);
            let body = brick(BRICK, Pose::new(ground_rotation(theta), start))?;
            let mut run = RigidScene::new(0.0, mu).on_ground(theta)?.with("box", body).run(method)?;
            let id = run.world().id("box")?;
            let mut worst = 0.0_f64;
            for _ in 0..240 * seconds {
                run.step(STEP)?;
                worst = worst.max((centre_of_mass(&run, id) - start).length());
            }
            Ok([worst])
        });
    }
    soft::creep(case, theta, mu);
}

/// Returns `true` if a box pushed for half a second along an angle has slid.
fn slips(method: Method, mu: f64, push: Vec3, turn: f64) -> Result<bool, MeasureError> {
    let start = Vec3::Z * (0.5 * BRICK.z);
    let body = brick(BRICK, Pose::new(Quat::from_rotation_z(turn), start))?;
    let mut run = RigidScene::new(0.0, mu).on_ground(0.0)?.with("box", body).run(method)?;
    let id = run.world().id("box")?;
    // It stands before it is pushed: from nothing, the first step finds all forces anew.
    advance(&mut run, STEP, 10)?;
    let start = centre_of_mass(&run, id);
    for _ in 0..120 {
        let centre = centre_of_mass(&run, id);
        run.apply_force(id, push, centre)?;
        run.step(STEP)?;
    }
    // An excess of 1e-4 of the force slides 5e-5 m in this time.
    Ok((centre_of_mass(&run, id) - start).length() > 2e-5)
}

/// Case 5. The solvers of rigid worlds have circular cones; soft contacts have pyramids too.
pub(crate) fn cone(case: &mut CaseRun<'_>) {
    let (mu, count) = (0.4, case.choose(24, 5));
    for method in Method::solvers() {
        let target = Target::of("force at which it slips / (μ m g), worst angle")
            .near(1.0, 1e-3)
            .long()
            .noting(format!("{count} angles, h = 1/240"));
        case.measure(method, [target], || {
            let mut found = Vec::new();
            for k in 0..count {
                let (sin, cos) = libm::sincos(2.0 * PI * f64::from(k) / f64::from(count) + 0.05);
                let along = Vec3::new(cos, sin, 0.0) * (mu * G);
                let slips = |part: f64| slips(method, mu, along * part, 0.3);
                found.push(bisect_threshold(0.9, 1.1, 11, slips)?);
            }
            Ok([farthest(found, 1.0)])
        });
    }
    soft::cone(case, mu);
}
