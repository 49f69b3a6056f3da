//! Conserved quantities are found, named, and conserved.

use super::equations::DOUBLE_PENDULUM;
use super::stated::Stated;
use crate::reader::read;
use gedanken_symbolic::lagrange::{Conserved, ConservedKind, Effort, Equations};
use gedanken_symbolic::{Derivation, Expr, Pool};

/// The total derivative of each along the motion is zero: as a formula, and at many states.
fn check_conserved(pool: &mut Pool, equations: &Equations) {
    let course = equations.straight_line(pool);
    let system = &equations.system;
    let one = pool.one();
    let mut moves: Vec<(Expr, Expr)> = system.coordinates.iter().map(|it| (it.position, it.rate)).collect();
    moves.extend(system.coordinates.iter().map(|it| (it.rate, it.acceleration)));
    moves.push((system.time, one));
    let mut in_time = Derivation::in_time(moves);
    for conserved in &equations.conserved {
        let change = in_time.of(pool, conserved.value);
        if let Some(accelerations) = &equations.accelerations {
            let table = (system.coordinates.iter())
                .zip(accelerations)
                .map(|(it, &acceleration)| (it.acceleration, acceleration))
                .collect();
            let (along, zero) = (pool.substitute(change, &table), pool.zero());
            assert_eq!(pool.is_equal(along, zero), Some(true), "{}", conserved.name);
        }
        for seed in 1..20_u32 {
            let value = |name: &str| {
                let hash = name.bytes().fold(seed, |hash, byte| {
                    (hash ^ u32::from(byte)).wrapping_mul(16_777_619).rotate_left(7)
                });
                0.3 + f64::from(hash % 1000) / 1000.0
            };
            let results = course.evaluate(pool, &|symbol| value(pool.name(symbol)));
            let at = |expr: Expr| {
                pool.evaluate(expr, &|symbol| {
                    let name = pool.name(symbol);
                    let found = system
                        .coordinates
                        .iter()
                        .position(|it| pool.as_symbol(it.acceleration) == Some(symbol));
                    found.map_or_else(|| value(name), |place| results[place])
                })
            };
            let rate = at(change);
            assert!(rate.abs() < 1e-11 * (1.0 + at(conserved.value).abs()), "{}: {rate}", conserved.name);
        }
    }
}

fn found(pool: &mut Pool, stated: &Stated<'_>) -> Vec<Conserved> {
    let equations = stated.equations(pool, Effort::Readable);
    if equations.rows.rows == 0 {
        check_conserved(pool, &equations);
    }
    equations.conserved
}

fn symbols(list: &[Conserved]) -> Vec<&str> {
    list.iter().map(|it| it.symbol.as_str()).collect()
}

#[track_caller]
fn assert_same(pool: &mut Pool, found: Expr, text: &str) {
    let expected = read(pool, text);
    let difference = pool.sub(found, expected);
    for seed in 1..10_u32 {
        let value = pool.evaluate(difference, &|symbol| {
            let hash = pool
                .name(symbol)
                .bytes()
                .fold(seed, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619).rotate_left(7));
            0.3 + f64::from(hash % 1000) / 1000.0
        });
        assert!(value.abs() < 1e-12, "{} is not {text}", pool.text(found));
    }
}

#[test]
fn the_heavy_top_conserves_two_momenta_and_its_energy() {
    let mut pool = Pool::new();
    let top = Stated {
        coordinates: "phi theta psi",
        kinetic: "0.5*I1*(theta_dot^2 + phi_dot^2*sine(theta)^2) + 0.5*I3*(psi_dot + phi_dot*cosine(theta))^2",
        potential: "m*g*l*cosine(theta)",
        ..Stated::default()
    };
    let list = found(&mut pool, &top);
    assert_eq!(symbols(&list), ["E", "p_phi", "p_psi"]);
    assert_eq!(list[1].why, "phi does not occur in L");
    assert_eq!(list[0].why, "t does not occur in L; it is T + V");
    assert_same(&mut pool, list[2].value, "I3*(psi_dot + phi_dot*cosine(theta))");
    assert_same(
        &mut pool,
        list[1].value,
        "I1*phi_dot*sine(theta)^2 + I3*(psi_dot + phi_dot*cosine(theta))*cosine(theta)",
    );
}

#[test]
fn the_double_pendulum_conserves_its_energy_alone() {
    let mut pool = Pool::new();
    let list = found(&mut pool, &DOUBLE_PENDULUM);
    assert_eq!(symbols(&list), ["E"]);
    let damped = Stated { dissipation: "0.5*c*theta1_dot^2", ..DOUBLE_PENDULUM };
    assert!(found(&mut pool, &damped).is_empty());
    let driven = Stated { forces: &[("theta2", "F*cosine(t)")], ..DOUBLE_PENDULUM };
    assert!(found(&mut pool, &driven).is_empty());
}

#[test]
fn the_energy_of_a_driven_hoop_is_not_the_sum() {
    let mut pool = Pool::new();
    let hoop = Stated {
        coordinates: "theta",
        kinetic: "0.5*m*R^2*(theta_dot^2 + w^2*sine(theta)^2)",
        potential: "-m*g*R*cosine(theta)",
        ..Stated::default()
    };
    let list = found(&mut pool, &hoop);
    assert_eq!(symbols(&list), ["h"]);
    assert!(list[0].why.contains("not T + V"), "{}", list[0].why);
    assert_same(
        &mut pool,
        list[0].value,
        "0.5*m*R^2*(theta_dot^2 - w^2*sine(theta)^2) - m*g*R*cosine(theta)",
    );
}

#[test]
fn three_bodies_conserve_momentum_and_angular_momentum() {
    let mut pool = Pool::new();
    let bodies = Stated {
        coordinates: "x1 y1 x2 y2 x3 y3",
        kinetic: "0.5*m1*(x1_dot^2 + y1_dot^2) + 0.5*m2*(x2_dot^2 + y2_dot^2) + 0.5*m3*(x3_dot^2 + y3_dot^2)",
        potential: "-G*m1*m2/sqrt((x1 - x2)^2 + (y1 - y2)^2) - G*m1*m3/sqrt((x1 - x3)^2 + (y1 - y3)^2)
            - G*m2*m3/sqrt((x2 - x3)^2 + (y2 - y3)^2)",
        ..Stated::default()
    };
    let list = found(&mut pool, &bodies);
    assert_eq!(symbols(&list), ["E", "P_x", "P_y", "L_z"]);
    assert_eq!(list[1].kind, ConservedKind::Translation);
    assert_same(&mut pool, list[1].value, "m1*x1_dot + m2*x2_dot + m3*x3_dot");
    assert_eq!(list[1].why, "L stays the same when x1, x2 and x3 move together");
    assert_eq!(list[3].kind, ConservedKind::Rotation);
    assert_same(
        &mut pool,
        list[3].value,
        "m1*(x1*y1_dot - y1*x1_dot) + m2*(x2*y2_dot - y2*x2_dot) + m3*(x3*y3_dot - y3*x3_dot)",
    );
    assert_eq!(list[3].why, "L stays the same when (x1, y1), (x2, y2) and (x3, y3) turn together");
}

#[test]
fn a_central_force_conserves_three_angular_momenta() {
    let mut pool = Pool::new();
    let kepler = Stated {
        coordinates: "x y z",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2 + z_dot^2)",
        potential: "-k/sqrt(x^2 + y^2 + z^2)",
        ..Stated::default()
    };
    let list = found(&mut pool, &kepler);
    assert_eq!(symbols(&list), ["E", "L_z", "L_x", "L_y"]);
    assert_same(&mut pool, list[2].value, "m*(y*z_dot - z*y_dot)");
    // Foucault's pendulum keeps the turn about z only, in its rotating frame.
    let foucault = Stated {
        coordinates: "x y",
        lagrangian: "0.5*m*((x_dot - w*y)^2 + (y_dot + w*x)^2) - 0.5*m*g/l*(x^2 + y^2)",
        ..Stated::default()
    };
    let list = found(&mut pool, &foucault);
    assert_eq!(symbols(&list), ["E", "L_z"]);
    assert_same(&mut pool, list[1].value, "m*(x*(y_dot + w*x) - y*(x_dot - w*y))");
}

#[test]
fn coordinates_that_move_in_a_ratio_are_found() {
    let mut pool = Pool::new();
    let geared = Stated {
        coordinates: "u v w",
        lagrangian: "0.5*(u_dot^2 + v_dot^2 + 3*w_dot^2) - k*(u + 2*v - w)^2 - cosine(w - u)",
        ..Stated::default()
    };
    let list = found(&mut pool, &geared);
    assert_eq!(symbols(&list), ["E", "p_u_w"]);
    assert_same(&mut pool, list[1].value, "u_dot + 3*w_dot");
    // One moves by the radius when the other moves by 1.
    let rack = Stated {
        coordinates: "x phi",
        lagrangian: "0.5*m*x_dot^2 + 0.5*J*phi_dot^2 - 0.5*k*(x - r*phi)^2",
        ..Stated::default()
    };
    let list = found(&mut pool, &rack);
    assert_eq!(symbols(&list), ["E", "p_x_phi"]);
    assert_same(&mut pool, list[1].value, "r*m*x_dot + J*phi_dot");
}

#[test]
fn a_rotating_potential_conserves_the_energy_in_its_frame() {
    let mut pool = Pool::new();
    let rotating = Stated {
        coordinates: "r phi",
        kinetic: "0.5*m*(r_dot^2 + r^2*phi_dot^2)",
        potential: "-k/r*(1 + e*cosine(phi - w*t))",
        ..Stated::default()
    };
    let list = found(&mut pool, &rotating);
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].kind, ConservedKind::Driven);
    assert_eq!(list[0].why, "L depends on t and phi only together");
    assert_same(
        &mut pool,
        list[0].value,
        "0.5*m*(r_dot^2 + r^2*phi_dot^2) - k/r*(1 + e*cosine(phi - w*t)) - w*m*r^2*phi_dot",
    );
}

#[test]
fn constraints_break_and_keep_symmetries() {
    let mut pool = Pool::new();
    let rod = |constraints| Stated {
        coordinates: "x y z",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2 + z_dot^2)",
        potential: "m*g*z",
        constraints,
        ..Stated::default()
    };
    let list = found(&mut pool, &rod(&[("rod", "x^2 + y^2 + z^2 - l^2")]));
    assert_eq!(symbols(&list), ["E", "L_z"]);
    let list = found(&mut pool, &rod(&[("moving", "x - a*t")]));
    assert_eq!(symbols(&list), ["p_y"]);
    let rolling = Stated {
        coordinates: "x y phi",
        lagrangian: "0.5*m*(x_dot^2 + y_dot^2) + 0.5*J*phi_dot^2",
        velocity_constraints: &[("blade", "-sine(phi)*x_dot + cosine(phi)*y_dot")],
        ..Stated::default()
    };
    // The blade may push sideways, so neither p_x nor p_y stays, but it turns freely.
    let list = found(&mut pool, &rolling);
    assert_eq!(symbols(&list), ["E", "p_phi"]);
}

#[test]
fn magnetic_forces_do_no_work() {
    let mut pool = Pool::new();
    let magnetic = Stated {
        coordinates: "x y",
        kinetic: "0.5*m*(x_dot^2 + y_dot^2)",
        forces: &[("x", "b*y_dot"), ("y", "-b*x_dot")],
        ..Stated::default()
    };
    let list = found(&mut pool, &magnetic);
    assert_eq!(symbols(&list), ["E"]);
    assert!(list[0].why.ends_with("no force adds or takes any"));
}
