//! Checks the laws of rigid bodies, and whether simulations have a use for them.

use super::force_law::check::{check_all, idle};
use super::force_law::model::CheckedForceLaw;
use super::joint::coupling::Coupling;
use super::joint::model::JointKind;
use super::quantities::StepKind;
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
    let Experiment { objects, simulations, force_laws, joints, couplings, .. } = experiment;
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
    let acts = |it: &Coupling| rigid.iter().any(|simulation| it.belongs_to(simulation, joints, objects));
    for coupling in couplings.iter().filter(|it| !acts(it)) {
        diagnostics.push(idle(&coupling.name, coupling.span, !rigid.is_empty()));
    }
    refuse_names_of_soft_laws(experiment, &rigid, diagnostics);
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

/// Laws that every simulation with `solver = soft` has, beside gravity.
const SOFT_LAWS: [&str; 2] = ["springs", "damping"];

/// Reports laws of the file that have the name of one that soft constraints have by themselves.
fn refuse_names_of_soft_laws(
    experiment: &Experiment,
    rigid: &[&Simulation],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_soft =
        |it: &&&Simulation| it.rigid().is_some_and(|settings| settings.step_kind() == StepKind::Soft);
    let Some(simulation) = rigid.iter().find(is_soft) else { return };
    let laws = experiment.force_laws.iter().map(|it| (&it.name, it.span));
    let springs = experiment.joints.iter().filter(|it| it.kind == JointKind::Spring);
    for (name, span) in laws.chain(springs.map(|it| (&it.name, it.span))) {
        if SOFT_LAWS.contains(&name.as_str()) {
            let message = format!(
                "`{name}` is what the solver `soft` calls the {name} of joints, and ledgers tell laws apart by name"
            );
            diagnostics.push(
                Diagnostic::new(Code::E703, span, message)
                    .label("the same name")
                    .also(simulation.span, "in this simulation")
                    .help("rename the block"),
            );
        }
    }
}
