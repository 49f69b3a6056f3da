//! Contact solvers: one interface, chosen by name.
//!
//! A solver gets the bodies, contacts and joints of one island for one step, and takes it to the end of the
//! step. It finds impulses with Signorini's conditions (no pull, no approach, one of both zero), Coulomb's
//! cone, and the principle that friction opposes sliding; how well, it says in its [`Report`].

pub(crate) mod contact_rows;
pub(crate) mod energy_bound;
mod gauss_seidel;
mod jacobi;
pub(crate) mod natural_map;
pub(crate) mod position_correction;
pub(crate) mod registry;
pub(crate) mod report;
pub(crate) mod solve_islands;
pub(crate) mod solver;

pub use gauss_seidel::{GAUSS_SEIDEL, Memory};
pub use jacobi::JACOBI;
pub use registry::{SOLVERS, by_name};
pub use report::{Report, VariationalResiduals};
pub use solver::{ContactSolver, IslandSolver, Problem};
