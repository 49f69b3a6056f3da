//! Symmetries, case 26: what must not matter does not, or not more than stated.

use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{BACKWARD_EULER, RigidScene, STEP, advance, ball, brick};
use gedanken_geometry::{HalfSpace, Shape};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::Body;

/// A small scene with everything in it, seen from elsewhere: a stack, a box that slides and turns, a ball
/// that bounces, one that rolls.
fn scene(by: Pose) -> Result<RigidScene, MeasureError> {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?);
    let mut scene = RigidScene::new(0.4, 0.4).with("ground", Body::fixed(floor, by));
    let at = |x: f64, y: f64, z: f64| by * Pose::at(Vec3::new(x, y, z));
    let along = |x: f64, y: f64| by.rotation * Vec3::new(x, y, 0.0);
    for k in 0..3 {
        let pose = at(0.01 * f64::from(k), 0.0, 0.25 + 0.5 * f64::from(k));
        scene = scene.with(format!("box {k}"), brick(Vec3::splat(0.5), pose)?);
    }
    let slider = brick(Vec3::new(0.6, 0.4, 0.2), at(2.0, 1.0, 0.1))?;
    let slider = slider.with_velocity(along(1.5, -0.5)).with_angular_velocity(Vec3::Z * 2.0);
    let bouncer = ball(0.2, at(-2.0, 0.5, 0.8).translation)?.with_velocity(along(0.3, 0.7));
    let roller = ball(0.15, at(0.0, -2.0, 0.15).translation)?.with_velocity(along(1.0, -0.4));
    Ok(scene.with("slider", slider).with("bouncer", bouncer).with("roller", roller))
}

/// Positions of all moving bodies after a second, in the order of the scene.
fn ends(scene: &RigidScene, method: Method) -> Result<Vec<Pose>, MeasureError> {
    let names: Vec<String> = scene.bodies().iter().map(|(name, _)| name.clone()).collect();
    let mut run = scene.clone().run(method)?;
    advance(&mut run, STEP, 240)?;
    names.iter().map(|name| Ok(run.pose(run.world().id(name)?))).collect()
}

/// The largest distance between poses, turns counted as if of a radius of 1 m.
fn apart(a: &[Pose], b: &[Pose]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| {
        // Opposite quaternions are the same turn.
        let turn = (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
        most.max((a.translation - b.translation).length()).max(2.0 * turn)
    })
}

/// How far the ends are from those of the scene when it is seen from elsewhere. Balls start without a turn in
/// both.
fn seen_from(method: Method, by: Pose) -> Result<f64, MeasureError> {
    let mut expected = ends(&scene(Pose::IDENTITY)?, method)?;
    let scene = scene(by)?;
    for ((_, body), pose) in scene.bodies().iter().zip(&mut expected) {
        let unturned = matches!(body.shape(), Some(Shape::Sphere(_)));
        *pose = by * *pose;
        if unturned {
            pose.rotation *= by.rotation.inverse();
        }
    }
    Ok(apart(&expected, &ends(&scene, method)?))
}

/// The same with the bodies given in another order.
fn permuted(method: Method) -> Result<f64, MeasureError> {
    let scene = scene(Pose::IDENTITY)?;
    let mut bodies = scene.bodies().to_vec();
    bodies.reverse();
    bodies.swap(0, 2);
    let other = scene.of(bodies);
    let found = ends(&other, method)?;
    let place = |name: &str| other.bodies().iter().position(|(other, _)| other == name);
    let found: Vec<Pose> = scene.bodies().iter().filter_map(|(name, _)| Some(found[place(name)?])).collect();
    Ok(apart(&ends(&scene, method)?, &found))
}

/// The same with names in the opposite order, so that everything is solved in another order.
fn renamed(method: Method) -> Result<f64, MeasureError> {
    let scene = scene(Pose::IDENTITY)?;
    let count = scene.bodies().len();
    let bodies = scene.bodies().iter().enumerate();
    let bodies = bodies.map(|(k, (_, body))| (format!("body {}", count - k), body.clone())).collect();
    Ok(apart(&ends(&scene, method)?, &ends(&scene.of(bodies), method)?))
}

/// Elastic balls that meet and bounce; then all velocities are reversed. How far from the start they end.
fn reversed(method: Method) -> Result<f64, MeasureError> {
    let mut scene = RigidScene::new(1.0, 0.0).on_ground(0.0)?;
    for k in 0..4 {
        let place = Vec3::new(0.3 * f64::from(k), 0.02 * f64::from(k * k), 0.5 + 0.07 * f64::from(k));
        let ball = ball(0.1, place)?.with_velocity(Vec3::X * (1.5 - f64::from(k)));
        scene = scene.with(format!("ball {k}"), ball);
    }
    let mut there = scene.clone().run(method)?;
    advance(&mut there, STEP, 240)?;
    let mut bodies = Vec::new();
    for (name, body) in scene.bodies() {
        let id = there.world().id(name)?;
        let back = ball(0.1, there.centre(id).translation)?.with_velocity(-there.twist(id).linear);
        bodies.push((name.clone(), if name == "ground" { body.clone() } else { back }));
    }
    let back = ends(&scene.of(bodies), method)?;
    let starts = scene.bodies().iter().map(|(_, body)| body.principal_pose().translation);
    Ok(back
        .iter()
        .zip(starts)
        .fold(0.0, |most: f64, (end, start)| most.max((end.translation - start).length())))
}

/// How far everything may be off, m: 1000 m away places are rounded to 1.1e-13 m. A gap that is off by that
/// is a speed of 5e-11 m/s in one of the 480 sub-steps; were all of them off to the same side, that would be
/// 5e-11 m after the second, and a ball that is caught a little later bounces a little elsewhere.
const BOUND: f64 = 1e-9;
/// What another order of the contacts may change, m: solvers stop when little is left to do, not when nothing
/// is.
const ORDER: f64 = 1e-6;

/// Returns `true` if a method claims to keep a symmetry. The four corners of a box that slides and turns share its
/// weight in many ways, and variational steps choose between them by rounding; backward Euler has no way back.
fn claims(method: Method, what: &str) -> bool {
    let is_elsewhere = [TRANSLATED, ROTATED].contains(&what);
    match method {
        BACKWARD_EULER => !is_elsewhere && what != REVERSED,
        Method::Variational(_) => !is_elsewhere,
        _ => true,
    }
}

const TRANSLATED: &str = "translated by 1000 m";
const ROTATED: &str = "rotated by 1 rad";
const REVERSED: &str = "elastic, and back in time";

/// Case 26.
pub(crate) fn symmetries(case: &mut CaseRun<'_>) {
    type Tried = fn(Method) -> Result<f64, MeasureError>;
    let tried: [(&str, f64, Tried); 5] = [
        (TRANSLATED, BOUND, |method| seen_from(method, Pose::at(Vec3::new(600.0, -480.0, 640.0)))),
        (ROTATED, BOUND, |method| seen_from(method, Pose::new(Quat::from_rotation_z(1.0), Vec3::ZERO))),
        ("created in another order", 0.0, permuted),
        ("renamed, so solved in another order", ORDER, renamed),
        (REVERSED, 1e-8, reversed),
    ];
    for method in Method::solvers() {
        for (what, bound, distance) in tried {
            let target = Target::of(format!("{what}: difference, m")).within(0.0, bound);
            let target = target.claimed(claims(method, what)).noting("1 s, h = 1/240");
            case.measure(method, [target], || Ok([distance(method)?]));
        }
    }
}
