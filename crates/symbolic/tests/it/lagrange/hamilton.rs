//! Hamilton's equations and Lagrange's are the same motion.

use super::equations::DOUBLE_PENDULUM;
use super::stated::{Stated, assert_close, at, course_at};
use gedanken_symbolic::lagrange::{Effort, Hamilton, Refusal};
use gedanken_symbolic::{Derivation, Expr, Pool};

/// From a state with rates: the momenta are ∂L/∂q̇, the rates of Hamilton are those of the state, and d/dt
/// ∂L/∂q̇ with Lagrange's accelerations is ṗ.
fn agree(stated: &Stated<'_>, state: &[(&str, f64)]) {
    let mut pool = Pool::new();
    let equations = stated.equations(&mut pool, Effort::Readable);
    let hamilton: Hamilton =
        equations.hamilton(&mut pool, Effort::Readable).expect("L is quadratic in the rates");
    let accelerations = course_at(&mut pool, &equations, state);
    let system = &equations.system;
    let mut all: Vec<(&str, f64)> = state.to_vec();
    let names: Vec<(String, String)> =
        (system.coordinates.iter()).map(|it| (pool.text(it.momentum), pool.text(it.acceleration))).collect();
    for (place, (momentum, acceleration)) in names.iter().enumerate() {
        all.push((momentum, at(&pool, equations.momenta[place], state)));
        all.push((acceleration, accelerations[place]));
    }
    let one = pool.one();
    let mut moves: Vec<(Expr, Expr)> = vec![(system.time, one)];
    moves.extend(system.coordinates.iter().map(|it| (it.position, it.rate)));
    moves.extend(system.coordinates.iter().map(|it| (it.rate, it.acceleration)));
    let mut in_time = Derivation::in_time(moves);
    for (place, it) in system.coordinates.iter().enumerate() {
        assert_close(at(&pool, hamilton.rates[place], &all), at(&pool, it.rate, &all));
        let change = in_time.of(&mut pool, equations.momenta[place]);
        assert_close(at(&pool, hamilton.forces[place], &all), at(&pool, change, &all));
    }
    assert_close(at(&pool, hamilton.hamiltonian, &all), at(&pool, equations.energy, &all));
}

const STATE: [(&str, f64); 17] = [
    ("theta1", 0.7),
    ("theta2", -1.1),
    ("theta1_dot", 1.3),
    ("theta2_dot", -0.4),
    ("m1", 1.5),
    ("m2", 0.7),
    ("l1", 0.9),
    ("l2", 1.2),
    ("g", 9.81),
    ("c", 0.3),
    ("t", 0.8),
    ("x", 0.4),
    ("y", -0.6),
    ("x_dot", 0.9),
    ("y_dot", 0.5),
    ("w", 1.7),
    ("B", 0.6),
];

#[test]
fn hamilton_is_lagrange() {
    agree(&DOUBLE_PENDULUM, &STATE);
    agree(&Stated { dissipation: "0.5*c*(theta1_dot - theta2_dot)^2", ..DOUBLE_PENDULUM }, &STATE);
    let magnetic = Stated {
        coordinates: "x y",
        lagrangian: "0.5*m1*(x_dot^2 + y_dot^2*(1 + x^2)) + B*x*y_dot*cosine(w*t) - 0.5*g*(x^2 + y^4)",
        forces: &[("x", "sine(t) - c*y_dot")],
        ..Stated::default()
    };
    agree(&magnetic, &STATE);
}

/// H of the spherical pendulum gives back its L, and so its motion.
#[test]
fn lagrange_from_hamilton() {
    let stated = Stated {
        coordinates: "theta phi",
        hamiltonian: "p_theta^2/(2*m*l^2) + p_phi^2/(2*m*l^2*sine(theta)^2) + w*p_phi - m*g*l*cosine(theta)",
        ..Stated::default()
    };
    let mut pool = Pool::new();
    let equations = stated.equations(&mut pool, Effort::Readable);
    let state = [
        ("theta", 0.8),
        ("theta_dot", 0.4),
        ("phi_dot", 1.9),
        ("w", 0.5),
        ("m", 1.2),
        ("l", 0.7),
        ("g", 9.81),
    ];
    let found = course_at(&mut pool, &equations, &state);
    // phi turns by w faster than the pendulum does.
    let spin = 1.9 - 0.5;
    let (sin, cos) = libm::sincos(0.8);
    assert_close(found[0], sin * cos * spin * spin - 9.81 / 0.7 * sin);
    assert_close(found[1], -2.0 * 0.4 * spin * cos / sin);
}

/// A relativistic H has Hamilton's equations, and no quadratic L.
#[test]
fn any_hamiltonian_has_its_equations() {
    let stated = Stated {
        coordinates: "x",
        hamiltonian: "c*sqrt(m^2*c^2 + p_x^2) + 0.5*k*x^2",
        dissipation: "0.5*b*x_dot^2",
        ..Stated::default()
    };
    assert!(matches!(stated.refusal(), Refusal::NotQuadratic { .. }));
    let mut pool = Pool::new();
    let system = stated.system(&mut pool);
    let hamilton = system.hamilton(&mut pool, Effort::Readable).unwrap();
    let state = [("x", 0.3), ("p_x", 0.8), ("m", 0.6), ("c", 1.0), ("k", 2.0), ("b", 0.1)];
    let course = hamilton.straight_line();
    let found = course.evaluate(&pool, &|symbol| super::stated::value(&state, pool.name(symbol)));
    assert_close(found[0], 0.8);
    assert_close(found[1], -0.6 - 0.1 * 0.8);
    assert!(hamilton.conserved.is_empty());
    let free = Stated { dissipation: "", hamiltonian: "c*sqrt(m^2*c^2 + p_x^2)", ..stated };
    let hamilton = free.system(&mut pool).hamilton(&mut pool, Effort::Readable).unwrap();
    let symbols: Vec<&str> = hamilton.conserved.iter().map(|it| it.symbol.as_str()).collect();
    assert_eq!(symbols, ["E", "p_x"]);
}

/// The form of the equations follows from how H depends on the momenta.
#[test]
fn a_hamiltonian_has_the_form_that_its_momenta_allow() {
    let cases = [
        ("x", "p_x^2/(2*m) + x^2", true),
        ("x y", "p_x*p_y + x*y", true),
        ("x", "sqrt(1 + p_x^2)", false),
        ("x", "p_x^4 + p_x^2", false),
        // A photon: the momentum does not follow from the rate.
        ("x", "c*p_x", false),
        ("x y", "p_x^2 + y", false),
    ];
    for (coordinates, hamiltonian, is_lagrange) in cases {
        let stated = Stated { coordinates, hamiltonian, ..Stated::default() };
        let mut pool = Pool::new();
        let system = stated.system(&mut pool);
        for effort in [Effort::Plain, Effort::Readable] {
            let form = system.equations_of_motion(&mut pool, effort).expect("it has equations");
            assert_eq!(form.lagrange().is_some(), is_lagrange, "{hamiltonian}");
            assert_eq!(form.hamilton().is_none(), is_lagrange, "{hamiltonian}");
        }
    }
    let held = Stated {
        coordinates: "x y",
        hamiltonian: "sqrt(1 + p_x^2 + p_y^2)",
        constraints: &[("rod", "x^2 + y^2 - 1")],
        ..Stated::default()
    };
    let mut pool = Pool::new();
    let system = held.system(&mut pool);
    assert!(matches!(
        system.equations_of_motion(&mut pool, Effort::Plain),
        Err(Refusal::ConstraintWithH { .. })
    ));
}
