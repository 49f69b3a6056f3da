//! Impacts: cases 8 to 11.

use crate::exact::{G, Random};
use crate::experiment_run::ExperimentRun;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{RigidScene, STEP, advance, ball, centre_of_mass, cuboid, farthest};
use gedanken_geometry::{Capsule, Shape, Sphere};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::{Body, Impact, Simulation, SolverBody};

/// Number of collisions of two blocks and a wall for M/m = 100ⁿ: ⌈π/arctan √(m/M)⌉ - 1 (Galperin 2003).
fn collisions(n: u32) -> f64 {
    libm::ceil(std::f64::consts::PI / libm::atan(libm::pow(10.0, -f64::from(n)))) - 1.0
}

/// Counts them, of balls: blocks may turn by rounding, and meet corner by corner.
fn count(method: Method, n: u32) -> Result<f64, MeasureError> {
    let block = |x: f64| ball(0.5, Vec3::X * x);
    let wall = Body::fixed(cuboid(Vec3::new(1.0, 3.0, 3.0))?, Pose::at(Vec3::X * -0.5));
    let heavy = block(5.0)?.with_mass(libm::pow(100.0, f64::from(n))).with_velocity(-Vec3::X);
    let scene = RigidScene::new(1.0, 0.0).weightless();
    let scene = scene.with("wall", wall).with("small", block(2.0)?).with("big", heavy);
    let mut run = scene.run(method)?;
    let mut seen = 0;
    for _ in 0..14 * 240 {
        run.step(STEP)?;
        seen += run.impacts().len();
    }
    Ok(seen as f64)
}

/// Case 8.
pub(crate) fn digits_of_pi(case: &mut CaseRun<'_>) {
    let target = |n: u32| {
        Target::of(format!("collisions, M/m = 100{}", ["⁰", "¹", "²", "³"][n as usize]))
            .within(collisions(n), 0.0)
    };
    let experiment = [0, 1, 2, 3].map(|n| target(n).noting("digits_of_pi.lab"));
    case.measure(Method::Contexts, experiment, || {
        let experiment = ExperimentRun::of_gallery("digits_of_pi", &[])?;
        let mut counts = [0.0; 4];
        for (n, count) in counts.iter_mut().enumerate() {
            *count = experiment.measure(&format!("collisions{n}"))?;
        }
        Ok(counts)
    });
    for method in Method::solvers() {
        for n in 0..4 {
            let balls = target(n).noting("balls, h = 1/240");
            case.measure(method, [balls], || Ok([count(method, n)?]));
        }
    }
}

/// Case 9. Impacts are settled one pair at a time, in both mechanics: the law is the sequential one.
pub(crate) fn cradle(case: &mut CaseRun<'_>) {
    let speed = 2.0;
    let targets = |note: &str| {
        [
            Target::of("speed of the last ball, m/s").near(speed, 1e-10).noting(note),
            Target::of("speeds of the others, m/s").within(0.0, 1e-10).noting(note),
        ]
    };
    case.measure(Method::Contexts, targets("newtons_cradle.lab: sequential, 5 balls"), || {
        let experiment = ExperimentRun::of_gallery("newtons_cradle", &[])?;
        Ok([experiment.measure("speed_of_the_last")?, experiment.measure("speeds_of_the_others")?])
    });
    for method in Method::solvers() {
        case.measure(method, targets("sequential, h = 1/240"), || {
            let mut scene = RigidScene::new(1.0, 0.3).weightless();
            for (name, x, v) in [("a", -0.313, speed), ("b", 0.0, 0.0), ("c", 0.2, 0.0)] {
                scene = scene.with(name, ball(0.1, Vec3::X * x)?.with_velocity(Vec3::X * v));
            }
            let mut run = scene.run(method)?;
            advance(&mut run, STEP, 120)?;
            let speed =
                |name: &str| Ok::<f64, MeasureError>(run.twist(run.world().id(name)?).linear.length());
            Ok([speed("c")?, speed("a")?.max(speed("b")?)])
        });
    }
}

/// Momentum and angular momentum about the origin of all bodies.
fn momenta(run: &Simulation) -> (Vec3, Vec3) {
    run.world().bodies().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), (id, body)| {
        let (pose, motion) = (run.centre(id), run.twist(id));
        let momentum = motion.linear * body.mass();
        let spin = to_world(pose.rotation, body.moments() * to_body(pose.rotation, motion.angular));
        (p + momentum, l + pose.translation.cross(momentum) + spin)
    })
}

fn kinetic(body: &SolverBody) -> f64 {
    let omega = to_body(body.pose.rotation, body.twist.angular);
    0.5 * body.mass * body.twist.linear.length_squared() + 0.5 * (body.moments * omega).dot(omega)
}

/// The energy that an impact should have taken: ½ m_eff (1 - e²) vₙ², with 1/m_eff = Σ 1/m + n·((I⁻¹(d × n))
/// × d).
fn expected_loss(impact: &Impact, e: f64) -> f64 {
    let (mut inverse, mut approach) = (0.0, 0.0);
    for (sign, body) in [(1.0, &impact.before[0]), (-1.0, &impact.before[1])] {
        let arm = impact.point - body.pose.translation;
        let turned = to_body(body.pose.rotation, arm.cross(impact.normal)) / body.moments;
        inverse += 1.0 / body.mass + impact.normal.dot(to_world(body.pose.rotation, turned).cross(arm));
        approach += sign * (body.twist.linear + body.twist.angular.cross(arm)).dot(impact.normal);
    }
    0.5 * (1.0 - e * e) * approach * approach / inverse
}

/// A body of any of three shapes, turned, with its centre of mass off the middle and unequal moments.
fn lump(random: &mut Random, kind: u32, place: Vec3, velocity: Vec3) -> Result<Body, MeasureError> {
    let shape = match kind % 3 {
        0 => Shape::Sphere(Sphere::new(0.2)?),
        1 => cuboid(Vec3::new(0.3, 0.2, 0.1))?,
        _ => Shape::Capsule(Capsule::new(0.1, 0.2)?),
    };
    let turn = Quat::from_scaled_axis(random.vector(2.0)).normalize();
    let body = Body::dynamic(shape, Pose::new(turn, place + random.vector(0.05)));
    let body = body.with_mass(random.between(0.2, 5.0)).with_centre(random.vector(0.04));
    Ok(body.with_velocity(velocity).with_angular_velocity(random.vector(2.0)))
}

/// Throws pairs at each other, until the step of their first impact has passed; the largest relative change
/// of P and of L, and the worst ratio of loss to what it should be.
fn throw(method: Method, pairs: u32) -> Result<[f64; 3], MeasureError> {
    let (mut random, mut hits) = (Random(10), 0);
    let mut worst = [0.0_f64, 0.0, 0.0];
    for pair in 0..pairs {
        let e = random.between(0.0, 1.0);
        let left = lump(&mut random, pair, Vec3::X * -0.5, Vec3::X * 2.0)?;
        let right = lump(&mut random, pair / 3, Vec3::X * 0.5, Vec3::X * -1.5)?;
        let scene = RigidScene::new(e, 0.0).weightless().with("left", left).with("right", right);
        let mut run = scene.run(method)?;
        let (p, l) = momenta(&run);
        let scale = run
            .world()
            .bodies()
            .fold(0.0, |sum, (id, body)| sum + body.mass() * run.twist(id).linear.length());
        let mut steps = 0;
        while run.impacts().is_empty() && steps < 120 {
            run.step(STEP)?;
            steps += 1;
        }
        // What follows the first impact of bodies that hardly part is contact.
        let Some(impact) = run.impacts().first() else { continue };
        hits += 1;
        let [before, after] =
            [&impact.before, &impact.after].map(|both| kinetic(&both[0]) + kinetic(&both[1]));
        let excess = (before - after - expected_loss(impact, e)) / before;
        worst[2] = farthest([excess, worst[2]], 0.0);
        let (q, m) = momenta(&run);
        worst[0] = worst[0].max((q - p).length() / scale);
        worst[1] = worst[1].max((m - l).length() / scale);
    }
    if hits < pairs / 2 { Err(format!("only {hits} impacts of {pairs} pairs").into()) } else { Ok(worst) }
}

/// Case 10.
pub(crate) fn off_centre(case: &mut CaseRun<'_>) {
    let note = "off_centre.lab";
    // The numbers of the experiment.
    let (e, speed, drift, arm, ball, rod) = (0.5, 3.0, 0.4, 0.7, 0.5, 2.0);
    let inertia = rod * (0.2 * 0.2 + 2.0 * 2.0) / 12.0;
    let effective = 1.0 / (1.0 / ball + 1.0 / rod + arm * arm / inertia);
    let energy =
        0.5 * ball * (speed * speed + drift * drift) - 0.5 * (1.0 - e * e) * effective * speed * speed;
    let targets = [
        Target::of("momentum along x, N·s").near(ball * speed, 1e-12).noting(note),
        Target::of("angular momentum, N·m·s").near(ball * (-0.2 * drift - arm * speed), 1e-12).noting(note),
        Target::of("energy after, J").near(energy, 1e-12).noting(note),
    ];
    case.measure(Method::Contexts, targets, || {
        let experiment = ExperimentRun::of_gallery("off_centre", &[])?;
        Ok([
            experiment.measure("momentum_along_x")?,
            experiment.measure("angular_momentum")?,
            experiment.measure("energy")?,
        ])
    });
    let pairs = case.choose(300, 60);
    for method in Method::solvers() {
        let note = format!("{pairs} random pairs, h = 1/240");
        let targets = ["change of P, part", "change of L, part", "energy loss less ½ m_eff (1-e²) vₙ², part"]
            .map(|quantity| Target::of(quantity).within(0.0, 1e-12).long().noting(note.clone()));
        case.measure(method, targets, || throw(method, pairs));
    }
}

/// Case 11.
pub(crate) fn two_balls(case: &mut CaseRun<'_>) {
    let exact = |v: f64, m1: f64, m2: f64| v * (3.0 * m1 - m2) / (m1 + m2);
    // One second after the start; the floor was reached at v/g.
    let v = (2.0 * G * 2.0_f64).sqrt();
    let target =
        Target::of("speed of the upper ball, m/s, m₁/m₂ = 3").near(exact(v, 3.0, 1.0) - (G - v), 1e-9);
    case.measure(Method::Contexts, [target.noting("galilean_cannon.lab, after 1 s")], || {
        Ok([ExperimentRun::of_gallery("galilean_cannon", &[])?.measure("speed_of_the_small_ball")?])
    });
    for method in Method::solvers() {
        for (m1, m2) in [(3.0, 1.0), (1.0, 0.1)] {
            let v = (2.0 * G * 1.0_f64).sqrt();
            let target = Target::of(format!("speed of the upper ball, m/s, m₁/m₂ = {}", m1 / m2));
            let target = target.near(exact(v, m1, m2) - (0.6 * G - v), 1e-9).noting("h = 1/240, after 0.6 s");
            case.measure(method, [target], || {
                let lower = ball(0.1, Vec3::Z * 1.1)?.with_mass(m1);
                let upper = ball(0.05, Vec3::Z * 1.25)?.with_mass(m2);
                let scene = RigidScene::new(1.0, 0.2).on_ground(0.0)?;
                let mut run = scene.with("lower", lower).with("upper", upper).run(method)?;
                advance(&mut run, STEP, 144)?;
                let id = run.world().id("upper")?;
                if centre_of_mass(&run, id).z < 0.2 {
                    return Err("the upper ball did not fly up".into());
                }
                Ok([run.twist(id).linear.z])
            });
        }
    }
}
