//! Against closed forms, measured orders, and systems that misbehave.

use super::method::Misfit;
use super::*;
use crate::integrate::INTEGRATORS;
use std::convert::Infallible;

/// A system from a closure that cannot fail.
struct Plain<F>(F);

impl<F: FnMut(f64, &[f64], &mut [f64])> System for Plain<F> {
    type Error = Infallible;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        (self.0)(t, y, rates);
        Ok(())
    }
}

/// A system from a closure that can.
struct Partial<F>(F);

impl<F: FnMut(f64, &[f64], &mut [f64]) -> Result<(), &'static str>> System for Partial<F> {
    type Error = &'static str;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), &'static str> {
        (self.0)(t, y, rates)
    }
}

/// Points of [0, 1] without pattern: multiples of the golden ratio.
fn scattered(count: u32) -> impl Iterator<Item = f64> {
    (1..=count).map(|n| (f64::from(n) * 0.618_033_988_749_894_9).fract())
}

/// y₀ = 1/(1 + t²) and y₁ = y₀ exp(sin t): not linear, not autonomous, coupled, and with y₁′/y₁ = y₀′/y₀ +
/// cos t.
fn nonlinear(t: f64, y: &[f64], rates: &mut [f64]) {
    rates[0] = -2.0 * t * y[0] * y[0];
    rates[1] = y[1] * (-2.0 * t * y[0] + libm::cos(t));
}

fn nonlinear_exact(t: f64) -> [f64; 2] {
    let first = 1.0 / (1.0 + t * t);
    [first, first * libm::exp(libm::sin(t))]
}

/// The largest errors over [0, 2] with so many even steps of a method: at the joints, between them, and of
/// the rates.
fn errors(name: &str, steps: u32) -> [f64; 3] {
    let method = Method::by_name(name).unwrap();
    let mut solution = Dense::new(0.0, &[1.0, 1.0]);
    let mut system = Plain(nonlinear);
    let mut trial = Trial::new(method.rule(), solution.last());
    trial.prime(&mut system, 0.0).unwrap();
    stride::evenly(&mut trial, &mut solution, &mut system, 2.0, steps).unwrap();
    let (mut y, mut rates, mut exact_rates) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let mut worst = [0.0_f64; 3];
    for t in solution.joints().collect::<Vec<_>>() {
        solution.value(t, &mut y);
        worst[0] = worst[0].max(distance(&y, &nonlinear_exact(t)));
    }
    for t in scattered(500).map(|x| 2.0 * x) {
        let exact = nonlinear_exact(t);
        nonlinear(t, &exact, &mut exact_rates);
        solution.value(t, &mut y);
        solution.rate(t, &mut rates);
        worst[1] = worst[1].max(distance(&y, &exact));
        worst[2] = worst[2].max(distance(&rates, &exact_rates));
    }
    worst
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}

/// The slope of the line of least squares through (log h, log error).
fn order(name: &str, which: usize) -> f64 {
    let points: Vec<_> = [16, 24, 32, 48, 64, 96]
        .map(|n| (-libm::log(f64::from(n)), libm::log(errors(name, n)[which])))
        .to_vec();
    let count = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (above, below) =
        points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    above / below
}

#[test]
fn steps_and_what_lies_between_them_have_their_orders() {
    for (name, least) in [
        ("dormand-prince", [4.9, 4.0, 3.9]),
        ("rk4", [3.9, 3.9, 2.9]),
        ("implicit-midpoint", [1.9, 1.9, 1.9]),
    ] {
        for (which, least) in least.into_iter().enumerate() {
            let order = order(name, which);
            assert!(order >= least, "{name}, error {which}: order {order}");
            assert!(order < 6.5, "{name}, error {which}: order {order} is too good to be true");
        }
    }
}

/// Kepler's problem with GM = a = 1.
fn kepler(_: f64, y: &[f64], rates: &mut [f64]) {
    let r = libm::hypot(y[0], y[1]);
    let cube = r * r * r;
    rates.copy_from_slice(&[y[2], y[3], -y[0] / cube, -y[1] / cube]);
}

/// From the perihelion, by Kepler's equation E - e sin E = t.
fn kepler_exact(e: f64, t: f64) -> [f64; 4] {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - e * libm::sin(anomaly) - t) / (1.0 - e * libm::cos(anomaly));
    }
    let (sin, cos) = libm::sincos(anomaly);
    let minor = (1.0 - e * e).sqrt();
    let speed = 1.0 / (1.0 - e * cos);
    [cos - e, minor * sin, -sin * speed, minor * cos * speed]
}

/// An error δv along the velocity at the perihelion changes the period by 3π·2v δv = 33 δv, and so the
/// velocity one period later by 4·33 δv = 130 δv: the orbit itself makes a factor of that size.
#[test]
fn an_orbit_stays_within_a_factor_of_the_tolerance() {
    let period = std::f64::consts::TAU;
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
        let start = kepler_exact(0.5, 0.0);
        let solution =
            integrate(&mut Plain(kepler), 0.0, &start, period, tolerance, Method::default()).unwrap();
        let mut y = [0.0; 4];
        let mut worst = distance(solution.last(), &start);
        for t in scattered(300).map(|x| x * period) {
            solution.value(t, &mut y);
            worst = worst.max(distance(&y, &kepler_exact(0.5, t)));
        }
        assert!(worst < 200.0 * tolerance, "{worst:e} with tolerance {tolerance:e}");
        assert!(worst > 0.01 * tolerance, "{worst:e} with tolerance {tolerance:e}: steps are wasted");
    }
}

/// Largest error against a closed form on [0, 5] with tolerance 10⁻¹², at the end and between.
fn error_against(rates: impl FnMut(f64, &[f64], &mut [f64]), exact: impl Fn(f64) -> Vec<f64>) -> f64 {
    let solution = integrate(&mut Plain(rates), 0.0, &exact(0.0), 5.0, 1e-12, Method::default()).unwrap();
    let mut y = exact(0.0);
    scattered(300).map(|x| 5.0 * x).chain([0.0, 5.0]).fold(0.0, |worst: f64, t| {
        solution.value(t, &mut y);
        worst.max(distance(&y, &exact(t)))
    })
}

#[test]
fn simple_motions_agree_with_their_closed_forms() {
    let decay = error_against(|_, y, r| r[0] = -1.7 * y[0], |t| vec![3.0 * libm::exp(-1.7 * t)]);
    assert!(decay < 1e-10, "decay: {decay:e}");

    let oscillator = error_against(
        |_, y, r| r.copy_from_slice(&[y[1], -9.0 * y[0]]),
        |t| vec![libm::cos(3.0 * t), -3.0 * libm::sin(3.0 * t)],
    );
    assert!(oscillator < 1e-10, "oscillator: {oscillator:e}");

    let (g, k) = (-9.81, 0.3);
    let drag = error_against(
        |_, y, r| r.copy_from_slice(&[y[2], y[3], -k * y[2], g - k * y[3]]),
        |t| {
            let lost = -libm::expm1(-k * t) / k;
            let fall = g / k;
            vec![
                8.0 * lost,
                (12.0 - fall) * lost + fall * t,
                8.0 * (1.0 - k * lost),
                12.0 + (g - 12.0 * k) * lost,
            ]
        },
    );
    assert!(drag < 1e-10, "drag: {drag:e}");
}

#[test]
fn enclosures_over_many_steps_contain_what_lies_between() {
    let start = kepler_exact(0.5, 0.0);
    let solution = integrate(&mut Plain(kepler), 0.0, &start, 6.0, 1e-10, Method::default()).unwrap();
    let (mut y, mut least, mut greatest) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    for (from, length) in scattered(60).zip(scattered(61).skip(1)) {
        let (from, to) = (6.0 * from, 6.0 * from + length * length * length);
        solution.enclose(from, to, &mut least, &mut greatest);
        for t in scattered(100).map(|x| from + x * (to - from)).chain([from, to]) {
            solution.value(t, &mut y);
            for c in 0..4 {
                assert!(least[c] <= y[c] && y[c] <= greatest[c], "component {c} from {from} to {to} at {t}");
            }
        }
        solution.enclose_rate(from, to, &mut least, &mut greatest);
        for t in scattered(100).map(|x| from + x * (to - from)).chain([from, to]) {
            solution.rate(t, &mut y);
            for c in 0..4 {
                assert!(least[c] <= y[c] && y[c] <= greatest[c], "rate {c} from {from} to {to} at {t}");
            }
        }
    }
}

#[test]
fn a_blow_up_ends_with_its_time() {
    let mut evaluations = 0;
    let mut square = Plain(|_: f64, y: &[f64], r: &mut [f64]| {
        evaluations += 1;
        r[0] = y[0] * y[0];
    });
    // y = 1/(1 - t).
    let failure = integrate(&mut square, 0.0, &[1.0], 3.0, 1e-10, Method::default()).unwrap_err();
    let Failure::Trouble(trouble @ Trouble::Stuck { time }) = failure else { panic!("{failure:?}") };
    assert!((time - 1.0).abs() < 1e-8, "{time}");
    assert!(trouble.to_string().contains("too stiff, or blow up, near t = "));
    assert!(evaluations < 20_000, "{evaluations}");

    // y = -ln(1 - t): slow in the value, so that only the rate overflows.
    let mut exponential = Plain(|_: f64, y: &[f64], r: &mut [f64]| r[0] = libm::exp(y[0]));
    let failure = integrate(&mut exponential, 0.0, &[0.0], 3.0, 1e-10, Method::default()).unwrap_err();
    let (Failure::Trouble(Trouble::Stuck { time }) | Failure::Trouble(Trouble::NotFinite { time, .. })) =
        failure
    else {
        panic!("{failure:?}")
    };
    assert!((time - 1.0).abs() < 1e-8, "{time}");
}

#[test]
fn an_extension_that_fails_keeps_what_it_reached() {
    let mut square = Plain(|_: f64, y: &[f64], r: &mut [f64]| r[0] = y[0] * y[0]);
    let mut solution = integrate(&mut square, 0.0, &[1.0], 0.5, 1e-10, Method::default()).unwrap();
    assert!(extend(&mut solution, &mut square, 3.0, 1e-10, Method::default()).is_err());
    assert!((solution.end() - 1.0).abs() < 1e-8);
    let mut y = [0.0];
    for t in scattered(100).map(|x| 0.99 * x) {
        solution.value(t, &mut y);
        assert!((y[0] * (1.0 - t) - 1.0).abs() < 1e-7, "{y:?} at {t}");
    }
}

/// y′ jumps from 1 to -2 at t = 1: steps shorten until the jump seems to cost no more than the tolerance. If
/// it falls between the stages at 0.2 and 0.3, the estimate has the weight Σ e_i = 0.0012 while the error has
/// up to Σ b_i - 0.7 = 0.21, 170 times as much; and the scale is 1 + |y| = 2.
#[test]
fn a_rate_that_jumps_is_followed() {
    let mut roof = Plain(|t: f64, _: &[f64], r: &mut [f64]| r[0] = if t < 1.0 { 1.0 } else { -2.0 });
    let solution = integrate(&mut roof, 0.3, &[0.3], 2.0, 1e-10, Method::default()).unwrap();
    let mut y = [0.0];
    for t in scattered(200).map(|x| 0.3 + 1.7 * x).chain([1.0, 2.0]) {
        solution.value(t, &mut y);
        let exact = if t < 1.0 { t } else { 3.0 - 2.0 * t };
        assert!((y[0] - exact).abs() < 170.0 * 2.0 * 1e-10, "{y:?} at {t}");
    }
}

#[test]
fn rates_that_are_far_too_stiff_end_after_so_many_steps() {
    let mut stiff = Plain(|t: f64, y: &[f64], r: &mut [f64]| r[0] = -1e9 * (y[0] - libm::cos(t)));
    let failure = integrate(&mut stiff, 0.0, &[1.0], 100.0, 1e-10, Method::default()).unwrap_err();
    assert!(matches!(failure, Failure::Trouble(Trouble::Stuck { time }) if time < 1.0), "{failure:?}");
}

#[test]
fn equal_questions_have_equal_answers() {
    let start = kepler_exact(0.5, 0.0);
    let go = || integrate(&mut Plain(kepler), 0.25, &start, 6.0, 1e-10, Method::default()).unwrap();
    let (one, other) = (go(), go());
    let (mut a, mut b) = ([0.0; 4], [0.0; 4]);
    for t in scattered(100).map(|x| 0.25 + 5.75 * x) {
        one.value(t, &mut a);
        other.value(t, &mut b);
        assert_eq!(a.map(f64::to_bits), b.map(f64::to_bits));
    }
    assert_eq!(one, other);
}

#[test]
fn an_extension_is_a_new_integration_from_the_end() {
    let start = kepler_exact(0.5, 0.0);
    let method = Method::default();
    let mut whole = integrate(&mut Plain(kepler), 0.0, &start, 0.0, 1e-10, method).unwrap();
    extend(&mut whole, &mut Plain(kepler), 2.0, 1e-10, method).unwrap();
    let middle = whole.last().to_vec();
    extend(&mut whole, &mut Plain(kepler), 3.0, 1e-10, method).unwrap();
    extend(&mut whole, &mut Plain(kepler), 3.0, 1e-10, method).unwrap();
    let first = integrate(&mut Plain(kepler), 0.0, &start, 2.0, 1e-10, method).unwrap();
    let second = integrate(&mut Plain(kepler), 2.0, &middle, 3.0, 1e-10, method).unwrap();
    assert_eq!((whole.start(), whole.end()), (0.0, 3.0));
    let (mut a, mut b) = ([0.0; 4], [0.0; 4]);
    for t in scattered(100).map(|x| 3.0 * x).chain([3.0]) {
        whole.value(t, &mut a);
        if t < 2.0 { &first } else { &second }.value(t, &mut b);
        assert_eq!(a.map(f64::to_bits), b.map(f64::to_bits), "t = {t}");
    }
}

#[test]
fn an_interval_of_no_length_is_a_tangent() {
    let mut line = Plain(|_: f64, _: &[f64], r: &mut [f64]| r[0] = 2.0);
    let solution = integrate(&mut line, 1.0, &[5.0], 1.0, 1e-10, Method::default()).unwrap();
    let mut out = [0.0];
    solution.value(1.0, &mut out);
    assert_eq!(out, [5.0]);
    solution.value(1.5, &mut out);
    assert_eq!(out, [6.0]);
    solution.rate(1.0, &mut out);
    assert_eq!(out, [2.0]);
}

/// A parabola is its own continuation; y = exp(t) is one up to the fifth power of the time beyond the end.
#[test]
fn the_last_polynomial_goes_on_beyond_the_end() {
    let mut fall = Plain(|_: f64, y: &[f64], r: &mut [f64]| r.copy_from_slice(&[y[1], -9.81]));
    let solution = integrate(&mut fall, 0.0, &[2.0, 3.0], 1.0, 1e-10, Method::default()).unwrap();
    let mut y = [0.0; 2];
    for t in [-0.05, 1.05] {
        solution.value(t, &mut y);
        assert!(distance(&y, &[2.0 + 3.0 * t - 0.5 * 9.81 * t * t, 3.0 - 9.81 * t]) < 1e-11, "{y:?} at {t}");
    }
    let mut growth = Plain(|_: f64, y: &[f64], r: &mut [f64]| r[0] = y[0]);
    let solution = integrate(&mut growth, 0.0, &[1.0], 1.0, 1e-10, Method::default()).unwrap();
    for beyond in [1e-12, 1e-6, 1e-3] {
        solution.value(1.0 + beyond, &mut y[..1]);
        assert!((y[0] - libm::exp(1.0 + beyond)).abs() < 1e-9, "{beyond}");
    }
}

#[test]
fn intervals_of_a_few_units_in_the_last_place_are_fine() {
    let from: f64 = 1e3;
    let mut to = from;
    for _ in 0..40 {
        to = to.next_up();
        let solution =
            integrate(&mut Plain(kepler), from, &kepler_exact(0.5, 0.0), to, 1e-10, Method::default())
                .unwrap();
        assert_eq!(solution.end(), to);
        let rk4 = Method::by_name("rk4").unwrap().with_steps(10).unwrap();
        assert_eq!(integrate(&mut Plain(kepler), from, &[1.0; 4], to, 1e-10, rk4).unwrap().end(), to);
    }
}

/// A tank runs empty: y′ = -√y, y = (1 - t/2)², and there is no root beyond t = 2.
#[test]
fn the_end_of_the_domain_of_a_law_is_reported_with_its_time() {
    let mut tank = Partial(|_: f64, y: &[f64], r: &mut [f64]| {
        r[0] = if y[0] < 0.0 { return Err("no root of a negative number") } else { -y[0].sqrt() };
        Ok(())
    });
    let solution = integrate(&mut tank, 0.0, &[1.0], 1.9, 1e-10, Method::default()).unwrap();
    assert!((solution.last()[0] - 0.0025).abs() < 1e-9);
    let failure = integrate(&mut tank, 0.0, &[1.0], 3.0, 1e-10, Method::default()).unwrap_err();
    let Failure::Rates { time, error } = failure else { panic!("{failure:?}") };
    assert_eq!(error, "no root of a negative number");
    assert!((time - 2.0).abs() < 1e-3, "{time}");

    let mut until_one = Partial(|t: f64, y: &[f64], r: &mut [f64]| {
        r[0] = if t > 1.0 { return Err("too late") } else { -y[0] };
        Ok(())
    });
    let solution = integrate(&mut until_one, 0.1, &[1.0], 1.0, 1e-10, Method::default()).unwrap();
    assert!((solution.last()[0] - libm::exp(-0.9)).abs() < 1e-9);
    let failure = integrate(&mut until_one, 0.1, &[1.0], 2.0, 1e-10, Method::default()).unwrap_err();
    assert!(matches!(failure, Failure::Rates { time, error: "too late" } if (time - 1.0).abs() < 1e-12));
    let failure = integrate(&mut until_one, 1.5, &[1.0], 2.0, 1e-10, Method::default()).unwrap_err();
    assert_eq!(failure, Failure::Rates { time: 1.5, error: "too late" });
}

/// With any error allowed the first step tried is the whole interval, and its stages leave [0, 1], where y =
/// exp(-10 t) lives.
#[test]
fn a_step_that_leaves_the_domain_is_tried_again_shorter() {
    let mut failures = 0;
    let mut decay = Partial(|_: f64, y: &[f64], r: &mut [f64]| {
        if !(0.0..=1.0).contains(&y[0]) {
            failures += 1;
            return Err("outside");
        }
        r[0] = -10.0 * y[0];
        Ok(())
    });
    let solution = integrate(&mut decay, 0.0, &[1.0], 1.0, f64::INFINITY, Method::default()).unwrap();
    assert!((solution.last()[0] - libm::exp(-10.0)).abs() < 1e-2);
    assert!(failures > 0);
}

#[test]
fn what_is_no_problem_to_solve_is_refused() {
    let mut line = Plain(|_: f64, _: &[f64], r: &mut [f64]| r.fill(1.0));
    let mut go = |from, y: &[f64], to, tolerance| {
        integrate(&mut line, from, y, to, tolerance, Method::default()).map(|_| ())
    };
    for (from, to) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-f64::MAX, f64::MAX)] {
        let failure = go(from, &[0.0], to, 1e-10).unwrap_err();
        assert!(matches!(failure, Failure::Trouble(Trouble::Interval { .. })), "{failure:?}");
    }
    for tolerance in [0.0, -1.0, f64::NAN] {
        let failure = go(0.0, &[0.0], 1.0, tolerance).unwrap_err();
        assert!(matches!(failure, Failure::Trouble(Trouble::Tolerance { .. })), "{failure:?}");
    }
    let failure = go(0.5, &[0.0, f64::NAN], 1.0, 1e-10).unwrap_err();
    assert_eq!(failure, Failure::Trouble(Trouble::NotFinite { time: 0.5, component: 1 }));
    assert_eq!(go(0.0, &[], 1.0, 1e-10), Ok(()));
    assert_eq!(go(0.0, &[1e300], 1.0, 1e-10), Ok(()));

    let mut hole = Plain(|_: f64, _: &[f64], r: &mut [f64]| r[0] = f64::NAN);
    let failure = integrate(&mut hole, 0.0, &[0.0], 1.0, 1e-10, Method::default()).unwrap_err();
    assert_eq!(failure, Failure::Trouble(Trouble::NotFinite { time: 0.0, component: 0 }));
}

#[test]
fn an_implicit_step_that_does_not_settle_says_so() {
    let midpoint = Method::by_name("implicit-midpoint").unwrap();
    let mut stiff = Plain(|_: f64, y: &[f64], r: &mut [f64]| r[0] = -10.0 * y[0]);
    let failure = integrate(&mut stiff, 2.0, &[1.0], 3.0, 1e-10, midpoint).unwrap_err();
    assert_eq!(failure, Failure::Trouble(Trouble::Unsettled { time: 2.0 }));
    assert!(integrate(&mut stiff, 2.0, &[1.0], 3.0, 1e-10, midpoint.with_steps(20).unwrap()).is_ok());
}

#[test]
fn names_are_those_of_the_registry() {
    for integrator in INTEGRATORS {
        match Method::by_name(integrator.name) {
            Ok(method) => {
                assert!(!integrator.splits());
                assert!(method.steps() > 0);
                assert_eq!(method.is_adaptive(), integrator.name == "dormand-prince");
            }
            Err(misfit) => {
                assert!(integrator.splits());
                assert_eq!(misfit, Misfit::Splits { name: integrator.name });
            }
        }
    }
    let unknown = Method::by_name("euler").unwrap_err();
    assert_eq!(unknown, Misfit::Unknown { name: "euler".into() });
    assert_eq!(Method::all().collect::<Vec<_>>(), ["rk4", "dormand-prince", "implicit-midpoint"]);
    assert!(Method::default().is_adaptive());
    assert!(Method::default().with_steps(0).is_none());
}
