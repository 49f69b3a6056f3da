//! Checks that need a mechanics: whether rules of a `par` clash, whether bodies make a world, whether laws of
//! objects need each other, and whether views name what is recorded.

use super::driver::Run;
use super::options::Options;
use crate::{contexts, multibody, rigid, workflow};
use gedanken_experiment::mjcf::{self, MjcfOptions};
use gedanken_experiment::rigid::quantities::StepKind;
use gedanken_experiment::{Experiment, Files, Mechanics, Override, Simulation, Written};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{Sources, Span};
use gedanken_multibody::compile::Model;
use gedanken_recording::Schema;
use gedanken_recording::formula::Formula;

/// Reads the experiment in `text`, which stands at `path`, with some of its values set from outside, and
/// checks it to the last law.
///
/// # Errors
/// Everything that is wrong with it and with what it imports, in the order of the text, with warnings among
/// it. If the [token](Files::cancel) of the files has been asked, reading ended there, and the result means
/// nothing.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
) -> Result<Experiment, Vec<Diagnostic>> {
    read_with(files, sources, path, text, overrides, MjcfOptions::default())
}

/// Reads an experiment as [`read`] does, or a model (a path that ends in `.xml`) with these options.
///
/// # Errors
/// As those of [`read`].
pub fn read_with(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
    models: MjcfOptions,
) -> Result<Experiment, Vec<Diagnostic>> {
    if is_model(path) {
        return read_model(files, sources, path, text, overrides, models);
    }
    let options = Options { native: false, cancel: files.cancel(), ..Options::default() };
    let mut reading = gedanken_experiment::read(files, sources, path, text, overrides);
    if reading.is_whole {
        let clashes = workflow_clashes(&reading.experiment);
        reading.diagnostics.extend(clashes);
    }
    // What is wrong with a part would be said again of the whole.
    if reading.is_whole && !reading.diagnostics.iter().any(Diagnostic::is_error) {
        let refused = impossible_worlds(&reading.experiment, &options);
        reading.diagnostics.extend(refused);
    }
    if reading.is_whole && !reading.diagnostics.iter().any(Diagnostic::is_error) {
        let unknown = unknown_in_views(&reading.experiment, &options);
        reading.diagnostics.extend(unknown);
    }
    // What was left out has not been told.
    options.cancel.check().map_err(|_| Vec::new())?;
    reading.finish()
}

/// Returns `true` if a file is a model of MuJoCo, by its ending.
fn is_model(path: &str) -> bool {
    path.len() > 4
        && path.is_char_boundary(path.len() - 4)
        && path[path.len() - 4..].eq_ignore_ascii_case(".xml")
}

/// Reads a model, and checks that it can move.
fn read_model(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
    options: MjcfOptions,
) -> Result<Experiment, Vec<Diagnostic>> {
    let read = mjcf::read(files, sources, path, text, options)?;
    let span = read.span;
    if let Some(first) = overrides.first() {
        let message = format!("`{}` cannot be set: a model has no attributes", first.attribute);
        return Err(vec![
            Diagnostic::new(Code::E012, span, message).help("edit the model, or leave `--set` out"),
        ]);
    }
    Model::new(read.description.clone())
        .map_err(|error| vec![Diagnostic::new(Code::E012, span, error.to_string())])?;
    Ok(mjcf::experiment(read))
}

/// Mistakes in the formulas of views, which name what their simulation records.
fn unknown_in_views(experiment: &Experiment, options: &Options) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for view in experiment.views.iter().filter(|it| it.formulas().next().is_some()) {
        let simulation = &experiment.simulations[view.simulation];
        // A simulation that cannot begin has been reported, or is when it is run.
        let Ok(run) = Run::new(experiment, simulation, options.clone()) else { continue };
        for (written, wanted) in view.formulas() {
            found.extend(wrong_formula(run.schema(), written, wanted));
        }
    }
    found
}

/// What is wrong with a formula that must have so many scalars, at its place in the file.
fn wrong_formula(schema: &Schema, written: &Written, wanted: Option<usize>) -> Vec<Diagnostic> {
    let formula = match Formula::read(schema, &written.text) {
        Ok(formula) => formula,
        Err(refused) => return refused.diagnostics.into_iter().map(|it| moved(it, written.span)).collect(),
    };
    let Some(wanted) = wanted.filter(|it| *it != formula.width()) else { return Vec::new() };
    let what = if wanted == 1 { "a real" } else { "a vector of 3" };
    let message = format!("`{}` is {}, but {what} is needed here", formula.label(), formula.ty());
    vec![Diagnostic::new(Code::E790, written.span, message).label("cannot be shown")]
}

/// A diagnostic of a text that stands at `at` in a file, with its places in the file.
fn moved(diagnostic: Diagnostic, at: Span) -> Diagnostic {
    let place = |span: Span| {
        let start = at.start as usize;
        Span::new(at.source, start + span.start as usize..start + span.end as usize)
    };
    let mut moved = diagnostic;
    moved.primary.span = place(moved.primary.span);
    moved.secondary.iter_mut().for_each(|it| it.span = place(it.span));
    if let Some(edit) = &mut moved.edit {
        edit.span = place(edit.span);
    }
    moved
}

/// Rules of a `par` that touch the same cells.
fn workflow_clashes(experiment: &Experiment) -> Vec<Diagnostic> {
    // A planner looks for its simulation among all.
    let workflows = experiment.simulations.iter().filter(|it| it.workflow().is_some());
    workflows.flat_map(|it| workflow::Planner::new(experiment, it).clashes()).collect()
}

/// Simulations whose world cannot be built: of rigid bodies, and of objects whose laws need each other.
fn impossible_worlds(experiment: &Experiment, options: &Options) -> Vec<Diagnostic> {
    let of_contexts =
        experiment.simulations.iter().filter(|it| matches!(it.mechanics, Mechanics::Contexts(_)));
    let cycles = of_contexts.flat_map(|it| contexts::find_cycles(experiment, it, options));
    let simulations = experiment.simulations.iter().filter(|it| it.rigid().is_some());
    let refused = |it: &Simulation| match it.rigid().map(|settings| settings.step_kind()) {
        Some(StepKind::Soft) => multibody::check(experiment, it, options).err().unwrap_or_default(),
        _ => rigid::build(experiment, it, options).err().unwrap_or_default(),
    };
    cycles.chain(simulations.flat_map(refused)).collect()
}
