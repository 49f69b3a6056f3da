//! Checks the laws of rigid bodies, and whether simulations have a use for them.

use super::force_law::check::{check_all, idle};
use super::force_law::model::CheckedForceLaw;
use super::{body, soft, typos};
use crate::experiment::Experiment;
use crate::simulation::model::Simulation;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::Cancel;

/// Checks the laws of rigid bodies, until reading is cancelled.
pub(crate) fn check(
    experiment: &Experiment,
    cancel: &Cancel,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedForceLaw> {
    let Experiment { objects, simulations, force_laws, joints, .. } = experiment;
    let checked = check_all(experiment, cancel, diagnostics);
    let rigid: Vec<&Simulation> = simulations.iter().filter(|it| it.rigid().is_some()).collect();
    let has_gravity = rigid.iter().filter_map(|it| it.rigid()).any(|it| it.gravity.is_some());
    let gravity = force_laws.iter().find(|it| it.name == "gravity");
    if let Some(law) = gravity.filter(|_| has_gravity) {
        let message = "the simulation has a `gravity` of its own, and ledgers tell laws apart by name";
        diagnostics.push(
            Diagnostic::new(Code::E703, law.span, message)
                .label("the same name")
                .help("rename the block, or remove `gravity` from the simulation"),
        );
    }
    for joint in joints.iter().filter(|joint| !rigid.iter().any(|it| joint.belongs_to(it, objects))) {
        diagnostics.push(idle(&joint.name, joint.span, !rigid.is_empty()));
    }
    soft::check::check(experiment, &rigid, diagnostics);
    body::check_kinematic(objects, simulations, diagnostics);
    typos::check(objects, simulations, &checked, diagnostics);
    if rigid.len() == simulations.len() && !rigid.is_empty() {
        // That no simulation names them is said better here.
        diagnostics.retain(|it| it.code != Code::W702);
        for context in &experiment.contexts {
            let message = format!("the context `{}` has no effect: the bodies are rigid", context.name);
            let help = "remove it, or the line `mechanics = rigid`; forces on rigid bodies stand in `force` and `potential` blocks";
            diagnostics.push(Diagnostic::new(Code::W750, context.span, message).help(help));
        }
    }
    checked
}
