//! Mechanical systems to derive the equations of, stated in Cartesian positions as a student would.

use crate::ours::{Coordinate, Derivation, Expr, Pool, Rational, Statement, Symbol, System};

/// A system in its pool.
pub struct Stated {
    /// Owns all expressions.
    pub pool: Pool,
    /// What is to be derived from.
    pub system: System,
}

/// A planar chain of so many links, hanging from a fixed point.
pub fn pendulum(links: usize) -> Stated {
    let mut pool = Pool::new();
    let coordinates: Vec<Coordinate> =
        (1..=links).map(|i| Coordinate::named(&mut pool, &format!("theta{i}"))).collect();
    let mut time = Derivation::in_time(coordinates.iter().map(|it| (it.position, it.rate)));
    let g = pool.symbol("g");
    let (mut x, mut y) = (pool.zero(), pool.zero());
    let (mut kinetic, mut potential) = (Vec::new(), Vec::new());
    for (i, coordinate) in coordinates.iter().enumerate() {
        let [m, l] = ["m", "l"].map(|letter| pool.symbol(&format!("{letter}{}", i + 1)));
        let (sine, cosine) = (pool.sin(coordinate.position), pool.cos(coordinate.position));
        let (along, down) = (pool.mul(l, sine), pool.mul(l, cosine));
        (x, y) = (pool.add(x, along), pool.sub(y, down));
        kinetic.push(moving(&mut pool, &mut time, m, &[x, y]));
        potential.push(pool.product(&[m, g, y]));
    }
    let (kinetic, potential) = (pool.sum(&kinetic), pool.sum(&potential));
    stated(pool, coordinates, kinetic, potential)
}

/// A pole on a cart.
pub fn cart_pole() -> Stated {
    let mut pool = Pool::new();
    let coordinates = ["x", "theta"].map(|name| Coordinate::named(&mut pool, name)).to_vec();
    let mut time = Derivation::in_time(coordinates.iter().map(|it| (it.position, it.rate)));
    let [g, big, m, l] = ["g", "M", "m", "l"].map(|name| pool.symbol(name));
    let (sine, cosine) = (pool.sin(coordinates[1].position), pool.cos(coordinates[1].position));
    let (along, up) = (pool.mul(l, sine), pool.mul(l, cosine));
    let x = coordinates[0].position;
    let tip = pool.add(x, along);
    let cart = moving(&mut pool, &mut time, big, &[x]);
    let weight = moving(&mut pool, &mut time, m, &[tip, up]);
    let kinetic = pool.add(cart, weight);
    let potential = pool.product(&[m, g, up]);
    stated(pool, coordinates, kinetic, potential)
}

/// m/2 Σ ẋ²
fn moving(pool: &mut Pool, time: &mut Derivation, mass: Expr, place: &[Expr]) -> Expr {
    let squares: Vec<Expr> = place
        .iter()
        .map(|&x| {
            let rate = time.of(pool, x);
            pool.powi(rate, 2)
        })
        .collect();
    let sum = pool.sum(&squares);
    let energy = pool.mul(mass, sum);
    pool.scale(&Rational::new(1, 2), energy)
}

fn stated(mut pool: Pool, coordinates: Vec<Coordinate>, kinetic: Expr, potential: Expr) -> Stated {
    let zero = pool.zero();
    let system = System {
        time: pool.symbol("t"),
        forces: vec![zero; coordinates.len()],
        coordinates,
        statement: Statement::Energies { kinetic, potential },
        dissipation: zero,
        constraints: Vec::new(),
    };
    Stated { pool, system }
}

/// The state and the parameters in which accelerations are compared, as `drive_sympy.py` has them.
pub fn value(pool: &Pool, system: &System, symbol: Symbol) -> f64 {
    for (i, coordinate) in system.coordinates.iter().enumerate() {
        if pool.as_symbol(coordinate.position) == Some(symbol) {
            return 0.4 + 0.3 * i as f64;
        }
        if pool.as_symbol(coordinate.rate) == Some(symbol) {
            return 0.7 - 0.45 * i as f64;
        }
    }
    let sum: u32 = pool.name(symbol).chars().map(u32::from).sum();
    f64::from(sum % 7 + 1) / 2.0
}
