//! Equilibria of a system and the motion near them: by formulas as far as they go, and by numbers where there
//! are values.

use gedanken_lang::value::Value;
use gedanken_symbolic::lagrange::{Equations, Linearised, Modes, Refusal, conditions};
use gedanken_symbolic::{Expr, Pool, Truth};

/// Numbers for the names of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Parameters that have a value.
    pub parameters: Vec<(String, f64)>,
    /// Coordinates from which equilibria without a formula are searched.
    pub start: Vec<f64>,
}

/// Equilibria of a system.
#[derive(Clone, Debug)]
pub struct Equilibria {
    /// Equilibria in the order in which they were found, those that have a formula first.
    pub list: Vec<Equilibrium>,
    /// `true` if these are all, angles counted without whole turns.
    pub complete: bool,
    /// Reason why none were searched.
    pub refusal: Option<Refusal>,
}

/// An equilibrium.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Value of each coordinate: a formula of the parameters, or a number. A coordinate that may have any
    /// value is its own symbol.
    pub point: Vec<Expr>,
    /// Conditions for it to exist.
    pub conditions: Vec<Truth>,
    /// Linearised motion near it, as formulas, if the point has one.
    pub linearised: Option<Linearised>,
    /// Position and motion near it, as numbers, if there are values.
    pub near: Option<AtValues>,
}

/// An equilibrium with numbers for all parameters.
#[derive(Clone, Debug)]
pub enum AtValues {
    /// It does not exist with these values.
    Absent,
    /// It is at these coordinates, and has no modes for this reason.
    Irregular(Vec<f64>, Refusal),
    /// It is at these coordinates, with these modes.
    Modes(Vec<f64>, Modes),
}

/// Maximum number of coordinates for which matrices are written as formulas.
const MAX_WRITTEN_COORDINATES: usize = 4;

/// Relative difference below which two points are the same, against 1 or their size.
const SAME_POINT: f64 = 1e-6;

/// Significant digits of a number that stands in place of a formula.
const DIGITS: usize = 6;

/// Finds the equilibria of a system.
pub fn equilibria(pool: &mut Pool, equations: &Equations, values: Option<&Values>) -> Equilibria {
    let found = match equations.equilibria(pool) {
        Ok(found) => found,
        Err(refusal) => return Equilibria { list: Vec::new(), complete: false, refusal: Some(refusal) },
    };
    let mut list = Vec::new();
    for point in found.points {
        let linearised = (point.len() <= MAX_WRITTEN_COORDINATES)
            .then(|| equations.linearised(pool, &point).ok())
            .flatten();
        let near = values.map(|values| values.near(pool, equations, &point));
        list.push(Equilibrium { conditions: conditions(pool, &point), point, linearised, near });
    }
    if let (false, Some(values)) = (found.complete, values) {
        search(pool, equations, values, &mut list);
    }
    Equilibria { list, complete: found.complete, refusal: None }
}

impl Equilibrium {
    /// Returns its coordinates as numbers.
    pub fn at(&self) -> Option<&[f64]> {
        match &self.near {
            Some(AtValues::Irregular(at, _) | AtValues::Modes(at, _)) => Some(at),
            Some(AtValues::Absent) | None => None,
        }
    }

    /// Returns its modes.
    pub fn modes(&self) -> Option<&Modes> {
        if let Some(AtValues::Modes(_, modes)) = &self.near { Some(modes) } else { None }
    }
}

impl Values {
    fn of(&self, name: &str) -> f64 {
        self.parameters.iter().find(|(it, _)| it == name).map_or(f64::NAN, |(_, value)| *value)
    }

    /// Evaluates an equilibrium that is given by formulas.
    fn near(&self, pool: &mut Pool, equations: &Equations, point: &[Expr]) -> AtValues {
        let coordinates = &equations.system.coordinates;
        // A coordinate that may be anywhere is where it starts.
        let start =
            |name: &str| coordinates.iter().position(|it| it.name == name).and_then(|it| self.start.get(it));
        let at = pool.evaluate_all(&[], point, &|symbol| {
            let name = pool.name(symbol);
            start(name).copied().unwrap_or_else(|| self.of(name))
        });
        match at.iter().all(|it| it.is_finite()) {
            true => self.modes_at(pool, equations, at),
            false => AtValues::Absent,
        }
    }

    fn modes_at(&self, pool: &mut Pool, equations: &Equations, at: Vec<f64>) -> AtValues {
        let coordinates = &equations.system.coordinates;
        let value = |name: &str| {
            let place = coordinates.iter().position(|it| it.name == name);
            place.map_or_else(|| self.of(name), |place| at[place])
        };
        match equations.modes(pool, &value) {
            Ok(modes) => AtValues::Modes(at, modes),
            Err(refusal) => AtValues::Irregular(at, refusal),
        }
    }
}

/// Searches equilibria numerically: from the start, and from where all coordinates are 0.
fn search(pool: &mut Pool, equations: &Equations, values: &Values, list: &mut Vec<Equilibrium>) {
    for start in [values.start.clone(), vec![0.0; values.start.len()]] {
        let Ok(at) = equations.equilibrium_near(pool, &|name| values.of(name), &start) else { continue };
        let same = |rest: &Equilibrium| {
            rest.at().is_some_and(|known| {
                known.iter().zip(&at).all(|(a, b)| (a - b).abs() <= SAME_POINT * a.abs().max(1.0))
            })
        };
        if at.iter().any(|it| !it.is_finite()) || list.iter().any(same) {
            continue;
        }
        let point = at.iter().map(|&it| number(pool, it)).collect();
        let near = Some(values.modes_at(pool, equations, at));
        list.push(Equilibrium { point, conditions: Vec::new(), linearised: None, near });
    }
}

/// Returns a number of a few digits as an expression: a symbol named like it, since a computed number should
/// not look like an exact fraction.
pub(super) fn number(pool: &mut Pool, value: f64) -> Expr {
    // What is rounding beside the usual sizes is 0 to the reader.
    if value.abs() < 1e-12 {
        return pool.zero();
    }
    let text = Value::Real(rounded(value, DIGITS)).to_string();
    pool.symbol(&text)
}

/// Rounds to this number of significant digits.
pub(super) fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value)
}
