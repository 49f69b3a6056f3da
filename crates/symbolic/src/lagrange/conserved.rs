//! Conserved quantities, and the reason why they are conserved.

use super::equations::Equations;
use super::generator::{Motion, Transformation};
use super::hamilton::Hamilton;
use super::naming;
use super::simplify::{self, Effort};
use super::symmetry::{self, Symmetry};
use super::system::{ConstraintKind, Statement, System};
use crate::matrix::dot;
use crate::{Expr, Matrix, Pool, Rational};

/// A quantity that is constant along every motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conserved {
    /// Name: `energy`, `momentum of phi`, `angular momentum about z`.
    pub name: String,
    /// Short identifier for columns, unique in each list: `E`, `p_phi`, `L_z`.
    pub symbol: String,
    /// Reason: `phi does not occur in L`.
    pub why: String,
    /// Symmetry to which it belongs.
    pub kind: ConservedKind,
    /// Formula of coordinates, rates and time; of coordinates, momenta and time if it belongs to a
    /// [`Hamilton`].
    pub value: Expr,
}

/// Symmetry to which a conserved quantity belongs (Noether).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConservedKind {
    /// Invariance under shifts of time.
    Energy,
    /// A cyclic coordinate.
    Momentum,
    /// Invariance when several coordinates are shifted together.
    Translation,
    /// Invariance when pairs of coordinates are rotated together.
    Rotation,
    /// Invariance when coordinates are shifted or rotated together with time: a rotating drive.
    Driven,
}

/// Returns the quantities that Lagrange's equations conserve.
pub(super) fn found(pool: &mut Pool, equations: &Equations) -> Vec<Conserved> {
    let system = &equations.system;
    let minus = Rational::from(-1);
    let rates: Vec<Expr> = system.coordinates.iter().map(|it| it.rate).collect();
    // Forces beside those of L.
    let mut acting = Vec::with_capacity(rates.len());
    for (&force, &rate) in system.forces.iter().zip(&rates) {
        let lost = pool.derivative(system.dissipation, rate);
        acting.push(pool.sub(force, lost));
    }
    let changes = equations.pulls.iter().zip(&acting).map(|(&pull, &it)| pool.add(pull, it)).collect();
    let power = dot(pool, &acting, &rates);
    let by_time = pool.derivative(equations.lagrangian, system.time);
    let energy_change = pool.linear(&[(power, Rational::one()), (by_time, minus)]);
    let motion = Motion {
        momenta: equations.momenta.clone(),
        rates,
        changes,
        energy: equations.energy,
        energy_change,
        rows: equations.rows.clone(),
        moving: moving(pool, system),
    };
    let symmetries = symmetry::found(pool, system, &motion);
    let natural = is_natural(pool, equations);
    named(pool, system, symmetries, "L", equations.lagrangian, natural)
}

/// Returns the quantities that Hamilton's equations conserve.
pub(super) fn found_in_phase_space(pool: &mut Pool, system: &System, hamilton: &Hamilton) -> Vec<Conserved> {
    // With multipliers, the equations speak of what has been found before.
    if !system.constraints.is_empty() {
        return Vec::new();
    }
    let mut terms = vec![pool.derivative(hamilton.hamiltonian, system.time)];
    for (place, it) in system.coordinates.iter().enumerate() {
        let slope = pool.derivative(hamilton.hamiltonian, it.position);
        let acting = pool.add(hamilton.forces[place], slope);
        terms.push(pool.mul(acting, hamilton.rates[place]));
    }
    let motion = Motion {
        momenta: system.coordinates.iter().map(|it| it.momentum).collect(),
        rates: hamilton.rates.clone(),
        changes: hamilton.forces.clone(),
        energy: hamilton.hamiltonian,
        energy_change: pool.sum(&terms),
        rows: Matrix::zero(pool, 0, system.coordinates.len()),
        moving: Vec::new(),
    };
    let symmetries = symmetry::found(pool, system, &motion);
    named(pool, system, symmetries, "H", hamilton.hamiltonian, Natural::Unknown)
}

/// Returns the explicit rate of each constraint: ∂φ/∂t, or the value of a velocity constraint at rest.
fn moving(pool: &mut Pool, system: &System) -> Vec<Expr> {
    (system.constraints.iter())
        .map(|it| match it.kind {
            ConstraintKind::Position => pool.derivative(it.value, system.time),
            ConstraintKind::Velocity => system.at_rest(pool, it.value),
        })
        .collect()
}

/// Answer to the question whether Σ p q̇ − L is T + V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Natural {
    Yes,
    No,
    Unknown,
}

fn is_natural(pool: &mut Pool, equations: &Equations) -> Natural {
    let Statement::Energies { kinetic, potential } = equations.system.statement else {
        return Natural::Unknown;
    };
    let whole = pool.add(kinetic, potential);
    let difference = pool.sub(equations.energy, whole);
    if simplify::vanishes(pool, difference) { Natural::Yes } else { Natural::No }
}

fn named(
    pool: &mut Pool,
    system: &System,
    symmetries: Vec<Symmetry>,
    of: &str,
    function: Expr,
    natural: Natural,
) -> Vec<Conserved> {
    let mut list: Vec<Conserved> = Vec::new();
    for symmetry in symmetries {
        // Single momenta and the energy have been simplified before.
        let value = match symmetry.kind() {
            ConservedKind::Energy | ConservedKind::Momentum => symmetry.current,
            _ => Effort::Readable.simplify(pool, symmetry.current),
        };
        // A number is conserved, but says nothing.
        if pool.as_number(value).is_some() {
            continue;
        }
        let mut it = naming::conserved(pool, system, &symmetry, value, of, function, natural);
        let same = |list: &[Conserved], symbol: &str| list.iter().any(|other| other.symbol == symbol);
        if same(&list, &it.symbol) {
            let number = (2..).find(|n| !same(&list, &format!("{}_{n}", it.symbol)));
            it.symbol = format!("{}_{}", it.symbol, number.unwrap_or(2));
        }
        list.push(it);
    }
    list.sort_by_key(|it| it.kind != ConservedKind::Energy);
    list
}

impl Symmetry {
    /// Returns the kind of the conserved quantity.
    pub(super) fn kind(&self) -> ConservedKind {
        let has = |part: fn(&Transformation) -> bool| self.parts.iter().any(|(it, _)| part(it));
        match (
            has(|it| matches!(it, Transformation::Time)),
            has(|it| matches!(it, Transformation::Rotation { .. })),
        ) {
            (true, _) if self.parts.len() == 1 => ConservedKind::Energy,
            (true, _) => ConservedKind::Driven,
            (false, true) => ConservedKind::Rotation,
            (false, false) if self.parts.len() == 1 => ConservedKind::Momentum,
            (false, false) => ConservedKind::Translation,
        }
    }
}
