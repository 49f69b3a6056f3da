//! Equilibria and modes: values for them, and what other programs get of them.

use crate::failure::Failure;
use gedanken_experiment::{Lagrangian, Override};
use gedanken_lab::derivation::{AtValues, Equilibria, Equilibrium, Values};
use gedanken_lang::symbolic::{Notation, expression, show, show_value};
use gedanken_lang::value::Shaped;
use gedanken_symbolic::lagrange::{Fate, Mode, Modes, Stability, Statement, System};
use gedanken_symbolic::{Expr, Matrix, Pool};
use serde_json::{Map, Value, json};

/// The values that the file gives.
pub(super) fn of_block(block: &Lagrangian) -> Values {
    Values {
        parameters: block.parameters.iter().map(|it| (it.name.clone(), it.value)).collect(),
        start: block.coordinates.clone(),
    }
}

/// The values that `--set` gives: none at all, or one for each constant. A coordinate may have one too, as
/// the place where to begin.
pub(super) fn of_options(pool: &Pool, system: &System, set: &[Override]) -> Result<Option<Values>, Failure> {
    if set.is_empty() {
        return Ok(None);
    }
    let constants = constants(pool, system);
    let mut values = Values { parameters: Vec::new(), start: vec![0.0; system.coordinates.len()] };
    for it in set {
        let (name, value) = (it.attribute.as_str(), value(it)?);
        match system.coordinates.iter().position(|it| it.name == name) {
            Some(place) => values.start[place] = value,
            None if it.object.is_none() && constants.contains(&name) => {
                // Of two values for one name the last counts, as everywhere.
                values.parameters.retain(|(known, _)| known != name);
                values.parameters.push((name.to_owned(), value));
            }
            None => {
                let known =
                    if constants.is_empty() { "it has none".to_owned() } else { constants.join(", ") };
                return Err(Failure::Usage(format!(
                    "--set: `{name}` is no constant of the Lagrangian\nhelp: its constants: {known}"
                )));
            }
        }
    }
    let has_value = |name: &str| values.parameters.iter().any(|(it, _)| it == name);
    let open: Vec<&str> = constants.into_iter().filter(|name| !has_value(name)).collect();
    match open.first() {
        None => Ok(Some(values)),
        Some(first) => Err(Failure::Usage(format!(
            "numbers for modes need every constant, and there is none for {}\nhelp: add --set {first}=1, or leave --set out for formulas alone",
            open.join(", "),
        ))),
    }
}

/// The names in a Lagrangian that are neither coordinates nor rates nor the time.
fn constants<'p>(pool: &'p Pool, system: &System) -> Vec<&'p str> {
    let Statement::Lagrangian(lagrangian) = system.statement else { return Vec::new() };
    let moving = |name: &str| {
        let is = |expr: Expr| pool.as_symbol(expr).is_some_and(|it| pool.name(it) == name);
        is(system.time) || system.coordinates.iter().any(|it| is(it.position) || is(it.rate))
    };
    pool.symbols_of([lagrangian]).into_iter().filter(|name| !moving(name)).collect()
}

/// The number that an option gives: `9.81`, `2 * pi`.
fn value(set: &Override) -> Result<f64, Failure> {
    let mut pool = Pool::new();
    let real = expression(&mut pool, &set.text).ok().map(|it| pool.evaluate(it, &|_| f64::NAN));
    real.filter(|it| it.is_finite()).ok_or_else(|| {
        let name = &set.attribute;
        Failure::Usage(format!("--set {name}={}: write a number, such as --set {name}=9.81", set.text))
    })
}

/// All that is known of the equilibria.
pub(super) fn data(pool: &Pool, system: &System, rests: &Equilibria) -> Value {
    let list: Vec<Value> = rests.list.iter().map(|it| one(pool, system, it)).collect();
    json!({
        "complete": rests.complete,
        "why_not": rests.refusal.as_ref().map(ToString::to_string),
        "list": list,
    })
}

fn formula(pool: &Pool, expr: Expr) -> Value {
    let in_notation = |notation| show(pool, expr, notation);
    json!({
        "vfl": in_notation(Notation::Vfl),
        "latex": in_notation(Notation::Latex),
        "unicode": in_notation(Notation::Unicode),
    })
}

fn one(pool: &Pool, system: &System, rest: &Equilibrium) -> Value {
    let mut point = Map::new();
    for (coordinate, &value) in system.coordinates.iter().zip(&rest.point) {
        point.insert(coordinate.name.clone(), formula(pool, value));
    }
    let conditions: Vec<String> =
        rest.conditions.iter().map(|&it| show_value(pool, &Shaped::Bool(it), Notation::Vfl)).collect();
    let rows = |matrix: &Matrix| -> Vec<Vec<String>> {
        let text = |&it: &Expr| show(pool, it, Notation::Vfl);
        (0..matrix.rows).map(|row| matrix.row(row).iter().map(text).collect()).collect()
    };
    let linearised = rest.linearised.as_ref().map(|it| {
        json!({
            "mass": rows(&it.mass),
            "damping": rows(&it.damping),
            "gyroscopic": rows(&it.gyroscopic),
            "stiffness": rows(&it.stiffness),
        })
    });
    let why_not = match &rest.near {
        Some(AtValues::Absent) => Some("not there with these values".to_owned()),
        Some(AtValues::Irregular(_, refusal)) => Some(refusal.to_string()),
        Some(AtValues::Modes(..)) | None => None,
    };
    json!({
        "point": point,
        "conditions": conditions,
        "linearised": linearised,
        "values": rest.at(),
        "why_no_modes": why_not,
        "modes": rest.modes().map(modes),
    })
}

fn modes(modes: &Modes) -> Value {
    json!({
        "stability": match modes.stability {
            Stability::Settles => "settles",
            Stability::Stable => "stable",
            Stability::Gyroscopic => "gyroscopic",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
            _ => "undecided",
        },
        "mass": modes.mass,
        "damping": modes.damping,
        "gyroscopic": modes.gyroscopic,
        "stiffness": modes.stiffness,
        "list": modes.list.iter().map(mode).collect::<Vec<Value>>(),
    })
}

fn mode(mode: &Mode) -> Value {
    let shape: Vec<[f64; 2]> = mode.shape.iter().map(|it| [it.re, it.im]).collect();
    json!({
        "fate": match mode.fate {
            Fate::Oscillates => "oscillates",
            Fate::Rings => "rings",
            Fate::Decays => "decays",
            Fate::Stays => "stays",
            Fate::Drifts => "drifts",
            Fate::Grows => "grows",
            Fate::Flutters => "flutters",
        },
        "omega": mode.frequency,
        "sigma": mode.growth,
        "period": mode.period(),
        "time_constant": mode.time_constant(),
        "damping_ratio": mode.damping_ratio(),
        "shape": shape,
    })
}
