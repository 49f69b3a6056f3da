//! A Lagrangian from the command line.

use super::refused;
use crate::failure::Failure;
use gedanken_lang::source::Sources;
use gedanken_lang::symbolic::expression_in;
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::{Coordinate, Statement, System};

/// The system with this Lagrangian, in a pool of its own.
pub(super) fn read(lagrangian: &str, coordinates: &[String]) -> Result<(Pool, System), Failure> {
    let mut pool = Pool::new();
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    let names: Vec<&str> = coordinates.iter().map(|name| name.trim()).collect();
    for (place, name) in names.iter().enumerate() {
        let why = match *name {
            it if !is_name(it) => "a name has letters, digits and underscores: --coordinates theta1,theta2",
            "t" => "`t` is the time",
            it if it.ends_with("_dot") => "write the coordinate itself; its rate follows",
            it if names[..place].contains(&it) => "each coordinate is named once",
            _ => continue,
        };
        return Err(Failure::Usage(format!("--coordinates: `{name}` cannot be one: {why}")));
    }
    let mut sources = Sources::new();
    let source = sources.add("--lagrangian", lagrangian);
    let lagrangian = expression_in(&mut pool, &sources, source).map_err(|found| refused(&found, &sources))?;
    let coordinates: Vec<Coordinate> = names.iter().map(|name| Coordinate::named(&mut pool, name)).collect();
    let zero = pool.zero();
    let system = System {
        time: pool.symbol("t"),
        forces: vec![zero; coordinates.len()],
        coordinates,
        statement: Statement::Lagrangian(lagrangian),
        dissipation: zero,
        constraints: Vec::new(),
    };
    Ok((pool, system))
}
