//! Where a system can rest, and how it moves near there: by formulas as far as they go, and by numbers where
//! there are values.

use gedanken_lang::value::Value;
use gedanken_symbolic::lagrange::{Equations, Linearised, Modes, Refusal, conditions};
use gedanken_symbolic::{Expr, Pool, Truth};

/// Numbers for the names of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Each parameter that has one.
    pub parameters: Vec<(String, f64)>,
    /// The coordinates from which equilibria without a formula are looked for.
    pub start: Vec<f64>,
}

/// Where a system can rest.
#[derive(Clone, Debug)]
pub struct Rests {
    /// In the order in which they were found, those that have a formula first.
    pub list: Vec<Rest>,
    /// Whether these are all, angles counted without whole turns.
    pub complete: bool,
    /// Why none were looked for.
    pub refusal: Option<Refusal>,
}

/// An equilibrium.
#[derive(Clone, Debug)]
pub struct Rest {
    /// For each coordinate its value: a formula of the parameters, or a number. A coordinate that may have
    /// any value is its own symbol.
    pub point: Vec<Expr>,
    /// What must hold for it to exist.
    pub conditions: Vec<Truth>,
    /// The motion near it, as formulas, if the point has one.
    pub linearised: Option<Linearised>,
    /// The motion near it, as numbers, if there are values.
    pub near: Option<Near>,
}

/// What numbers say of an equilibrium.
#[derive(Clone, Debug)]
pub enum Near {
    /// With these values it does not exist.
    Nowhere,
    /// It is at these coordinates, and has no modes for this reason.
    Irregular(Vec<f64>, Refusal),
    /// It is at these coordinates.
    Modes(Vec<f64>, Modes),
}

/// Of more coordinates, the matrices are not written as formulas.
const MOST_WRITTEN: usize = 4;

/// Points that differ by less, against 1 or their size, are one.
const SAME: f64 = 1e-6;

/// Digits of a number that stands where a formula would.
const DIGITS: usize = 6;

/// All that is known of the equilibria of a system.
pub fn rests(pool: &mut Pool, equations: &Equations, values: Option<&Values>) -> Rests {
    let found = match equations.equilibria(pool) {
        Ok(found) => found,
        Err(refusal) => return Rests { list: Vec::new(), complete: false, refusal: Some(refusal) },
    };
    let mut list = Vec::new();
    for point in found.points {
        let linearised =
            (point.len() <= MOST_WRITTEN).then(|| equations.linearised(pool, &point).ok()).flatten();
        let near = values.map(|values| values.near(pool, equations, &point));
        list.push(Rest { conditions: conditions(pool, &point), point, linearised, near });
    }
    if let (false, Some(values)) = (found.complete, values) {
        search(pool, equations, values, &mut list);
    }
    Rests { list, complete: found.complete, refusal: None }
}

impl Rest {
    /// Where it is, as numbers.
    pub fn at(&self) -> Option<&[f64]> {
        match &self.near {
            Some(Near::Irregular(at, _) | Near::Modes(at, _)) => Some(at),
            Some(Near::Nowhere) | None => None,
        }
    }

    /// Its modes.
    pub fn modes(&self) -> Option<&Modes> {
        if let Some(Near::Modes(_, modes)) = &self.near { Some(modes) } else { None }
    }
}

impl Values {
    fn of(&self, name: &str) -> f64 {
        self.parameters.iter().find(|(it, _)| it == name).map_or(f64::NAN, |(_, value)| *value)
    }

    /// What numbers say of an equilibrium that is given by formulas.
    fn near(&self, pool: &mut Pool, equations: &Equations, point: &[Expr]) -> Near {
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
            false => Near::Nowhere,
        }
    }

    fn modes_at(&self, pool: &mut Pool, equations: &Equations, at: Vec<f64>) -> Near {
        let coordinates = &equations.system.coordinates;
        let value = |name: &str| {
            let place = coordinates.iter().position(|it| it.name == name);
            place.map_or_else(|| self.of(name), |place| at[place])
        };
        match equations.modes(pool, &value) {
            Ok(modes) => Near::Modes(at, modes),
            Err(refusal) => Near::Irregular(at, refusal),
        }
    }
}

/// Looks for equilibria by numbers: from the start, and from where all coordinates are 0.
fn search(pool: &mut Pool, equations: &Equations, values: &Values, list: &mut Vec<Rest>) {
    for start in [values.start.clone(), vec![0.0; values.start.len()]] {
        let Ok(at) = equations.equilibrium_near(pool, &|name| values.of(name), &start) else { continue };
        let same = |rest: &Rest| {
            rest.at().is_some_and(|known| {
                known.iter().zip(&at).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0))
            })
        };
        if at.iter().any(|it| !it.is_finite()) || list.iter().any(same) {
            continue;
        }
        let point = at.iter().map(|&it| number(pool, it)).collect();
        let near = Some(values.modes_at(pool, equations, at));
        list.push(Rest { point, conditions: Vec::new(), linearised: None, near });
    }
}

/// A number of a few digits as an expression that stands alone: a symbol that is called like it, since what
/// was computed should not look like an exact fraction.
pub(super) fn number(pool: &mut Pool, value: f64) -> Expr {
    // What is rounding beside the usual sizes is 0 to the reader.
    if value.abs() < 1e-12 {
        return pool.zero();
    }
    let text = Value::Real(rounded(value, DIGITS)).to_string();
    pool.symbol(&text)
}

/// With so many digits that count.
pub(super) fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value)
}
