//! `gauss-seidel` as a value of the registry: each strategy and the function that carries it out.

use super::strategy::Strategy;
use super::{free_island, large_island, with_joints};
use crate::contacts::report::Report;
use crate::contacts::solver::{ContactSolver, IslandSolver, Problem};
use crate::world::settings::Settings;

/// Contact solver by sub-steps and warm-started sweeps; see the module.
#[derive(Debug)]
pub struct GaussSeidel;

/// The solver as a value of the registry.
pub static GAUSS_SEIDEL: GaussSeidel = GaussSeidel;

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn summary(&self) -> &'static str {
        "sub-steps with warm-started sweeps over contact points; Newton's method or conjugate directions where one is not enough"
    }

    fn cite(&self) -> &'static str {
        "catto2005"
    }

    fn usual(&self, settings: Settings) -> Settings {
        Settings { solver: &GAUSS_SEIDEL, ..settings }
    }

    fn island_solver(&self) -> Option<&dyn IslandSolver> {
        Some(self)
    }
}

impl IslandSolver for GaussSeidel {
    fn solve(&self, problem: &mut Problem<'_>) -> Report {
        match Strategy::choose(problem) {
            Strategy::WithJoints => with_joints::solve(problem),
            Strategy::LargeIsland => large_island::solve(problem),
            Strategy::LargeStack => {
                free_island::solve(problem, |solver, rows| solver.newton_after_wide_sweep(rows))
            }
            Strategy::SmallStack => {
                free_island::solve(problem, |solver, rows| solver.newton_after_sweep(rows))
            }
            Strategy::LooseTree => free_island::solve(problem, |solver, rows| solver.newton_if_quiet(rows)),
            Strategy::SmallIsland => free_island::solve(problem, |solver, rows| solver.direct_if_quiet(rows)),
        }
    }
}
