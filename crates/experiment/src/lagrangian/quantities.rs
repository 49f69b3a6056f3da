//! Names that a Lagrangian gives, beside what the file writes: all that follows from where the system is and
//! how it moves.
//!
//! | of the world | |
//! |---|---|
//! | `q`, `q_dot`, `p_q` | each coordinate, its rate ∂H/∂p, its momentum ∂L/∂q̇ |
//! | `kinetic_energy`, `potential_energy` | T and V, where they can be told apart |
//! | `total_energy` | T + V, or Σ p q̇ − L where they cannot, or H |
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
//! This is the one list of what can be named: records, measures and rows are made from it.
//!
//! An attribute of the world that the file writes keeps its meaning, and hides what is given under that name.

use crate::Lagrangian;
use gedanken_lang::types::Type;
use gedanken_symbolic::Expr;

/// Something that is known of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub name: String,
    pub ty: Type,
    pub what: What,
}

/// How something given is found.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Coordinate(usize),
    Rate(usize),
    /// By the place of the constraint; stops come after constraints.
    Multiplier(usize),
    /// By formulas of the derivation's pool, one for each scalar.
    Formulas(Vec<Expr>),
}

/// Everything that is given, by name. What is derived is derived now.
pub fn all(lagrangian: &Lagrangian) -> Vec<Given> {
    let mut all: Vec<Given> = Vec::new();
    let mut add = |name: String, ty: Type, what: What| {
        if !all.iter().any(|it| it.name == name) {
            all.push(Given { name, ty, what });
        }
    };
    let (system, derived) = (&lagrangian.system, lagrangian.derived());
    let real = |formula: Expr| What::Formulas(vec![formula]);
    for (place, coordinate) in system.coordinates.iter().enumerate() {
        add(coordinate.name.clone(), Type::Real, What::Coordinate(place));
        add(format!("{}_dot", coordinate.name), Type::Real, What::Rate(place));
    }
    for function in &lagrangian.functions {
        add(function.name.clone(), function.ty.clone(), What::Formulas(function.scalars.clone()));
    }
    let equations = derived.equations.lagrange();
    for (place, coordinate) in system.coordinates.iter().enumerate() {
        let momentum = equations.map_or(coordinate.momentum, |it| it.momenta[place]);
        add(format!("p_{}", coordinate.name), Type::Real, real(momentum));
    }
    if let Some((kinetic, potential)) = equations.and_then(|it| it.kinetic.zip(it.potential)) {
        add("kinetic_energy".to_owned(), Type::Real, real(kinetic));
        add("potential_energy".to_owned(), Type::Real, real(potential));
    }
    add("total_energy".to_owned(), Type::Real, real(derived.energy));
    for conserved in derived.equations.conserved() {
        add(conserved.symbol.clone(), Type::Real, real(conserved.value));
    }
    for constraint in &system.constraints {
        add(format!("residual_{}", constraint.name), Type::Real, real(constraint.value));
    }
    let held = system.constraints.iter().map(|it| &it.name);
    for (place, name) in held.chain(lagrangian.stops.iter().map(|it| &it.name)).enumerate() {
        add(format!("lambda_{name}"), Type::Real, What::Multiplier(place));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The names of everything that is given.
pub fn names(lagrangian: &Lagrangian) -> Vec<String> {
    let of_objects = (!lagrangian.positions.is_empty()).then(|| "velocity".to_owned());
    all(lagrangian).into_iter().map(|it| it.name).chain(of_objects).collect()
}
