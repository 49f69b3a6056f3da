//! The solver as the registry lists it.

use crate::contacts::solver::{ContactSolver, IslandSolver};
use crate::world::settings::Settings;

/// The variational step; see [`crate::variational`].
#[derive(Debug)]
pub struct Variational;

/// The solver as a value of the registry.
pub static VARIATIONAL: Variational = Variational;

impl ContactSolver for Variational {
    fn name(&self) -> &'static str {
        "variational"
    }
    fn summary(&self) -> &'static str {
        "the whole step as one stationary point of the discrete action, with contacts, friction and joints as constraints"
    }
    fn cite(&self) -> &'static str {
        "marsden2001"
    }
    fn usual(&self, settings: Settings) -> Settings {
        Settings { solver: &VARIATIONAL, slop: 1e-7, ..settings }
    }
    fn island_solver(&self) -> Option<&dyn IslandSolver> {
        None
    }
}
