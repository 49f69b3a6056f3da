//! Spheres that slide and roll: cases 1 and 2, and the order of the contact solvers, measured on case 1.

use super::soft;
use crate::exact::{G, slope};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{RigidScene, advance, ball, centre_of_mass, downhill, ground_normal};
use gedanken_geometry::{Shape, Sphere};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Account, Body, Simulation};

const RADIUS: f64 = 0.1;
/// I/(m r²) of a solid sphere.
const K: f64 = 0.4;
const SPEED: f64 = 5.0;
const FRICTION: f64 = 0.3;

/// Time at which rolling begins, and the speed then.
fn rolling() -> (f64, f64) {
    (SPEED * K / (FRICTION * G * (1.0 + K)), SPEED / (1.0 + K))
}

/// A sphere that slides along x without turning.
fn slide(method: Method) -> Result<Simulation, MeasureError> {
    let sphere = ball(RADIUS, Vec3::Z * RADIUS)?.with_velocity(Vec3::X * SPEED);
    RigidScene::new(0.0, FRICTION).on_ground(0.0)?.with("ball", sphere).run(method)
}

/// The time at the end of the first step that ends rolling, and the speed then.
fn transition(method: Method, h: f64) -> Result<(f64, f64), MeasureError> {
    let mut run = slide(method)?;
    let id = run.world().id("ball")?;
    let steps = (2.0 * rolling().0 / h) as usize;
    for _ in 0..steps {
        run.step(h)?;
        let motion = run.twist(id);
        if motion.at(Vec3::Z * -RADIUS).length() < 1e-6 * SPEED {
            return Ok((run.time(), motion.linear.x));
        }
    }
    Err("it never rolls".into())
}

/// Distance from the exact position some time after the transition.
fn misplaced(method: Method, h: f64, steps: usize) -> Result<f64, MeasureError> {
    let mut run = slide(method)?;
    let id = run.world().id("ball")?;
    advance(&mut run, h, steps)?;
    let ((begins, v), end) = (rolling(), h * steps as f64);
    let slid = SPEED * begins - 0.5 * FRICTION * G * begins * begins;
    Ok((centre_of_mass(&run, id).x - slid - v * (end - begins)).abs())
}

/// Steps of which the transition is always at the same place inside, so that the error is a power of h and no
/// sawtooth.
fn steps() -> [(f64, usize); 5] {
    [50, 71, 100, 141, 200].map(|n| (rolling().0 / (n as f64 + 0.4), n))
}

/// The order in h of the time of the transition, and of the place at twice that time.
fn fitted(method: Method) -> Result<[f64; 2], MeasureError> {
    let (mut times, mut places) = (Vec::new(), Vec::new());
    for (h, n) in steps() {
        times.push((h, (transition(method, h)?.0 - rolling().0).abs()));
        places.push((h, misplaced(method, h, 2 * n)?));
    }
    Ok([slope(&times), slope(&places)])
}

/// Case 1.
pub(crate) fn slides_then_rolls(case: &mut CaseRun<'_>) {
    let (t, v) = rolling();
    let h = 1e-3;
    for method in Method::solvers() {
        let targets = [
            // First order: the time of a step is all that the end of sliding can be off.
            Target::of("time until it rolls, s").within(t, h).noting("h = 1/1000; at most one step late"),
            Target::of("speed of rolling, m/s").near(v, 1e-3).noting("h = 1/1000"),
        ];
        case.measure(method, targets, || transition(method, h).map(|(t, v)| [t, v]));
    }
}

/// The part of case 25 that is about contact solvers.
pub(crate) fn orders(case: &mut CaseRun<'_>) {
    for method in Method::solvers() {
        let targets = [
            Target::of("order in h of the time until it rolls").within(1.0, 0.1).noting("case 1, five steps"),
            Target::of("order in h of the place after it").noting("case 1, five steps; at least 1"),
        ];
        case.measure(method, targets, || fitted(method));
    }
}

/// The order in contact that the registry states of an integrator.
pub(super) fn order_in_contact(case: &mut CaseRun<'_>, method: Method, order: u32) {
    let target = Target::of("order in contact").within(f64::from(order), 0.1);
    case.measure(method, [target.noting("time until it rolls, case 1, five steps")], || {
        Ok([fitted(method)?[0]])
    });
}

/// Case 2.
pub(crate) fn down_an_incline(case: &mut CaseRun<'_>) {
    let (theta, mass, h) = (15.0_f64.to_radians(), 0.1, 1e-3);
    let pull = G * libm::sin(theta);
    for method in Method::solvers() {
        let targets = [
            Target::of("acceleration, m/s²")
                .near(pull / (1.0 + K), 1e-3)
                .noting("h = 1/1000, speed after 1 s"),
            Target::of("friction, N").near(mass * pull * K / (1.0 + K), 1e-3).noting("h = 1/1000"),
        ];
        case.measure(method, targets, || {
            let shape = Shape::Sphere(Sphere::new(RADIUS)?);
            let sphere = Body::dynamic(shape, Pose::at(ground_normal(theta) * RADIUS)).with_mass(mass);
            let mut run = RigidScene::new(0.0, 0.5).on_ground(theta)?.with("ball", sphere).run(method)?;
            let id = run.world().id("ball")?;
            advance(&mut run, h, 1000)?;
            let friction = run.ledger().total.exchange.of(Account::Friction).momentum;
            // It starts from rest, and a second has passed.
            let acceleration = run.twist(id).linear.dot(downhill(theta));
            Ok([acceleration, -friction.dot(downhill(theta))])
        });
    }
    soft::down_an_incline(case, theta, mass, [pull / (1.0 + K), mass * pull * K / (1.0 + K)]);
}
