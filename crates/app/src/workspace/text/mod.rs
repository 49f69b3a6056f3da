//! The text of the page: its problems, and its experiment if there are no errors.

pub(crate) mod editor_help;
pub(crate) mod problems;
pub(crate) mod utf16;

use crate::server::Library;
use crate::wire::{Origin, Problem, Reply};
use gedanken_experiment::{Experiment, Files, Override};
use gedanken_lang::diagnostic::{Diagnostic, Shown};
use gedanken_lang::source::Sources;
use gedanken_math::Cancel;
use problems::{DiagnosticMapper, problem_without_place};
use utf16::Utf16Map;

/// Maximum number of problems that the page is sent: the page lists them all, and marks them in the text.
const MAX_PROBLEMS: usize = 100;

/// A text as the page has written it.
#[derive(Debug)]
pub(super) struct WrittenText {
    pub(super) revision: u32,
    origin: Origin,
    pub(super) text: String,
    /// Values set from outside.
    settings: Vec<String>,
    /// Map between byte offsets and UTF-16 offsets.
    pub(super) units: Utf16Map,
    /// Token that is asked when the text is stale.
    cancel: Cancel,
}

impl WrittenText {
    pub(super) fn new(
        revision: u32,
        origin: Origin,
        text: String,
        settings: Vec<String>,
        cancel: Cancel,
    ) -> Self {
        Self { revision, origin, units: Utf16Map::new(&text), text, settings, cancel }
    }
}

/// A text that was checked.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) revision: u32,
    /// Name in messages.
    name: String,
    sources: Sources,
    /// `None` if the text has errors.
    pub(super) experiment: Option<Experiment>,
}

impl Text {
    /// Checks a text, as `gedanken check` does, and makes the reply; `None` if it became stale meanwhile.
    pub(super) fn check(library: &Library, written: &WrittenText) -> Option<(Self, Reply)> {
        let (text, Problems { problems, more_errors, more_warnings }) = Self::read(library, written)?;
        let simulations = text.experiment.iter().flat_map(|it| &it.simulations);
        let reply = Reply::Checked {
            revision: written.revision,
            sound: text.experiment.is_some(),
            problems,
            more_errors,
            more_warnings,
            formulas: editor_help::formulas(written),
            numbers: editor_help::numbers(written),
            simulations: simulations.map(|it| it.name.clone()).collect(),
        };
        Some((text, reply))
    }

    /// Reads an experiment, or all its problems; `None` if it became stale meanwhile.
    pub(super) fn read(library: &Library, written: &WrittenText) -> Option<(Self, Problems)> {
        let WrittenText { revision, origin, text, settings, cancel, .. } = written;
        let name = name(origin);
        let mut problems = Vec::new();
        let overrides = overrides(settings, &mut problems);
        let mut sources = Sources::new();
        let files = CancellableFiles { files: library.files(origin), cancel: cancel.clone() };
        let read = gedanken_lab::read(&files, &mut sources, &name, text.clone(), &overrides);
        cancel.check().ok()?;
        let (found, experiment) = match read {
            Ok(experiment) => (experiment.warnings.clone(), Some(experiment)),
            Err(found) => (found, None),
        };
        // A setting that cannot be read would be left out in silence.
        let experiment = experiment.filter(|_| problems.is_empty());
        let text = Self { revision: *revision, name, sources, experiment };
        let mut all = text.problems(&found);
        all.problems.splice(..0, problems);
        Some((text, all))
    }

    /// Converts diagnostics of this text for the page: of many the first, errors before warnings.
    pub(super) fn problems(&self, found: &[Diagnostic]) -> Problems {
        let mut places = DiagnosticMapper::new(&self.sources, &self.name);
        let shown = Shown::of(found, MAX_PROBLEMS);
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Problems {
            problems: shown.list.into_iter().map(|it| places.problem(it)).collect(),
            more_errors: count(shown.more_errors),
            more_warnings: count(shown.more_warnings),
        }
    }
}

/// Problems of a text, and the number of those left out.
#[derive(Debug)]
pub(super) struct Problems {
    pub(super) problems: Vec<Problem>,
    more_errors: u32,
    more_warnings: u32,
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
        Origin::Gallery { name } | Origin::Folder { name }
            if name.ends_with(".lab") || name.ends_with(".xml") =>
        {
            name.clone()
        }
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
