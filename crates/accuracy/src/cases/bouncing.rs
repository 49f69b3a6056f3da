//! Balls that bounce: cases 6 and 7, the table of rebounds, and a crowd that gains nothing.

use crate::exact::{G, Random};
use crate::experiment_run::ExperimentRun;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{RigidScene, STEP, ball, centre_of_mass, cuboid, farthest};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Simulation};

const RADIUS: f64 = 0.25;
/// Bounces that are looked at one by one; the twentieth rises by a quarter of a millimetre.
const LOOKED_AT: usize = 20;

/// A ball let fall through `height`.
fn fall(method: Method, height: f64, e: f64) -> Result<Simulation, MeasureError> {
    let ball = ball(RADIUS, Vec3::Z * (RADIUS + height))?;
    RigidScene::new(e, 0.3).on_ground(0.0)?.with("ball", ball).run(method)
}

/// The heights to which the ball would rise after its first bounces, and the time of the last.
fn bounces(method: Method, height: f64, e: f64, seconds: f64) -> Result<(Vec<f64>, f64), MeasureError> {
    let mut run = fall(method, height, e)?;
    let (mut apexes, mut last) = (Vec::new(), 0.0);
    while run.time() < seconds {
        run.step(STEP)?;
        for impact in run.impacts() {
            let after = impact.after.iter().find(|body| body.mass > 0.0).ok_or("nothing bounced")?;
            let v = after.twist.linear.z;
            apexes.push(after.pose.translation.z - RADIUS + 0.5 * v * v / G);
            last = impact.time;
        }
    }
    let speed = run.twist(run.world().id("ball")?).linear.length();
    // Resting is moving no faster than a step of gravity could make it.
    if speed > 1e-3 { Err(format!("it still moves with {speed} m/s").into()) } else { Ok((apexes, last)) }
}

/// The largest deviation of apexes from e²ⁿ h₀, as a ratio.
fn worst_apex(apexes: impl Iterator<Item = (usize, f64)>, height: f64, e: f64) -> f64 {
    farthest(apexes.map(|(n, apex)| apex / (height * libm::pow(e, 2.0 * n as f64))), 1.0)
}

/// Case 6.
pub(crate) fn to_rest(case: &mut CaseRun<'_>) {
    let (e, height) = (0.8, 2.0_f64);
    let total = (2.0 * height / G).sqrt() * (1.0 + e) / (1.0 - e);
    let targets = |each: f64, in_all: f64, note: &str| {
        [
            Target::of("apex / (e²ⁿ h₀), worst of 20 bounces").near(1.0, each).noting(note),
            Target::of("time until rest, s").near(total, in_all).noting(note),
        ]
    };
    case.measure(Method::Contexts, targets(1e-9, 1e-5, "bouncing_to_rest.lab"), || {
        let experiment = ExperimentRun::of_gallery("bouncing_to_rest", &[])?;
        let (apexes, counts) = (experiment.series("ball.apex")?, experiment.series("ball.bounces")?);
        let seen = counts.iter().zip(apexes).map(|(n, apex)| (*n as usize, apex));
        let seen = seen.filter(|(n, _)| (1..=LOOKED_AT).contains(n));
        Ok([worst_apex(seen, height, e), experiment.measure("time_until_rest")?])
    });
    for method in Method::solvers() {
        case.measure(method, targets(1e-3, 1e-3, "h = 1/240"), || {
            let (apexes, last) = bounces(method, height, e, 7.0)?;
            if apexes.len() < LOOKED_AT {
                return Err(format!("it bounced only {} times", apexes.len()).into());
            }
            let first = apexes.into_iter().take(LOOKED_AT).enumerate().map(|(k, apex)| (k + 1, apex));
            Ok([worst_apex(first, height, e), last])
        });
        for e in [0.3, 0.5, 0.8, 0.95] {
            let target =
                Target::of(format!("rebound / height, e = {e}")).near(e * e, 1e-3).noting("h = 1/240");
            case.measure(method, [target], || {
                let mut run = fall(method, 1.0, e)?;
                let id = run.world().id("ball")?;
                let (mut bounced, mut apex) = (false, 0.0_f64);
                for _ in 0..480 {
                    run.step(STEP)?;
                    let (z, v) = (centre_of_mass(&run, id).z - RADIUS, run.twist(id).linear.z);
                    // The apex of the parabola it is on, while it rises for the first time.
                    if v > 0.0 && !bounced {
                        apex = z + 0.5 * v * v / G;
                    }
                    bounced |= apex > 0.0;
                }
                Ok([apex])
            });
        }
    }
}

/// The energy of a ball relative to the ground, per mass.
fn energy(run: &Simulation) -> Result<f64, MeasureError> {
    let id = run.world().id("ball")?;
    Ok(0.5 * run.twist(id).linear.length_squared() + G * (centre_of_mass(run, id).z - RADIUS))
}

/// The relative gain of energy of 49 elastic balls in a box after so many seconds.
fn crowd(method: Method, seconds: usize) -> Result<f64, MeasureError> {
    let mut scene = RigidScene::new(1.0, 0.0).on_ground(0.0)?;
    let wall = cuboid(Vec3::new(0.2, 6.0, 40.0))?;
    for (k, turn) in [0.0, 0.25, 0.5, 0.75].into_iter().enumerate() {
        let turn = gedanken_math::Quat::from_rotation_z(2.0 * std::f64::consts::PI * turn);
        let place = turn * (Vec3::X * 2.1) + Vec3::Z * 19.0;
        scene = scene.with(format!("wall {k}"), Body::fixed(wall.clone(), Pose::new(turn, place)));
    }
    let mut random = Random(49);
    for k in 0..49 {
        let place =
            Vec3::new(0.5 * f64::from(k % 7) - 1.5, 0.5 * f64::from(k / 7) - 1.5, random.between(0.5, 2.5));
        scene = scene.with(format!("ball {k}"), ball(0.15, place)?.with_velocity(random.vector(1.0)));
    }
    let mut run = scene.run(method)?;
    let total = |run: &Simulation| {
        let moving = run.world().bodies().filter(|(_, body)| body.mass() > 0.0);
        moving.fold(0.0, |sum, (id, body)| {
            let motion = run.twist(id);
            let spin = 0.5 * body.moments().x * motion.angular.length_squared();
            let speed = 0.5 * body.mass() * motion.linear.length_squared();
            sum + speed + spin + body.mass() * G * centre_of_mass(run, id).z
        })
    };
    let before = total(&run);
    crate::rigid_scene::advance(&mut run, STEP, 240 * seconds)?;
    Ok(total(&run) / before - 1.0)
}

/// Case 7.
pub(crate) fn elastic(case: &mut CaseRun<'_>) {
    let height = 0.05;
    let target = |bounces: usize| {
        let note =
            if bounces == 1000 { "h = 1/240".to_owned() } else { format!("h = 1/240, {bounces} bounces") };
        Target::of("energy after / before").near(1.0, 1e-9).long().noting(note)
    };
    let experiment = Target::of("energy after / before").near(1.0, 1e-9).noting("thousand_bounces.lab");
    case.measure(Method::Contexts, [experiment], || {
        Ok([ExperimentRun::of_gallery("thousand_bounces", &[])?.measure("energy")? / (G * height)])
    });
    let (count, seconds) = (case.choose(1000, 100), case.choose(20, 1));
    for method in Method::solvers() {
        case.measure(method, [target(count)], || {
            let mut run = fall(method, height, 1.0)?;
            let (mut seen, before) = (0, energy(&run)?);
            // Bounce n is at (2n - 1) √(2h/g).
            let end = 2.0 * count as f64 * (2.0 * height / G).sqrt();
            while run.time() < end {
                run.step(STEP)?;
                seen += run.impacts().len();
            }
            if seen.abs_diff(count) > 1 {
                return Err(format!("it bounced {seen} times instead of {count}").into());
            }
            Ok([energy(&run)? / before])
        });
        let target = Target::of("gain of 49 balls in a box, part").within(0.0, 1e-6).long();
        let target = target.noting(format!("e = 1, {seconds} s, h = 1/240"));
        case.measure(method, [target], || Ok([crowd(method, seconds)?]));
    }
}
