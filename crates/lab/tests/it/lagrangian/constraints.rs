//! Constraints: the same motion in coordinates that need them, and nothing that drifts.

use super::run::{last, run, series, simulated};

const ANGLE: &str = "lagrangian pendulum {
    coordinates = { theta = 1 }
    T = 0.5 * theta_dot^2
    V = -9.81 * cosine(theta)
    functions = { across = sine(theta) }
}";

const CARTESIAN: &str = "lagrangian pendulum {
    coordinates = { x = sine(1)  z = -cosine(1) }
    T = 0.5 * (x_dot^2 + z_dot^2)
    V = 9.81 * z
    constraints = { rod = x^2 + z^2 - 1 }
}";

#[test]
fn a_rod_makes_a_pendulum_of_a_falling_point() {
    let lines = "    duration = 10\n    record = all";
    let (angle, point) = (run(&simulated(ANGLE, lines)), run(&simulated(CARTESIAN, lines)));
    let (expected, found) = (series(&angle, "across"), series(&point, "x"));
    let off = expected.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-6, "{off:e}");
    assert!(series(&point, "residual_rod").iter().all(|it| it.abs() < 1e-14));
    // The rod pulls with m (g cos θ + θ̇² l); its multiplier times |∇c| = 2.
    let (theta, rate) = (last(&angle, "theta"), last(&angle, "theta_dot"));
    let pull = 9.81 * libm::cos(theta) + rate * rate;
    assert!((-2.0 * last(&point, "lambda_rod") - pull).abs() < 1e-4, "{}", last(&point, "lambda_rod"));
}

#[test]
fn variational_steps_hold_the_rod_and_have_their_order() {
    let exact =
        last(&run(&simulated(ANGLE, "    duration = 2\n    tolerance = 1e-13\n    record = all")), "across");
    let off = |steps: u32| {
        let lines = format!(
            "    duration = 2\n    frame_rate = 1\n    integrator = implicit_midpoint\n    time_step = 1 / {steps}"
        );
        let recording = run(&simulated(CARTESIAN, &lines));
        assert!(series(&recording, "residual_rod").iter().all(|it| it.abs() < 1e-14));
        (last(&recording, "x") - exact).abs()
    };
    let (coarse, fine) = (off(64), off(128));
    let slope = libm::log2(coarse / fine);
    assert!((slope - 2.0).abs() < 0.2, "{coarse:e} and {fine:e}: {slope}");
}

/// A disc that rolls on a plane without slipping, upright: its heading turns at a steady rate, so it goes
/// round in a circle.
const DISC: &str = "lagrangian disc {
    coordinates = { x = 0  y = 0  heading = 0  spin = 0 }
    rates = { x_dot = 0.6  heading_dot = 0.5  spin_dot = 2 }
    parameters = { r = 0.3 }
    T = 0.5 * (x_dot^2 + y_dot^2) + 0.25 * 0.5 * r^2 * heading_dot^2 + 0.25 * r^2 * spin_dot^2
    velocity constraints = {
        along = x_dot - r * spin_dot * cosine(heading)
        across = y_dot - r * spin_dot * sine(heading)
    }
}";

#[test]
fn a_rolling_disc_goes_round_in_a_circle() {
    // Radius v / heading rate = 0.6 / 0.5.
    for method in ["", "    integrator = implicit_midpoint\n    time_step = 0.001"] {
        let recording = run(&simulated(DISC, &format!("    duration = 5\n{method}")));
        let (x, y, t) = (last(&recording, "x"), last(&recording, "y"), *recording.times.last().unwrap());
        let (expected_x, expected_y) = (1.2 * libm::sin(0.5 * t), 1.2 * (1.0 - libm::cos(0.5 * t)));
        let close = if method.is_empty() { 1e-8 } else { 1e-6 };
        assert!(
            (x - expected_x).abs() < close && (y - expected_y).abs() < close,
            "{x} {y}, {expected_x} {expected_y}"
        );
        assert!(series(&recording, "residual_along").iter().all(|it| it.abs() < 1e-12));
    }
}

#[test]
fn a_constraint_may_change_with_time() {
    // A bead on a straight wire that turns at a steady rate, in a plane without gravity: it flies out as
    // cosh.
    let block = "lagrangian bead {
    coordinates = { x = 1  y = 0 }
    rates = { y_dot = 2 }
    T = 0.5 * (x_dot^2 + y_dot^2)
    constraints = { wire = x * sine(2 * t) - y * cosine(2 * t) }
}";
    let recording = run(&simulated(block, "    duration = 1"));
    let (x, y) = (last(&recording, "x"), last(&recording, "y"));
    assert!((libm::hypot(x, y) - libm::cosh(2.0)).abs() < 1e-8, "{}", libm::hypot(x, y));
}
