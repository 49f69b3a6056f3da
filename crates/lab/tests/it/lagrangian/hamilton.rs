//! Motions by Hamilton's equations, of energies to which no Lagrangian can be written down: against closed
//! answers.

use super::run::{at_event, last, run, series, simulated, wrong};
use crate::support::model;
use gedanken_lab::derivation::derive;
use gedanken_lang::symbolic::Notation;
use gedanken_recording::Moment;

/// A particle of mass 1 that nothing holds back but the speed of light, 1, under a steady force.
const FALL: &str = "lagrangian fall {
    coordinates = { x = 0 }
    parameters = { f = 2 }
    H = sqrt(1 + p_x^2) - f * x
}";

/// Bound by a field, in one dimension: rates and forces come apart.
const BOUND: &str = "lagrangian bound {
    coordinates = { x = 1 }
    momenta = { p_x = 0.5 }
    H = sqrt(1 + p_x^2) + 0.25 * x^4
}";

/// About a centre, with L = 2 and k = 1.
const ORBIT: &str = "lagrangian orbit {
    coordinates = { r = 2.5  phi = 0 }
    momenta = { p_phi = 2 }
    H = sqrt(1 + p_r^2 + p_phi^2 / r^2) - 1 / r
}";

fn off(a: f64, b: f64) -> f64 {
    (a - b).abs()
}

#[test]
fn a_steady_force_gives_hyperbolic_motion() {
    let methods = [
        ("dormand_prince", 1e-9),
        ("rk4", 1e-9),
        ("implicit_midpoint", 1e-4),
        ("variational6", 1e-10),
        ("leapfrog", 1e-4),
        ("yoshida8", 1e-10),
    ];
    for (method, tolerance) in methods {
        let steps = if method == "dormand_prince" { "" } else { "    time_step = 0.01\n" };
        let lines = format!("    duration = 3\n    integrator = {method}\n{steps}");
        let recording = run(&simulated(FALL, &lines));
        let [x, rate, momentum, energy] =
            ["x", "x_dot", "p_x", "total_energy"].map(|name| series(&recording, name));
        for frame in 0..recording.frames() {
            let t = frame as f64 * 3.0 / (recording.frames() - 1) as f64;
            // c = 1, a = 2.
            let gamma = (1.0 + 4.0 * t * t).sqrt();
            assert!(off(x[frame], 0.5 * (gamma - 1.0)) < tolerance, "{method} at {t}: {}", x[frame]);
            assert!(off(rate[frame], 2.0 * t / gamma) < tolerance, "{method} at {t}: {}", rate[frame]);
            assert!(off(momentum[frame], 2.0 * t) < 1e-9, "{method} at {t}: {}", momentum[frame]);
            assert!(off(energy[frame], 1.0) < 2.0 * tolerance, "{method} at {t}: {}", energy[frame]);
        }
    }
}

#[test]
fn units_do_not_matter() {
    // An electron in a field of a thousand volts per metre, in SI units.
    let block = "lagrangian electron {
    coordinates = { x = 0 }
    parameters = { m = 9.1e-31  c = 3e8  f = 1.6e-16 }
    H = sqrt(p_x^2 * c^2 + m^2 * c^4) - f * x
}";
    let recording = run(&simulated(block, "    duration = 1e-6\n    frame_rate = 1e6"));
    let (m, c, f, t) = (9.1e-31, 3e8, 1.6e-16, 1e-6);
    let a: f64 = f / m;
    let expected = c * c / a * ((1.0 + (a * t / c) * (a * t / c)).sqrt() - 1.0);
    assert!(off(last(&recording, "x"), expected) < 1e-8 * expected, "{expected}");
    assert!(off(last(&recording, "p_x"), f * t) < 1e-9 * f * t);
}

#[test]
fn quartic_oscillators_have_their_periods() {
    // Both have the period Γ(1/4)²/√π; the second turns where p⁴ has no curvature.
    let gamma = libm::tgamma(0.25);
    let period = gamma * gamma / std::f64::consts::PI.sqrt();
    for (hamiltonian, start) in [("0.25 * p_x^4 + 0.5 * x^2", 0.5f64.sqrt()), ("0.25 * (p_x^4 + x^4)", 1.0)] {
        for (method, tolerance) in [("dormand_prince", 1e-8), ("variational8", 1e-8)] {
            let block =
                format!("lagrangian quartic {{ coordinates = {{ x = {start} }}\n H = {hamiltonian} }}");
            let lines = format!(
                "    duration = {period}\n    frame_rate = 200 / {period}\n    integrator = {method}\n    {}",
                if method == "variational8" { format!("time_step = {period} / 400") } else { String::new() }
            );
            let recording = run(&simulated(&block, &lines));
            assert!(off(last(&recording, "x"), start) < tolerance, "{method}: {}", last(&recording, "x"));
            assert!(last(&recording, "p_x").abs() < 1e-2, "{method}: {}", last(&recording, "p_x"));
            // Half way it is at the other side.
            let half = series(&recording, "x")[100];
            assert!(off(half, -start) < tolerance, "{method}: {half}");
        }
    }
}

#[test]
fn a_fast_planet_turns_its_ellipse() {
    // Sommerfeld: u = 1/r = (k E / L² g²) (1 + e cos(g φ)) with g² = 1 - k²/(L² c²), E with the rest energy.
    let recording = run(&simulated(ORBIT, "    duration = 200\n    tolerance = 1e-12"));
    let [r, phi] = ["r", "phi"].map(|name| series(&recording, name));
    let (energy, g) = (last(&recording, "total_energy"), 0.75f64.sqrt());
    let middle = energy / (4.0 * 0.75);
    let eccentricity = (1.0 / 2.5) / middle - 1.0;
    assert!(*phi.last().unwrap() > 4.0 * std::f64::consts::PI, "{:?}", phi.last());
    for (r, phi) in r.iter().zip(&phi) {
        let expected = middle * (1.0 + eccentricity * libm::cos(g * phi));
        assert!(off(1.0 / r, expected) < 1e-8, "{} instead of {expected} at {phi}", 1.0 / r);
    }
}

#[test]
fn the_energy_stays_bounded_for_a_hundred_thousand_midpoint_steps() {
    let lines =
        "    duration = 2000\n    frame_rate = 5\n    integrator = implicit_midpoint\n    time_step = 0.02";
    let recording = run(&simulated(ORBIT, lines));
    let energy = series(&recording, "total_energy");
    assert_eq!(energy.len(), 10_001);
    let off: Vec<f64> = energy.iter().map(|it| it - energy[0]).collect();
    let (first, second) = off.split_at(off.len() / 2);
    let most = |part: &[f64]| part.iter().map(|it| it.abs()).fold(0.0, f64::max);
    assert!(most(&off) < 1e-4, "{}", most(&off));
    assert!(most(second) < 1.2 * most(first), "{} then {}", most(first), most(second));
    let momentum = series(&recording, "p_phi");
    assert!(momentum.iter().all(|it| (it - 2.0).abs() < 1e-12), "{:?}", momentum.last());
}

#[test]
fn every_method_of_fixed_step_has_its_order() {
    let cases = [
        (BOUND, "symplectic_euler", 1.0, 64),
        (BOUND, "leapfrog", 2.0, 32),
        (BOUND, "leapfrog_kdk", 2.0, 32),
        (BOUND, "velocity_verlet", 2.0, 32),
        (BOUND, "forest_ruth", 4.0, 16),
        (BOUND, "yoshida6", 6.0, 8),
        (BOUND, "yoshida8", 8.0, 8),
        (ORBIT, "rk4", 4.0, 8),
        (ORBIT, "implicit_midpoint", 2.0, 16),
        (ORBIT, "variational4", 4.0, 8),
        (ORBIT, "variational6", 6.0, 4),
    ];
    for (block, method, order, steps) in cases {
        let (name, duration) = if block == ORBIT { ("r", 4) } else { ("x", 1) };
        let end = |lines: &str| {
            let lines = format!("    duration = {duration}\n    frame_rate = 1 / {duration}\n{lines}");
            last(&run(&simulated(block, &lines)), name)
        };
        let exact = end("    tolerance = 1e-14");
        let missed = |steps: u32| {
            off(end(&format!("    integrator = {method}\n    time_step = {duration} / {steps}")), exact)
        };
        let (coarse, fine) = (missed(steps), missed(2 * steps));
        let slope = libm::log2(coarse / fine);
        let slack = if order > 5.0 { 1.2 } else { 0.3 };
        assert!((slope - order).abs() < slack, "{method}: {coarse:e} and {fine:e}, order {slope}");
    }
}

#[test]
fn dissipation_takes_momentum_away() {
    // p' = -c v = -c p / sqrt(1 + p²): sqrt(1 + p²) + log(p / (1 + sqrt(1 + p²))) falls by c t.
    let block = "lagrangian slowed {
    coordinates = { x = 0 }
    momenta = { p_x = 3 }
    parameters = { c = 0.5 }
    H = sqrt(1 + p_x^2)
    dissipation = 0.5 * c * x_dot^2
    forces = { x = 0 * x_dot }
}";
    let recording = run(&simulated(block, "    duration = 4"));
    let fallen = |p: f64| {
        let root = (1.0 + p * p).sqrt();
        root + libm::log(p / (1.0 + root))
    };
    let p = last(&recording, "p_x");
    assert!(off(fallen(3.0) - fallen(p), 0.5 * 4.0) < 1e-8, "{p}");
    // What was lost in momentum is c times the way.
    assert!(off(3.0 - p, 0.5 * last(&recording, "x")) < 1e-8);
    assert!(recording.schema.quantities.iter().all(|it| it.name != "E"), "it loses energy");
}

#[test]
fn rates_and_momenta_find_each_other() {
    for given in ["rates = { x_dot = 0.6 }", "momenta = { p_x = 0.75 }"] {
        let block =
            format!("lagrangian free {{ coordinates = {{ x = 0 }}\n {given}\n H = sqrt(1 + p_x^2) }}");
        let recording = run(&simulated(&block, "    duration = 10"));
        assert!(off(last(&recording, "x"), 6.0) < 1e-9, "{}", last(&recording, "x"));
        assert!(off(last(&recording, "p_x"), 0.75) < 1e-12, "{}", last(&recording, "p_x"));
    }
    // p³ = 8, from where the slope of p³ is zero.
    let block = "lagrangian steep { coordinates = { x = 0 }\n rates = { x_dot = 8 }\n H = 0.25 * p_x^4 }";
    assert!(off(last(&run(&simulated(block, "    duration = 1")), "p_x"), 2.0) < 1e-12);
    // A coordinate whose momentum does not occur stays where it is, and its momentum takes what the force
    // gives.
    let block = "lagrangian stiff { coordinates = { x = 1  y = 2 }\n H = 0.5 * p_x^2 + 3 * y }";
    let recording = run(&simulated(block, "    duration = 2"));
    assert_eq!([last(&recording, "y"), last(&recording, "y_dot")], [2.0, 0.0]);
    assert!(off(last(&recording, "p_y"), -6.0) < 1e-12);
}

#[test]
fn a_fast_ball_bounces_and_comes_to_rest() {
    let block = |restitution: &str| {
        format!(
            "lagrangian ball {{
    coordinates = {{ z = 1.5 }}
    H = sqrt(1 + p_z^2) + 2 * z
    stops = {{ floor = z }}
    restitution = {restitution}
}}"
        )
    };
    for method in
        ["dormand_prince", "implicit_midpoint\n    time_step = 1e-3", "leapfrog\n    time_step = 1e-3"]
    {
        let lines = format!("    duration = 6\n    integrator = {method}");
        let recording = run(&simulated(&block("1"), &lines));
        // From z = h the floor is reached with gamma = 1 + 2 h = 4 at p = sqrt(15), after t = p / 2.
        let fall = 15.0f64.sqrt() / 2.0;
        let tolerance = if method == "dormand_prince" { 1e-8 } else { 1e-5 };
        let first = &recording.events[0];
        assert!(off(first.time, fall) < tolerance, "{method}: {}", first.time);
        let [before, after] =
            [Moment::Before, Moment::After].map(|side| at_event(&recording, first, side, "p_z"));
        assert!(off(before, -after) < 1e-12 && off(after, 2.0 * fall) < 10.0 * tolerance, "{before} {after}");
        let energy = series(&recording, "total_energy");
        assert!(energy.iter().all(|it| off(*it, 4.0) < 10.0 * tolerance), "{method}");
        let resting = run(&simulated(&block("0.3"), &lines));
        assert!(last(&resting, "z").abs() < 1e-12 && last(&resting, "z_dot").abs() < 1e-12, "{method}");
        assert!(off(last(&resting, "lambda_floor"), 2.0) < 1e-9, "{method}");
    }
}

#[test]
fn formulas_and_measures_know_rates_and_momenta() {
    let text = "object {
    name = bead
    physical type = dynamic
    geometrical type = sphere
    attributes = { size = 0.1 }
}
lagrangian bound {
    coordinates = { x = 1 }
    momenta = { p_x = 0.5 }
    functions = { work = x_dot * p_x  where = [x, 0, 0] }
    H = sqrt(1 + p_x^2) + 0.25 * x^4
    positions = { bead = where }
}
measure work_done { value = work - x_dot * p_x }
measure speed { of = {bead}  value = velocity # 1 - x_dot }
";
    let recording = run(&simulated(text, "    duration = 2"));
    for name in ["work_done", "speed"] {
        let all = super::run::value(&recording, recording.frames() - 1, "measure", name);
        assert!(all[0].abs() < 1e-14, "{name}: {all:?}");
    }
    let told = |what: &str| recording.schema.derived.iter().any(|(it, _)| it.starts_with(what));
    assert!(
        told("H") && told("x_dot") && told("p_x_dot") && told("conserved: energy"),
        "{:?}",
        recording.schema.derived
    );
    // Momenta in formulas of an H that has a Lagrangian, too.
    let text =
        "lagrangian spring { coordinates = { x = 1 }\n functions = { twice = p_x / 2 }\n H = p_x^2 + x^2 }
measure rate { value = twice - x_dot / 4 }";
    let recording = run(&simulated(text, "    duration = 1"));
    assert!(super::run::value(&recording, 30, "measure", "rate")[0].abs() < 1e-14);
}

#[test]
fn the_derivation_shows_hamiltons_equations() {
    let experiment = model(&simulated(FALL, "    duration = 1"));
    let block = &experiment.lagrangians[0];
    let mut pool = block.pool.clone();
    let derivation = derive(&mut pool, &block.system).unwrap();
    assert!(derivation.equations.is_none() && derivation.hamilton.is_some());
    let shown: Vec<(&str, Vec<String>)> = derivation
        .sections
        .iter()
        .map(|it| (it.title, it.lines.iter().map(|line| line.show(&mut pool, Notation::Vfl)).collect()))
        .collect();
    let lines = |title: &str| shown.iter().find(|(known, _)| *known == title).unwrap().1.clone();
    assert_eq!(lines("Hamilton's equations")[1], "p_x_dot = f");
    assert!(lines("Hamilton's equations")[0].starts_with("x_dot = p_x"), "{shown:?}");
    assert!(lines("Conserved")[0].starts_with("E = "), "{shown:?}");
}

#[test]
fn what_cannot_be_says_what_to_do() {
    let block = |lines: &str, method: &str| {
        let block = format!("lagrangian system {{\n coordinates = {{ x = 1 }}\n {lines}\n}}");
        simulated(&block, &format!("    duration = 1\n{method}"))
    };
    let cases = [
        ("rates = { x_dot = 2 }\n H = sqrt(1 + p_x^2)", "", "E765", "momenta = { p_x = 1 }"),
        ("H = sqrt(1 + p_x^2) / (x - 1)", "", "E765", "momenta"),
        ("momenta = { p_x = 1 }\n H = sqrt(1 + p_x^2) + 1 / (x - 1)", "", "E765", "no value at the start"),
        ("H = sqrt(1 + p_x^2)\n constraints = { c = x - 1 }", "", "E765", "T and V"),
        ("H = sqrt(1 + p_x^2 * x^2)", "    integrator = leapfrog", "E769", "a rate depends on `x`"),
        ("H = sqrt(1 + p_x^2)\n stops = { s = 2 - p_x }", "", "E765", "coordinates and `t`"),
    ];
    for (lines, method, code, words) in cases {
        let said = wrong(&block(lines, method));
        assert!(said.contains(&format!("error[{code}")) && said.contains(words), "{lines}\n{said}");
    }
}
