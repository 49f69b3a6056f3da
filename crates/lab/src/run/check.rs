//! Checks that need a mechanics: whether rules of a `par` clash, and whether bodies make a world.

use crate::{rigid, workflow};
use gedanken_experiment::{Experiment, Files, Override, Reading};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;

/// Reads the experiment in `text`, which stands at `path`, with some of its values set from outside, and
/// checks it to the last law.
///
/// # Errors
/// Everything that is wrong with it and with what it imports, in the order of the text, with warnings among
/// it.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
) -> Result<Experiment, Vec<Diagnostic>> {
    let mut reading = gedanken_experiment::read(files, sources, path, text, overrides);
    if reading.is_whole {
        let clashes = workflow_clashes(&reading.experiment);
        reading.diagnostics.extend(clashes);
    }
    // What is wrong with a part would be said again of the whole.
    if reading.is_whole && !reading.diagnostics.iter().any(Diagnostic::is_error) {
        let refused = impossible_worlds(&reading);
        reading.diagnostics.extend(refused);
    }
    reading.finish()
}

/// Rules of a `par` that touch the same cells.
fn workflow_clashes(experiment: &Experiment) -> Vec<Diagnostic> {
    let Experiment { world, objects, rules, simulations, checked_rules, .. } = experiment;
    let mut clashes = Vec::new();
    for (number, simulation) in simulations.iter().enumerate() {
        let checked = checked_rules.iter().filter(|it| it.simulation == number).collect();
        clashes.extend(workflow::Scene { world, objects, rules, simulation, checked }.clashes());
    }
    clashes
}

/// Simulations of rigid bodies whose world cannot be built.
fn impossible_worlds(reading: &Reading) -> Vec<Diagnostic> {
    let Experiment { world, objects, materials, bodily, joints, simulations, acting, .. } =
        &reading.experiment;
    let mut refused = Vec::new();
    for (number, simulation) in simulations.iter().enumerate().filter(|it| it.1.rigid.is_some()) {
        let acting = acting.iter().filter(|it| it.simulation == number).collect();
        let scene = rigid::Scene { world, objects, materials, bodily, joints, simulation, acting };
        refused.extend(scene.build(false).err().unwrap_or_default());
    }
    refused
}
