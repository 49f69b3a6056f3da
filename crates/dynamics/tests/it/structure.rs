//! What the registry promises beyond order: symplectic methods keep the energy error bounded for a million
//! steps, reversible methods come back after a reversal of the velocities.

use gedanken_dynamics::diagnostics::total_energy;
use gedanken_dynamics::integrate::rotation::FREE_ROTATION;
use gedanken_dynamics::integrate::{INTEGRATORS, Integrator};
use gedanken_dynamics::{Position, Velocity, scenes};
use gedanken_math::units::SECOND;

/// The energy error of a million steps, as the largest magnitude in each of twenty stretches of equal length.
fn energy_errors(integrator: &'static Integrator, e: f64, h: f64, steps: u32) -> Vec<f64> {
    let scene = scenes::kepler(e);
    let (mut stepper, mut state) = scene.prepare(integrator).unwrap();
    let start = total_energy(&state, &scene.laws).unwrap().si();
    let mut worst = vec![0.0_f64; 20];
    for k in 0..steps {
        stepper.step(&mut state, h * SECOND).unwrap();
        let error = (total_energy(&state, &scene.laws).unwrap().si() - start).abs();
        let stretch = &mut worst[(20 * u64::from(k) / u64::from(steps)) as usize];
        *stretch = stretch.max(error);
    }
    worst
}

/// A bounded error does not grow: the last stretches are no worse than the first. What rounding adds in a
/// million steps is a random walk, hence the second term.
#[test]
fn symplectic_methods_keep_the_energy_error_bounded_for_a_million_steps() {
    let steps = 1_000_000;
    // Steps per orbit of e = 0.6: enough that perihelion is resolved by the low orders.
    let h = 2.0 * std::f64::consts::PI / 1000.0;
    for integrator in INTEGRATORS.into_iter().filter(|i| i.symplectic) {
        let errors = energy_errors(integrator, 0.6, h, steps);
        let early = errors[..4].iter().fold(0.0_f64, |a, b| a.max(*b));
        let late = errors[4..].iter().fold(0.0_f64, |a, b| a.max(*b));
        println!("{:<18} energy error {early:.3e} in the first fifth, {late:.3e} after", integrator.name);
        let rounding = f64::EPSILON * f64::from(steps).sqrt() * f64::from(integrator.evaluations);
        assert!(
            late < 1.05 * early + 4.0 * rounding,
            "{}: {early:.3e} early, {late:.3e} late",
            integrator.name
        );
    }
}

/// The same test tells the others apart: the energy of the classical Runge-Kutta method drifts.
#[test]
fn a_method_that_is_not_symplectic_drifts() {
    let errors =
        energy_errors(Integrator::by_name("rk4").unwrap(), 0.6, 2.0 * std::f64::consts::PI / 300.0, 100_000);
    assert!(errors[19] > 10.0 * errors[0], "{errors:?}");
}

#[test]
fn reversible_methods_return_after_ten_thousand_steps() {
    for integrator in INTEGRATORS.into_iter().filter(|i| i.reversible) {
        let scene = scenes::kepler(0.6);
        let (mut stepper, start) = scene.prepare(integrator).unwrap();
        // Not a whole number of orbits, so that the far end is elsewhere.
        let h = 2.0 * std::f64::consts::PI / 973.0 * SECOND;
        let mut state = start.clone();
        for _ in 0..10_000 {
            stepper.step(&mut state, h).unwrap();
        }
        let far = state.clone();
        state = state.reversed();
        for _ in 0..10_000 {
            stepper.step(&mut state, h).unwrap();
        }
        let state = state.reversed();
        let planet = state.model().id("planet").unwrap();
        let difference = |a: &gedanken_dynamics::State, b: &gedanken_dynamics::State| {
            let dr = a.get::<Position>(planet).unwrap() - b.get::<Position>(planet).unwrap();
            let dv = a.get::<Velocity>(planet).unwrap() - b.get::<Velocity>(planet).unwrap();
            dr.length().si().max(dv.length().si())
        };
        let back = difference(&state, &start);
        println!("{:<18} returns within {back:.1e}", integrator.name);
        assert!(difference(&far, &start) > 1e-3, "{}: the test must go somewhere", integrator.name);
        assert!(back < 1e-9, "{}: returns within {back:.2e}", integrator.name);
    }
}

/// Symplectic Euler is not reversible, and the registry says so: the same test must fail on it.
#[test]
fn a_method_that_is_not_reversible_does_not_return() {
    let scene = scenes::kepler(0.6);
    let (mut stepper, start) = scene.prepare(Integrator::by_name("symplectic-euler").unwrap()).unwrap();
    let planet = start.model().id("planet").unwrap();
    let mut state = start.clone();
    for _ in 0..2 {
        for _ in 0..1000 {
            stepper.step(&mut state, 2.0 * std::f64::consts::PI / 1000.0 * SECOND).unwrap();
        }
        state = state.reversed();
    }
    let gap = state.get::<Position>(planet).unwrap() - start.get::<Position>(planet).unwrap();
    assert!(gap.length().si() > 1e-4);
}

#[test]
fn free_rotation_is_reversible() {
    let scene =
        scenes::tumbling(gedanken_math::Vec3::new(1.0, 2.0, 3.0), gedanken_math::Vec3::new(0.01, 1.0, 0.02));
    assert!(FREE_ROTATION.reversible);
    let (mut stepper, start) = scene.prepare(Integrator::by_name("leapfrog").unwrap()).unwrap();
    let mut state = start.clone();
    for _ in 0..2 {
        for _ in 0..10_000 {
            stepper.step(&mut state, 0.003 * SECOND).unwrap();
        }
        state = state.reversed();
    }
    let body = state.model().id("body").unwrap();
    let q = |s: &gedanken_dynamics::State| s.get::<gedanken_dynamics::Orientation>(body).unwrap();
    assert!((q(&state) - q(&start)).length() < 1e-9);
}
