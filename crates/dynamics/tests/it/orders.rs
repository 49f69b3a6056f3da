//! The order of every integrator, measured: the error on a problem with a closed solution, fitted over step
//! sizes.

use gedanken_dynamics::integrate::rotation::{ROTATIONS, Rotation};
use gedanken_dynamics::integrate::{Control, INTEGRATORS, Integrator};
use gedanken_dynamics::{AngularVelocity, ComponentId, Mechanics, Orientation, Position, Velocity, scenes};
use gedanken_math::units::{Quantity, SECOND};
use gedanken_math::{Quat, Vec3};

/// The error of a method on Kepler's problem at the end of `time`, against the closed solution.
fn kepler_error(integrator: &'static Integrator, e: f64, time: f64, steps: u32) -> f64 {
    let scene = scenes::kepler(e);
    let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
    // An infinite tolerance accepts every step: the order is that of the fifth-order formula.
    let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
    let h = time / f64::from(steps) * SECOND;
    match integrator.control {
        // Its steps are not equal; the error is taken where it ends up.
        Control::Reversible => {
            for _ in 0..steps {
                stepper.step(&mut state, h).unwrap();
            }
        }
        Control::Fixed | Control::Embedded => stepper.run(&mut state, h, time * SECOND).unwrap(),
    }
    let planet = state.model().id("planet").unwrap();
    let (r, v) = crate::support::kepler(e, state.time().si());
    let dr = state.get::<Position>(planet).unwrap().si() - r;
    let dv = state.get::<Velocity>(planet).unwrap().si() - v;
    (dr.length_squared() + dv.length_squared()).sqrt()
}

fn fitted_order(integrator: &'static Integrator) -> f64 {
    // Steps fine enough for the leading term and coarse enough to stay above rounding.
    let base: &[u32] = match integrator.order {
        1 => &[4000, 6000, 9000, 13500],
        2 => &[1000, 1500, 2250, 3400],
        4 => &[500, 700, 1000, 1400],
        5 => &[120, 160, 220, 300],
        6 => &[120, 150, 190, 240],
        _ => &[60, 72, 86, 104],
    };
    let e = 0.2;
    let points: Vec<_> =
        base.iter().map(|&n| (1.0 / f64::from(n), kepler_error(integrator, e, 5.0, n))).collect();
    crate::support::slope(&points)
}

#[test]
fn every_integrator_has_its_documented_order() {
    for integrator in INTEGRATORS {
        let order = fitted_order(integrator);
        let allowed = if integrator.order >= 8 { 0.3 } else { 0.1 };
        let documented = f64::from(integrator.order);
        println!("{:<18} order {documented}: measured {order:.3}", integrator.name);
        assert!((order - documented).abs() < allowed, "{}: measured {order:.3}", integrator.name);
    }
}

/// The closed solution of free rotation for I = (1, 2, 3), started in the body frame at ω: Jacobi's elliptic
/// functions give the angular velocity in the body frame (@landau1976, §37).
fn euler_top(omega: Vec3, t: f64) -> Vec3 {
    let i = Vec3::new(1.0, 2.0, 3.0);
    let two_t = (i * omega).dot(omega);
    let l2 = (i * omega).length_squared();
    // Both the scenes used here have L² > 2 T I₂, so the body turns about the third axis on the mean.
    assert!(l2 > two_t * i.y);
    let n = ((i.z - i.y) * (l2 - two_t * i.x) / (i.x * i.y * i.z)).sqrt();
    let k2 = (i.y - i.x) * (two_t * i.z - l2) / ((i.z - i.y) * (l2 - two_t * i.x));
    let k = k2.sqrt();
    let a = ((two_t * i.z - l2) / (i.x * (i.z - i.x))).sqrt();
    let b = ((two_t * i.z - l2) / (i.y * (i.z - i.y))).sqrt();
    let c = ((l2 - two_t * i.x) / (i.z * (i.z - i.x))).sqrt();
    let (sn, cn, dn) = crate::support::jacobi(n * t, k);
    Vec3::new(a * cn, b * sn, c * dn)
}

fn rotation_error(rotation: &'static Rotation, steps: u32) -> f64 {
    // ω₂ = 0 at the start, as the closed solution wants it.
    let (omega, time) = (Vec3::new(0.4, 0.0, 1.0), 4.0);
    let scene = scenes::tumbling(Vec3::new(1.0, 2.0, 3.0), omega);
    let integrator = Integrator::by_name("leapfrog").unwrap();
    let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
    let mut stepper = integrator.prepare(&mechanics.with_rotation(rotation).unwrap()).unwrap();
    stepper.run(&mut state, time / f64::from(steps) * SECOND, time * SECOND).unwrap();
    let body = state.model().id("body").unwrap();
    let q: Quat = state.get::<Orientation>(body).unwrap();
    let found = q.inverse() * state.get::<AngularVelocity>(body).unwrap().si();
    (found - euler_top(omega, time)).length()
}

#[test]
fn every_rotation_method_has_its_documented_order() {
    for rotation in ROTATIONS {
        let steps = [400, 600, 900, 1350];
        let points: Vec<_> = steps.map(|n| (1.0 / f64::from(n), rotation_error(rotation, n))).to_vec();
        let order = crate::support::slope(&points);
        let documented = f64::from(rotation.order);
        println!("{:<18} order {documented}: measured {order:.3}", rotation.name);
        assert!((order - documented).abs() < 0.1, "{}: measured {order:.3}", rotation.name);
    }
}

/// The dense output is a solution of order four between the ends of a step.
#[test]
fn dense_output_has_order_four() {
    let integrator = Integrator::by_name("dormand-prince").unwrap();
    let scene = scenes::kepler(0.2);
    let mut points = Vec::new();
    for steps in [40, 56, 80, 112] {
        let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
        let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
        let h = 5.0 / f64::from(steps);
        let mut worst: f64 = 0.0;
        for _ in 0..steps {
            let start = state.time().si();
            stepper.step(&mut state, Quantity::new(h)).unwrap();
            let dense = stepper.dense().unwrap();
            for theta in [0.25, 0.5, 0.75] {
                let (r, _) = dense.at(ComponentId::WORLD, theta).unwrap();
                assert_eq!(r.si(), Vec3::ZERO, "the world does not move");
                let planet = state.model().id("planet").unwrap();
                let (r, _) = dense.at(planet, theta).unwrap();
                worst = worst.max((r.si() - crate::support::kepler(0.2, start + theta * h).0).length());
            }
        }
        points.push((h, worst));
    }
    let order = crate::support::slope(&points);
    println!("dense output: measured {order:.3}");
    assert!(order > 3.9, "measured {order:.3}");
}

/// `Mechanics` is generic over space: the same methods on a line, on the harmonic oscillator.
#[test]
fn orders_hold_on_a_line_too() {
    for integrator in INTEGRATORS.into_iter().filter(|i| i.control == Control::Fixed && i.order <= 4) {
        let scene = scenes::oscillator(1.0);
        let error = |steps: u32| {
            let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
            let mut stepper = integrator.prepare(&mechanics).unwrap();
            stepper.run(&mut state, 5.0 / f64::from(steps) * SECOND, 5.0 * SECOND).unwrap();
            let x = state
                .get::<Position<gedanken_dynamics::OneD>>(state.model().id("body").unwrap())
                .unwrap()
                .si();
            (x - libm::cos(5.0)).abs()
        };
        let points: Vec<_> = [200, 300, 450].map(|n| (1.0 / f64::from(n), error(n))).to_vec();
        let order = crate::support::slope(&points);
        assert!(
            (order - f64::from(integrator.order)).abs() < 0.1,
            "{}: measured {order:.3}",
            integrator.name
        );
    }
}

#[test]
fn mechanics_knows_its_model() {
    let scene = scenes::kepler(0.0);
    let mechanics = Mechanics::new(scene.state.model(), scene.laws.clone()).unwrap();
    assert!(mechanics.model().is(scene.state.model()));
}
