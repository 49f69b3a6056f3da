//! The text of the page: its problems, and its experiment if there are no errors.

pub(crate) mod editor_help;
pub(crate) mod problems;
pub(crate) mod utf16;

use crate::server::Library;
use crate::wire::{Origin, Problem, Reply};
use gedanken_experiment::{Experiment, Files, Override};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use gedanken_math::Cancel;
use problems::{DiagnosticMapper, problem_without_place};
use utf16::Utf16Map;

/// A text that was checked.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) revision: u32,
    /// Name in messages.
    name: String,
    pub(super) text: String,
    /// Map between byte offsets and UTF-16 offsets.
    pub(super) units: Utf16Map,
    sources: Sources,
    /// `None` if the text has errors.
    pub(super) experiment: Option<Experiment>,
}

impl Text {
    /// Checks a text, as `gedanken check` does, and makes the reply; `None` if the token was asked meanwhile.
    pub(super) fn check(
        library: &Library,
        revision: u32,
        origin: &Origin,
        text: String,
        settings: &[String],
        cancel: &Cancel,
    ) -> Option<(Self, Reply)> {
        let (text, problems) = Self::read(library, revision, origin, text, settings, cancel)?;
        let simulations = text.experiment.iter().flat_map(|it| &it.simulations);
        let reply = Reply::Checked {
            revision,
            sound: text.experiment.is_some(),
            problems,
            formulas: editor_help::formulas(&text),
            numbers: editor_help::numbers(&text),
            simulations: simulations.map(|it| it.name.clone()).collect(),
        };
        Some((text, reply))
    }

    /// Reads an experiment, or all its problems; `None` if the token was asked meanwhile.
    pub(super) fn read(
        library: &Library,
        revision: u32,
        origin: &Origin,
        text: String,
        settings: &[String],
        cancel: &Cancel,
    ) -> Option<(Self, Vec<Problem>)> {
        let name = name(origin);
        let mut problems = Vec::new();
        let overrides = overrides(settings, &mut problems);
        let mut sources = Sources::new();
        let files = CancellableFiles { files: library.files(origin), cancel: cancel.clone() };
        let read = gedanken_lab::read(&files, &mut sources, &name, text.clone(), &overrides);
        cancel.check().ok()?;
        let units = Utf16Map::new(&text);
        let (found, experiment) = match read {
            Ok(experiment) => (experiment.warnings.clone(), Some(experiment)),
            Err(found) => (found, None),
        };
        // A setting that cannot be read would be left out in silence.
        let experiment = experiment.filter(|_| problems.is_empty());
        let text = Self { revision, name, text, units, sources, experiment };
        problems.extend(text.problems(&found));
        Some((text, problems))
    }

    /// Converts diagnostics of this text for the page.
    pub(super) fn problems(&self, found: &[Diagnostic]) -> Vec<Problem> {
        let mut places = DiagnosticMapper::new(&self.sources, &self.name);
        found.iter().map(|it| places.problem(it)).collect()
    }
}

/// Files of a text, read until the token is asked.
struct CancellableFiles<F> {
    files: F,
    cancel: Cancel,
}

impl<F: Files> Files for CancellableFiles<F> {
    fn text(&self, path: &str) -> Result<String, String> {
        self.files.text(path)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.files.bytes(path)
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// Returns the name of a text in messages: its path from the folder. Imports are searched beside it.
fn name(origin: &Origin) -> String {
    match origin {
        Origin::Gallery { name } | Origin::Folder { name } if name.ends_with(".lab") => name.clone(),
        Origin::Gallery { name } | Origin::Folder { name } => format!("{name}.lab"),
        Origin::Page {} => "experiment.lab".to_owned(),
    }
}

fn overrides(settings: &[String], problems: &mut Vec<Problem>) -> Vec<Override> {
    let mut overrides = Vec::new();
    for setting in settings {
        match Override::read(setting) {
            Ok(it) => overrides.push(it),
            Err(why) => {
                let mut problem = problem_without_place(format!("the setting cannot be read: {why}"), None);
                problem.place.source = Some(setting.clone());
                problem.place.end = Utf16Map::new(setting).before(setting.len());
                problems.push(problem);
            }
        }
    }
    overrides
}
