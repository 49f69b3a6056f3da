//! Promises of each method: its order, and energies that stay.

use super::motion::double_pendulum;
use super::run::{last, run, series, simulated};

/// An oscillator that is not harmonic, with a closed first integral and a constant mass.
const QUARTIC: &str = "lagrangian quartic {
    coordinates = { x = 1  y = 0.5 }
    rates = { x_dot = 0.2 }
    T = 0.5 * (x_dot^2 + y_dot^2)
    V = 0.25 * x^4 + 0.5 * x * y + y^2
}";

/// The same with coordinates that make the mass matrix vary.
const POLAR: &str = "lagrangian polar {
    coordinates = { r = 1  phi = 0.3 }
    rates = { phi_dot = 0.8 }
    T = 0.5 * (r_dot^2 + r^2 * phi_dot^2)
    V = 0.5 * (r - 0.5)^2 + 0.1 * r * cosine(phi)
}";

fn end(block: &str, method: &str, steps: u32, names: [&str; 2]) -> [f64; 2] {
    let lines = format!(
        "    duration = 1\n    frame_rate = 1\n    integrator = {method}\n    time_step = 1 / {steps}"
    );
    let recording = run(&simulated(block, &lines));
    names.map(|it| last(&recording, it))
}

#[test]
fn every_method_of_fixed_step_has_its_order() {
    let cases = [
        (QUARTIC, "symplectic_euler", 1.0, 64),
        (QUARTIC, "leapfrog", 2.0, 32),
        (QUARTIC, "leapfrog_kdk", 2.0, 32),
        (QUARTIC, "velocity_verlet", 2.0, 32),
        (QUARTIC, "forest_ruth", 4.0, 16),
        (QUARTIC, "yoshida6", 6.0, 8),
        (QUARTIC, "yoshida8", 8.0, 4),
        (POLAR, "rk4", 4.0, 16),
        (POLAR, "implicit_midpoint", 2.0, 32),
        (POLAR, "variational4", 4.0, 16),
        (POLAR, "variational6", 6.0, 8),
        (POLAR, "variational8", 8.0, 4),
    ];
    for (block, method, order, steps) in cases {
        let names = if block == POLAR { ["r", "phi"] } else { ["x", "y"] };
        let exact = {
            let lines = "    duration = 1\n    frame_rate = 1\n    tolerance = 1e-14";
            let recording = run(&simulated(block, lines));
            names.map(|it| last(&recording, it))
        };
        let off = |steps: u32| {
            let found = end(block, method, steps, names);
            found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (off(steps), off(2 * steps));
        let slope = libm::log2(coarse / fine);
        let slack = if order > 5.0 { 1.0 } else { 0.2 };
        assert!((slope - order).abs() < slack, "{method}: {coarse:e} and {fine:e}, order {slope}");
    }
}

#[test]
fn the_energy_of_a_double_pendulum_stays_bounded_for_a_hundred_thousand_steps() {
    let lines =
        "    duration = 1000\n    frame_rate = 10\n    integrator = implicit_midpoint\n    time_step = 0.01";
    let recording = run(&simulated(&double_pendulum("2", "1"), lines));
    let energy = series(&recording, "total_energy");
    assert_eq!(energy.len(), 10_001);
    let off: Vec<f64> = energy.iter().map(|it| it - energy[0]).collect();
    let (first, second) = off.split_at(off.len() / 2);
    let most = |part: &[f64]| part.iter().map(|it| it.abs()).fold(0.0, f64::max);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    assert!(most(&off) < 0.2, "{}", most(&off));
    assert!(most(second) < 1.5 * most(first), "{} then {}", most(first), most(second));
    assert!((mean(second) - mean(first)).abs() < 0.1 * most(&off), "{} then {}", mean(first), mean(second));
}

#[test]
fn variational_methods_keep_momenta_to_rounding() {
    let block = "lagrangian orbit {
    coordinates = { r = 1  phi = 0 }
    rates = { phi_dot = 1.2 }
    T = 0.5 * (r_dot^2 + r^2 * phi_dot^2)
    V = -1 / r
}";
    let lines =
        "    duration = 50\n    frame_rate = 10\n    integrator = implicit_midpoint\n    time_step = 0.02";
    let recording = run(&simulated(block, lines));
    let all = series(&recording, "p_phi");
    assert!(all.iter().all(|it| (it - 1.2).abs() < 1e-12), "{:?}", all.last());
}
