//! Equations of motion of textbook systems, against their closed forms.

use super::stated::{Stated, assert_close, at, course_at};
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::{Effort, SolutionMethod};

const BOTH: [Effort; 2] = [Effort::Plain, Effort::Readable];

pub(crate) const DOUBLE_PENDULUM: Stated<'static> = Stated {
    coordinates: "theta1 theta2",
    kinetic: "0.5*m1*((l1*cosine(theta1)*theta1_dot)^2 + (l1*sine(theta1)*theta1_dot)^2)
        + 0.5*m2*((l1*cosine(theta1)*theta1_dot + l2*cosine(theta2)*theta2_dot)^2
        + (l1*sine(theta1)*theta1_dot + l2*sine(theta2)*theta2_dot)^2)",
    potential: "-m1*g*l1*cosine(theta1) - m2*g*(l1*cosine(theta1) + l2*cosine(theta2))",
    lagrangian: "",
    hamiltonian: "",
    dissipation: "",
    forces: &[],
    constraints: &[],
    velocity_constraints: &[],
};

const DOUBLE_STATE: [(&str, f64); 9] = [
    ("theta1", 0.7),
    ("theta2", -1.1),
    ("theta1_dot", 1.3),
    ("theta2_dot", -0.4),
    ("m1", 1.5),
    ("m2", 0.7),
    ("l1", 0.9),
    ("l2", 1.2),
    ("g", 9.81),
];

/// The accelerations that books give for the double pendulum.
fn double_pendulum() -> [f64; 2] {
    let (t1, t2, w1, w2) = (0.7, -1.1, 1.3, -0.4);
    let (m1, m2, l1, l2, g) = (1.5, 0.7, 0.9, 1.2, 9.81);
    let (sin, cos) = (libm::sin(t1 - t2), libm::cos(t1 - t2));
    let below = 2.0 * m1 + m2 - m2 * libm::cos(2.0 * (t1 - t2));
    let first = (-g * (2.0 * m1 + m2) * libm::sin(t1)
        - m2 * g * libm::sin(t1 - 2.0 * t2)
        - 2.0 * sin * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * cos))
        / (l1 * below);
    let second =
        2.0 * sin * (w1 * w1 * l1 * (m1 + m2) + g * (m1 + m2) * libm::cos(t1) + w2 * w2 * l2 * m2 * cos)
            / (l2 * below);
    [first, second]
}

#[test]
fn the_double_pendulum_is_that_of_the_books() {
    for effort in BOTH {
        let mut pool = Pool::new();
        let equations = DOUBLE_PENDULUM.equations(&mut pool, effort);
        assert_eq!(equations.solution, SolutionMethod::Direct);
        let found = course_at(&mut pool, &equations, &DOUBLE_STATE);
        let written = equations.accelerations.unwrap();
        for (place, expected) in double_pendulum().into_iter().enumerate() {
            assert_close(found[place], expected);
            assert_close(at(&pool, written[place], &DOUBLE_STATE), expected);
        }
    }
}

/// The same in Cartesian coordinates with two rods: θ̈ follows from ẍ and ÿ, and the tension from λ.
#[test]
fn constraints_give_the_same_motion() {
    let (t1, t2, w1, w2) = (0.7, -1.1, 1.3, -0.4);
    let (l1, l2) = (0.9, 1.2);
    let ((s1, c1), (s2, c2)) = (libm::sincos(t1), libm::sincos(t2));
    let cartesian = Stated {
        coordinates: "x1 y1 x2 y2",
        kinetic: "0.5*m1*(x1_dot^2 + y1_dot^2) + 0.5*m2*(x2_dot^2 + y2_dot^2)",
        potential: "m1*g*y1 + m2*g*y2",
        constraints: &[("upper", "x1^2 + y1^2 - l1^2"), ("lower", "(x2 - x1)^2 + (y2 - y1)^2 - l2^2")],
        ..Stated::default()
    };
    let state = [
        ("x1", l1 * s1),
        ("y1", -l1 * c1),
        ("x2", l1 * s1 + l2 * s2),
        ("y2", -l1 * c1 - l2 * c2),
        ("x1_dot", l1 * c1 * w1),
        ("y1_dot", l1 * s1 * w1),
        ("x2_dot", l1 * c1 * w1 + l2 * c2 * w2),
        ("y2_dot", l1 * s1 * w1 + l2 * s2 * w2),
        ("m1", 1.5),
        ("m2", 0.7),
        ("l1", l1),
        ("l2", l2),
        ("g", 9.81),
    ];
    let [a1, a2] = double_pendulum();
    for effort in BOTH {
        let mut pool = Pool::new();
        let equations = cartesian.equations(&mut pool, effort);
        let found = course_at(&mut pool, &equations, &state);
        assert_close(found[0], l1 * (c1 * a1 - s1 * w1 * w1));
        assert_close(found[1], l1 * (s1 * a1 + c1 * w1 * w1));
        assert_close(found[2] - found[0], l2 * (c2 * a2 - s2 * w2 * w2));
        assert_close(found[3] - found[1], l2 * (s2 * a2 + c2 * w2 * w2));
        // m2 r̈2 = gravity + λ ∇φ
        assert_close(0.7 * found[2], found[5] * 2.0 * l2 * s2);
    }
}

/// A sleigh that may not slip sideways, on a plane: its side force is m v ω.
#[test]
fn rolling_holds_by_velocity_constraints() {
    let sleigh = Stated {
        coordinates: "x y phi",
        lagrangian: "0.5*m*(x_dot^2 + y_dot^2) + 0.5*J*phi_dot^2",
        velocity_constraints: &[("blade", "-sine(phi)*x_dot + cosine(phi)*y_dot")],
        ..Stated::default()
    };
    let (v, w, phi) = (2.0, 0.7, 0.3);
    let (sin, cos) = libm::sincos(phi);
    let state = [
        ("x", 0.0),
        ("y", 0.0),
        ("phi", phi),
        ("x_dot", v * cos),
        ("y_dot", v * sin),
        ("phi_dot", w),
        ("m", 1.4),
        ("J", 0.2),
    ];
    let mut pool = Pool::new();
    let equations = sleigh.equations(&mut pool, Effort::Readable);
    let found = course_at(&mut pool, &equations, &state);
    assert_close(found[0], -v * w * sin);
    assert_close(found[1], v * w * cos);
    assert_close(found[2], 0.0);
    assert_close(found[3], 1.4 * v * w);
}

/// A massless bob between two springs would have no inertia; held to a body that has, it is part of it.
#[test]
fn a_singular_mass_matrix_may_be_held_by_constraints() {
    let held = Stated {
        coordinates: "x y",
        lagrangian: "0.5*m*x_dot^2 - 0.5*k*y^2",
        constraints: &[("rope", "x + y - l")],
        ..Stated::default()
    };
    let mut pool = Pool::new();
    let equations = held.equations(&mut pool, Effort::Readable);
    assert_eq!(equations.solution, SolutionMethod::Augmented);
    let state = [("x", 0.3), ("y", 0.5), ("l", 0.8), ("m", 2.0), ("k", 3.0), ("x_dot", 0.1), ("y_dot", -0.1)];
    let found = course_at(&mut pool, &equations, &state);
    // λ = k y holds y; m ẍ = λ.
    assert_close(found[2], 1.5);
    assert_close(found[0], 0.75);
    assert_close(found[1], -0.75);
}

/// L = ẋẏ − xy: nothing is definite, yet ÿ = −y and ẍ = −x.
#[test]
fn an_indefinite_mass_matrix_is_solved() {
    let odd = Stated { coordinates: "x y", lagrangian: "x_dot*y_dot - x*y", ..Stated::default() };
    let mut pool = Pool::new();
    let equations = odd.equations(&mut pool, Effort::Plain);
    assert!(matches!(equations.solution, SolutionMethod::Pivoted(_)));
    let state = [("x", 0.3), ("y", 0.5)];
    let found = course_at(&mut pool, &equations, &state);
    assert_close(found[0], -0.3);
    assert_close(found[1], -0.5);
    // The same by elimination.
    let mut unwritten = equations.clone();
    unwritten.accelerations = None;
    let found = course_at(&mut pool, &unwritten, &state);
    assert_close(found[0], -0.3);
    assert_close(found[1], -0.5);
}

/// A driven, damped oscillator with a moving support, and a particle in a magnetic field.
#[test]
fn time_forces_dissipation_and_magnetic_terms_enter() {
    let driven = Stated {
        coordinates: "x",
        lagrangian: "0.5*m*(x_dot + u*cosine(t))^2 - 0.5*k*x^2",
        dissipation: "0.5*c*x_dot^2 + 0.25*e*x_dot^4",
        forces: &[("x", "F*sine(t)")],
        ..Stated::default()
    };
    let state = [
        ("x", 0.4),
        ("x_dot", 1.2),
        ("t", 0.6),
        ("m", 1.3),
        ("u", 0.5),
        ("k", 2.0),
        ("c", 0.3),
        ("e", 0.1),
        ("F", 0.9),
    ];
    let mut pool = Pool::new();
    let equations = driven.equations(&mut pool, Effort::Readable);
    let found = course_at(&mut pool, &equations, &state);
    let force = 0.9 * libm::sin(0.6) - 2.0 * 0.4 - 0.3 * 1.2 - 0.1 * 1.2 * 1.2 * 1.2;
    assert_close(found[0], force / 1.3 + 0.5 * libm::sin(0.6));

    let magnetic = Stated {
        coordinates: "x y",
        lagrangian: "0.5*m*(x_dot^2 + y_dot^2) + 0.5*q*B*(x*y_dot - y*x_dot)",
        ..Stated::default()
    };
    let state = [("x", 0.4), ("y", -0.2), ("x_dot", 1.2), ("y_dot", 0.7), ("m", 1.3), ("q", 2.0), ("B", 0.8)];
    let mut pool = Pool::new();
    let equations = magnetic.equations(&mut pool, Effort::Readable);
    let found = course_at(&mut pool, &equations, &state);
    assert_close(found[0], 1.6 * 0.7 / 1.3);
    assert_close(found[1], -1.6 * 1.2 / 1.3);
}

/// L = −m c² √(1 − v²/c²): the mass along the motion is γ³m, across it γm.
#[test]
fn a_relativistic_particle_is_heavier_along_its_way() {
    let particle = Stated {
        coordinates: "x y",
        lagrangian: "-m*c^2*sqrt(1 - (x_dot^2 + y_dot^2)/c^2) + F*x + G*y",
        ..Stated::default()
    };
    let state = [("x_dot", 0.6), ("y_dot", 0.0), ("m", 2.0), ("c", 1.0), ("F", 0.3), ("G", 0.5)];
    for effort in BOTH {
        let mut pool = Pool::new();
        let equations = particle.equations(&mut pool, effort);
        let found = course_at(&mut pool, &equations, &state);
        let gamma = 1.25;
        assert_close(found[0], 0.3 / (2.0 * gamma * gamma * gamma));
        assert_close(found[1], 0.5 / (2.0 * gamma));
    }
}
