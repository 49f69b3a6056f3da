//! Modes with friction and with gyroscopic forces, against closed forms.

use super::stated::{Stated, assert_close, value};
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::{Effort, Fate, Mode, Modes, Stability};
use proptest::prelude::*;

/// The modes about the point at which everything that has no value is 0.
fn modes(stated: &Stated<'_>, values: &[(&str, f64)]) -> Modes {
    let mut pool = Pool::new();
    let equations = stated.equations(&mut pool, Effort::Plain);
    let at = |name: &str| if values.iter().any(|(it, _)| *it == name) { value(values, name) } else { 0.0 };
    equations.modes(&mut pool, &at).expect("it is an equilibrium")
}

fn fates(modes: &Modes) -> Vec<Fate> {
    modes.list.iter().map(|it| it.fate).collect()
}

const OSCILLATOR: Stated<'_> = Stated {
    coordinates: "x",
    lagrangian: "",
    kinetic: "0.5*m*x_dot^2",
    potential: "0.5*k*x^2",
    hamiltonian: "",
    dissipation: "0.5*c*x_dot^2",
    forces: &[],
    constraints: &[],
    velocity_constraints: &[],
};

/// λ = −c/(2m) ± √(c²/(4m²) − k/m)
#[test]
fn an_oscillator_with_little_just_enough_and_much_friction() {
    let (m, k): (f64, f64) = (0.7, 2.3);
    let critical = 2.0 * (m * k).sqrt();
    let (half, natural) = (critical / (2.0 * m), (k / m).sqrt());
    let with = |c: f64| modes(&OSCILLATOR, &[("m", m), ("k", k), ("c", c)]);
    let little = with(0.2 * critical);
    assert_eq!((fates(&little), little.stability), (vec![Fate::Rings], Stability::Settles));
    let mode = &little.list[0];
    assert_close(mode.growth, -0.2 * half);
    assert_close(mode.frequency, natural * (1.0_f64 - 0.04).sqrt());
    assert_close(mode.damping_ratio().unwrap(), 0.2);
    assert_close(mode.natural_frequency(), natural);
    assert_close(mode.time_constant().unwrap(), 1.0 / (0.2 * half));
    assert_eq!(little.damping, [[0.2 * critical]]);
    let enough = with(critical);
    assert_eq!((fates(&enough), enough.stability), (vec![Fate::Decays; 2], Stability::Settles));
    for mode in &enough.list {
        assert!((mode.growth + natural).abs() < 1e-7 * natural, "{mode:?}");
    }
    let much = with(3.0 * critical);
    assert_eq!(fates(&much), [Fate::Decays; 2]);
    for (mode, sign) in much.list.iter().zip([-1.0, 1.0]) {
        assert_close(mode.growth, -natural * (3.0 + sign * 8.0_f64.sqrt()));
        assert_eq!(mode.period(), None);
    }
    // Friction that pushes.
    let fed = with(-0.2 * critical);
    assert_eq!((fates(&fed), fed.stability), (vec![Fate::Flutters], Stability::Unstable));
    assert_close(fed.list[0].growth, 0.2 * half);
}

/// Two equal masses between three springs, with friction everywhere: together with ω² = k/m, against each
/// other with 3k/m, each with its own friction.
#[test]
fn two_coupled_masses_with_friction() {
    let carts = Stated {
        coordinates: "x y",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2)",
        potential: "0.5*k*(x^2 + y^2 + (x - y)^2)",
        dissipation: "0.5*c*(x_dot^2 + y_dot^2) + 0.5*d*(x_dot - y_dot)^2",
        ..Stated::default()
    };
    let (m, k, c, d): (f64, f64, f64, f64) = (1.3, 5.0, 0.3, 0.4);
    let found = modes(&carts, &[("m", m), ("k", k), ("c", c), ("d", d)]);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Rings; 2], Stability::Settles));
    for (mode, (stiff, lost, sign)) in found.list.iter().zip([(k, c, 1.0), (3.0 * k, c + 2.0 * d, -1.0)]) {
        let decay = lost / (2.0 * m);
        assert_close(mode.growth, -decay);
        assert_close(mode.frequency, (stiff / m - decay * decay).sqrt());
        let ratio = [mode.shape[0].re * sign, mode.shape[1].re];
        assert_close(ratio[0], ratio[1]);
        assert!(mode.shape.iter().all(|it| it.im.abs() < 1e-12), "{mode:?}");
    }
    assert_eq!(found.damping[0], [c + d, -d]);
    assert_eq!(found.gyroscopic, [[0.0; 2]; 2]);
    // Friction between them alone lets them swing together for ever.
    let found = modes(&carts, &[("m", m), ("k", k), ("d", d)]);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Oscillates, Fate::Rings], Stability::Stable));
    assert_close(found.list[0].frequency, (k / m).sqrt());
}

/// In a frame that turns with W, (x + iy) = exp(−iWt ± i√(w² + W²) t) for the full pendulum whose pull is m
/// w² r without the centrifugal term.
#[test]
fn foucault() {
    let plane = Stated {
        coordinates: "x y",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2)",
        potential: "0.5*m*w^2*(x^2 + y^2)",
        forces: &[("x", "2*m*W*y_dot"), ("y", "-2*m*W*x_dot")],
        ..Stated::default()
    };
    let (m, w, turn): (f64, f64, f64) = (2.0, 3.0, 0.4);
    let found = modes(&plane, &[("m", m), ("w", w), ("W", turn)]);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Oscillates; 2], Stability::Stable));
    let root = (w * w + turn * turn).sqrt();
    for (mode, frequency) in found.list.iter().zip([root - turn, root + turn]) {
        assert_close(mode.frequency, frequency);
        // Round in a circle: a quarter turn apart.
        assert_close(mode.shape[0].size(), 1.0);
        assert_close(mode.shape[1].size(), 1.0);
        assert!((mode.shape[0].re * mode.shape[1].re + mode.shape[0].im * mode.shape[1].im).abs() < 1e-12);
    }
    assert_eq!(found.gyroscopic, [[0.0, -2.0 * m * turn], [2.0 * m * turn, 0.0]]);
    assert_eq!(found.damping, [[0.0; 2]; 2]);
}

/// A top that stands upright and spins, its axis (x, y, √(1 − x² − y²)), its own rotation removed by Routh.
/// It stands if (I3 s)² > 4 I1 m g l.
#[test]
fn the_sleeping_top() {
    let top = Stated {
        coordinates: "x y",
        lagrangian: "0.5*I1*(x_dot^2 + y_dot^2 + (x*x_dot + y*y_dot)^2/(1 - x^2 - y^2)) \
                     + L3*(x*y_dot - y*x_dot)/(1 + sqrt(1 - x^2 - y^2)) - h*sqrt(1 - x^2 - y^2)",
        ..Stated::default()
    };
    let (inertia, weight): (f64, f64) = (0.0022, 0.2943);
    let limit = 2.0 * (inertia * weight).sqrt();
    let with = |spin: f64| modes(&top, &[("I1", inertia), ("h", weight), ("L3", spin)]);
    let awake = with(1.1 * limit);
    assert_eq!((fates(&awake), awake.stability), (vec![Fate::Oscillates; 2], Stability::Gyroscopic));
    let (half, root) = (1.1 * limit / (2.0 * inertia), limit * 0.21_f64.sqrt() / (2.0 * inertia));
    assert_close(awake.list[0].frequency, half - root);
    assert_close(awake.list[1].frequency, half + root);
    let falling = with(0.9 * limit);
    assert_eq!((fates(&falling), falling.stability), (vec![Fate::Flutters], Stability::Unstable));
    assert_close(falling.list[0].frequency, 0.9 * limit / (2.0 * inertia));
    assert_close(falling.list[0].growth, limit * 0.19_f64.sqrt() / (2.0 * inertia));
    assert_eq!(with(limit).stability, Stability::Undecided);
    // Friction against the tilt lets it fall, however fast it spins.
    let rough = Stated { dissipation: "0.5*c*(x_dot^2 + y_dot^2)", ..top };
    let found = modes(&rough, &[("I1", inertia), ("h", weight), ("L3", 3.0 * limit), ("c", 1e-4)]);
    assert_eq!(found.stability, Stability::Unstable);
}

/// A free coordinate drifts; with friction it stays where it was put, and its speed dies out.
#[test]
fn free_translation() {
    let free = Stated {
        coordinates: "x y",
        kinetic: "0.5*m*x_dot^2 + 0.5*M*y_dot^2",
        potential: "0.5*k*(x - y)^2",
        ..Stated::default()
    };
    let values = [("m", 0.3), ("M", 1.9), ("k", 4.0), ("c", 0.7)];
    let frequency = (4.0_f64 * (1.0 / 0.3 + 1.0 / 1.9)).sqrt();
    let found = modes(&free, &values);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Drifts, Fate::Oscillates], Stability::Neutral));
    assert_close(found.list[1].frequency, frequency);
    // Friction between the two alone: a double zero, which no iteration finds to better than 1e-8.
    let rubbing = Stated { dissipation: "0.5*c*(x_dot - y_dot)^2", ..free };
    let found = modes(&rubbing, &values);
    assert_eq!(fates(&found), [Fate::Drifts, Fate::Rings]);
    assert_close(found.list[0].shape[0].re, found.list[0].shape[1].re);
    let decay = 0.5 * 0.7 * (1.0 / 0.3 + 1.0 / 1.9);
    assert_close(found.list[1].growth, -decay);
    assert_close(found.list[1].frequency, (frequency * frequency - decay * decay).sqrt());
    // Against the floor: λ (m λ + c) = 0.
    let sliding = Stated {
        coordinates: "x",
        kinetic: "0.5*m*x_dot^2",
        dissipation: "0.5*c*x_dot^2",
        ..Stated::default()
    };
    let found = modes(&sliding, &values);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Stays, Fate::Decays], Stability::Neutral));
    assert_close(found.list[1].growth, -0.7 / 0.3);
    // A charge in a magnetic field goes round where it is put: two directions stay, and one mode turns.
    let charge = Stated {
        coordinates: "x y",
        lagrangian: "0.5*m*(x_dot^2 + y_dot^2) + 0.5*k*(x*y_dot - y*x_dot)",
        ..Stated::default()
    };
    let found = modes(&charge, &values);
    assert_eq!(fates(&found), [Fate::Stays, Fate::Stays, Fate::Oscillates]);
    assert_close(found.list[2].frequency, 4.0 / 0.3);
}

/// Forces that follow the motion have no potential: λ⁴ = −1 for x¨ = y, y¨ = −x.
#[test]
fn forces_that_turn_with_the_motion() {
    let follower = Stated {
        coordinates: "x y",
        kinetic: "0.5*(x_dot^2 + y_dot^2)",
        forces: &[("x", "y"), ("y", "-x")],
        ..Stated::default()
    };
    let found = modes(&follower, &[]);
    assert_eq!((fates(&found), found.stability), (vec![Fate::Flutters, Fate::Rings], Stability::Unstable));
    for mode in &found.list {
        assert_close(mode.growth.abs(), 0.5_f64.sqrt());
        assert_close(mode.frequency, 0.5_f64.sqrt());
    }
}

/// (λ² M + λ (C + G) + K) v, against its largest term.
fn left(found: &Modes, mode: &Mode) -> f64 {
    let (re, im) = (mode.growth, mode.frequency);
    let square = (re * re - im * im, 2.0 * re * im);
    let n = found.mass.len();
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for row in 0..n {
        let (mut x, mut y) = (0.0, 0.0);
        for column in 0..n {
            let rate = found.damping[row][column] + found.gyroscopic[row][column];
            let (m, k) = (found.mass[row][column], found.stiffness[row][column]);
            let entry = (square.0 * m + re * rate + k, square.1 * m + im * rate);
            let v = mode.shape[column];
            x += entry.0 * v.re - entry.1 * v.im;
            y += entry.0 * v.im + entry.1 * v.re;
            largest = largest.max((square.0.abs() + square.1.abs()) * m.abs() + k.abs());
        }
        worst = worst.max(x.abs()).max(y.abs());
    }
    worst / largest
}

/// x → x + s y, y → y + s x: other coordinates for the same system.
fn sheared(text: &str, s: f64) -> String {
    let put = |text: String, name: &str| {
        text.replace(&format!("x{name} "), &format!("(u{name} + {s}*v{name}) "))
            .replace(&format!("y{name} "), &format!("(v{name} - {s}*u{name}) "))
    };
    put(put(text.to_owned(), "_dot"), "")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Each mode solves its equation, and eigenvalues do not depend on the choice of coordinates.
    #[test]
    fn any_two_coordinates(
        m in 0.3_f64..3.0, k in prop::array::uniform3(-2.0_f64..2.0), c in prop::array::uniform3(-0.5_f64..1.0),
        g in -2.0_f64..2.0, s in 0.1_f64..0.8,
    ) {
        let kinetic = format!("0.5*(x_dot ^2 + {m}*y_dot ^2)");
        let potential = format!("0.5*({}*x ^2 + {}*y ^2 + {}*x *y )", k[0], k[1], k[2]);
        let lagrangian = format!("{kinetic} - {potential} + {g}*x *y_dot ");
        let dissipation = format!("0.5*({}*x_dot ^2 + {}*y_dot ^2 + {}*x_dot *y_dot )", c[0], c[1], c[2]);
        let one = Stated {
            coordinates: "x y", lagrangian: &lagrangian, dissipation: &dissipation, ..Stated::default()
        };
        let (other, lost) = (sheared(&lagrangian, s), sheared(&dissipation, s));
        let two = Stated { coordinates: "u v", lagrangian: &other, dissipation: &lost, ..Stated::default() };
        let (one, two) = (modes(&one, &[]), modes(&two, &[]));
        prop_assert_eq!(one.list.len(), two.list.len());
        for (a, b) in one.list.iter().zip(&two.list) {
            prop_assert!(left(&one, a) < 1e-6 && left(&two, b) < 1e-6, "{:?} {:?}", a, b);
            prop_assert!((a.growth - b.growth).abs() + (a.frequency - b.frequency).abs() < 1e-6, "{:?} {:?}", a, b);
        }
        // The trace: the sum of all λ is −tr(M⁻¹ C).
        let sum = one.list.iter().fold(0.0, |sum, it| sum + it.growth * if it.frequency > 0.0 { 2.0 } else { 1.0 });
        prop_assert!((sum + c[0] + c[1] / m).abs() < 1e-9);
    }
}
