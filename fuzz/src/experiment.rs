//! Any text as an experiment: a model or reasons, never a panic or an endless search. What is a model can be
//! made solid and chosen for. An editor gets its help with any text, and at any place of it.

use gedanken_experiment::Files;
use gedanken_experiment::editor::{complete, formulas, hover, numbers};
use gedanken_lab::read;
use gedanken_lab::report;
use gedanken_lang::source::Sources;

/// A disk without files.
pub(crate) struct NoFiles;

impl Files for NoFiles {
    fn text(&self, _path: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn bytes(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("there is no such file".to_owned())
    }
}

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    formulas(text);
    numbers(text);
    for offset in [text.len() / 2, text.len()] {
        let found = complete(text, offset);
        assert!(text.get(found.start..found.end).is_some());
        hover(text, offset);
    }
    let mut sources = Sources::new();
    match read(&NoFiles, &mut sources, "text.lab", text.to_owned(), &[]) {
        Ok(experiment) => {
            let _ = report(&experiment);
            for object in &experiment.objects {
                let _ = object.solid(&experiment.objects);
            }
        }
        Err(reasons) => assert!(reasons.iter().any(|reason| reason.is_error())),
    }
}
