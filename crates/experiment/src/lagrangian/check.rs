//! Checks of simulations against the systems that they move.

use super::method::Method;
use super::model::Lagrangian;
use crate::experiment::Experiment;
use crate::simulation::model::Simulation;
use gedanken_lang::diagnostic::{Code, Diagnostic};

/// Checks that methods fit the equations they are for, and tells of systems that nothing moves.
pub(crate) fn check(experiment: &Experiment, diagnostics: &mut Vec<Diagnostic>) {
    let moved =
        |index: usize| experiment.simulations.iter().filter(move |it| it.lagrangian_block() == Some(index));
    for (index, lagrangian) in experiment.lagrangians.iter().enumerate() {
        if moved(index).next().is_none() && !experiment.simulations.is_empty() {
            let any = experiment.simulations.iter().any(|it| it.lagrangian().is_some());
            let help = match any {
                true => {
                    format!("add `lagrangian = {}` to a simulation, or remove the block", lagrangian.name)
                }
                false => "add `mechanics = lagrangian` to a simulation, or remove the block".to_owned(),
            };
            let message = format!("no simulation follows `{}`", lagrangian.name);
            diagnostics.push(Diagnostic::new(Code::W752, lagrangian.span, message).help(help));
        }
        for simulation in moved(index) {
            diagnostics.extend(misfit(lagrangian, simulation));
        }
    }
}

/// Message for a method that does not fit the system, if it does not.
fn misfit(lagrangian: &Lagrangian, simulation: &Simulation) -> Option<Diagnostic> {
    let name = simulation.lagrangian()?.integrator.as_deref()?;
    let why = Method::by_name(name)?.misfit(lagrangian)?;
    let fitting: Vec<String> = Method::names()
        .filter(|it| Method::by_name(it).is_some_and(|method| method.misfit(lagrangian).is_none()))
        .map(|it| format!("`{}`", it.replace('-', "_")))
        .collect();
    Some(
        Diagnostic::new(
            Code::E769,
            simulation.span,
            format!("`{name}` cannot follow `{}`: {why}", lagrangian.name),
        )
        .label("moves it")
        .also(lagrangian.span, "these equations")
        .help(format!("methods that fit are {}", fitting.join(", "))),
    )
}
