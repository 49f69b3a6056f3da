//! Classical results with closed answers: the rows of the accuracy table that need no contact.

use gedanken_dynamics::diagnostics::{angular_momentum, kinetic_energy, total_energy};
use gedanken_dynamics::integrate::{Control, INTEGRATORS, Integrator};
use gedanken_dynamics::{AngularVelocity, OneD, Orientation, Position, State, ThreeD, Velocity, scenes};
use gedanken_math::Vec3;
use gedanken_math::units::SECOND;
use std::f64::consts::PI;

fn by_name(name: &str) -> &'static Integrator {
    Integrator::by_name(name).unwrap()
}

/// The Dzhanibekov effect: I = (1, 2, 3), ω = (0.01, 1, 0.02). The period of ω in the body frame is 4K(k)/n.
#[test]
fn a_tumbling_body_has_the_period_of_the_elliptic_integral() {
    let (i, omega) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02));
    let two_t = (i * omega).dot(omega);
    let l2 = (i * omega).length_squared();
    assert!(l2 > two_t * i.y);
    let n = ((i.z - i.y) * (l2 - two_t * i.x) / (i.x * i.y * i.z)).sqrt();
    let k = ((i.y - i.x) * (two_t * i.z - l2) / ((i.z - i.y) * (l2 - two_t * i.x))).sqrt();
    let exact = 4.0 * crate::support::elliptic_k(k) / n;
    assert!((exact - 33.194_997).abs() < 1e-6, "{exact}");

    // ω₁ in the body frame crosses zero upwards once a period.
    let scene = scenes::tumbling(i, omega);
    let (mut stepper, mut state) = scene.prepare(by_name("leapfrog")).unwrap();
    let body = state.model().id("body").unwrap();
    let first = move |s: &State| {
        let q = s.get::<Orientation>(body).unwrap();
        (q.inverse() * s.get::<AngularVelocity>(body).unwrap().si()).x
    };
    let (h, end) = (2e-3 * SECOND, 200.0 * SECOND);
    let a = stepper.locate(&mut state, h, end, first).unwrap().unwrap().state.time();
    let b = stepper.locate(&mut state, h, end, first).unwrap().unwrap().state.time();
    let period = (b - a).si();
    println!("tumbling body: period {period}, exact {exact}, error {:.1e}", period / exact - 1.0);
    assert!((period / exact - 1.0).abs() < 1e-6, "{period} against {exact}");
}

#[test]
fn a_tumbling_body_keeps_energy_and_angular_momentum_for_a_million_steps() {
    let scene = scenes::tumbling(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02));
    let (mut stepper, mut state) = scene.prepare(by_name("leapfrog")).unwrap();
    let energy = |s: &State| kinetic_energy::<ThreeD>(s).unwrap().si();
    let (t0, l0) = (energy(&state), angular_momentum(&state).unwrap());
    let mut worst = [0.0_f64; 2];
    for k in 0..1_000_000 {
        stepper.step(&mut state, 0.01 * SECOND).unwrap();
        let half = usize::from(k >= 500_000);
        worst[half] = worst[half].max((energy(&state) - t0).abs() / t0);
    }
    println!("tumbling body: energy error {worst:?} in the halves of a million steps");
    assert!(worst[1] < 1.01 * worst[0] + 1e-12, "energy error {worst:?}");
    assert!(worst[0] < 1e-4);
    let drift = (angular_momentum(&state).unwrap() - l0).length().si() / l0.length().si();
    println!("tumbling body: angular momentum drifts by {drift:.1e}");
    // Rounding only: less than one unit in the last place for each of the two turns of a step.
    assert!(drift < 2e6 * f64::EPSILON, "angular momentum drifts by {drift:.1e}");
}

/// T = 4 √(l/g) K(sin(θ₀/2)), by event location on the dense output.
#[test]
fn a_pendulum_let_go_at_ninety_degrees() {
    let exact = 4.0 / 9.81_f64.sqrt() * crate::support::elliptic_k(libm::sin(PI / 4.0));
    assert!((exact - 2.367_842).abs() < 1e-6);
    let scene = scenes::pendulum(PI / 2.0);
    let (mut stepper, mut state) = scene.prepare(by_name("dormand-prince")).unwrap();
    let bob = state.model().id("bob").unwrap();
    let angle = move |s: &State| s.get::<Position<OneD>>(bob).unwrap().si();
    let (h, end) = (0.1 * SECOND, 60.0 * SECOND);
    let mut crossings = Vec::new();
    for _ in 0..11 {
        crossings.push(stepper.locate(&mut state, h, end, angle).unwrap().unwrap().state.time().si());
    }
    let period = (crossings[10] - crossings[0]) / 10.0;
    println!("pendulum: period {period}, exact {exact}, error {:.1e}", period / exact - 1.0);
    assert!((period / exact - 1.0).abs() < 1e-6, "{period} against {exact}");
    // Far better than asked: the tolerance is 1e-10.
    assert!((period / exact - 1.0).abs() < 1e-8, "{period} against {exact}");
}

/// Kick then drift keeps ½(v² + ω²x²) - ½h ω² x v exactly.
#[test]
fn symplectic_euler_keeps_its_modified_energy() {
    let (omega, h) = (1.3, 0.1);
    let scene = scenes::oscillator(omega);
    let (mut stepper, mut state) = scene.prepare(by_name("symplectic-euler")).unwrap();
    let body = state.model().id("body").unwrap();
    let modified = |s: &State| {
        let x = s.get::<Position<OneD>>(body).unwrap().si();
        let v = s.get::<Velocity<OneD>>(body).unwrap().si();
        0.5 * (v * v + omega * omega * x * x) - 0.5 * h * omega * omega * x * v
    };
    let mut before = modified(&state);
    for _ in 0..10_000 {
        stepper.step(&mut state, h * SECOND).unwrap();
        let after = modified(&state);
        assert!((after - before).abs() < 1e-14, "{before} to {after}");
        before = after;
    }
}

/// The apsidal angle of nearly circular orbits in a force rⁿ is π/√(n + 3).
#[test]
fn apsidal_angles_of_power_laws() {
    for (n, reference) in [(-2.0, PI), (-1.0, 2.221_441), (1.0, PI / 2.0)] {
        let exact = PI / libm::sqrt(n + 3.0);
        assert!((exact - reference).abs() < 1e-6);
        // The correction for a finite excess of speed is of second order in it.
        let scene = scenes::power_law(n, 1e-4);
        let (mut stepper, mut state) = scene.prepare(by_name("dormand-prince")).unwrap();
        let body = state.model().id("body").unwrap();
        let place = |s: &State| s.get::<Position>(body).unwrap().si();
        let radial = |s: &State| place(s).dot(s.get::<Velocity>(body).unwrap().si());
        // From one farthest point to the next nearest: r·v falls through zero, then rises through it.
        let (h, end) = (0.05 * SECOND, 100.0 * SECOND);
        let far = stepper.locate(&mut state, h, end, |s| -radial(s)).unwrap().unwrap().state;
        let near = stepper.locate(&mut state, h, end, radial).unwrap().unwrap().state;
        let (a, b) = (place(&far), place(&near));
        let angle = libm::atan2(a.cross(b).z, a.dot(b)).rem_euclid(2.0 * PI);
        println!("apsidal angle, n = {n}: {angle}, exact {exact}, error {:.1e}", angle / exact - 1.0);
        assert!((angle / exact - 1.0).abs() < 1e-5, "n = {n}: {angle} against {exact}");
    }
}

/// Kepler, e = 0.6: after one period at 1,000 steps, each method keeps energy, angular momentum and the
/// Runge-Lenz vector within what its order allows.
#[test]
fn kepler_invariants() {
    for integrator in INTEGRATORS.into_iter().filter(|i| i.control != Control::Reversible) {
        let errors = |steps: u32| {
            let scene = scenes::kepler(0.6);
            let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
            let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
            let planet = state.model().id("planet").unwrap();
            let lenz = |s: &State| {
                let (r, v) =
                    (s.get::<Position>(planet).unwrap().si(), s.get::<Velocity>(planet).unwrap().si());
                v.cross(r.cross(v)) - r / r.length()
            };
            let (e0, l0, a0) = (
                total_energy(&state, &scene.laws).unwrap().si(),
                angular_momentum(&state).unwrap().si(),
                lenz(&state),
            );
            assert!((e0 + 0.5).abs() < 1e-15 && (l0.z - 0.8).abs() < 1e-15 && (a0.x - 0.6).abs() < 1e-15);
            let h = 2.0 * PI / f64::from(steps) * SECOND;
            stepper.run(&mut state, h, 2.0 * PI * SECOND).unwrap();
            let l = (angular_momentum(&state).unwrap().si() - l0).length();
            let rest =
                (total_energy(&state, &scene.laws).unwrap().si() - e0).abs() + (lenz(&state) - a0).length();
            (l, rest)
        };
        let (l, coarse) = errors(1000);
        let (_, fine) = errors(2000);
        // A composition of central kicks and drifts keeps angular momentum to rounding, at any order.
        if integrator.splits() {
            assert!(l < 1e-13, "{}: angular momentum changes by {l:.1e}", integrator.name);
        }
        // Halving the step must divide the error by about 2^p (or meet the rounding floor).
        let ratio = libm::pow(2.0, f64::from(integrator.order) - 0.5);
        assert!(fine < coarse / ratio || fine < 1e-11, "{}: {coarse:.1e} to {fine:.1e}", integrator.name);
    }
}

#[test]
fn the_figure_eight_returns() {
    for name in ["yoshida6", "yoshida8", "dormand-prince"] {
        let scene = scenes::figure_eight();
        let (mut stepper, mut state) = scene.prepare(by_name(name)).unwrap();
        let start = state.clone();
        stepper.run(&mut state, scene.period / 2000.0 * SECOND, scene.period * SECOND).unwrap();
        for id in state.model().components().iter() {
            let gap = (state.get::<Position>(id).unwrap() - start.get::<Position>(id).unwrap()).length().si();
            println!("figure eight, {name}: returns within {gap:.1e}");
            assert!(gap < 1e-6, "{name}: {} returns within {gap:.1e}", state.model().components().name(id));
        }
    }
}

/// A normal mode of a chain of masses and springs swings with its own frequency, 2 sin(kπ/2(N + 1)).
#[test]
fn a_chain_swings_in_its_normal_mode() {
    let scene = scenes::chain(16, 3, 0.05);
    let (mut stepper, mut state) = scene.prepare(by_name("yoshida8")).unwrap();
    let start = state.clone();
    stepper.run(&mut state, scene.period / 100.0 * SECOND, scene.period * SECOND).unwrap();
    for id in state.model().components().iter() {
        let gap = state.get::<Position<OneD>>(id).unwrap() - start.get::<Position<OneD>>(id).unwrap();
        assert!(gap.si().abs() < 1e-11, "{gap}");
    }
}
