//! Equations of motion from energies in Cartesian form, as textbooks print them (Landau and Lifshitz,
//! Mechanics; Goldstein, Classical Mechanics).

use super::residuals::residuals;
use crate::reader::read;
use gedanken_symbolic::{Expr, Pool};
use std::collections::HashMap;

struct Textbook {
    coordinates: &'static [&'static str],
    functions: &'static [(&'static str, &'static str)],
    kinetic: &'static str,
    potential: &'static str,
    /// Expression that is zero, and the factor before it.
    equations: &'static [(&'static str, &'static str)],
    accelerations: &'static [&'static str],
}

const PENDULUM: Textbook = Textbook {
    coordinates: &["theta"],
    functions: &[("x", "l*sin(theta)"), ("y", "-l*cos(theta)")],
    kinetic: "m/2*(x_dot^2 + y_dot^2)",
    potential: "m*g*y",
    equations: &[("m*l", "l*theta_dot_dot + g*sin(theta)")],
    accelerations: &["-g*sin(theta)/l"],
};

const DOUBLE_PENDULUM: Textbook = Textbook {
    coordinates: &["theta1", "theta2"],
    functions: &[
        ("x1", "l1*sin(theta1)"),
        ("y1", "-l1*cos(theta1)"),
        ("x2", "x1 + l2*sin(theta2)"),
        ("y2", "y1 - l2*cos(theta2)"),
    ],
    kinetic: "m1/2*(x1_dot^2 + y1_dot^2) + m2/2*(x2_dot^2 + y2_dot^2)",
    potential: "m1*g*y1 + m2*g*y2",
    equations: &[
        (
            "l1",
            "(m1 + m2)*l1*theta1_dot_dot + m2*l2*cos(theta1 - theta2)*theta2_dot_dot
             + m2*l2*sin(theta1 - theta2)*theta2_dot^2 + (m1 + m2)*g*sin(theta1)",
        ),
        (
            "m2*l2",
            "l2*theta2_dot_dot + l1*cos(theta1 - theta2)*theta1_dot_dot
             - l1*sin(theta1 - theta2)*theta1_dot^2 + g*sin(theta2)",
        ),
    ],
    accelerations: &[
        "-(m2*sin(theta1 - theta2)*(l1*theta1_dot^2*cos(theta1 - theta2) + l2*theta2_dot^2 + g*cos(theta2))
           + m1*g*sin(theta1))/(l1*(m1 + m2*sin(theta1 - theta2)^2))",
        "sin(theta1 - theta2)*(m2*l2*theta2_dot^2*cos(theta1 - theta2) + (m1 + m2)*(l1*theta1_dot^2 + g*cos(theta1)))
          /(l2*(m1 + m2*sin(theta1 - theta2)^2))",
    ],
};

const CART_POLE: Textbook = Textbook {
    coordinates: &["x", "theta"],
    functions: &[("X", "x + l*sin(theta)"), ("Y", "l*cos(theta)")],
    kinetic: "M/2*x_dot^2 + m/2*(X_dot^2 + Y_dot^2)",
    potential: "m*g*Y - F*x",
    equations: &[
        ("1", "(M + m)*x_dot_dot + m*l*cos(theta)*theta_dot_dot - m*l*sin(theta)*theta_dot^2 - F"),
        ("m*l", "l*theta_dot_dot + cos(theta)*x_dot_dot - g*sin(theta)"),
    ],
    accelerations: &[
        "(F + m*sin(theta)*(l*theta_dot^2 - g*cos(theta)))/(M + m*sin(theta)^2)",
        "((M + m)*g*sin(theta) - cos(theta)*(m*l*theta_dot^2*sin(theta) + F))/(l*(M + m*sin(theta)^2))",
    ],
};

const SPHERICAL_PENDULUM: Textbook = Textbook {
    coordinates: &["theta", "phi"],
    functions: &[("X", "l*sin(theta)*cos(phi)"), ("Y", "l*sin(theta)*sin(phi)"), ("Z", "-l*cos(theta)")],
    kinetic: "m/2*(X_dot^2 + Y_dot^2 + Z_dot^2)",
    potential: "m*g*Z",
    equations: &[
        ("m*l", "l*theta_dot_dot - l*sin(theta)*cos(theta)*phi_dot^2 + g*sin(theta)"),
        ("m*l^2", "sin(theta)^2*phi_dot_dot + 2*sin(theta)*cos(theta)*theta_dot*phi_dot"),
    ],
    accelerations: &[
        "sin(theta)*cos(theta)*phi_dot^2 - g/l*sin(theta)",
        "-2*theta_dot*phi_dot*cos(theta)/sin(theta)",
    ],
};

const KEPLER: Textbook = Textbook {
    coordinates: &["r", "phi"],
    functions: &[("X", "r*cos(phi)"), ("Y", "r*sin(phi)")],
    kinetic: "m/2*(X_dot^2 + Y_dot^2)",
    potential: "-G*M*m/r",
    equations: &[("m", "r_dot_dot - r*phi_dot^2 + G*M/r^2"), ("m*r", "r*phi_dot_dot + 2*r_dot*phi_dot")],
    accelerations: &["r*phi_dot^2 - G*M/r^2", "-2*r_dot*phi_dot/r"],
};

const BEAD_ON_HOOP: Textbook = Textbook {
    coordinates: &["theta"],
    functions: &[
        ("X", "R*sin(theta)*cos(omega*t)"),
        ("Y", "R*sin(theta)*sin(omega*t)"),
        ("Z", "-R*cos(theta)"),
    ],
    kinetic: "m/2*(X_dot^2 + Y_dot^2 + Z_dot^2)",
    potential: "m*g*Z",
    equations: &[("m*R", "R*theta_dot_dot + sin(theta)*(g - R*omega^2*cos(theta))")],
    accelerations: &["omega^2*sin(theta)*cos(theta) - g/R*sin(theta)"],
};

fn check(system: &Textbook) {
    let mut p = Pool::new();
    let found = residuals(&mut p, system.coordinates, system.functions, system.kinetic, system.potential);
    let mut equations = Vec::new();
    for (residual, (factor, expected)) in found.into_iter().zip(system.equations) {
        let (common, rest) = p.without_common_factor(residual, &|p, it| p.as_symbol(it).is_some());
        let (factor, expected) = (read(&mut p, factor), read(&mut p, expected));
        assert_eq!(common, factor, "{}", p.text(common));
        assert_eq!(rest, expected, "{}", p.text(rest));
        let product = p.mul(common, rest);
        assert_eq!(p.is_equal(product, residual), Some(true));
        equations.push(rest);
    }
    for (found, expected) in
        solved(&mut p, system.coordinates, &equations).into_iter().zip(system.accelerations)
    {
        let short = p.simplify(found);
        let expected = read(&mut p, expected);
        assert_eq!(short, expected, "{}", p.text(short));
        assert_eq!(p.is_equal(found, short), Some(true));
    }
}

/// The accelerations by Cramer's rule, unsimplified.
fn solved(p: &mut Pool, coordinates: &[&str], equations: &[Expr]) -> Vec<Expr> {
    let unknown: Vec<Expr> = coordinates.iter().map(|name| p.symbol(&format!("{name}_dot_dot"))).collect();
    let zero = p.zero();
    let still: HashMap<Expr, Expr> = unknown.iter().map(|&it| (it, zero)).collect();
    let rows: Vec<Vec<Expr>> =
        equations.iter().map(|&it| unknown.iter().map(|&by| p.derivative(it, by)).collect()).collect();
    let right: Vec<Expr> = equations
        .iter()
        .map(|&it| {
            let rest = p.substitute(it, &still);
            p.neg(rest)
        })
        .collect();
    if let ([row], [right]) = (rows.as_slice(), right.as_slice()) {
        return vec![p.div(*right, row[0])];
    }
    let mut minor = |a: Expr, b: Expr, c: Expr, d: Expr| {
        let (ad, bc) = (p.mul(a, d), p.mul(b, c));
        p.sub(ad, bc)
    };
    let below = minor(rows[0][0], rows[0][1], rows[1][0], rows[1][1]);
    let above = [
        minor(right[0], rows[0][1], right[1], rows[1][1]),
        minor(rows[0][0], right[0], rows[1][0], right[1]),
    ];
    above.into_iter().map(|it| p.div(it, below)).collect()
}

#[test]
fn pendulum() {
    check(&PENDULUM);
}

#[test]
fn double_pendulum() {
    check(&DOUBLE_PENDULUM);
}

#[test]
fn cart_pole() {
    check(&CART_POLE);
}

#[test]
fn spherical_pendulum() {
    check(&SPHERICAL_PENDULUM);
}

#[test]
fn kepler() {
    check(&KEPLER);
}

#[test]
fn bead_on_rotating_hoop() {
    check(&BEAD_ON_HOOP);
}

/// The factor of an equation may be any number, sums included if they may be divided by; zero
/// has no factor.
#[test]
fn common_factors() {
    for (equation, factor, rest) in [
        ("-2*a*x_dot_dot - 4*a*b", "-2*a", "x_dot_dot + 2*b"),
        ("(a + b)*x_dot_dot + (a + b)*c", "a + b", "x_dot_dot + c"),
        ("x_dot_dot/l + sin(x)/l^2", "1/l", "x_dot_dot + sin(x)/l"),
        ("sin(x)*x_dot_dot", "1", "sin(x)*x_dot_dot"),
        ("a*sin(x)^2 + a*cos(x)^2 - a", "1", "0"),
        ("3*a", "3*a", "1"),
        ("m*x_dot_dot + k/x^2", "1", "m*x_dot_dot + k/x^2"),
    ] {
        let mut p = Pool::new();
        let (e, factor, rest) = (read(&mut p, equation), read(&mut p, factor), read(&mut p, rest));
        let plain = |p: &Pool, it: Expr| p.symbols_of([it]).len() > 1 || p.as_symbol(it).is_some();
        let (common, left) = p.without_common_factor(e, &plain);
        assert_eq!((common, left), (factor, rest), "{equation}: {} times {}", p.text(common), p.text(left));
    }
}
