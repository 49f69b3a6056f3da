//! Names that a Lagrangian gives, beside what the file writes: all that follows from where the system is and how it moves.
//!
//! | of the world | |
//! |---|---|
//! | `q`, `q_dot`, `p_q` | each coordinate, its rate, its momentum ∂L/∂q̇ |
//! | `kinetic_energy`, `potential_energy` | T and V, where they can be told apart |
//! | `total_energy` | T + V, or Σ p q̇ − L where they cannot |
//! | `E`, `p_phi`, `L_z`, … | what is conserved, under the names that the derivation gives |
//! | `residual_NAME` | by how much a constraint is missed |
//! | `lambda_NAME` | the multiplier of a constraint, or of a stop on which the system rests |
//! | functions without parameters | under their own names; recorded where `record` asks for them |
//!
//! | of an object with a formula | |
//! |---|---|
//! | `position`, `orientation` | by the formula |
//! | `velocity` | the rate of the position |
//!
//! An attribute of the world that the file writes keeps its meaning, and hides what is given under that name.

use crate::experiment::Lagrangian;
use gedanken_lang::types::Type;

/// Something that is known of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Coordinate(usize),
    Rate(usize),
    Momentum(usize),
    Kinetic,
    Potential,
    Total,
    /// By its place among what is conserved.
    Conserved(usize),
    /// By the place of the constraint.
    Residual(usize),
    /// By the place of the constraint; stops come after constraints.
    Multiplier(usize),
    /// By its place among the functions without parameters.
    Function(usize),
}

/// Everything that is given, by name, with its type. What is derived is derived now.
pub(crate) fn all(lagrangian: &Lagrangian) -> Vec<(String, Given, Type)> {
    let mut all: Vec<(String, Given, Type)> = Vec::new();
    let mut add = |name: String, given: Given, ty: Type| {
        if !all.iter().any(|(known, ..)| *known == name) {
            all.push((name, given, ty));
        }
    };
    let system = &lagrangian.system;
    for (place, coordinate) in system.coordinates.iter().enumerate() {
        add(coordinate.name.clone(), Given::Coordinate(place), Type::Real);
        add(format!("{}_dot", coordinate.name), Given::Rate(place), Type::Real);
    }
    for (place, function) in lagrangian.functions.iter().enumerate() {
        add(function.name.clone(), Given::Function(place), function.ty.clone());
    }
    for (place, coordinate) in system.coordinates.iter().enumerate() {
        add(format!("p_{}", coordinate.name), Given::Momentum(place), Type::Real);
    }
    let equations = &lagrangian.derived().equations;
    if equations.kinetic.is_some() && equations.potential.is_some() {
        add("kinetic_energy".to_owned(), Given::Kinetic, Type::Real);
        add("potential_energy".to_owned(), Given::Potential, Type::Real);
    }
    add("total_energy".to_owned(), Given::Total, Type::Real);
    for (place, conserved) in equations.conserved.iter().enumerate() {
        add(conserved.symbol.clone(), Given::Conserved(place), Type::Real);
    }
    for (place, constraint) in system.constraints.iter().enumerate() {
        add(format!("residual_{}", constraint.name), Given::Residual(place), Type::Real);
    }
    let held = system.constraints.iter().map(|it| &it.name);
    for (place, name) in held.chain(lagrangian.stops.iter().map(|it| &it.name)).enumerate() {
        add(format!("lambda_{name}"), Given::Multiplier(place), Type::Real);
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// The names of everything that is given.
pub(crate) fn names(lagrangian: &Lagrangian) -> Vec<String> {
    let of_objects = (!lagrangian.positions.is_empty()).then(|| "velocity".to_owned());
    all(lagrangian).into_iter().map(|(name, ..)| name).chain(of_objects).collect()
}
