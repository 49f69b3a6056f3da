//! Quantities that follow from the state of a system stated by its energies, beside the attributes of the
//! file.
//!
//! | of the world | |
//! |---|---|
//! | `q`, `q_dot`, `p_q` | each coordinate, its rate ∂H/∂p, its momentum ∂L/∂q̇ |
//! | `kinetic_energy`, `potential_energy` | T and V, where they can be told apart |
//! | `total_energy` | T + V, or Σ p q̇ − L where they cannot, or H |
//! | `E`, `p_phi`, `L_z`, … | conserved quantities, under the names that the derivation gives |
//! | `residual_NAME` | residual of a constraint |
//! | `lambda_NAME` | the multiplier of a constraint, or of a stop on which the system rests |
//! | functions without parameters | under their own names; recorded where `record` asks for them |
//!
//! | of an object with a formula | |
//! |---|---|
//! | `position`, `orientation` | by the formula |
//! | `velocity` | the rate of the position |
//!
//! Records, measures and rows are made from this one list.
//!
//! An attribute of the world that the file writes keeps its meaning, and hides the quantity of that name.

use super::model::Lagrangian;
use gedanken_lang::types::Type;
use gedanken_symbolic::Expr;

/// A quantity of the whole system.
#[derive(Clone, Debug, PartialEq)]
pub struct LagrangianQuantity {
    /// Name in formulas and recordings.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Origin of its value.
    pub source: QuantitySource,
}

/// Origin of the value of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum QuantitySource {
    /// The coordinate with this index.
    Coordinate(usize),
    /// The rate of the coordinate with this index.
    Rate(usize),
    /// The multiplier of the constraint with this index; stops come after constraints.
    Multiplier(usize),
    /// Formulas in the pool of the derivation, one for each scalar.
    Formulas(Vec<Expr>),
}

/// All quantities, sorted by name. Derives the equations of motion unless that has been done.
pub fn all(lagrangian: &Lagrangian) -> Vec<LagrangianQuantity> {
    let mut all: Vec<LagrangianQuantity> = Vec::new();
    let mut add = |name: String, ty: Type, source: QuantitySource| {
        if !all.iter().any(|it| it.name == name) {
            all.push(LagrangianQuantity { name, ty, source });
        }
    };
    let (system, derived) = (&lagrangian.system, lagrangian.derived());
    let real = |formula: Expr| QuantitySource::Formulas(vec![formula]);
    for (place, coordinate) in system.coordinates.iter().enumerate() {
        add(coordinate.name.clone(), Type::Real, QuantitySource::Coordinate(place));
        add(format!("{}_dot", coordinate.name), Type::Real, QuantitySource::Rate(place));
    }
    for function in &lagrangian.functions {
        add(function.name.clone(), function.ty.clone(), QuantitySource::Formulas(function.scalars.clone()));
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
        add(format!("lambda_{name}"), Type::Real, QuantitySource::Multiplier(place));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Names of all quantities.
pub(crate) fn names(lagrangian: &Lagrangian) -> Vec<String> {
    let of_objects = (!lagrangian.positions.is_empty()).then(|| "velocity".to_owned());
    all(lagrangian).into_iter().map(|it| it.name).chain(of_objects).collect()
}
