//! Motions with closed answers.

use super::run::{last, run, series, simulated};

pub(crate) const PENDULUM: &str = "lagrangian pendulum {
    coordinates = { theta = pi / 2 }
    parameters = { m = 1  l = 1  g = 9.81 }
    functions = { x = l * sine(theta)  z = -l * cosine(theta) }
    T = 0.5 * m * (x_dot^2 + z_dot^2)
    V = m * g * z
}";

/// Two equal bobs on two rods of length 1.
pub(crate) fn double_pendulum(theta1: &str, theta2: &str) -> String {
    format!(
        "lagrangian double {{
    coordinates = {{ theta1 = {theta1}  theta2 = {theta2} }}
    parameters = {{ m = 1  l = 1  g = 9.81 }}
    functions = {{
        r1 = l * [sine(theta1), -cosine(theta1)]
        r2 = r1 + l * [sine(theta2), -cosine(theta2)]
    }}
    T = 0.5 * m * (r1_dot . r1_dot + r2_dot . r2_dot)
    V = m * g * (r1 # 2 + r2 # 2)
}}"
    )
}

/// Time at which a series of steps of one length first falls through zero, by a parabola through three
/// points.
pub(crate) fn falls_through_zero(series: &[f64], step: f64) -> f64 {
    let k = (1..series.len() - 1).find(|&k| series[k - 1] > 0.0 && series[k] <= 0.0).unwrap();
    let [a, b, c] = [series[k - 1], series[k], series[k + 1]];
    let (slope, bend) = (0.5 * (c - a), 0.5 * (a - 2.0 * b + c));
    let mut s = 0.0;
    for _ in 0..20 {
        s = -(b + bend * s * s) / slope;
    }
    (k as f64 + s) * step
}

#[test]
fn a_pendulum_from_ninety_degrees_has_its_period() {
    let recording = run(&simulated(PENDULUM, "    duration = 2.4\n    frame_rate = 1000"));
    // From the right at rest, through the lowest point after a quarter: T = 4 sqrt(l/g) K(sin 45°).
    let quarter = falls_through_zero(&series(&recording, "theta"), 1e-3);
    assert!((4.0 * quarter - 2.367_842).abs() < 1e-6, "{}", 4.0 * quarter);
}

#[test]
fn the_small_modes_of_a_double_pendulum_have_their_frequencies() {
    for (sign, squared) in [(1.0, 2.0 - 2.0f64.sqrt()), (-1.0, 2.0 + 2.0f64.sqrt())] {
        let small = 1e-4;
        let block = double_pendulum("1e-4", &format!("{}", sign * small * 2.0f64.sqrt()));
        let recording =
            run(&simulated(&block, "    duration = 1.2\n    frame_rate = 1000\n    tolerance = 1e-13"));
        let quarter = falls_through_zero(&series(&recording, "theta1"), 1e-3);
        let (frequency, expected) = (std::f64::consts::FRAC_PI_2 / quarter, (squared * 9.81).sqrt());
        assert!((frequency - expected).abs() < 1e-5, "{frequency} instead of {expected}");
    }
}

#[test]
fn a_heavy_top_precesses_steadily_at_both_rates() {
    // I1 W² cos b - I3 w3 W + m g l = 0 with I1 = 2, I3 = 1, w3 = 10, m g l = 3, b = 60°.
    let (i1, i3, w3, mgl, b) = (2.0f64, 1.0f64, 10.0f64, 3.0f64, std::f64::consts::FRAC_PI_3);
    for sign in [-1.0, 1.0] {
        let root = (i3 * i3 * w3 * w3 - 4.0 * i1 * libm::cos(b) * mgl).sqrt();
        let precession = (i3 * w3 + sign * root) / (2.0 * i1 * libm::cos(b));
        let spin = w3 - precession * libm::cos(b);
        let block = format!(
            "lagrangian top {{
    coordinates = {{ phi = 0  beta = pi / 3  psi = 0 }}
    rates = {{ phi_dot = {precession}  psi_dot = {spin} }}
    parameters = {{ i1 = 2  i3 = 1  mgl = 3 }}
    T = 0.5 * i1 * (beta_dot^2 + (phi_dot * sine(beta))^2) + 0.5 * i3 * (psi_dot + phi_dot * cosine(beta))^2
    V = mgl * cosine(beta)
}}"
        );
        let recording = run(&simulated(&block, "    duration = 5\n    tolerance = 1e-12"));
        assert!((last(&recording, "phi") - 5.0 * precession).abs() < 1e-6, "{}", last(&recording, "phi"));
        assert!((last(&recording, "beta") - b).abs() < 1e-6, "{}", last(&recording, "beta"));
        for kept in ["E", "p_phi", "p_psi"] {
            let all = series(&recording, kept);
            let off = all.iter().map(|it| (it - all[0]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-8 * all[0].abs(), "{kept} changes by {off}");
        }
    }
}

#[test]
fn a_hamiltonian_moves_like_its_lagrangian() {
    let stated = "lagrangian orbit {
    coordinates = { r = 1  phi = 0 }
    momenta = { p_phi = 1.2 }
    H = 0.5 * (p_r^2 + p_phi^2 / r^2) - 1 / r
}";
    let lagrangian = "lagrangian orbit {
    coordinates = { r = 1  phi = 0 }
    rates = { phi_dot = 1.2 }
    L = 0.5 * (r_dot^2 + r^2 * phi_dot^2) + 1 / r
}";
    let [a, b] = [stated, lagrangian].map(|it| run(&simulated(it, "    duration = 5")));
    for name in ["r", "phi", "r_dot", "p_phi"] {
        assert!((last(&a, name) - last(&b, name)).abs() < 1e-9, "{name}");
    }
}

#[test]
fn dissipation_and_forces_act() {
    // x'' = -x - 2c x' + f: damped about f.
    let block = "world attributes { c = 0.1 }
lagrangian spring {
    coordinates = { x = 1 }
    T = 0.5 * x_dot^2
    V = 0.5 * x^2
    dissipation = c * x_dot^2
    forces = { x = 0.5 }
}";
    let recording = run(&simulated(block, "    duration = 3"));
    let (c, t) = (0.1f64, 3.0f64);
    let w = (1.0 - c * c).sqrt();
    let expected = 0.5 + 0.5 * libm::exp(-c * t) * (libm::cos(w * t) + c / w * libm::sin(w * t));
    assert!((last(&recording, "x") - expected).abs() < 1e-9);
    assert!(recording.schema.quantities.iter().all(|it| it.name != "E"), "it loses energy");
}
