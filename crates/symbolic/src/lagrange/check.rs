//! Checks of a statement before anything is derived from it.

use super::refusal::Refusal;
use super::system::{ConstraintKind, Statement, System};
use crate::{Expr, Function, Node, Pool, Rational};
use std::collections::HashSet;

/// An expression of a system and its place in the statement.
struct Place {
    name: String,
    expr: Expr,
    kind: Kind,
}

/// Symbols that may occur at a place beside coordinates and time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rates,
    Momenta,
    Neither(&'static str),
}

impl System {
    /// Refuses a statement that is no mechanical system.
    pub(super) fn check(&self, pool: &Pool) -> Result<(), Refusal> {
        if self.coordinates.is_empty() {
            return Err(Refusal::NoCoordinates);
        }
        let mut names = HashSet::new();
        if let Some(twice) = self.coordinates.iter().find(|it| !names.insert(it.name.as_str())) {
            return Err(Refusal::Twice { name: twice.name.clone() });
        }
        let (found, wanted) = (self.forces.len(), self.coordinates.len());
        if found != wanted {
            return Err(Refusal::Forces { found, wanted });
        }
        for place in self.places() {
            self.check_symbols(pool, &place)?;
            check_reals(pool, &place)?;
        }
        self.check_velocity(pool)
    }

    fn places(&self) -> Vec<Place> {
        let place = |name: &str, expr: Expr, kind: Kind| Place { name: name.to_owned(), expr, kind };
        let mut places = match self.statement {
            Statement::Lagrangian(lagrangian) => vec![place("L", lagrangian, Kind::Rates)],
            Statement::Energies { kinetic, potential } => {
                let way_out = "write L = T - V instead, with all that depends on rates";
                vec![place("T", kinetic, Kind::Rates), place("V", potential, Kind::Neither(way_out))]
            }
            Statement::Hamiltonian(hamiltonian) => vec![place("H", hamiltonian, Kind::Momenta)],
        };
        places.push(place("the dissipation", self.dissipation, Kind::Rates));
        for (coordinate, &force) in self.coordinates.iter().zip(&self.forces) {
            places.push(place(&format!("the force along {}", coordinate.name), force, Kind::Rates));
        }
        for constraint in &self.constraints {
            let (name, allowed) = match constraint.kind {
                ConstraintKind::Position => {
                    ("the constraint", Kind::Neither("make it a velocity constraint"))
                }
                ConstraintKind::Velocity => ("the velocity constraint", Kind::Rates),
            };
            places.push(place(&format!("{name} {}", constraint.name), constraint.value, allowed));
        }
        places
    }

    fn check_symbols(&self, pool: &Pool, place: &Place) -> Result<(), Refusal> {
        let mut parts = HashSet::new();
        pool.each_part(place.expr, |part| {
            parts.insert(part);
        });
        let name_of = |symbol: Expr| pool.text(symbol);
        for it in &self.coordinates {
            let at = || place.name.clone();
            if parts.contains(&it.acceleration) {
                return Err(Refusal::Acceleration { place: at(), name: name_of(it.acceleration) });
            }
            if parts.contains(&it.rate) && place.kind != Kind::Rates {
                let way_out = match place.kind {
                    Kind::Neither(way_out) => way_out,
                    _ => "write H with the momenta, such as p_theta for theta",
                };
                return Err(Refusal::Rate { place: at(), name: name_of(it.rate), way_out });
            }
            if parts.contains(&it.momentum) && place.kind != Kind::Momenta {
                let (name, rate) = (name_of(it.momentum), name_of(it.rate));
                return Err(Refusal::Momentum { place: at(), name, rate });
            }
        }
        match self.constraints.iter().find(|it| parts.contains(&it.multiplier)) {
            Some(it) => Err(Refusal::Multiplier { place: place.name.clone(), name: name_of(it.multiplier) }),
            None => Ok(()),
        }
    }

    fn check_velocity(&self, pool: &Pool) -> Result<(), Refusal> {
        let (place, expr) = match self.statement {
            Statement::Lagrangian(lagrangian) => ("L", lagrangian),
            Statement::Energies { kinetic, .. } => ("T", kinetic),
            Statement::Hamiltonian(hamiltonian) => ("H", hamiltonian),
        };
        let speaks = |it: &super::Coordinate| if place == "H" { it.momentum } else { it.rate };
        if self.coordinates.iter().any(|it| pool.contains(expr, speaks(it))) {
            return Ok(());
        }
        let rate = pool.text(speaks(&self.coordinates[0]));
        Err(match place {
            "H" => Refusal::NoMomentum { momentum: rate },
            _ => Refusal::NoVelocity { place: place.to_owned(), rate },
        })
    }
}

/// Refuses parts that are no real number for any values of the symbols.
fn check_reals(pool: &Pool, place: &Place) -> Result<(), Refusal> {
    let mut found = None;
    pool.each_part(place.expr, |part| {
        if found.is_none() {
            found = not_real(pool, part).map(|why| (part, why));
        }
    });
    match found {
        Some((part, why)) => Err(Refusal::NotReal { place: place.name.clone(), part: pool.text(part), why }),
        None => Ok(()),
    }
}

fn not_real(pool: &Pool, part: Expr) -> Option<&'static str> {
    match *pool.node(part) {
        Node::Power(base, exponent) => {
            let exponent = pool.as_number(exponent)?;
            if pool.is_zero(base) && exponent.is_negative() {
                return Some("it divides by 0");
            }
            (!exponent.is_integer() && is_negative(pool, base))
                .then_some("only numbers that are not negative have such a root")
        }
        Node::Call(Function::Log, x) => {
            (pool.is_zero(x) || is_negative(pool, x)).then_some("only positive numbers have a logarithm")
        }
        Node::Call(Function::Asin | Function::Acos, x) => {
            let outside = pool.as_number(x)?.abs() > Rational::one();
            outside.then_some("sines and cosines lie between -1 and 1")
        }
        _ => None,
    }
}

/// Returns `true` if it is never above 0, and 0 at most at single points.
fn is_negative(pool: &Pool, expr: Expr) -> bool {
    match pool.node(expr) {
        Node::Number(number) => number.is_negative(),
        Node::Sum { constant, terms } => {
            !constant.is_positive()
                && terms.iter().all(|(term, scale)| scale.is_negative() && pool.never_negative(*term))
        }
        _ => false,
    }
}
