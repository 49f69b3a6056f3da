//! Contact solvers: one interface, chosen by name.
//!
//! A solver gets the bodies, contacts and joints of one island for one step, and takes it to the end of the
//! step. It finds impulses with Signorini's conditions (no pull, no approach, one of both zero), Coulomb's
//! cone, and the principle that friction opposes sliding; how well, it says in its [`Report`].

pub mod contact_rows;
mod gauss_seidel;
mod jacobi;
pub mod position_correction;
mod report;
mod solve_islands;

pub use gauss_seidel::{GAUSS_SEIDEL, Memory};
pub use jacobi::JACOBI;
pub use report::Report;
pub(super) use solve_islands::flow;

use super::collide::contact_table::Touch;
use super::joints::direct::Group;
use super::ledger::Exchange;
use super::world::solver_body::Mover;
use super::world::error::RigidError;
use super::world::settings::Settings;
use std::fmt;

/// The contact problem of one island over one step.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The length of the step, s.
    pub h: f64,
    /// The time at its start.
    pub time: f64,
    /// How to compute it.
    pub settings: &'a Settings,
    /// The bodies of the island, and copies of the immovable ones they touch. In: at the start of the step,
    /// with the forces of laws. Out: at its end.
    pub movers: &'a mut [Mover],
    /// The contacts. In: with the impulses of the last step. Out: with those of this one.
    pub touches: &'a mut [Touch],
    /// For each contact, the places of A and B among the movers.
    pub ends: &'a [[u32; 2]],
    /// The joints, solved directly.
    pub joints: &'a mut Group,
    /// Where joules and newton-seconds are booked.
    pub exchange: &'a mut Exchange,
    /// Memory of `gauss-seidel`, kept to avoid allocation: it carries nothing from solve to solve.
    pub memory: &'a mut Memory,
}

/// A way to solve contacts.
pub trait ContactSolver: fmt::Debug + Send + Sync {
    /// The name, as experiments write it.
    fn name(&self) -> &'static str;
    /// One sentence.
    fn summary(&self) -> &'static str;
    /// Key in the list of references.
    fn cite(&self) -> &'static str;
    /// The settings with which it is usually run.
    fn usual(&self, settings: Settings) -> Settings;
    /// Takes the island to the end of the step.
    fn solve(&self, problem: &mut Problem<'_>) -> Report;
    /// Whether it also moves bodies apart that overlap, so that nobody else has to.
    fn corrects(&self) -> bool {
        false
    }
}

/// Every solver, in the order of the manual.
pub static SOLVERS: [&dyn ContactSolver; 2] = [&JACOBI, &GAUSS_SEIDEL];

/// The solver of this name, or an error that lists them.
pub fn by_name(name: &str) -> Result<&'static dyn ContactSolver, RigidError> {
    SOLVERS.into_iter().find(|solver| solver.name() == name).ok_or_else(|| RigidError::Unknown {
        what: "solver",
        name: name.to_owned(),
        known: SOLVERS.map(|solver| solver.name()).join(", "),
    })
}
