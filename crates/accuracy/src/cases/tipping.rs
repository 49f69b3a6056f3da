//! Toppling: cases 14 and 15. Thresholds are found by bisection.

use crate::exact::{G, harmonic};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{
    JACOBI, RigidScene, STEP, advance, bisect_threshold, brick, cuboid, ground_normal, ground_rotation,
};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::Body;

/// A body that has turned by more than this, rad, topples: what stands does not turn at all.
const TURNED: f64 = 2e-3;

/// By how much a rotation turns.
fn angle(from: &Pose, to: &Pose) -> f64 {
    let turn = from.rotation.inverse() * to.rotation;
    2.0 * libm::asin(Vec3::new(turn.x, turn.y, turn.z).length().min(1.0))
}

/// Whether `count` bricks of length 1, each over the next by `part` of L/(2i) counted from the top, fall off
/// the edge of a table.
fn topples(method: Method, count: usize, part: f64) -> Result<bool, MeasureError> {
    let height = 0.25;
    let table = Body::fixed(cuboid(Vec3::new(4.0, 2.0, 1.0))?, Pose::at(Vec3::new(-2.0, 0.0, -0.5)));
    let mut scene = RigidScene::new(0.0, 0.6).with("table", table);
    let mut end = 0.0;
    for level in 0..count {
        end += part * 0.5 / (count - level) as f64;
        let place = Vec3::new(end - 0.5, 0.0, height * (0.5 + level as f64));
        scene = scene.with(format!("brick {level}"), brick(Vec3::new(1.0, 0.5, height), Pose::at(place))?);
    }
    let mut run = scene.run(method)?;
    let ids = (0..count).map(|j| run.world().id(&format!("brick {j}"))).collect::<Result<Vec<_>, _>>()?;
    let starts: Vec<Pose> = ids.iter().map(|id| run.pose(*id)).collect();
    for _ in 0..480 {
        run.step(STEP)?;
        if ids.iter().zip(&starts).any(|(id, start)| angle(start, &run.pose(*id)) > TURNED) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Case 14.
pub(crate) fn overhang(case: &mut CaseRun<'_>) {
    let counts = case.choose(vec![3, 10], vec![3]);
    for method in Method::solvers() {
        for &n in &counts {
            let exact = 0.5 * harmonic(n);
            let target = Target::of(format!("largest offset / L, N = {n}")).near(exact, 1e-3);
            let target = target.claimed(method != JACOBI).noting("stands for 2 s, h = 1/240");
            case.measure(method, [target], || {
                let part = bisect_threshold(0.9, 1.1, 10, |part| topples(method, n, part))?;
                Ok([part * exact])
            });
        }
    }
}

const BASE: f64 = 0.4;
const HEIGHT: f64 = 1.0;

/// Whether a box pushed at its top edge tips rather than slides. The push lies between the force that tips
/// and the one that slides, so that one of the two, and only one, must happen.
fn tips(method: Method, mu: f64) -> Result<bool, MeasureError> {
    let push = 0.5 * G * (mu + 0.5 * BASE / HEIGHT);
    let body = brick(Vec3::new(BASE, BASE, HEIGHT), Pose::at(Vec3::Z * (0.5 * HEIGHT)))?;
    let mut run = RigidScene::new(0.0, mu).on_ground(0.0)?.with("box", body).run(method)?;
    let id = run.world().id("box")?;
    // The force acts at the edge from the start, growing to its full size: a sudden one would make it jump.
    for k in 0..600 {
        let edge = run.pose(id).point_to_world(Vec3::new(-0.5 * BASE, 0.0, 0.5 * HEIGHT));
        run.apply_force(id, Vec3::X * (push * (f64::from(k) / 240.0).min(1.0)), edge)?;
        run.step(STEP)?;
    }
    let pose = run.pose(id);
    let slid = pose.point_to_world(Vec3::new(0.5 * BASE, 0.0, -0.5 * HEIGHT)).x - 0.5 * BASE;
    Ok(angle(&Pose::IDENTITY, &pose) * BASE > slid.abs())
}

/// Returns `true` if a box on an incline falls over.
fn falls(method: Method, theta: f64) -> Result<bool, MeasureError> {
    let pose = Pose::new(ground_rotation(theta), ground_normal(theta) * (0.5 * HEIGHT));
    let body = brick(Vec3::new(BASE, BASE, HEIGHT), pose)?;
    let mut run = RigidScene::new(0.0, 1.0).on_ground(theta)?.with("box", body).run(method)?;
    let id = run.world().id("box")?;
    advance(&mut run, STEP, 360)?;
    Ok(angle(&pose, &run.pose(id)) > TURNED)
}

/// Case 15.
pub(crate) fn tip_or_slide(case: &mut CaseRun<'_>) {
    let rounds = 12;
    for method in Method::solvers() {
        let exact = 0.5 * BASE / HEIGHT;
        let target = Target::of("friction from which it tips first").near(exact, 1e-3).noting("h = 1/240");
        case.measure(method, [target], || {
            Ok([bisect_threshold(0.8 * exact, 1.2 * exact, rounds, |mu| tips(method, mu))?])
        });
        let exact = BASE / HEIGHT;
        let target =
            Target::of("slope from which it falls over, tan θ").near(exact, 1e-3).noting("h = 1/240");
        case.measure(method, [target], || {
            let falls = |slope: f64| falls(method, libm::atan(slope));
            Ok([bisect_threshold(0.8 * exact, 1.2 * exact, rounds, falls)?])
        });
    }
}
