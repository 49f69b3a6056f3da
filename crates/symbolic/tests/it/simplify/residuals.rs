//! Lagrange's equations by hand, for tests of what simplification makes of them.

use crate::reader::read;
use gedanken_symbolic::{Derivation, Expr, Pool};
use std::collections::HashMap;

/// d/dt ∂L/∂q̇ - ∂L/∂q of each coordinate, unsimplified.
///
/// `functions` are named positions in terms of the coordinates; their rates may be used as `x_dot` in the
/// energies. Time is `t`.
pub(crate) fn residuals(
    pool: &mut Pool,
    coordinates: &[&str],
    functions: &[(&str, &str)],
    kinetic: &str,
    potential: &str,
) -> Vec<Expr> {
    let named = |pool: &mut Pool, suffix: &str| -> Vec<Expr> {
        coordinates.iter().map(|name| pool.symbol(&format!("{name}{suffix}"))).collect()
    };
    let (q, rate, acceleration) = (named(pool, ""), named(pool, "_dot"), named(pool, "_dot_dot"));
    let pairs = q.iter().copied().zip(rate.iter().copied());
    let time = [(pool.symbol("t"), pool.one())];
    let changes = rate.iter().copied().zip(acceleration.iter().copied());
    let mut in_time = Derivation::in_time(pairs.chain(changes).chain(time));
    let mut table = HashMap::new();
    for (name, formula) in functions {
        let value = read(pool, formula);
        let value = pool.substitute(value, &table);
        let change = in_time.of(pool, value);
        table.insert(pool.symbol(name), value);
        table.insert(pool.symbol(&format!("{name}_dot")), change);
    }
    let (t, v) = (read(pool, kinetic), read(pool, potential));
    let lagrangian = pool.sub(t, v);
    let lagrangian = pool.substitute(lagrangian, &table);
    let mut found = Vec::new();
    for (&q, &rate) in q.iter().zip(&rate) {
        let momentum = pool.derivative(lagrangian, rate);
        let change = in_time.of(pool, momentum);
        let pull = pool.derivative(lagrangian, q);
        found.push(pool.sub(change, pull));
    }
    found
}
