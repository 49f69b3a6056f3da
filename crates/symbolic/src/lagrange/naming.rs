//! Names of conserved quantities, and their reasons in words.

use super::conserved::{Conserved, ConservedKind, Natural};
use super::generator::{AXES, Transformation};
use super::solvability::listed;
use super::symmetry::Symmetry;
use super::system::System;
use crate::{Expr, Pool};

/// Returns the conserved quantity of a symmetry, with its name and its reason.
pub(super) fn conserved(
    pool: &Pool,
    system: &System,
    symmetry: &Symmetry,
    value: Expr,
    of: &str,
    function: Expr,
    natural: Natural,
) -> Conserved {
    let kind = symmetry.kind();
    let (name, symbol, mut why) = match kind {
        ConservedKind::Energy => energy(pool, system, of, function, natural),
        ConservedKind::Momentum => momentum(pool, system, symmetry, of, function),
        ConservedKind::Translation => translation(pool, system, symmetry, of),
        ConservedKind::Rotation => rotation(pool, system, symmetry, of),
        ConservedKind::Driven => driven(system, symmetry, of),
    };
    let acts = |expr: &Expr| !pool.is_zero(*expr);
    if system.forces.iter().any(acts) || acts(&system.dissipation) {
        let force = match kind {
            ConservedKind::Energy | ConservedKind::Driven => ", and no force adds or takes any",
            _ => ", and no force acts along that",
        };
        why.push_str(force);
    }
    Conserved { name, symbol, why, kind, value }
}

type Words = (String, String, String);

fn energy(pool: &Pool, system: &System, of: &str, function: Expr, natural: Natural) -> Words {
    let why = match pool.contains(function, system.time) {
        true => format!("{of} does not change with t"),
        false => format!("t does not occur in {of}"),
    };
    match natural {
        Natural::Yes => ("energy".to_owned(), "E".to_owned(), format!("{why}; it is T + V")),
        Natural::No => (
            "Jacobi energy".to_owned(),
            "h".to_owned(),
            format!(
                "{why}; it is not T + V, because T is not purely quadratic in the rates: what drives the system does work"
            ),
        ),
        Natural::Unknown => ("energy".to_owned(), "E".to_owned(), why),
    }
}

fn momentum(pool: &Pool, system: &System, symmetry: &Symmetry, of: &str, function: Expr) -> Words {
    let Some(&(Transformation::Shift(place), _)) = symmetry.parts.first() else { return Words::default() };
    let it = &system.coordinates[place];
    let why = match pool.contains(function, it.position) {
        true => format!("{of} does not change with {}", it.name),
        false => format!("{} does not occur in {of}", it.name),
    };
    (format!("momentum of {}", it.name), pool.text(it.momentum), why)
}

/// Returns the names of the shifted coordinates, and the coefficients, `None` if they are all equal.
fn shifted<'s>(pool: &Pool, system: &'s System, symmetry: &Symmetry) -> (Vec<&'s str>, Option<Vec<String>>) {
    let shifts = symmetry.parts.iter().filter_map(|&(part, scale)| match part {
        Transformation::Shift(place) => Some((system.coordinates[place].name.as_str(), scale)),
        _ => None,
    });
    let (names, scales): (Vec<&str>, Vec<Expr>) = shifts.unzip();
    let same = scales.iter().all(|it| *it == scales[0]);
    (names, (!same).then(|| scales.iter().map(|&it| pool.text(it)).collect()))
}

fn translation(pool: &Pool, system: &System, symmetry: &Symmetry, of: &str) -> Words {
    let (names, scales) = shifted(pool, system, symmetry);
    match scales {
        None => {
            let why = format!("{of} stays the same when {} move together", listed(&names));
            match common_axis(&names) {
                Some(axis) => (format!("total momentum along {axis}"), format!("P_{axis}"), why),
                None => (format!("momentum of {} together", listed(&names)), joined("p", &names), why),
            }
        }
        Some(scales) => {
            let ratio = scales.join(" : ");
            let why = format!("{of} stays the same when {} move in the ratio {ratio}", listed(&names));
            (format!("momentum of {} in the ratio {ratio}", listed(&names)), joined("p", &names), why)
        }
    }
}

fn rotation(pool: &Pool, system: &System, symmetry: &Symmetry, of: &str) -> Words {
    let turns: Vec<(usize, usize, usize)> = (symmetry.parts.iter())
        .filter_map(|(part, _)| match *part {
            Transformation::Rotation { axis, first, second } => Some((axis, first, second)),
            _ => None,
        })
        .collect();
    let name = |place: usize| system.coordinates[place].name.as_str();
    let pairs: Vec<String> = turns.iter().map(|&(_, x, y)| format!("({}, {})", name(x), name(y))).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    let (shifts, _) = shifted(pool, system, symmetry);
    let together = if pairs.len() > 1 { " together" } else { "" };
    let with = if shifts.is_empty() { String::new() } else { format!(" while {} moves", listed(&shifts)) };
    let verb = if pairs.len() > 1 { "turn" } else { "turns" };
    let why = format!("{of} stays the same when {} {verb}{together}{with}", listed(&pairs));
    let axis = turns.first().map_or(2, |&(axis, ..)| axis);
    let about = AXES[axis];
    if turns.iter().any(|&(other, ..)| other != axis) {
        return ("angular momentum about several axes".to_owned(), "L_axes".to_owned(), why);
    }
    // Alone among several bodies, it is said whose it is.
    let suffix = name(turns[0].1).get(1..).unwrap_or_default();
    let others = system
        .coordinates
        .iter()
        .any(|it| AXES.iter().any(|axis| it.name.strip_prefix(axis).is_some_and(|end| end != suffix)));
    match turns.as_slice() {
        [_] if others && !suffix.is_empty() && shifts.is_empty() => {
            let whose = suffix.trim_start_matches('_');
            (format!("angular momentum of {whose} about {about}"), format!("L_{about}_{whose}"), why)
        }
        _ => (format!("angular momentum about {about}"), format!("L_{about}"), why),
    }
}

fn driven(system: &System, symmetry: &Symmetry, of: &str) -> Words {
    let mut names: Vec<&str> = Vec::new();
    for (part, _) in &symmetry.parts {
        match *part {
            Transformation::Shift(place) => names.push(&system.coordinates[place].name),
            Transformation::Rotation { first, second, .. } => {
                names.extend([first, second].map(|it| system.coordinates[it].name.as_str()));
            }
            Transformation::Time => {}
        }
    }
    let why = format!("{of} depends on t and {} only together", listed(&names));
    ("energy in the driven frame".to_owned(), "h".to_owned(), why)
}

/// Returns the axis with which all names begin.
fn common_axis(names: &[&str]) -> Option<&'static str> {
    AXES.into_iter().find(|axis| names.iter().all(|name| name.starts_with(axis)))
}

fn joined(first: &str, names: &[&str]) -> String {
    format!("{first}_{}", names.join("_"))
}
