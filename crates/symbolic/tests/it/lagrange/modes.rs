//! Equilibria and normal modes against closed forms.

use super::equations::DOUBLE_PENDULUM;
use super::stated::{Stated, assert_close, at, value};
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::{Effort, Equations, Fate, Modes, Stability, conditions};
use std::f64::consts::{PI, SQRT_2};

fn modes(pool: &mut Pool, equations: &Equations, values: &[(&str, f64)]) -> Modes {
    equations.modes(pool, &|name| value(values, name)).expect("it is an equilibrium")
}

/// The texts of all equilibria.
fn rests(pool: &mut Pool, stated: &Stated<'_>) -> (Vec<String>, bool) {
    let equations = stated.equations(pool, Effort::Readable);
    let found = equations.equilibria(pool).expect("nothing depends on time");
    let text = |point: &Vec<_>| point.iter().map(|&it| pool.text(it)).collect::<Vec<String>>().join(", ");
    let mut texts: Vec<String> = found.points.iter().map(text).collect();
    texts.sort();
    (texts, found.complete)
}

const EQUAL: [(&str, f64); 7] =
    [("theta1", 0.0), ("theta2", 0.0), ("m1", 0.8), ("m2", 0.8), ("l1", 1.7), ("l2", 1.7), ("g", 9.81)];

/// ω² = (2 ± √2) g/l, with shapes θ2 = ± √2 θ1.
#[test]
fn the_equal_double_pendulum() {
    let mut pool = Pool::new();
    let equations = DOUBLE_PENDULUM.equations(&mut pool, Effort::Readable);
    let found = modes(&mut pool, &equations, &EQUAL);
    assert_eq!((found.list.len(), found.stability), (2, Stability::Stable));
    for (mode, sign) in found.list.iter().zip([-1.0, 1.0]) {
        assert_close(mode.frequency * mode.frequency, (2.0 + sign * SQRT_2) * 9.81 / 1.7);
        assert_close(mode.shape[0].re, -sign / SQRT_2);
        assert_close(mode.shape[1].re, 1.0);
        assert_eq!((mode.shape[0].im, mode.fate), (0.0, Fate::Oscillates));
        assert_close(mode.period().unwrap() * mode.frequency, 2.0 * PI);
    }
    // Upside down, the faster one first.
    let mut up = EQUAL;
    up[0].1 = PI;
    up[1].1 = PI;
    let found = modes(&mut pool, &equations, &up);
    assert_eq!((found.list.len(), found.stability), (2, Stability::Unstable));
    for (mode, sign) in found.list.iter().zip([1.0, -1.0]) {
        assert_close(mode.growth * mode.growth, (2.0 + sign * SQRT_2) * 9.81 / 1.7);
        assert_eq!(mode.fate, Fate::Grows);
    }
    let mut aside = EQUAL;
    aside[0].1 = 0.3;
    let refusal = equations.modes(&mut pool, &|name| value(&aside, name)).unwrap_err().to_string();
    assert!(refusal.contains("no equilibrium") && refusal.contains("theta1"), "{refusal}");
    let near = equations.equilibrium_near(&mut pool, &|name| value(&EQUAL, name), &[0.4, -0.3]).unwrap();
    assert!(near.iter().all(|it| it.abs() < 1e-12), "{near:?}");
}

/// N equal masses between walls: ω_k = 2 √(k/m) sin(kπ / (2N + 2)).
#[test]
fn coupled_oscillators() {
    const N: usize = 9;
    let name = |it: usize| format!("x{it}");
    let coordinates: Vec<String> = (1..=N).map(name).collect();
    let kinetic: Vec<String> = (1..=N).map(|it| format!("0.5*m*x{it}_dot^2")).collect();
    let mut springs = vec!["0.5*k*x1^2".to_owned(), format!("0.5*k*x{N}^2")];
    springs.extend((1..N).map(|it| format!("0.5*k*(x{} - x{it})^2", it + 1)));
    let (coordinates, kinetic, potential) = (coordinates.join(" "), kinetic.join(" + "), springs.join(" + "));
    let chain =
        Stated { coordinates: &coordinates, kinetic: &kinetic, potential: &potential, ..Stated::default() };
    let mut pool = Pool::new();
    let equations = chain.equations(&mut pool, Effort::Readable);
    let found = equations.equilibria(&mut pool).unwrap();
    assert!(found.complete);
    assert_eq!(found.points.len(), 1);
    assert!(found.points[0].iter().all(|&it| pool.is_zero(it)));
    let at = |name: &str| {
        if name == "m" {
            0.7
        } else if name == "k" {
            2.3
        } else {
            0.0
        }
    };
    let modes = equations.modes(&mut pool, &at).unwrap();
    for (place, mode) in modes.list.iter().enumerate() {
        let angle = (place + 1) as f64 * PI / (2.0 * (N as f64 + 1.0));
        let expected = 2.0 * libm::sqrt(2.3 / 0.7) * libm::sin(angle);
        assert_close(mode.frequency, expected);
    }
}

#[test]
fn equilibria_of_the_books() {
    let mut pool = Pool::new();
    let (texts, complete) = rests(&mut pool, &DOUBLE_PENDULUM);
    assert!(complete);
    assert_eq!(texts, ["0, 0", "0, pi", "pi, 0", "pi, pi"]);
    let hoop = Stated {
        coordinates: "theta",
        kinetic: "0.5*m*R^2*(theta_dot^2 + w^2*sine(theta)^2)",
        potential: "-m*g*R*cosine(theta)",
        ..Stated::default()
    };
    let (texts, complete) = rests(&mut pool, &hoop);
    assert!(complete);
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert!(texts[0].starts_with("-inverseCosine(g/"), "{texts:?}");
    assert_eq!(texts[1..3], ["0".to_owned(), texts[0].trim_start_matches('-').to_owned()]);
    assert_eq!(texts[3], "pi");
    // A mass on a spring hangs where k (x - l) = m g; y is nowhere.
    let spring = Stated {
        coordinates: "x y",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2)",
        potential: "0.5*k*(x - l)^2 - m*g*x",
        ..Stated::default()
    };
    let (texts, complete) = rests(&mut pool, &spring);
    assert!(complete);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].ends_with(", y"), "{texts:?}");
    // Free fall has none.
    let falling = Stated { potential: "m*g*x", ..spring };
    assert_eq!(rests(&mut pool, &falling), (Vec::new(), true));
    // Two wells.
    let wells = Stated { coordinates: "x", kinetic: "0.5*m*x_dot^2", potential: "x^4/4 - x^2/2", ..spring };
    let (texts, complete) = rests(&mut pool, &wells);
    assert!(complete);
    assert_eq!(texts, ["-1", "0", "1"]);
    // No formula: said so.
    let odd = Stated { potential: "exp(x) + x^2", ..wells };
    assert_eq!(rests(&mut pool, &odd), (Vec::new(), false));
    let equations = odd.equations(&mut pool, Effort::Readable);
    let near = equations.equilibrium_near(&mut pool, &|_| 1.0, &[0.0]).unwrap();
    assert!((libm::exp(near[0]) + 2.0 * near[0]).abs() < 1e-14);
}

/// A pendulum in Cartesian coordinates with its rod: ω² = g/l, downwards and upwards.
#[test]
fn a_rod_changes_the_stiffness() {
    let rod = Stated {
        coordinates: "x y z",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2 + z_dot^2)",
        potential: "m*g*z",
        constraints: &[("rod", "x^2 + y^2 + z^2 - l^2")],
        ..Stated::default()
    };
    let mut pool = Pool::new();
    let equations = rod.equations(&mut pool, Effort::Readable);
    let parameters = |name: &str| match name {
        "m" => 1.3,
        "g" => 9.81,
        _ => 0.6,
    };
    let point = equations.equilibrium_near(&mut pool, &parameters, &[0.1, -0.2, -0.5]).unwrap();
    assert_close(point[2], -0.6);
    for (z, sign) in [(-0.6, 1.0), (0.6, -1.0)] {
        let values = [("x", 0.0), ("y", 0.0), ("z", z), ("l", 0.6), ("m", 1.3), ("g", 9.81)];
        let found = modes(&mut pool, &equations, &values);
        assert_eq!(found.list.len(), 2);
        for mode in found.list {
            let square = mode.frequency * mode.frequency - mode.growth * mode.growth;
            assert_close(square, sign * 9.81 / 0.6);
        }
    }
}

/// Time dependence is refused; so is a point off the rod.
#[test]
fn no_modes_without_rest() {
    let mut pool = Pool::new();
    let driven = Stated { forces: &[("theta1", "sine(t)")], ..DOUBLE_PENDULUM };
    let equations = driven.equations(&mut pool, Effort::Readable);
    let refusal = equations.equilibria(&mut pool).unwrap_err().to_string();
    assert!(refusal.contains("theta1 changes with time"), "{refusal}");
    let leaking =
        Stated { coordinates: "x", kinetic: "0.5*exp(-t)*x_dot^2", potential: "0", ..Stated::default() };
    let equations = leaking.equations(&mut pool, Effort::Readable);
    let refusal = equations.modes(&mut pool, &|_| 0.0).unwrap_err().to_string();
    assert!(refusal.contains("mass matrix changes with time"), "{refusal}");
    // The azimuth of a spherical pendulum is no coordinate at the poles.
    let sphere = Stated {
        coordinates: "theta phi",
        kinetic: "0.5*(theta_dot^2 + sine(theta)^2*phi_dot^2)",
        potential: "-cosine(theta)",
        ..Stated::default()
    };
    let equations = sphere.equations(&mut pool, Effort::Readable);
    for theta in [0.0, PI] {
        let pole = |name: &str| if name == "theta" { theta } else { 0.0 };
        let refusal = equations.modes(&mut pool, &pole).unwrap_err().to_string();
        assert!(refusal.contains("mass matrix is not positive"), "{refusal}");
    }
    let rod = Stated {
        coordinates: "x z",
        kinetic: "0.5*(x_dot^2 + z_dot^2)",
        potential: "z",
        constraints: &[("rod", "x^2 + z^2 - 1")],
        ..Stated::default()
    };
    let equations = rod.equations(&mut pool, Effort::Readable);
    let off = |name: &str| if name == "z" { -2.0 } else { 0.0 };
    let refusal = equations.modes(&mut pool, &off).unwrap_err().to_string();
    assert!(refusal.contains("rod does not hold"), "{refusal}");
}

/// The bead is off the axis only if the hoop turns fast enough, and swings there with ω² = w² − g²/(R² w²).
#[test]
fn the_hoop_says_when_and_how_fast() {
    let mut pool = Pool::new();
    let hoop = Stated {
        coordinates: "theta",
        kinetic: "0.5*m*R^2*(theta_dot^2 + w^2*sine(theta)^2)",
        potential: "-m*g*R*cosine(theta)",
        ..Stated::default()
    };
    let equations = hoop.equations(&mut pool, Effort::Readable);
    let found = equations.equilibria(&mut pool).unwrap();
    let aside = found.points.iter().find(|it| pool.text(it[0]).starts_with("inverseCosine")).unwrap().clone();
    let when = conditions(&mut pool, &aside);
    assert_eq!(when.len(), 1);
    assert_eq!(pool.truth_text(when[0]), "abs(g) <= w^2*abs(R)");
    let linear = equations.linearised(&mut pool, &aside).unwrap();
    let square = pool.div(linear.stiffness[(0, 0)], linear.mass[(0, 0)]);
    let square = pool.simplify(square);
    let (g, big, w) = (9.81, 0.5, 7.0);
    let values = [("m", 0.1), ("g", g), ("R", big), ("w", w)];
    assert_close(at(&pool, square, &values), w * w - g * g / (big * big * w * w));
    for point in &found.points {
        let always = pool.symbols_of(point.iter().copied()).is_empty();
        assert_eq!(conditions(&mut pool, point).is_empty(), always);
    }
}
