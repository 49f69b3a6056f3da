//! The registry of contact solvers, and the default settings, which name one of them.

use super::gauss_seidel::GAUSS_SEIDEL;
use super::jacobi::JACOBI;
use super::solver::ContactSolver;
use crate::variational::settings::VariationalSettings;
use crate::variational::solver::VARIATIONAL;
use crate::world::error::RigidError;
use crate::world::material::Combination;
use crate::world::settings::Settings;
use gedanken_dynamics::integrate::LEAPFROG_DKD;
use gedanken_math::Cancel;

/// Every solver, in the order of the manual.
pub static SOLVERS: [&dyn ContactSolver; 3] = [&JACOBI, &GAUSS_SEIDEL, &VARIATIONAL];

/// The solver of this name, or an error that lists them.
pub fn by_name(name: &str) -> Result<&'static dyn ContactSolver, RigidError> {
    SOLVERS.into_iter().find(|solver| solver.name() == name).ok_or_else(|| RigidError::Unknown {
        what: "solver",
        name: name.to_owned(),
        known: SOLVERS.map(|solver| solver.name()).join(", "),
    })
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            integrator: &LEAPFROG_DKD,
            solver: &GAUSS_SEIDEL,
            substeps: 2,
            iterations: 1,
            correction: 0.2,
            slop: 1e-4,
            combination: Combination::GeometricMean,
            rest_speed: 1e-6,
            touch: 1e-10,
            joint_tolerance: 1e-9,
            variational: VariationalSettings::default(),
            given_forces: Vec::new(),
            ledger: true,
            cancel: Cancel::never(),
        }
    }
}

impl Settings {
    /// The defaults with the solver of this name, and the settings that are usual for it.
    pub fn of_solver(name: &str) -> Result<Self, RigidError> {
        Ok(by_name(name)?.usual(Self::default()))
    }
}
