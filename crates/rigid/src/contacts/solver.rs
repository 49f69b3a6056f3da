//! The interface of contact solvers: a [`Problem`] in, its solution in place, a [`Report`] out.

use super::gauss_seidel::Memory;
use super::report::Report;
use crate::collide::contact_table::Touch;
use crate::joints::direct::Group;
use crate::ledger::Exchange;
use crate::world::settings::Settings;
use crate::world::solver_body::SolverBody;
use std::fmt;

/// The contact problem of one island over one step.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The length of the step, s.
    pub h: f64,
    /// The time at its start.
    pub time: f64,
    /// Settings of the simulation.
    pub settings: &'a Settings,
    /// The bodies of the island, and copies of the immovable ones they touch. In: at the start of the step,
    /// with the forces of laws. Out: at its end.
    pub movers: &'a mut [SolverBody],
    /// The contacts. In: with the impulses of the last step. Out: with those of this one.
    pub touches: &'a mut [Touch],
    /// For each contact, the places of A and B among the bodies.
    pub ends: &'a [[u32; 2]],
    /// The joints, solved directly.
    pub joints: &'a mut Group,
    /// Energies and momenta that the solve exchanges with the bodies.
    pub exchange: &'a mut Exchange,
    /// Memory of `gauss-seidel`, kept to avoid allocation: it carries nothing from solve to solve.
    pub memory: &'a mut Memory,
}

/// A way to move bodies in contact, as the registry lists it.
pub trait ContactSolver: fmt::Debug + Send + Sync {
    /// The name, as experiments write it.
    fn name(&self) -> &'static str;
    /// One sentence.
    fn summary(&self) -> &'static str;
    /// Key in the list of references.
    fn cite(&self) -> &'static str;
    /// The settings with which it is usually run.
    fn usual(&self, settings: Settings) -> Settings;
    /// The solver of one island, which rule `solve` calls inside of an integrator's step; `None` for a method
    /// that takes the whole step of all bodies itself ([`crate::variational`]).
    fn island_solver(&self) -> Option<&dyn IslandSolver>;
}

/// A solver that is given one island after another.
pub trait IslandSolver: fmt::Debug + Send + Sync {
    /// Takes the island to the end of the step.
    fn solve(&self, problem: &mut Problem<'_>) -> Report;
    /// Returns `true` if it also moves bodies apart that overlap, so that no other rule has to.
    fn corrects(&self) -> bool {
        false
    }
}
